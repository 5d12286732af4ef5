"""Cards as a sheet names them: by their own names, or as `drawn-1` and `got-1` those that came in the same sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.table.domain import OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.oltremare.board import CARDS, PURCHASES, CardId
from adjudicator.rulebooks.oltremare.state import Seat, State, hand_of, unseen

COME = tuple(f"{word}-{at}" for word in ("drawn", "got") for at in range(1, 2 * PURCHASES + 1))


def hand(state: State, player: Player) -> OneOf[str]:
    """The names of the cards in a hand. Where its player can't know all of them yet, in a check, any may be there."""
    among = (*hand_of(state, player), *fresh(state.players[player]))
    others = [name for name in (*CARDS, *COME) if name not in among]
    absent = dict.fromkeys(others, Reason("OLT-0.6", "not-in-hand"))
    return OneOf(among, absent, others if unseen(state, player) else ())


def fresh(seat: Seat) -> Mapping[str, Secret[CardId]]:
    """The cards that came in the same sheet, by their names there, as long as they are in the hand."""
    return {name: card for name, card in seat.fresh.items() if not card.known or card in seat.hand}


def cards_named(t: Table[State], field: str, names: Sequence[str]) -> tuple[CardId, ...]:
    """The cards that an order names, none of them twice. Raises Unknown where a check can't tell yet."""
    held = {card: Secret(card) for card in hand_of(t.state, t.me)}
    there = {**held, **fresh(t.state.players[t.me])}
    return each_once(t, field, {name: there.get(name, Secret.hidden()).value for name in names})


def each_once(t: Table[State], field: str, named: Mapping[str, CardId]) -> tuple[CardId, ...]:
    """OLT-0.6: the cards of these names, no card under two of them."""
    cards = tuple(named.values())
    for name, card in named.items():
        t.require(cards.count(card) == 1, "OLT-0.6", "one-card-twice", field=field, value=name, card=card)
    return cards
