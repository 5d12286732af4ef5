"""OLT-4 Loading: the ship sails (OLT-3.5), may use a compass (OLT-8.2), and the cards played go on the cargo."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from adjudicator.engine.table import Reason, Table, Use, Verb, once
from adjudicator.engine.table.domain import Many, OneOf, Walk
from adjudicator.engine.table.secret import Unknown
from adjudicator.rulebooks.oltremare import events
from adjudicator.rulebooks.oltremare.board import (
    CARDS,
    PORTS,
    ROUTES,
    CardId,
    PortId,
    has_unknown_card,
    symbols,
)
from adjudicator.rulebooks.oltremare.hand import COME, each_once
from adjudicator.rulebooks.oltremare.standing import CARD, PORT
from adjudicator.rulebooks.oltremare.state import State, active

Way = tuple[PortId, ...]
NOT_PLAYED = dict.fromkeys((*CARDS, *COME), Reason("OLT-4.1", "not-played"))


def load(t: Table[State]) -> None:
    """OLT-4.1: the player loads the cards played on his or her cargo in any order, the last one on top."""
    cards = t.state.in_play
    t.require(t.state.turn_of == t.me and not t.state.between, "OLT-4.1", "turn-is-over")
    t.require(bool(cards), "OLT-4.1", "play-first")
    fresh = {name: card.value for name, card in active(t.state).fresh.items() if card.known}
    names = {card: card for card in cards} | {name: card for name, card in fresh.items() if card in cards}
    few, many = Reason("OLT-4.1", "loads-too-few"), Reason("OLT-4.1", "loads-too-many", {"count": len(cards)})
    each = OneOf(tuple(names), NOT_PLAYED)
    order = t.pick("load", Many(each, len(cards), len(cards), True, over=many, under=few), rule="OLT-4.1")
    stack = each_once(t, "load", {name: names[name] for name in order})
    if has_unknown_card(stack):
        t.play(events.Loaded(rule="OLT-4.1", player=t.me, cards=stack))
        raise Unknown  # a check can't tell how far the ship goes
    load_up(t, stack, *route_ordered(t))


def load_up(t: Table[State], cards: tuple[CardId, ...], way: Way, jump: str) -> None:
    """OLT-3.5, OLT-4.1: the ship sails, then the cards are loaded, and the turn is done.

    OLT-8.7: a marker is taken when all other actions of the turn are over.
    """
    if way:
        sail(t, way, jump)
    t.play(events.Loaded(rule="OLT-4.1", player=t.state.turn_of, cards=cards))


def is_settled(state: State) -> bool:
    """OLT-4.1: is there only one order in which to load the cards played, and no ship symbol to sail with?"""
    return len(state.in_play) <= 1 and not symbols(state.in_play, "ship")


def load_by_default(t: Table[State]) -> None:
    """OLT-4.1: cards that no order has loaded are loaded in the order in which they were played, by the first route."""
    if t.state.in_play:
        way = first_way(active(t.state).ship, symbols(t.state.in_play, "ship"))
        load_up(t, t.state.in_play, way, "")


# -- OLT-3.5, OLT-8.2: the ship --------------------------------------------------------------------------------------


def route_ordered(t: Table[State]) -> tuple[Way, PortId]:
    """OLT-3.5: the route that an order names, as many ports as there are ship symbols, and the port for a compass
    (OLT-8.2).

    Without a route in the order it is the first one in the board's order.
    """
    count, start = symbols(t.state.in_play, "ship"), active(t.state).ship
    way: Way = ()
    if count:
        found = t.pick("via", Walk(start, ROUTES, count), rule="OLT-3.5", default=None)
        if found is None:
            t.warn("OLT-3.5", "no-route", count=count)
        way = first_way(start, count) if found is None else found
        t.require(len(way) == count, "OLT-3.5", "not-far-enough", value=len(way), count=count)
        t.require(not uses_connection_twice(start, way), "OLT-3.5", "route-twice")
    goals = jumps(t.state, way)
    closed = dict.fromkeys(PORTS, Reason("OLT-8.2", "no-jump-there" if goals else "no-compass"))
    return way, t.pick("jump", OneOf(goals, closed), rule="OLT-8.2", default=None) or ""


def uses_connection_twice(start: PortId, way: Way) -> bool:
    """OLT-3.5: does this route use the connection of two ports twice?"""
    taken = [frozenset(route) for route in pairwise((start, *way))]
    return len(set(taken)) < len(taken)


def ways(start: PortId, count: int, way: Way = ()) -> Iterator[Way]:
    """OLT-3.5: every route of this length that begins in this way, in the board's order."""
    if len(way) == count:
        yield way
        return
    for there in ROUTES[way[-1] if way else start]:
        if not uses_connection_twice(start, (*way, there)):
            yield from ways(start, count, (*way, there))


def first_way(start: PortId, count: int) -> Way:
    """OLT-3.5: the first of these routes. From every port there is one for four symbols, the most that are possible."""
    return next(ways(start, count), ())


def jumps(state: State, way: Way) -> tuple[PortId, ...]:
    """OLT-8.2: the ports to which a compass taken at the end of the route may lead:
    those with a marker that isn't a compass."""
    if not way or state.markers.get(way[-1]) != "compass":
        return ()
    return tuple(port for port, marker in state.markers.items() if marker != "compass")


def sail(t: Table[State], way: Way, jump: PortId) -> None:
    """OLT-3.5, OLT-8.2: the ship sails to the end of the route;
    the player takes the marker there, or turns the active one down."""
    player, start = t.state.turn_of, active(t.state).ship
    t.play(events.Sailed(rule="OLT-3.5", player=player, start=start, way=way))
    marker, held = t.state.markers.get(way[-1]), active(t.state).active
    if marker is not None:
        t.play(events.MarkerTaken(rule="OLT-3.5", player=player, port=way[-1], marker=marker))
    elif held is not None:
        t.play(events.MarkerTurned(rule="OLT-3.5", player=player, marker=held))
    if jump:
        t.play(events.Jumped(rule="OLT-8.2", player=player, start=way[-1], port=jump))
        t.play(events.MarkerTaken(rule="OLT-8.2", player=player, port=jump, marker=t.state.markers[jump]))


VERBS = {
    "load": Verb(
        load,
        {"load": Many(CARD, 1, distinct=True), "via": Many(PORT, 1), "jump": PORT},
        uses=(once("load", "OLT-4.1", "turn-is-over", decide=True), Use("unplayed", ends=True)),
        subject=("load",),
        ranks="load",
    )
}
