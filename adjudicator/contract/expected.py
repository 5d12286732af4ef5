"""What a case expected and didn't get, followed by all that was expected and all that came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from adjudicator.contract.cases import Case, play, play_once, position
from adjudicator.contract.positions import impossible_after
from adjudicator.contract.who_sees import differing_sights
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Outcome, flaws_in
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import OutOfDice
from adjudicator.engine.table.event import OrderRefused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.text.writing import write


def failures(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str] = ()) -> Iterator[str]:
    """What a case expected and didn't get, followed by all that was expected and all that came."""
    wrong, got = list(unmet_expectations(rulebook, case, replaced)), None
    if wrong:
        with suppress(ValueError, OutOfDice):
            got = result_of_case(rulebook, case, replaced)
        yield from wrong
        yield f"expected:\n{indented(write(dict(case.expect)))}"
        if got is not None:
            yield f"got:\n{indented(write(got))}"


def result_of_case(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> dict[str, Any]:
    """The outcome of a case: refusals, whom it waits for, events, and the position as far as the case asks about it."""
    if "flaws" in case.expect:
        return {"flaws": flaws_of_given(rulebook, case, replaced)}
    outcome, _ = play(rulebook, case, replaced)
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


def flaws_of_given(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> list[dict[str, str]]:
    """What is wrong with the given position: rule, reason and place (`deals.0.at`)."""
    found = flaws_in(rulebook, position(rulebook, case, replaced))
    return [
        {"rule": flaw.reason.rule, "why": flaw.reason.key, "at": ".".join(map(str, flaw.path))}
        for flaw in found
    ]


def indented(text: str) -> str:
    """The text, indented by two spaces."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def unmet_expectations(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> Iterator[str]:
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
        before, outcome, left = play_once(rulebook, case, replaced)
    except OutOfDice as error:
        yield f"throw {error.what}: {error.got if error.got is not None else 'none scripted'}"
        return
    except ValueError as error:
        yield str(error)
        return
    if left:
        yield f"throws left over: {left}"
    for flaw in impossible_after(rulebook, before, outcome):
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
    rulebook: Rulebook[Any], case: Case, replaced: Sequence[str] = ()
) -> list[dict[str, str]]:
    """The warnings from a check of each sheet on its player's own view."""
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


def differing_warnings(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> Iterator[str]:
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
