"""What must be true of every position: the numbers of the box (SER-0.1, SER-0.5), limits (SER-0.6), whole names."""

from __future__ import annotations

from adjudicator.engine.table.reason import Flaw, flaw
from adjudicator.engine.table.rulebook import names_everybody
from adjudicator.rulebooks.serenissima.board import (
    BASILICAS,
    BOARD,
    FLEET,
    FORTS,
    GOODS,
    HOLD,
    numbers,
    track,
)
from adjudicator.rulebooks.serenissima.state import (
    State,
    box,
    galleys_of,
    room,
    slots,
    stock_of,
    stock_of_buildings,
    stock_of_sailors,
)


def box_holds_out(state: State) -> Flaw | None:
    """SER-0.1, SER-0.5: no more pieces on the board than there are."""
    for player in state.players:
        if stock_of_sailors(state, player) < 0:
            return flaw(
                ("players", player), "SER-0.1", "too-many-sailors", player=player, most=box(state).sailors
            )
        if len(galleys_of(state, player)) > FLEET:
            return flaw(("players", player), "SER-0.1", "too-many-galleys", player=player, most=FLEET)
    for good in GOODS:
        if stock_of(state, good) < 0:
            return flaw(("galleys",), "SER-0.5", "too-many", what=good, most=BOARD.goods[good])
    if stock_of_buildings(state, "fort") < 0:
        return flaw(("ports",), "SER-0.5", "too-many", what="fort", most=FORTS)
    if stock_of_buildings(state, "basilica") < 0:
        return flaw(("ports",), "SER-0.5", "too-many", what="basilica", most=BASILICAS)
    return None


def galleys_are_whole(state: State) -> Flaw | None:
    """SER-0.1, SER-0.6: numbers of the box, 1 to 5 pieces aboard, of which one is a sailor, on the board."""
    for name, galley in state.galleys.items():
        where = ("galleys", name)
        if name not in numbers(len(state.players)):
            return flaw(where, "SER-0.1", "beyond-the-box", value=name, highest=box(state).galleys)
        if galley.owner not in state.players:
            return flaw((*where, "owner"), "SER-0.1", "no-such-player", value=galley.owner)
        if galley.zone not in BOARD.zones:
            return flaw((*where, "zone"), "SER-3.1", "no-such-zone", value=galley.zone)
        if any(good not in GOODS for good in galley.cargo):
            return flaw((*where, "cargo"), "SER-0.5", "no-such-good", value=list(galley.cargo))
        if galley.sailors < 1:
            return flaw((*where, "sailors"), "SER-0.6", "no-sailor", galley=name)
        if room(galley) < 0:
            return flaw(where, "SER-0.6", "overloaded", galley=name, most=HOLD)
    return None


def ports_are_whole(state: State) -> Flaw | None:
    """SER-0.5, SER-0.6, SER-4.1: sailors of the owner, as many as slots; each good once, none of its own."""
    missing = [name for name in BOARD.ports if name not in state.ports]
    if missing:
        return flaw(("ports",), "SER-0.5", "ports-missing", value=missing)
    for name, port in state.ports.items():
        where = ("ports", name)
        if name not in BOARD.ports:
            return flaw(where, "SER-0.5", "no-such-port", value=name)
        if port.owner is not None and port.owner not in state.players:
            return flaw((*where, "owner"), "SER-0.1", "no-such-player", value=port.owner)
        if (port.owner is None) != (port.garrison == 0) or port.garrison < 0:
            return flaw((*where, "garrison"), "SER-0.5", "garrison", port=name)
        if port.garrison > slots(name):
            return flaw((*where, "garrison"), "SER-0.6", "garrison-slots", port=name, most=slots(name))
        goods = port.warehouse
        if len(set(goods)) < len(goods) or any(good not in GOODS for good in goods):
            return flaw((*where, "warehouse"), "SER-4.1", "warehouse-goods", port=name)
        if BOARD.ports[name].good in goods:
            return flaw((*where, "warehouse"), "SER-4.1", "holds-own-good", port=name)
        if len(goods) > slots(name):
            return flaw((*where, "warehouse"), "SER-4.1", "warehouse-slots", port=name, most=slots(name))
        if port.closed and (port.owner is not None or goods or port.fort or port.basilica):
            return flaw(where, "SER-0.3", "closed-in-use", port=name)
    return None


def purses_are_sums(state: State) -> Flaw | None:
    """SER-0.2: nobody has less than nothing; a hidden purse can't be checked."""
    for name, seat in state.players.items():
        if seat.ducats.known and seat.ducats.value < 0:
            return flaw(("players", name, "ducats"), "SER-0.2", "not-a-sum", value=seat.ducats.value)
    return None


def seats_are_taken(state: State) -> Flaw | None:
    """SER-0.4: the seats name every player once."""
    return names_everybody(state, state.seats, ("seats",), "SER-0.4", "seats")


def track_is_whole(state: State) -> Flaw | None:
    """SER-7.1, SER-7.3: the pawn is on the track; every card of the Doge is in one of the two piles, that which
    shuffles in the first; rounds count numbers that there are."""
    squares = track(len(state.players))
    if not squares.start <= state.pawn <= squares.scorings[-1]:
        return flaw(
            ("pawn",),
            "SER-7.3",
            "off-the-track",
            value=state.pawn,
            least=squares.start,
            most=squares.scorings[-1],
        )
    if not 0 <= state.scorings <= len(squares.scorings):
        return flaw(("scorings",), "SER-8.2", "scorings", value=state.scorings, most=len(squares.scorings))
    known = [card.value for card in state.doge if card.known]
    whole = len(known) == len(state.doge)
    if whole and (sorted((*known, *state.doge_out)) != sorted(BOARD.doge) or "two-shuffle" in state.doge_out):
        return flaw(
            ("doge",), "SER-7.1", "doge-cards", value=[*known, *state.doge_out], cards=list(BOARD.doge)
        )
    if any(str(number) not in numbers(len(state.players)) for number in state.done):
        return flaw(("done",), "SER-1.1", "done-numbers", value=list(state.done), highest=box(state).galleys)
    return None


INVARIANTS = (box_holds_out, purses_are_sums, seats_are_taken)
CHECKS = (
    galleys_are_whole,
    ports_are_whole,
    box_holds_out,
    purses_are_sums,
    seats_are_taken,
    track_is_whole,
)
