"""The game's own bot: it builds, helps to keep Italy free while that serves it, and tries to win."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.triumvirat.bot import cards, growth, hordes, starting, wars
from adjudicator.rulebooks.triumvirat.state import State

ANY_TITLE = 3
"""In one turn of so many the bot bids on any title, so that rivals can't foresee which."""
CALLED = 2
"""The number of cards for which the bot calls as trade leader."""


def governor(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet of the open phase, from the bot's own view;
    its decisions as leader are sent once, as standing instructions."""
    sheet: dict[str, Any] = {"orders": orders(view, me, chance)}
    if not view.standing_of(me).lead.building:
        sheet["standing"] = {"lead": lead(view, me)}
    return sheet


def lead(view: State, me: Player) -> dict[str, Any]:
    """The bot builds and drives first, and fights last, when others have weakened the barbarians."""
    others = [player for player in view.seats if player != me]
    first, last = [me, *others], [*others, me]
    return {"trade": CALLED, "italy": others, "building": first, "barbarians": last, "war": first}


def orders(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """The orders of the open phase."""
    match view.phase.name:
        case "start":
            return starting.start(me, chance)
        case "italy":
            return [{"want": cards.cards_wanted(view, me)}]
        case "trade":
            return cards.trade(view, me)
        case "building":
            return growth.building(view, me)
        case "barbarians":
            return hordes.barbarians(view, me, chance)
        case "war":
            return wars.war(view, me, chance)
    return bids(view, me, chance)


def bids(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """Bids all taxes that are left, now and then on any title, otherwise on one of the rival with the most points."""
    taxes = view.purse(me)
    open_ = [title for title, holder in view.titles.items() if holder != me]
    if not taxes or not open_:
        return []
    best = max(open_, key=lambda title: view.score(view.titles[title]))
    return [{"bid": {open_[chance(len(open_))] if chance(ANY_TITLE) == 0 else best: taxes}}]
