"""Promise 3, cases: what each expected came, and wherever one begins, with each option and full pieces, it ends well.

Its sheets, and random ones, lead to positions that can be; and who is due tells no secret. Random matches seldom get to
a limit or to every phase, cases get to every rule.

A rule that forgets a limit is found only where something is full, and random matches seldom come there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from adjudicator.contract import cases
from adjudicator.contract.options import option_text
from adjudicator.contract.secrets import secrets_told_by_due
from adjudicator.contract.who_sees import differing_sights
from adjudicator.engine.bots import random_bot, sheet_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Inbox, Outcome, flaws_in
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.dice import OutOfDice
from adjudicator.engine.table.event import OrderRefused
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.text.writing import write


def failures(rulebook: Rulebook[Any], case: cases.Case, replaced: Sequence[str] = ()) -> Iterator[str]:
    """What a case expected and didn't get, followed by all that was expected and all that came."""
    wrong, got = list(unmet_expectations(rulebook, case, replaced)), None
    if wrong:
        with suppress(ValueError, OutOfDice):
            got = result_of_case(rulebook, case, replaced)
        yield from wrong
        yield f"expected:\n{indented(write(dict(case.expect)))}"
        if got is not None:
            yield f"got:\n{indented(write(got))}"


def result_of_case(rulebook: Rulebook[Any], case: cases.Case, replaced: Sequence[str]) -> dict[str, Any]:
    """The outcome of a case: refusals, whom it waits for, events, and the position as far as the case asks about it."""
    if "flaws" in case.expect:
        return {"flaws": flaws_of_given(rulebook, case, replaced)}
    outcome, _ = cases.play(rulebook, case, replaced)
    plain = plain_of(outcome.state)
    found: dict[str, Any] = {
        "refused": [refusal_in_case(event) for event in outcome.events if isinstance(event, OrderRefused)],
        "then": {key: plain.get(key, "missing") for key in case.expect.get("then", {})},
        "waits": outcome.waiting,
        "events": [plain_of(event) for event in outcome.events],
    }
    return {key: value for key, value in found.items() if value}


def refusal_in_case(event: OrderRefused) -> dict[str, Any]:
    """A refusal as a case file expects one."""
    why = event.reason.key
    return {"player": event.player, "at": event.place, "rule": event.rule, "field": event.field, "why": why}


def flaws_of_given(
    rulebook: Rulebook[Any], case: cases.Case, replaced: Sequence[str]
) -> list[dict[str, str]]:
    """What is wrong with the given position: rule, reason and place (`deals.0.at`)."""
    found = flaws_in(rulebook, cases.position(rulebook, case, replaced))
    return [
        {"rule": flaw.reason.rule, "why": flaw.reason.key, "at": ".".join(map(str, flaw.path))}
        for flaw in found
    ]


def indented(text: str) -> str:
    """The text, indented by two spaces."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def unmet_expectations(rulebook: Rulebook[Any], case: cases.Case, replaced: Sequence[str]) -> Iterator[str]:
    """What a case expected and didn't get, one difference after another."""
    unknown = set(case.expect) - {"refused", "then", "gone", "waits", "events", "sees", "warns", "flaws"}
    if unknown:
        yield f"unknown expectations: {sorted(unknown)}"
    if "flaws" in case.expect:
        flaws, wanted = flaws_of_given(rulebook, case, replaced), case.expect["flaws"]
        if len(flaws) != len(wanted) or any(
            list(differences((), *pair)) for pair in zip(flaws, wanted, strict=True)
        ):
            yield f"the given position is wrong in {flaws}, not in {wanted}"
        return
    try:
        before, outcome, left = cases.play_once(rulebook, case, replaced)
    except OutOfDice as error:
        yield f"throw {error.what}: {error.got if error.got is not None else 'none scripted'}"
        return
    except ValueError as error:
        yield str(error)
        return
    if left:
        yield f"throws left over: {left}"
    for flaw in cases.impossible_after(rulebook, before, outcome):
        yield f"the position that comes of it can't be: {flaw}"
    yield from differing_refusals(outcome, case.expect.get("refused", []))
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
    yield from differing_sights(rulebook, case, outcome)
    yield from differing_warnings(rulebook, case, replaced)


