"""Promise 6, who may see a secret: cases say it for each secret field, and random matches show no more than cases do.

A case says `sees: {genoa: {players.venice.treasury: hidden, BidMade.0.bid: hidden}}` of a reader: a player, or the
`public`. A path leads into the position at the end of the case, or into an event, by its type and its number among the
events of that type. `hidden` also means an event that the reader isn't told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.contract import cases, options
from adjudicator.contract.secrets import ANYBODY, PlacedSecret, declared_kinds, relation_to, secrets_in
from adjudicator.engine.bots import Step
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import HIDDEN, Secret, plain_of, view

PUBLIC = "public"
AT_THE_END = " at the end"
THE_ENGINES = ("players.*.standing", "Stood.entries")
"""Secrets that the engine shows to their players in every game."""


class Look(Struct, frozen=True):
    """What a reader finds at the end of a path: the plain value, and the secrets on the way; only the last may be
    hidden.
    """

    value: Any
    passed: tuple[PlacedSecret, ...]


# -- what cases say ----------------------------------------------------------------------------------------------------


def differing_sights(rulebook: Rulebook[Any], case: cases.Case, outcome: Outcome) -> Iterator[str]:
    """What readers see that differs from the case."""
    for reader, claims in case.expect.get("sees", {}).items():
        if reader != PUBLIC and reader not in outcome.state.players:
            yield f"sees: {reader} is neither a player of the case nor the {PUBLIC}"
            continue
        for path, wanted in claims_by_path(claims):
            try:
                found = look_at_path(rulebook, outcome, reader, path)
            except LookupError:
                yield f"sees: {path} is nowhere in the position and the events"
                continue
            if not found.passed:
                yield f"sees: there is no secret at {path}"
            elif found.value != wanted:
                yield f"sees: {reader} sees {found.value} at {path}, not {wanted}"


def claims_by_path(claims: Mapping[str, Any], before: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """The claims about one reader, each with its whole path; a case may also write a path step by step."""
    for word, wanted in claims.items():
        if isinstance(wanted, Mapping) and wanted:
            yield from claims_by_path(wanted, (*before, str(word)))
        else:
            yield ".".join((*before, str(word))), wanted


def look_at_path(rulebook: Rulebook[Any], outcome: Outcome, reader: str, path: str) -> Look:
    """What a reader sees at a path. Raises LookupError if nothing is there."""
    who = None if reader == PUBLIC else reader
    words = tuple(path.split("."))
    whole, told = outcome.state, True
    start: tuple[Any, ...] = ()
    if words[0][:1].isupper():
        among = [event for event in outcome.events if type(event).__name__ == words[0]]
        if not "".join(words[1:2]).isdigit() or int(words[1]) >= len(among):
            raise LookupError(path)
        whole = among[int(words[1])]
        start, told, words = (whole,), not whole.to or who in whole.to, words[2:]

    def sees(where: Sequence[Any]) -> bool:
        return told and rulebook.sees(outcome.state, who)(tuple(where))

    return follow(whole, words, sees, start, kinds=(type(whole).__name__,) if start else ())


def follow(
    value: Any, words: tuple[str, ...], sees: Any, where: tuple[Any, ...], kinds: tuple[str, ...]
) -> Look:
    """Follows a path word by word, as far as the reader sees."""
    there = {each.words: each for each in secrets_in(value, kind=kinds)}
    passed: list[PlacedSecret] = []
    for at in range(len(words) + 1):
        if isinstance(value, Secret):
            passed += [there[words[:at]]]
            shown = view(value, sees, where)
            if not shown.known:
                return Look(HIDDEN, tuple(passed))
            value = shown.value
        if at < len(words):
            step, value = one_step(value, words[at])
            where = (*where, step)
    return Look(plain_of(view(value, sees, where)), tuple(passed))


def one_step(value: Any, word: str) -> tuple[Any, Any]:
    """The step into a value that a word of a path names, and what is there. Raises LookupError."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            if name.rstrip("_") == word:
                return name, getattr(value, name)
    elif isinstance(value, Mapping):
        return word, value[word]
    elif isinstance(value, tuple) and word.isdigit():
        return int(word), value[int(word)]
    raise LookupError(word)


# -- what cases must say -----------------------------------------------------------------------------------------------


