"""Fills in by chance what a player can't know: treasuries, others' bids, the limits of others' deals."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import with_values_where_hidden, without_standing
from adjudicator.rulebooks.mediterranee.entries import Standing
from adjudicator.rulebooks.mediterranee.standing import STEP
from adjudicator.rulebooks.mediterranee.state import Bid, Deal, State

MOST = 3000
"""A guessed treasury holds no more than so many ducats."""


def guess(view: State, me: Player, chance: Chance) -> State:
    """MED-0.8: any sum in a hidden treasury, no bid, deals at the price named."""
    players = {
        name: seat if seat.treasury.known else replace(seat, treasury=Secret(STEP * chance(MOST // STEP + 1)))
        for name, seat in view.players.items()
    }
    deals = tuple(type(deal)(guessed_deal(deal.value)) for deal in view.deals)
    bids = with_values_where_hidden(view.bids, lambda player: Bid(0, None))
    found: State = without_standing(replace(view, players=players, deals=deals, bids=bids), Standing)
    return found


def guessed_deal(deal: Deal) -> Deal:
    """MED-2.13: another player's deal, whose limit and line nobody else knows: guessed at the price named."""
    last = deal.last if deal.last.known else Secret(deal.first or 0)
    return replace(deal, last=last, at=deal.at if deal.at.known else Secret(f"sheets/{deal.by}.yaml:1:1"))
