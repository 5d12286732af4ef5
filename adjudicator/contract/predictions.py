"""Promise 12: what a check says of a sheet comes true.

An order that was carried out can't have been called an error. An order that was refused for something its player could
know can't have been called good. What others who act before can bring about or prevent is neither an error nor plainly
good. An order that names something that never existed is an error all the same. The account of the sheet (promise 13)
is looked at on the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.contract.cases import Case
from adjudicator.contract.legality import is_accepted
from adjudicator.contract.order_search import find_order
from adjudicator.contract.sending import PlayedPhase, carry_out_phase
from adjudicator.contract.true_accounts import accounts_of, phase_of_case, wrong_accounts
from adjudicator.contract.witness import OrderResult
from adjudicator.engine.play.account import Word, every_account
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.findings import Finding, UnderstoodOrder, with_else
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, folder_name, read_sheet
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write

NEVER = "97"
"""A number that no piece has."""
TRIED = 3
"""How many orders of each verb are sought that others' acts make possible or prevent."""


class Prediction(Struct, frozen=True):
    """What a check said of an order: errors, doubts, and how the order was understood, if the check got that far."""

    errors: tuple[Finding, ...]
    doubts: tuple[Finding, ...]
    understood: UnderstoodOrder | None

    @property
    def plainly_good(self) -> bool:
        """Did the check raise neither an objection nor a doubt about what nobody can know?"""
        one = self.understood
        if one is None or self.errors or self.doubts or not (one.good and one.tried):
            return False
        return not (
            one.phase
            or one.waits
            or one.doubtful
            or getattr(one, "unsure", False)
            or getattr(one, "preventable", False)
        )


def wrong_predictions(rulebook: Rulebook[Any], steps: Iterator[PlayedPhase], chance: Chance) -> Iterator[str]:
    """Wrong predictions: what a check said of a sheet of the match, or of one that might have been sent, and that
    didn't come true."""
    ahead: dict[str, Prediction] = {}
    for step in steps:
        folder = folder_name(step.before.phase)
        for player, sheet in step.own.items():
            said = check_sheet(rulebook, position_for(rulebook, step.before, player), sheet)
            heard = {order.place(): prediction_for(said, order) for order in orders_in(sheet)}
            ahead |= {f"{folder}/{place}": each for place, each in heard.items()}
            if step.sheets.get(player) is sheet and player in step.before.phase.due:
                yield from unfulfilled_predictions(folder, heard, step.fared)
                yield from vain_orders(rulebook, step, player, heard)
        yield from wrong_accounts(rulebook, step)
        yield from unfulfilled_predictions(folder, ahead, step.fared)
        yield from wrong_about_others(rulebook, step, chance)
        yield from wrong_about_unknown_names(rulebook, step.before, chance)


def orders_in(sheet: Sheet) -> Iterator[Order]:
    """All orders of a sheet, including those of an `else` and for later phases."""
    for orders in (sheet.orders or (), *sheet.later.values()):
        for order in orders:
            yield from with_else(order)


def prediction_for(checked: CheckResult, order: Order) -> Prediction:
    """What a check said of an order of the sheet, without what it said of the orders of its `else`."""
    place, others = order.place(), {each.place() for each in with_else(order)} - {order.place()}
    own = [said for said in checked.said if said.order == place and said.place not in others]
    return Prediction(
        tuple(said for said in own if said.severity == "error"),
        tuple(said for said in own if said.severity == "may"),
        next((each for each in checked.understood if each.place == place), None),
    )


def unfulfilled_predictions(
    folder: str, heard: Mapping[str, Prediction], fared: Mapping[str, OrderResult]
) -> Iterator[str]:
    """Orders that fared differently from what was said of them."""
    for place, each in fared.items():
        said = heard.get(place)
        if said is None:
            continue
        where = f"{folder} {place} {each.order.plain}"
        if each.refused is None and said.errors:
            yield f"{where}: carried out, and the check says {said.errors[0].reason}"
        elif each.refused is not None and said.plainly_good and not each.itself:
            how = "as its player could know" if each.knowable else "through what its player can't know"
            yield f"{where}: refused {how} ({each.refused}), and the check calls it good"


