"""What a player has sent ahead, as understood, and what of it isn't possible as things stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.play.checking import Checked, check_sheet
from adjudicator.engine.play.stops import standing_orders
from adjudicator.engine.report.told import Ahead, Sent
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.source import Source
from adjudicator.engine.text.writing import in_a_line


def in_already(
    rulebook: Rulebook[Any], view: Any, who: Player, ahead: Mapping[str, tuple[str, Sheet]]
) -> tuple[Ahead, ...]:
    """All that is in for the open phase and those to come, tried on the own view; `ahead` by phase, with its folder."""
    standing = {
        phase.name: orders
        for phase in rulebook.phases
        if phase.name not in ahead and (orders := standing_orders(view, who, phase.name)) is not None
    }
    every = {name: sheet.orders or () for name, (_, sheet) in ahead.items()} | standing
    if not every:
        return ()
    now = view.phase.name
    later = {name: orders for name, orders in every.items() if name != now}
    own = every.get(now, ()) if who in view.phase.due else ()
    sheet = Sheet(who, Source(f"sheets/{who}.yaml", None), own, later=later)
    checked = check_sheet(rulebook, view, sheet)
    return tuple(
        Ahead(
            phase.name,
            ahead[phase.name][0] if phase.name in ahead else "",
            [sent(order, checked) for order in every[phase.name]],
        )
        for phase in rulebook.phases
        if phase.name in every
    )


def sent(order: Order, checked: Checked) -> Sent:
    """One order in a line, as its sheet writes it, and the first thing that stands against it now."""
    place = order.place()
    whys = [said.reason for said in checked.said if said.order == place and said.severity != "warning"]
    return Sent(in_a_line(order.plain), whys[0] if whys else None)
