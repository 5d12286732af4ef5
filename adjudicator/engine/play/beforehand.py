"""Checks what those who act before a player in the same phase may change: what they can prevent, or make possible.

The player's orders are tried again in each position that, by the rulebook, those players can bring about
(`Phase.beforehand`). Without it, nothing that comes after others' orders is certain (`OrderTrial.course`).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.play.conditions import do_others_come_first
from adjudicator.engine.play.findings import UnderstoodOrder, with_else
from adjudicator.engine.play.instructing import take_standing
from adjudicator.engine.play.trying import OrderTrial
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Unknown


def reckon_with_others(check: OrderTrial, view: Any) -> None:
    """Marks the orders for the open phase that others can prevent, and the refused ones that may yet be possible."""
    phase, sheet = check.rulebook.phase(view.phase.name), check.sheet
    if not sheet.orders or phase.beforehand is None or not do_others_come_first(phase, view, sheet.player):
        return
    conditional = {each.place() for order in sheet.orders for each in with_else(order) if each.conditions}
    good, refused = set[str](), set[str]()
    with suppress(Unknown):
        for other in phase.beforehand(view, sheet.player):
            for each in orders_as_understood(check.rulebook, other, sheet):
                (good if each.good else refused).add(each.place)
    for index, each in enumerate(check.understood):
        if each.phase or not each.tried:
            continue
        if each.good and each.place in refused | conditional:
            check.understood[index] = replace(each, preventable=True)
        elif not each.good and not each.doubtful and each.place in good:
            check.understood[index] = replace(each, depends=True)
    for index, said in enumerate(check.said):
        if said.severity == "error" and said.order in good:
            check.said[index] = replace(said, severity="may")


def orders_as_understood(rulebook: Rulebook[Any], position: Any, sheet: Sheet) -> list[UnderstoodOrder]:
    """How the orders would fare in a position, for those that would be tried there."""
    trial = OrderTrial(rulebook, position, sheet)
    take_standing(trial, sheet)
    trial.course()
    return [each for each in trial.understood if each.tried]
