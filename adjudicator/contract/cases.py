"""Case files: a given position, sheets and dice; the expected refusals and position. One file a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.referee import Inbox, Outcome, advance, flaws_in
from adjudicator.engine.play.succession import due_in
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.answers import Answer, read_answers
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import Die, OutOfDice, Scripted
from adjudicator.engine.table.event import Head, NotSent, OrderRefused, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import decode_secret, plain_of
from adjudicator.engine.text.source import Source, read


class Falling:
    """Dice that fall from the highest face down and shuffle nothing: a base position that is the same everywhere."""

    def __init__(self) -> None:
        self.count = 0

    def throw(self, die: Die, what: tuple[str, ...]) -> int:
        """The highest face first, then the next."""
        self.count += 1
        return die[-self.count % len(die)]

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        """As they are."""
        return tuple(items)


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """One case: see CONTRIBUTING for the fields."""

    case: str
    phase: str
    expect: Mapping[str, Any]
    players: tuple[Player, ...] = ()
    options: Mapping[str, Any] = {}
    turn: int = 1
    given: Mapping[str, Any] = {}
    sheets: Mapping[Player, str] = {}
    answers: Mapping[Player, str] = {}
    dice: tuple[Any, ...] = ()


def cases_in(path: Path) -> list[Case]:
    """The cases of a file. Raises ValueError on a file that isn't one."""
    source = read(path.read_bytes(), path.name, most=None)
    if not isinstance(source, Source):
        raise ValueError(f"{path.name}:{source.line}: {source.text}")
    return msgspec.convert(source.plain, list[Case])


def position(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> Any:
    """The given position: the usual start played without sheets to the case's phase, with `given` put over it.

    Mappings are merged by key, but those named in `replaced`, whose pieces come and go, are replaced whole.
    """
    players = case.players or rulebook.tables[min(rulebook.tables)][0]
    options = msgspec.convert({**case.options, "pacing": "batch"}, rulebook.Options)
    state = usual(rulebook, rulebook.start("case", options, players), case.phase)
    plain = plain_of(state)
    plain["options"] |= case.options
    plain["phase"]["turn"] = case.turn
    given = merged(plain, case.given, replaced)
    state = msgspec.convert(given, rulebook.State, dec_hook=decode_secret)
    phase = rulebook.phase(case.phase)
    due = due_in(state, phase)
    return replace(state, phase=Head(state.phase.number, case.phase, case.turn, due))


def usual(rulebook: Rulebook[Any], state: Any, wanted: str) -> Any:
    """The first position of a phase in a match without sheets.

    A phase that comes only of orders has the first position of the phase listed before it that was reached.
    """
    names = [phase.name for phase in rulebook.phases]
    first: dict[str, Any] = {}
    dice = Falling()
    turn = state.phase.turn
    while wanted not in first and not state.phase.over and state.phase.turn <= turn + 1:
        first.setdefault(state.phase.name, state)
        state = advance(rulebook, state, Inbox(), dice).state
    reached = [name for name in names[: names.index(wanted) + 1] if name in first]
    return first[reached[-1]]


def merged(plain: Any, given: Any, replaced: Sequence[str] = ()) -> Any:
    """`given` over `plain`."""
    if not isinstance(plain, dict) or not isinstance(given, dict):
        return given
    found = dict(plain)
    for key, value in given.items():
        found[key] = value if key in replaced else merged(plain.get(key), value)
    return found


def play(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str] = ()) -> tuple[Outcome, list[Any]]:
    """Plays a case's phase: what came of it, and the throws left over."""
    state = position(rulebook, case, replaced)
    found = flaws_in(rulebook, state)
    if found:
        raise ValueError(f"{case.case}: the given position can't be: {found[0]}")
    sheets: dict[Player, Sheet] = {}
    answers: dict[Player, tuple[Answer, ...]] = {}
    for player in state.players:
        asked = Expected(rulebook, "case", state.phase, tuple(state.players), player)
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
    dice = Scripted(case.dice)
    inbox = Inbox(sheets, answers, (), state.options.pacing == "live")
    return advance(rulebook, state, inbox, dice, strict=True), dice.left