def vain_orders(
    rulebook: Rulebook[Any], step: PlayedPhase, player: Player, heard: Mapping[str, Prediction]
) -> Iterator[str]:
    """Orders that the check called good, without any doubt, and that came to nothing."""
    if not any(each.plainly_good for each in heard.values()):
        return
    for each in every_account(accounts_of(rulebook, step, player)):
        said = heard.get(each.place)
        if said is not None and said.plainly_good and each.word is Word.NOTHING:
            yield f"{folder_name(step.before.phase)} {each.place}: came to nothing, and the check calls it good"


def faults_of_case_accounts(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str]
) -> Iterator[str]:
    """Wrong accounts in the cases of the rules, which have deals, fights and waiting orders of every kind; and orders
    of theirs that a check called good and that came to nothing.
    """
    for name, case in by_name.items():
        if isinstance(case, str) or "flaws" in case.expect:
            continue
        step = phase_of_case(rulebook, case, replaced)
        found = list(wrong_accounts(rulebook, step))
        for player, sheet in step.sheets.items():
            if player in step.before.phase.due:
                said = check_sheet(rulebook, position_for(rulebook, step.before, player), sheet)
                heard = {order.place(): prediction_for(said, order) for order in orders_in(sheet)}
                found += vain_orders(rulebook, step, player, heard)
        yield from (f"case {name}: {fault}" for fault in found)


# -- others who act before ---------------------------------------------------------------------------------------------


def wrong_about_others(rulebook: Rulebook[Any], step: PlayedPhase, chance: Chance) -> Iterator[str]:
    """Random orders that others make possible or prevent, although the check says otherwise."""
    phase = rulebook.phase(step.before.phase.name)
    for player, then in step.turns.items():
        if player not in step.before.phase.due:
            continue
        before = position_for(rulebook, step.before, player)
        at_turn = position_for(rulebook, then, player)
        for name, verb in phase.verbs.items():
            for turn in range(2 * TRIED):
                here, there = (before, at_turn) if turn % 2 else (at_turn, before)
                order = find_order(name, verb.rule, here, player, chance)
                if order is not None and not is_accepted(verb, there, player, order):
                    yield from wrong_predictions_of_order(rulebook, step, player, order, chance)


def wrong_predictions_of_order(
    rulebook: Rulebook[Any], step: PlayedPhase, me: Player, order: dict[str, Any], chance: Chance
) -> Iterator[str]:
    """What a check wrongly says of a sheet with this order alone."""
    sheet = sheet_with(rulebook, step.before, me, order)
    if sheet is None:
        return
    witness = carry_out_phase(rulebook, step.before, {**step.sheets, me: sheet}, "foretold", chance)
    said = check_sheet(rulebook, position_for(rulebook, step.before, me), sheet)
    heard = {each.place(): prediction_for(said, each) for each in orders_in(sheet)}
    yield from unfulfilled_predictions(f"{folder_name(step.before.phase)} {me}", heard, witness.fared)


def sheet_with(rulebook: Rulebook[Any], state: Any, me: Player, order: dict[str, Any]) -> Sheet | None:
    """A sheet with one order; None if it can't be read."""
    asked = Expected(rulebook, state.match, state.phase, tuple(state.players), me)
    sheet = read_sheet(write({"player": me, "orders": [order]}).encode(), asked)
    return sheet if isinstance(sheet, Sheet) else None


# -- what never was ----------------------------------------------------------------------------------------------------


def wrong_about_unknown_names(rulebook: Rulebook[Any], state: Any, chance: Chance) -> Iterator[str]:
    """Orders that name something that never existed and can't come to be, and that the check doesn't call an error."""
    verbs = rulebook.phase(state.phase.name).verbs
    for player in state.phase.due:
        view = position_for(rulebook, state, player)
        for name, verb in verbs.items():
            order = find_order(name, verb.rule, view, player, chance) or {}
            for field, value in order.items():
                other = re.sub(r"\d+$", NEVER, value) if isinstance(value, str) else value
                if other == value or not rulebook.never(view, other):
                    continue
                sheet = sheet_with(rulebook, state, player, {**order, field: other})
                said = check_sheet(rulebook, view, sheet).said if sheet else ()
                if sheet and all(each.severity != "error" for each in said):
                    yield f"{folder_name(state.phase)} {player} {order}: of {other}, which never was, no error is said"
