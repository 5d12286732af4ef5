"""Promise 12 for slips: orders of cases with one field changed, left out or doubled are judged alike by all who judge
them, and nobody stumbles over one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from adjudicator.contract.cases import Case, inbox_of_case, play_once
from adjudicator.contract.predictions import (
    accounts_of,
    predictions_for,
    unfulfilled_predictions,
    wrong_accounts,
)
from adjudicator.contract.sending import PlayedPhase, carry_out_phase, outcome_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write


def misjudged_slips(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str], each: int
) -> Iterator[str]:
    """What `check`, the account of the sheet and the referee say differently of the sheets of cases with a slip; every
    so-manieth slip is looked at.
    """
    number = count()
    for name, case in by_name.items():
        if isinstance(case, str) or "flaws" in case.expect:
            continue
        state, _, _ = play_once(rulebook, case, replaced)
        inbox = inbox_of_case(rulebook, case, state)
        for player, sheet in inbox.sheets.items():
            for orders in slips_in_orders([order.plain for order in sheet.orders or ()]):
                if player not in state.phase.due or next(number) % each:
                    continue
                plain = {**_plain(sheet), "player": player, "orders": orders}
                asked = Expected(rulebook, state.match, state.phase, tuple(state.players), player)
                slipped = read_sheet(write(plain).encode(), asked)
                if isinstance(slipped, Sheet):
                    sheets = {**inbox.sheets, player: slipped}
                    faults = _misjudged(rulebook, state, sheets, slipped)
                    yield from (f"case {name}: {fault}" for fault in faults)


def _plain(sheet: Sheet) -> dict[str, Any]:
    return sheet.source.plain if isinstance(sheet.source.plain, dict) else {}


def _misjudged(
    rulebook: Rulebook[Any], state: Any, sheets: Mapping[str, Sheet], slipped: Sheet
) -> Iterator[str]:
    """What is said differently of a sheet, or goes wrong, in a phase."""
    try:
        witness = carry_out_phase(rulebook, state, sheets, "slip", SeededChance("slip"))
        step = PlayedPhase(
            state, sheets, sheets, outcome_of(witness), witness.fared, witness.turns, witness.tried
        )
        found = {slipped.player: accounts_of(rulebook, step)[slipped.player]}
        faults = [
            *wrong_accounts(step, found),
            *unfulfilled_predictions(
                slipped.player, predictions_for(rulebook, state, slipped), step, found[slipped.player]
            ),
        ]
    except Exception as error:  # whatever it is, it is a fault, and the sheet is needed to see why
        faults = [repr(error)]
    yield from (f"{fault}\n{write(_plain(slipped))}" for fault in faults)


def slips_in_orders(orders: Sequence[Any]) -> Iterator[list[Any]]:
    """The orders of a sheet, one of them twice, or with a slip in one field."""
    for index, order in enumerate(orders):
        yield [*orders[: index + 1], *orders[index:]]
        if isinstance(order, dict):
            for slip in slips(order):
                yield [*orders[:index], slip, *orders[index + 1 :]]


def slips(order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The order with one field left out, and with its value changed or doubled."""
    verb = next(iter(order))
    for field, value in order.items():
        if field != verb:
            yield {name: one for name, one in order.items() if name != field}
        yield from ({**order, field: other} for other in slips_of_value(value))


def slips_of_value(value: Any) -> Iterator[Any]:
    """Values that somebody may write instead: mistyped, one more, twice, one thing where there are several."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, -value, f"{value}x")
        case str():
            yield from (f"{value}x", [value], [value, value])
        case [first, *rest]:
            yield from (first, rest, [*value, first], [slip for slip in slips_of_value(first)][:1] + rest)
        case dict() if value:
            name = next(iter(value))
            others = {key: one for key, one in value.items() if key != name}
            yield from (name, others, *({**others, name: slip} for slip in slips_of_value(value[name])))
        case _:
            yield {"slip": value}
