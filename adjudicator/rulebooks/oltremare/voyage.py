"""OLT-3 Actions: cards are played, and their symbols carried out; then the ship sails, and OLT-4 loads its cargo."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from adjudicator.engine.table import Reason, Table, Use, Verb, once
from adjudicator.engine.table.domain import Many, OneOf, Walk
from adjudicator.engine.table.secret import Unknown
from adjudicator.rulebooks.oltremare import board, commerce, events, scoring
from adjudicator.rulebooks.oltremare.commerce import UNPLAYED, check_may_act
from adjudicator.rulebooks.oltremare.hand import COME, as_known, each_once, this_many_cards
from adjudicator.rulebooks.oltremare.standing import CARD, PORT
from adjudicator.rulebooks.oltremare.state import State

Way = tuple[board.PortId, ...]
NOT_PLAYED = dict.fromkeys((*board.CARDS, *COME), Reason("OLT-4.1", "not-played"))


def load(t: Table[State]) -> None:
    """OLT-4.1: the player loads the cards played on his or her cargo in any order, the last one on top."""
    cards = t.state.in_play
    t.require(t.state.turn_of == t.me and not t.state.between, "OLT-4.1", "turn-is-over")
    t.require(bool(cards), "OLT-4.1", "play-first")
    fresh = {name: card.value for name, card in t.state.on_turn.fresh.items() if card.known}
    names = {card: card for card in cards} | {name: card for name, card in fresh.items() if card in cards}
    few, many = Reason("OLT-4.1", "loads-too-few"), Reason("OLT-4.1", "loads-too-many", {"count": len(cards)})
    each = OneOf(tuple(names), NOT_PLAYED)
    order = t.pick("load", Many(each, len(cards), len(cards), True, over=many, under=few), rule="OLT-4.1")
    stack = each_once(t, "load", {name: names[name] for name in order})
    if board.has_unknown_card(stack):
        t.play(events.Loaded(rule="OLT-4.1", player=t.me, cards=stack))
        raise Unknown  # a check can't tell how far the ship goes
    load_up(t, stack, *route_ordered(t))


def load_up(t: Table[State], cards: tuple[board.CardId, ...], way: Way, jump: str) -> None:
    """OLT-3.5, OLT-4.1: the ship sails, then the cards are loaded, and the turn is done.

    OLT-8.7: a marker is taken when all other actions of the turn are over.
    """
    if way:
        sail(t, way, jump)
    t.play(events.Loaded(rule="OLT-4.1", player=t.state.turn_of, cards=cards))


def is_settled(state: State) -> bool:
    """OLT-4.1: is there only one order in which to load the cards played, and no ship symbol to sail with?"""
    return len(state.in_play) <= 1 and not board.symbols(state.in_play, "ship")


def load_by_default(t: Table[State]) -> None:
    """OLT-4.1: cards that no order has loaded are loaded in the order in which they were played, by the first route."""
    if t.state.in_play:
        way = first_way(t.state.on_turn.ship, board.symbols(t.state.in_play, "ship"))
        load_up(t, t.state.in_play, way, "")


# -- OLT-3.5, OLT-8.2: the ship --------------------------------------------------------------------------------------


def route_ordered(t: Table[State]) -> tuple[Way, board.PortId]:
    """OLT-3.5: the route that an order names, as many ports as there are ship symbols, and the port for a compass
    (OLT-8.2).

    Without a route in the order it is the first one in the board's order.
    """
    count, start = board.symbols(t.state.in_play, "ship"), t.state.on_turn.ship
    way: Way = ()
    if count:
        found = t.pick("via", Walk(start, board.ROUTES, count), rule="OLT-3.5", default=None)
        if found is None:
            t.warn("OLT-3.5", "no-route", count=count)
        way = first_way(start, count) if found is None else found
        t.require(len(way) == count, "OLT-3.5", "not-far-enough", value=len(way), count=count)
        t.require(not uses_connection_twice(start, way), "OLT-3.5", "route-twice")
    goals = jumps(t.state, way)
    closed = dict.fromkeys(board.PORTS, Reason("OLT-8.2", "no-jump-there" if goals else "no-compass"))
    return way, t.pick("jump", OneOf(goals, closed), rule="OLT-8.2", default=None) or ""


def uses_connection_twice(start: board.PortId, way: Way) -> bool:
    """OLT-3.5: does this route use the connection of two ports twice?"""
    taken = [frozenset(route) for route in pairwise((start, *way))]
    return len(set(taken)) < len(taken)


def ways(start: board.PortId, count: int, way: Way = ()) -> Iterator[Way]:
    """OLT-3.5: every route of this length that begins in this way, in the board's order."""
    if len(way) == count:
        yield way
        return
    for there in board.ROUTES[way[-1] if way else start]:
        if not uses_connection_twice(start, (*way, there)):
            yield from ways(start, count, (*way, there))


def first_way(start: board.PortId, count: int) -> Way:
    """OLT-3.5: the first of these routes. From every port there is one for four symbols, the most that are possible."""
    return next(ways(start, count), ())


