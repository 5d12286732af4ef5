"""Case files: each gives a position, sheets and dice, and the refusals and position to expect. One file a rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.bots import Step
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import problem_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import Inbox, Outcome, flaws_in
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.stops import due_in
from adjudicator.engine.sheets.reading import expected_in, read_answers, read_sheet
from adjudicator.engine.sheets.sheet import Answer, Sheet
from adjudicator.engine.table.dice import Dice, Die, OutOfDice, ScriptedDice
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Head, NotSent, Player, position_after
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import decode_secret, plain_of
from adjudicator.engine.text.source import Source, read


class HighestFirst:
    """Dice that throw the highest face first, then the next, and shuffle nothing, so that a base position is the same
    everywhere.
    """

    def __init__(self) -> None:
        self.count = 0

    def throw(self, die: Die, what: tuple[str, ...]) -> int:
        """The highest face first, then the next."""
        self.count += 1
        return die[-self.count % len(die)]

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        """The items in the order given."""
        return tuple(items)


class CaseDice(ScriptedDice):
    """The dice of a case. A shuffle that ends with `...` goes on with the rest, in the order given."""

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        """The next shuffle of the list, with the rest filled in."""
        if self.left and isinstance(self.left[0], list) and self.left[0][-1:] == [REST]:
            first, rest = self.left[0][:-1], list(items)
            for item in first:
                if item in rest:
                    rest.remove(item)
            self.left[0] = [*first, *rest]
        return super().shuffle(items, what)


CASES_KEPT = 700
"""How many played cases are kept: all of one rulebook's, for the promises that look at them again."""
REST = "..."
"""Stands at the end of a list in `given`: all the rest follows."""


class Case(Struct, frozen=True, forbid_unknown_fields=True, eq=False):
    """One case; docs/develop.md explains the fields. A case equals only itself, so that its outcome can be kept."""

    case: str
    phase: str
    expect: Mapping[str, Any]
    players: tuple[Player, ...] = ()
    options: Mapping[str, Any] = {}
    rules: int = 0
    turn: int = 1
    given: Mapping[str, Any] = {}
    gone: tuple[str, ...] = ()
    sheets: Mapping[Player, str] = {}
    answers: Mapping[Player, str] = {}
    dice: tuple[Any, ...] = ()


@cache
def cases_in(path: Path) -> tuple[Case, ...]:
    """The cases of a file, read once. Raises ValueError for a file that isn't a case file."""
    source = read(path.read_bytes(), path.name, most=None)
    if not isinstance(source, Source):
        raise ValueError(f"{path.name}:{source.slip.line}: {problem_of(source).text}")
    return msgspec.convert(source.plain, tuple[Case, ...])


def cases_by_name(folder: Path) -> dict[str, Case | str]:
    """The cases of a folder's files by file and number (`MED-3.1-2 a sentence`); for a bad file, what is wrong."""
    found: dict[str, Case | str] = {}
    for path in sorted(folder.glob("*.yaml")):
        try:
            for number, case in enumerate(cases_in(path), start=1):
                found[f"{path.stem}-{number} {case.case}"] = case
        except (ValueError, msgspec.ValidationError) as error:
            found[path.stem] = f"{path.name} can't be read: {error}"
    return found


def playable(by_name: Mapping[str, Case | str], but: Collection[str] = ()) -> Iterator[tuple[str, Case]]:
    """The cases in which a phase is played, by name, without those about one of the options `but`."""
    for name, case in by_name.items():
        if isinstance(case, Case) and "flaws" not in case.expect and case.options.keys().isdisjoint(but):
            yield name, case


