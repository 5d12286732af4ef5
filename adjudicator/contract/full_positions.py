"""Promise 3, full positions: however full the pieces are where a case begins, its sheets lead to no position that can't
be.

A rule that forgets a limit is found only where something is full, and random matches seldom come there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from adjudicator.contract.cases import Case, position
from adjudicator.contract.cases_with_options import outcome_of_own_sheets
from adjudicator.contract.positions import impossible_after
from adjudicator.engine.play.inbox import flaws_in
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook

MOST = 30
"""No list is made longer."""


def faults_of_full_positions(
    rulebook: Rulebook[Any],
    by_name: Mapping[str, Case | str],
    replaced: Sequence[str],
    chosen: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[str]:
    """Cases that end in a position that can't be, with their own sheets, if the pieces in the mappings `replaced` hold
    as much as they can: once as they are, and once with their numbers, as of sailors, as low as they can be.

    With a `chosen` option they may hold more or less than usual, so the cases are played as they are too.
    """
    for name, case in by_name.items():
        if isinstance(case, str) or "flaws" in case.expect or chosen.keys() & case.options.keys():
            continue
        try:
            given = position(rulebook, replace(case, options={**case.options, **chosen}), replaced)
        except (Refused, ValueError):
            continue  # the case's own test says why, or its players don't fit the option
        tried = [] if chosen else [given]
        for state in (given, with_low_numbers(rulebook, given, replaced)):
            full = with_full_lists(rulebook, state, replaced)
            if full in tried or flaws_in(rulebook, full):
                continue
            tried.append(full)
            for flaw in impossible_after(rulebook, full, outcome_of_own_sheets(rulebook, case, full)):
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
