"""The facts that an order's `if:` may name: about offers, ports, other players, and the player who orders."""

from __future__ import annotations

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Name, OneOf
from adjudicator.engine.table.facts import About, condition, counted, holding, lies_in, of_me, purse, there
from adjudicator.rulebooks.oltremare.board import HOUSES, MARKERS, PORTS, Marker, good_of
from adjudicator.rulebooks.oltremare.standing import GOOD, OFFER, PORT
from adjudicator.rulebooks.oltremare.state import Seat, State

OF_ANYBODY = counted(lambda seat: len(seat.hand))


def marker(view: State, me: Player, port: str) -> list[Marker]:
    """The marker that lies on a port, if there is one."""
    return [view.markers[port]] if port in view.markers else []


def goods(seat: Seat) -> list[str]:
    """The goods of a hand, one name for each card."""
    return [good_of(card.value) for card in seat.hand]


CONDITION = condition(
    About(OFFER, lambda view, me, name: view.offers.get(name), there()),
    About(Name("port", "|".join(PORTS)), marker, holding(OneOf(MARKERS), lambda markers: markers)),
    About(
        Name("player", "|".join(HOUSES)),
        lambda view, me, player: view.players.get(player),
        {**lies_in(PORT, lambda seat: seat.ship), **OF_ANYBODY},
    ),
    of_me(
        lambda view, me: view.players[me],
        {**holding(GOOD, goods), **OF_ANYBODY, **purse(lambda seat: seat.ducats)},
    ),
)