def position(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> Any:
    """The given position: the usual start, played without sheets to the case's phase, with `given` laid over it.

    Mappings are merged by key, except those named in `replaced`, whose pieces come and go: these are replaced whole. A
    list of cards that ends with `...` goes on with all cards that have no other place (`with_the_rest`), except those
    that are `gone` from the game. So a case names the cards that matter, and none is missing.
    """
    players = case.players or rulebook.tables[min(rulebook.tables)][0]
    options = msgspec.json.encode({**case.options, "pacing": "batch"}, order="sorted")
    plain = plain_of(first_position_of_case(rulebook.key, options, players, case.phase, case.rules))
    plain["options"] |= case.options
    plain["phase"]["turn"] = case.turn
    given = with_the_rest(plain, case.given, case.gone, replaced)
    state = msgspec.convert(given, rulebook.State, dec_hook=decode_secret)
    phase = rulebook.phase(case.phase)
    due = due_in(rulebook, state, phase)
    return replace(state, phase=Head(state.phase.number, case.phase, case.turn, due))


@lru_cache(maxsize=32)
def first_position_of_case(
    name: str, options: bytes, players: tuple[Player, ...], wanted: str, rules: int
) -> Any:
    """The first position of a phase in a match with the given options, as JSON. Many cases begin there.

    `rules` is the version of the rules; 0: the newest.
    """
    rulebook = registry.rulebook(name)
    given = msgspec.json.decode(options, type=rulebook.Options)
    state = rulebook.start("case", given, players)
    return first_position(rulebook, replace(state, rules=rules or state.rules), wanted)


def first_position(rulebook: Rulebook[Any], state: Any, wanted: str) -> Any:
    """The first position of a phase in a match played without sheets.

    A phase that is reached only by orders gets the first position of the nearest phase listed before it that was
    reached.
    """
    names = [phase.name for phase in rulebook.phases]
    first: dict[str, Any] = {}
    dice = HighestFirst()
    turn = state.phase.turn
    while wanted not in first and not state.phase.over and state.phase.turn <= turn + 1:
        first.setdefault(state.phase.name, state)
        state = advance(rulebook, state, Inbox(), dice).state
    reached = [name for name in names[: names.index(wanted) + 1] if name in first]
    return first[reached[-1]]


def merged(plain: Any, given: Any, replaced: Sequence[str] = ()) -> Any:
    """Plain data with `given` laid over it: mappings are merged, except those under a key in `replaced`; anything else
    is replaced.
    """
    if not isinstance(plain, dict) or not isinstance(given, dict):
        return given
    found = dict(plain)
    for key, value in given.items():
        found[key] = value if key in replaced else merged(plain.get(key), value)
    return found


def with_the_rest(start: Any, given: Any, gone: Sequence[str], replaced: Sequence[str] = ()) -> Any:
    """`given` laid over the start. Where one of its lists ends with `...`, every other list gives up what `given`
    names.

    The list goes on with everything that lay in lists of the start and has no place now, in the start's order.
    """
    if REST not in words_in_lists(given):
        return merged(start, given, replaced)
    named = {*words_in_lists(given), *gone} - {*start["players"]}
    whole = merged(without_words(start, named), given, replaced)
    there = {*words_in_lists(whole), *gone}
    rest = [word for word in words_in_lists(start) if word not in there]
    return with_rest_filled_in(whole, rest)


def without_words(value: Any, words: Collection[str]) -> Any:
    """A position without some words in its lists."""
    if isinstance(value, dict):
        return {key: without_words(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [item for item in value if not (isinstance(item, str) and item in words)]
    return value


def with_rest_filled_in(value: Any, rest: Sequence[str]) -> Any:
    """A position with the rest in place of `...`."""
    if isinstance(value, dict):
        return {key: with_rest_filled_in(item, rest) for key, item in value.items()}
    return [*value[:-1], *rest] if isinstance(value, list) and value[-1:] == [REST] else value


def words_in_lists(value: Any) -> Iterator[str]:
    """Every word in a list of a position."""
    if isinstance(value, dict):
        for item in value.values():
            yield from words_in_lists(item)
    elif isinstance(value, list):
        yield from (word for word in value if isinstance(word, str))


def play(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str] = ()) -> tuple[Outcome, list[Any]]:
    """Plays a case's phase. Returns the outcome and the unused throws."""
    _, outcome, left = play_once(rulebook, case, replaced)
    return outcome, left


def play_once(
    rulebook: Rulebook[Any], case: Case, replaced: Sequence[str] = ()
) -> tuple[Any, Outcome, list[Any]]:
    """Plays a case's phase, once. Returns the given position, the outcome and the unused throws."""
    return _play_once(rulebook.key, case, tuple(replaced))


def played_cases(
    rulebook: Rulebook[Any], folder: Path, replaced: Sequence[str]
) -> Iterator[tuple[Case, Any, Outcome]]:
    """The cases of a folder that can be played, each with the given position and the outcome."""
    for _, case in playable(cases_by_name(folder)):
        with suppress(ValueError, OutOfDice):  # the case's own test says that it doesn't hold
            before, outcome, _ = play_once(rulebook, case, replaced)
            yield case, before, outcome


@lru_cache(maxsize=CASES_KEPT)
def _play_once(name: str, case: Case, replaced: tuple[str, ...]) -> tuple[Any, Outcome, list[Any]]:
    rulebook = registry.rulebook(name)
    state = position(rulebook, case, replaced)
    found = flaws_in(rulebook, state)
    if found:
        raise ValueError(f"{case.case}: the given position can't be: {found[0]}")
    dice = CaseDice(case.dice)
    return state, outcome_on(rulebook, case, state, dice), dice.left


def outcome_on(rulebook: Rulebook[Any], case: Case, state: Any, dice: Dice) -> Outcome:
    """What comes of a case's sheets and answers on a position. Raises ValueError for a sheet that can't be read."""
    return advance(rulebook, state, inbox_of_case(rulebook, case, state), dice, strict=True)


def inbox_of_case(rulebook: Rulebook[Any], case: Case, state: Any) -> Inbox:
    """A case's sheets and answers. Raises ValueError for a sheet that can't be read."""
    sheets: dict[Player, Sheet] = {}
    answers: dict[Player, tuple[Answer, ...]] = {}
    for player in state.players:
        asked = expected_in(rulebook, state, player)
        if player in case.sheets:
            sheet = read_sheet(f"{case.sheets[player]}\nplayer: {player}\n".encode(), asked)
            if isinstance(sheet, NotSent):
                raise ValueError(f"{case.case}: {sheet}")
            sheets[player] = sheet
        if player in case.answers:
            lines = "\n".join(f"  {line}" for line in case.answers[player].splitlines())
            read_ = read_answers(f"player: {player}\nanswers:\n{lines}\n".encode(), asked)
            if isinstance(read_, NotSent):
                raise ValueError(f"{case.case}: {read_}")
            answers[player] = read_[0]
    return Inbox(sheets, answers, (), state.options.pacing == "live")


def impossible_after(rulebook: Rulebook[Any], before: Any, outcome: Outcome) -> Iterator[str]:
    """What can't be in the position after a phase, and since which event; nothing while the phase waits."""
    for flaw in () if outcome.waiting else flaws_in(rulebook, outcome.state):
        here, since = before, None
        for event in outcome.events:
            here = position_after([event], here)
            since = (since or event) if flaw in flaws_in(rulebook, here) else None
        place, why = ".".join(map(str, flaw.path)), flaw.reason
        yield f"{place} {why.key} ({why.rule}), since {since or 'the phase began'}"


def careless_checks(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """Positions of a random match, spoiled as by a GM's edit, on which a check of the rulebook raises an exception."""
    chance = SeededChance(seed)
    for step in steps:
        plain = plain_of(step.before)
        for _ in range(3):
            given = {
                key: gm_spoiled(value, chance) if key != "phase" else value for key, value in plain.items()
            }
            try:
                state = msgspec.convert(given, rulebook.State, dec_hook=decode_secret)
            except (msgspec.ValidationError, ValueError, NotImplementedError):
                continue
            try:
                flaws_in(rulebook, state)
            except Exception as error:  # a check must not raise anything
                yield f"{step.before.phase}: a check raises {type(error).__name__}: {error}"


def gm_spoiled(plain: Any, chance: Chance) -> Any:
    """A position with one thing changed to another of the same kind, so that it can usually still be read."""
    if isinstance(plain, Mapping):
        return {key: gm_spoiled(value, chance) for key, value in plain.items() if chance(40)}
    if isinstance(plain, list):
        found = [gm_spoiled(value, chance) for value in plain if chance(30)]
        return [*found, *found[:1]] if not chance(30) else found
    if chance(30) or isinstance(plain, bool) or plain is None:
        return plain
    return plain - 1 - chance(9) if isinstance(plain, int) else f"{plain}-9"
