"""The merchant's decisions without others: discards, and how many cards to buy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.oltremare.board import CardId, good_of, pay
from adjudicator.rulebooks.oltremare.bot.worth import counts
from adjudicator.rulebooks.oltremare.commerce import price_now
from adjudicator.rulebooks.oltremare.state import State, cards_in_stock, excess, hand_of, must_play


def discards(view: State, me: Player) -> list[dict[str, Any]]:
    """The cards that promise least go to the pirates."""
    count = excess(view)
    return [{"discard": list(cards_to_spare(view, me)[:count])}] if count else []


def hand_kept(view: State, me: Player) -> list[CardId]:
    """The hand after the discards."""
    gone = cards_to_spare(view, me)[: excess(view)]
    return [card for card in hand_of(view, me) if card not in gone]


@remembered
def cards_to_spare(view: State, me: Player) -> Sequence[CardId]:
    """The cards of the hand, those least useful for its lots first."""
    have = counts(view, me)

    def missed(card: CardId) -> tuple[int, str]:
        count = have[good_of(card)]
        return pay(good_of(card), count) - pay(good_of(card), count - 1), card

    return tuple(sorted(hand_of(view, me), key=missed))


def purchases(view: State, hand: int) -> list[dict[str, Any]]:
    """As many cards as must be played; one or two more if they are cheap."""
    lacking = max(0, must_play(view) - hand)
    cheap = 2 - lacking - view.bought if view.players[view.turn_of].active == "favourable-trade" else 0
    count = min(lacking + max(0, cheap), cards_in_stock(view))
    return [{"buy": "deck", "times": count}] if count and price_now(view) else []
