"""A bot's sheet for several phases: it plans each on the position that the orders before it lead to."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.bots.simulation import sheet_of
from adjudicator.engine.play.checking import Check
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Bot, Rulebook


def plan_sheet(
    rulebook: Rulebook[Any], bot: Bot, view: Any, me: Player, chance: Chance, *, turn: bool = False
) -> dict[str, Any]:
    """The bot's sheet for the open phase, with orders for the phases up to the next stop under `later`.

    `turn`: orders for the whole turn, for a player who won't look at the match before the turn is over.
    """
    sheet = dict(bot(view, me, chance))
    phase = rulebook.phase(view.phase.name)
    asked = asked_at(rulebook, view.options, phase.name)[1:]
    ahead = [each for each in phases_ahead(rulebook, phase) if not each.own_turn] if turn else asked
    later: dict[str, Any] = dict(sheet.get("later", {}))
    table = Check(rulebook, view, sheet_of(me, sheet))
    table.take_in()
    for each in ahead:
        if not table.go_on_to(each.name):
            break
        found = bot(table.state, me, chance)
        later[each.name] = {"orders": found["orders"]}
        standing = {**sheet.get("standing", {}), **found.get("standing", {})}
        sheet |= {"standing": standing} if standing else {}
        table.try_ahead(sheet_of(me, found).orders or ())
    return {**sheet, "later": later} if later else sheet