def differing_refusals(outcome: Outcome, expected: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The refusals that differ from the expected ones."""
    refused = [refusal_in_case(event) for event in outcome.events if isinstance(event, OrderRefused)]
    if len(refused) != len(expected):
        yield f"refused: {len(refused)} orders, not {len(expected)}"
    for had, wanted in zip(refused, expected, strict=False):
        for key, value in wanted.items():
            if had[key] != value:
                yield f"refused at {had['at']}: {key} {had[key]}, not {value}"


def warnings_of_check(
    rulebook: Rulebook[Any], case: cases.Case, replaced: Sequence[str] = ()
) -> list[dict[str, str]]:
    """The warnings from a check of each sheet on its player's own view."""
    state = cases.position(rulebook, case, replaced)
    sheets = cases.inbox_of_case(rulebook, case, state).sheets
    return [
        {
            "player": player,
            "at": each.place.partition(":")[2],
            "rule": each.reason.rule,
            "why": each.reason.key,
        }
        for player in case.sheets
        for each in check_sheet(rulebook, position_for(rulebook, state, player), sheets[player]).said
        if each.severity == "warning"
    ]


def differing_warnings(rulebook: Rulebook[Any], case: cases.Case, replaced: Sequence[str]) -> Iterator[str]:
    """The warnings that differ from the case's, if the case names any."""
    expected = case.expect.get("warns")
    odd = [] if expected is None else warnings_of_check(rulebook, case, replaced)
    if len(odd) != len(expected or ()):
        yield f"check warns: {odd}"
    for had, wanted in zip(odd, expected or (), strict=False):
        if any(had[key] != value for key, value in wanted.items()):
            yield f"check warns: {had}, not {wanted}"


def differences(path: tuple[str, ...], had: Any, wanted: Any) -> Iterator[str]:
    """Where `had` lacks a part of `wanted`."""
    if path and wanted in ([], {}) and had not in ([], {}):
        yield f"{'.'.join(path)}: {had}, not empty"
    elif isinstance(wanted, dict):
        for key, value in wanted.items():
            if isinstance(had, dict) and key in had:
                yield from differences((*path, str(key)), had[key], value)
            elif value not in ([], {}):  # a position may leave out what is empty
                yield f"{'.'.join((*path, str(key)))} is missing"
    elif had != wanted:
        yield f"{'.'.join(path)}: {had}, not {wanted}"


def faults_of_cases(
    rulebook: Rulebook[Any],
    by_name: Mapping[str, cases.Case | str],
    chosen: dict[str, Any],
    replaced: Sequence[str],
    times: int,
) -> Iterator[str]:
    """Cases where who is due tells a secret, or that end in a position that can't be, with their own sheets or any of
    `times` random ones.

    `chosen` is the option to play them with, `{}` for the usual ones. Left out are cases about that option, and those
    whose given position can't be with it.
    """
    for name, case in cases.playable(by_name, but=chosen):
        other = replace(case, options={**case.options, **chosen})
        try:
            state = cases.position(rulebook, other, replaced)
        except Refused:
            continue  # these players don't fit the option
        if flaws_in(rulebook, state):
            continue
        yield from (
            f"case {name}, options {option_text(chosen)}: {fault}"
            for fault in secrets_told_by_due(rulebook, state)
        )
        said = f"with options {option_text(chosen)} the position that comes of the case {name} can't be"
        yield from (
            f"{said}: {flaw}"
            for flaw in cases.impossible_after(rulebook, state, outcome_of_own_sheets(rulebook, other, state))
        )
        for number in range(times):
            outcome = outcome_of_random_sheets(rulebook, state, f"{name} {number}")
            yield from (
                f"{said}, with other sheets: {flaw}"
                for flaw in cases.impossible_after(rulebook, state, outcome)
            )


def outcome_of_own_sheets(rulebook: Rulebook[Any], case: cases.Case, state: Any) -> Outcome:
    """The outcome of a case's own sheets, with its throws if they fit."""
    try:
        return cases.outcome_on(rulebook, case, state, cases.CaseDice(case.dice, cases.HighestFirst()))
    except OutOfDice:  # with the option other throws fall
        return cases.outcome_on(rulebook, case, state, cases.HighestFirst())


def outcome_of_random_sheets(rulebook: Rulebook[Any], state: Any, seed: str) -> Outcome:
    """The outcome of random sheets of all who are due."""
    bot, chance = random_bot(rulebook), SeededChance(seed)
    sheets = {
        player: sheet_of(player, bot(position_for(rulebook, state, player), player, chance))
        for player in state.phase.due
    }
    return advance(rulebook, state, Inbox(sheets), cases.HighestFirst(), strict=True)


MOST = 30
"""No list is made longer."""


def faults_of_full_positions(
    rulebook: Rulebook[Any],
    by_name: Mapping[str, cases.Case | str],
    replaced: Sequence[str],
    chosen: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[str]:
    """Cases that end in a position that can't be, with their own sheets, if the pieces in the mappings `replaced` hold
    as much as they can: once as they are, and once with their numbers, as of sailors, as low as they can be.

    With a `chosen` option they may hold more or less than usual, so the cases are played as they are too.
    """
    for name, case in cases.playable(by_name, but=chosen):
        try:
            given = cases.position(rulebook, replace(case, options={**case.options, **chosen}), replaced)
        except (Refused, ValueError):
            continue  # the case's own test says why, or its players don't fit the option
        tried = [] if chosen else [given]
        for state in (given, with_low_numbers(rulebook, given, replaced)):
            full = with_full_lists(rulebook, state, replaced)
            if full in tried or flaws_in(rulebook, full):
                continue
            tried.append(full)
            for flaw in cases.impossible_after(rulebook, full, outcome_of_own_sheets(rulebook, case, full)):
                yield f"{name}, with its pieces as full as they can be, ends in a position that can't be: {flaw}"


def with_low_numbers(rulebook: Rulebook[Any], state: Any, mappings: Sequence[str]) -> Any:
    """The position with each number of each piece as low as it can be."""
    for mapping, name, field, value in parts_of_pieces(state, mappings, int):
        lower = (with_part(state, mapping, name, field, number) for number in range(value))
        state = next((each for each in lower if not flaws_in(rulebook, each)), state)
    return state


def with_full_lists(rulebook: Rulebook[Any], state: Any, mappings: Sequence[str]) -> Any:
    """The position in which each list of each piece has as much as it can of what lies in such lists here. Where the
    position can't be, they are filled anew."""
    every = list(parts_of_pieces(state, mappings, tuple))
    anew = bool(flaws_in(rulebook, state))
    for mapping, name, field, _ in every if anew else ():
        state = with_part(state, mapping, name, field, ())
    for mapping, name, field, value in every:
        there = [thing for of, _, part, things in every if (of, part) == (mapping, field) for thing in things]
        held = () if anew else value
        for thing in dict.fromkeys(there):
            longer = with_part(state, mapping, name, field, (*held, thing))
            while len(held) < MOST and not flaws_in(rulebook, longer):
                state, held = longer, (*held, thing)
                longer = with_part(state, mapping, name, field, (*held, thing))
    return state


def parts_of_pieces(state: Any, mappings: Sequence[str], kind: type) -> Iterator[tuple[str, str, str, Any]]:
    """The parts of that kind of the pieces in some mappings: mapping, piece, field and value."""
    for mapping in mappings:
        for name, piece in getattr(state, mapping).items():
            for field in getattr(piece, "__struct_fields__", ()):
                if type(value := getattr(piece, field)) is kind:
                    yield mapping, name, field, value


def with_part(state: Any, mapping: str, name: str, field: str, value: Any) -> Any:
    """The position with another value in a field of a piece."""
    pieces = getattr(state, mapping)
    return replace(state, **{mapping: {**pieces, name: replace(pieces[name], **{field: value})}})