def warned(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str] = ()) -> list[dict[str, str]]:
    """What a check of each sheet, on its player's own view, warns of."""
    state = position(rulebook, case, replaced)
    found: list[dict[str, str]] = []
    for player, text in case.sheets.items():
        asked = Expected(rulebook, "case", state.phase, tuple(state.players), player)
        sheet = read_sheet(f"{text}\nplayer: {player}\n".encode(), asked)
        if isinstance(sheet, Sheet):
            for each in check_sheet(rulebook, position_for(rulebook, state, player), sheet).said:
                if each.severity == "warning":
                    at, why = each.place.partition(":")[2], each.reason
                    found.append({"player": player, "at": at, "rule": why.rule, "why": why.key})
    return found


def failures(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str] = ()) -> Iterator[str]:
    """What a case expected and didn't get."""
    try:
        outcome, left = play(rulebook, case, replaced)
    except OutOfDice as error:
        yield f"throw {error.what}: {error.got if error.got is not None else 'none scripted'}"
        return
    if left:
        yield f"throws left over: {left}"
    refused = [event for event in outcome.events if isinstance(event, OrderRefused)]
    expected = case.expect.get("refused", [])
    if len(refused) != len(expected):
        yield f"refused: {[(e.player, e.place, e.verb, e.rule, e.reason.key) for e in refused]}, not {expected}"
    for event, wanted in zip(refused, expected, strict=False):
        had = {"player": event.player, "at": event.place, "rule": event.rule, "field": event.field}
        had |= {"why": event.reason.key}
        for key, value in wanted.items():
            if had[key] != value:
                yield f"refused at {event.place} {event.verb}: {key} {had[key]}, not {value}"
    if outcome.waiting != case.expect.get("waits", ""):
        yield f"waits for {outcome.waiting!r}, not {case.expect.get('waits', '')!r}"
    plain = plain_of(outcome.state)
    yield from differences((), plain, case.expect.get("then", {}))
    for name in case.expect.get("gone", ()):
        if any(isinstance(things, dict) and name in things for things in plain.values()):
            yield f"{name} is still there"
    events = [plain_of(event) for event in outcome.events]
    for wanted in case.expect.get("events", ()):
        if not any(not list(differences((), event, wanted)) for event in events):
            yield f"no event {wanted} among {[event['type'] for event in events]}"
    yield from unlike(rulebook, case, replaced)
    unknown = set(case.expect) - {"refused", "then", "gone", "waits", "events", "warns"}
    if unknown:
        yield f"unknown expectations: {sorted(unknown)}"


def unlike(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> Iterator[str]:
    """What a check warns of otherwise than the case says, if it says so."""
    expected = case.expect.get("warns")
    odd = [] if expected is None else warned(rulebook, case, replaced)
    if len(odd) != len(expected or ()):
        yield f"check warns: {odd}"
    for had, wanted in zip(odd, expected or (), strict=False):
        if any(had[key] != value for key, value in wanted.items()):
            yield f"check warns: {had}, not {wanted}"


def differences(path: tuple[str, ...], had: Any, wanted: Any) -> Iterator[str]:
    """Where `had` lacks something of `wanted`."""
    if path and wanted in ([], {}) and had not in ([], {}):
        yield f"{'.'.join(path)}: {had}, not empty"
    elif isinstance(wanted, dict):
        for key, value in wanted.items():
            if isinstance(had, dict) and key in had:
                yield from differences((*path, str(key)), had[key], value)
            elif value not in ([], {}):  # what is empty may be left out of a position
                yield f"{'.'.join((*path, str(key)))} is missing"
    elif had != wanted:
        yield f"{'.'.join(path)}: {had}, not {wanted}"