def secrets_never_hidden(rulebook: Rulebook[Any], folder: Path, replaced: Sequence[str]) -> Iterator[str]:
    """Secret fields that come up in cases and that no case hides from any player."""
    hidden = {
        each.look.passed[-1].kind
        for each in claims(rulebook, folder, replaced)
        if each.wanted == each.look.value == HIDDEN and each.who is not None
    }
    for kind in declared_kinds(rulebook):
        seen_to = kind in hidden or kind in THE_ENGINES
        if not seen_to and (where := case_with_secret(rulebook, folder, replaced, kind)):
            yield f"the secret {kind} is hidden from no player in any case: say so in a `sees`, such as in {where}"


class Claim(Struct, frozen=True):
    """What a case says a reader sees of a secret, what the reader does see, and the position at the end of the case."""

    who: Player | None
    wanted: Any
    look: Look
    state: Any


def claims(rulebook: Rulebook[Any], folder: Path, replaced: Sequence[str]) -> Iterator[Claim]:
    """What the cases say about who sees what, as far as it can be looked up."""
    for case, _, outcome in cases.played_cases(rulebook, folder, replaced):
        for reader, paths in case.expect.get("sees", {}).items():
            for path, wanted in claims_by_path(paths):
                try:
                    found = look_at_path(rulebook, outcome, reader, path)
                except LookupError:
                    continue  # the test of that case reports it
                if found.passed:
                    yield Claim(None if reader == PUBLIC else reader, wanted, found, outcome.state)


def case_with_secret(rulebook: Rulebook[Any], folder: Path, replaced: Sequence[str], kind: str) -> str:
    """The path of a secret of a kind in the first case that has one, and the case; empty if there is none."""
    of_event = kind.partition(".")[0] if kind[:1].isupper() else ""
    for case, _, outcome in cases.played_cases(rulebook, folder, replaced):
        number = 0
        for whole in outcome.events if of_event else (outcome.state,):
            name = type(whole).__name__
            if of_event and name != of_event:
                continue
            for each in secrets_in(whole, kind=(name,) if of_event else ()):
                if each.kind == kind:
                    words = (*((name, str(number)) if of_event else ()), *each.words)
                    return f"'{case.case}': {{{'.'.join(words)}: {HIDDEN}}}"
            number += 1
    return ""


# -- what random matches show ------------------------------------------------------------------------------------------


def shown_by_cases(rulebook: Rulebook[Any], folder: Path, replaced: Sequence[str]) -> frozenset[str]:
    """The kinds of secrets that the cases with the usual options show, and to whom."""
    few = {name for chosen in options.unusual_options(rulebook) for name in chosen}
    few, usual = few - {"pacing", "skip"}, rulebook.Options()
    return frozenset(
        shown_to(secret, each.who, each.state.phase.over)
        for each in claims(rulebook, folder, replaced)
        if each.wanted != HIDDEN
        and all(getattr(each.state.options, name) == getattr(usual, name) for name in few)
        for secret in each.look.passed
    )


def shown_to(each: PlacedSecret, who: Player | None, over: bool) -> str:
    """The kind of a secret and how the reader relates to it, in words."""
    return f"{each.kind} to {relation_to(each, who)}{AT_THE_END if over else ''}"


def secrets_not_in_cases(
    rulebook: Rulebook[Any], shown: frozenset[str], steps: Iterable[Step]
) -> Iterator[str]:
    """Secrets that a match hands out to somebody to whom no case shows that kind."""
    said = set[str]()
    for step in steps:
        state, over = step.outcome.state, step.outcome.state.phase.over
        for who in (None, *state.players):
            events = events_for(rulebook, state, step.outcome.events, who)
            for whole in (position_for(rulebook, state, who), *events):
                kind = (type(whole).__name__,) if isinstance(whole, Event) else ()
                for each in secrets_in(whole, kind=kind):
                    what = shown_to(each, who, over)
                    if (
                        each.held.known
                        and each.kind not in THE_ENGINES
                        and not is_shown_by_cases(what, shown | said)
                    ):
                        said.add(what)
                        yield f"{step.before.phase}: a match shows {what}, and no case's `sees` does"


def is_shown_by_cases(what: str, shown: Set[str]) -> bool:
    """Do the cases show this kind of secret to this reader, also before the end, or to the public or anybody?"""
    kind = what.partition(" to ")[0]
    end = AT_THE_END if what.endswith(AT_THE_END) else ""
    more = (what, what.removesuffix(AT_THE_END), *(f"{kind} to {anybody}" for anybody in ANYBODY))
    return any(each in shown or each + end in shown for each in more)