def jumps(state: State, way: Way) -> tuple[board.PortId, ...]:
    """OLT-8.2: the ports to which a compass taken at the end of the route may lead:
    those with a marker that isn't a compass."""
    if not way or state.markers.get(way[-1]) != "compass":
        return ()
    return tuple(port for port, marker in state.markers.items() if marker != "compass")


def sail(t: Table[State], way: Way, jump: board.PortId) -> None:
    """OLT-3.5, OLT-8.2: the ship sails to the end of the route;
    the player takes the marker there, or turns the active one down."""
    player, start = t.state.turn_of, t.state.on_turn.ship
    t.play(events.Sailed(rule="OLT-3.5", player=player, start=start, way=way))
    marker, held = t.state.markers.get(way[-1]), t.state.on_turn.active
    if marker is not None:
        t.play(events.MarkerTaken(rule="OLT-3.5", player=player, port=way[-1], marker=marker))
    elif held is not None:
        t.play(events.MarkerTurned(rule="OLT-3.5", player=player, marker=held))
    if jump:
        t.play(events.Jumped(rule="OLT-8.2", player=player, start=way[-1], port=jump))
        t.play(events.MarkerTaken(rule="OLT-8.2", player=player, port=jump, marker=t.state.markers[jump]))


LOADING_VERBS = {
    "load": Verb(
        load,
        {"load": Many(CARD, 1, distinct=True), "via": Many(PORT, 1), "jump": PORT},
        uses=(once("load", "OLT-4.1", "turn-is-over", decide=True), Use("unplayed", ends=True)),
        subject=("load",),
        ranks="load",
    )
}


def play(t: Table[State]) -> None:
    """OLT-3.1: a player must play exactly as many cards as the top card of the cargo has cargo symbols."""
    if not t.state.on_turn.shows_top():
        check_may_act(t)  # a check can't tell how many cards these must be, but that the turn is over
    count, held = t.state.must_play(), len(t.state.players[t.me].hand)
    few, many = Reason("OLT-3.1", "plays-too-few"), Reason("OLT-3.1", "plays-too-many", {"count": count})
    if held < count:
        few = Reason("OLT-3.1", "hand-too-small", {"count": count, "value": held})
    names = t.pick("play", this_many_cards(t, count, few, many), rule="OLT-3.1")
    check_may_act(t)
    t.prepared(t.state.phase.name != "commerce" or t.state.sailing, "OLT-2.1", "talk-first")
    cards = as_known(t, names)
    load_follows = any("load" in order for order in t.to_come(t.me) or ())
    known = not (load_follows or board.has_unknown_card(cards) or board.symbols(cards, "cards"))
    if known and (ships := board.symbols(cards, "ship")):
        t.warn("OLT-3.5", "no-load", count=ships)
    carry_out(t, cards)


def carry_out(t: Table[State], cards: tuple[board.CardId, ...]) -> None:
    """OLT-3.2 to 3.4: carries out the symbols in their order; ship symbols wait for the loading of the cargo."""
    t.play(events.Played(rule="OLT-3.1", player=t.state.turn_of, cards=cards))
    ducats(t, cards)
    pirates(t, cards)
    for _ in range(board.gain(board.symbols(cards, "cards"))):
        commerce.draw(t, "hand", rule="OLT-3.4")
    commerce.look(t, t.state.drawn)
    if not cards:
        load_up(t, (), (), "")  # OLT-6.1: nothing is left to play


def ducats(t: Table[State], cards: tuple[board.CardId, ...]) -> None:
    """OLT-3.2, OLT-8.1, OLT-8.4: ducat symbols pay; good deals add one; calm sea pays for ship symbols."""
    player, marker = t.state.turn_of, t.state.on_turn.active
    count, ships = board.symbols(cards, "ducat") + (marker == "good-deals"), board.symbols(cards, "ship")
    rule = "OLT-8.4" if marker == "good-deals" else "OLT-3.2"
    scoring.pay(t, rule, player, board.gain(count), "symbols", count)
    if marker == "calm-sea":
        scoring.pay(t, "OLT-8.1", player, ships, "calm-sea", ships)


def pirates(t: Table[State], cards: tuple[board.CardId, ...]) -> None:
    """OLT-3.3, OLT-8.3: cards go unseen on the pirate pile, unless the marker for victory over pirates is active."""
    if t.state.on_turn.active != "victory":
        for _ in range(board.gain(board.symbols(cards, "pirate"))):
            commerce.draw(t, "pirates", rule="OLT-3.3")


VERBS = {
    "play": Verb(
        play,
        {"play": Many(CARD, distinct=True)},
        uses=(
            once("play", "OLT-3.1", "already-played", decide=True),
            Use("card {each}", "play"),
            Use("free {each}", "play", times=0, keeps=1, perhaps=True),
            UNPLAYED,
            Use("unplayed", ends=True),
        ),
        subject=("play",),
    )
}
