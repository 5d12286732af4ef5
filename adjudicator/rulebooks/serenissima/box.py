"""What must be true of each position (SER-0.1, SER-0.5), what an `if:` may ask of it, and a guess of what is hidden."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from adjudicator.engine.table import Flaw, Flaws, Player, Secret, condition, event, first_of, flaw
from adjudicator.engine.table.boxes import Box, UnseenCards, without_standing
from adjudicator.engine.table.domain import Chance, Name, Part, Record
from adjudicator.rulebooks.serenissima import board
from adjudicator.rulebooks.serenissima.fields import GOOD, NUMBER, PLAYER, ZONE
from adjudicator.rulebooks.serenissima.movement import afloat
from adjudicator.rulebooks.serenissima.state import Port, Standing, State


@first_of
def box_holds_out(state: State) -> Flaws:
    """SER-0.1, SER-0.5: the board holds no more pieces than the box has:
    sailors, galleys, goods, forts and basilicas."""
    for name in state.players:
        at, sailors, galleys = ("players", name), state.stock_of_sailors(name), len(state.galleys_of(name))
        most = state.box().sailors
        yield sailors < 0 and flaw(at, "SER-0.1", "too-many-sailors", player=name, most=most)
        yield galleys > board.FLEET and flaw(at, "SER-0.1", "too-many-galleys", player=name, most=board.FLEET)
    for what, most in {**board.BOARD.goods, **board.BUILDINGS}.items():
        where = "ports" if what in board.BUILDINGS else "galleys"
        yield state.stock_of(what) < 0 and flaw((where,), "SER-0.5", "too-many", what=what, most=most)


@first_of
def galleys_are_whole(state: State) -> Flaws:
    """SER-0.1, SER-0.6: each galley has a number of the box, lies in a zone of the board,
    and has 1 to 5 pieces aboard, at least one a sailor."""
    known, most = board.numbers(len(state.players)), state.box().galleys
    for name, galley in state.galleys.items():
        at, cargo = ("galleys", name), list(galley.cargo)
        owner, zone, aboard, crew = ((*at, field) for field in ("owner", "zone", "cargo", "sailors"))
        yield name not in known and flaw(at, "SER-0.1", "beyond-the-box", value=name, highest=most)
        yield event.one_of(galley.owner, state.players, owner, "SER-0.1", "no-such-player")
        yield event.one_of(galley.zone, board.BOARD.zones, zone, "SER-3.1", "no-such-zone")
        yield not {*cargo} <= {*board.GOODS} and flaw(aboard, "SER-0.5", "no-such-good", value=cargo)
        yield galley.sailors < 1 and flaw(crew, "SER-0.6", "no-sailor", galley=name)
        yield galley.room() < 0 and flaw(at, "SER-0.6", "overloaded", galley=name, most=board.HOLD)


@first_of
def ports_are_whole(state: State) -> Flaws:
    """SER-0.3 to SER-0.6, SER-4.1: only the owner's sailors are in a port, at most as many as slots; a warehouse holds
    each good once, and none that the port produces; a closed port is empty."""
    missing = [name for name in board.BOARD.ports if name not in state.ports]
    yield bool(missing) and flaw(("ports",), "SER-0.5", "ports-missing", value=missing)
    for name, port in state.ports.items():
        at, goods, men = ("ports", name), port.warehouse, port.garrison
        owner, crew, held = ((*at, field) for field in ("owner", "garrison", "warehouse"))
        yield name not in board.BOARD.ports and flaw(at, "SER-0.5", "no-such-port", value=name)
        size, made = board.BOARD.ports[name].size, board.BOARD.ports[name].good
        stranger, neutral = port.owner not in (None, *state.players), port.owner is None
        in_use = not neutral or bool(goods) or port.fort or port.basilica
        yield stranger and flaw(owner, "SER-0.1", "no-such-player", value=port.owner)
        yield (neutral != (men == 0) or men < 0) and flaw(crew, "SER-0.5", "garrison", port=name)
        yield men > size and flaw(crew, "SER-0.6", "garrison-slots", port=name, most=size)
        strange = len({*goods} & {*board.GOODS}) < len(goods)
        yield strange and flaw(held, "SER-4.1", "warehouse-goods", port=name)
        yield made in goods and flaw(held, "SER-4.1", "holds-own-good", port=name)
        yield len(goods) > size and flaw(held, "SER-4.1", "warehouse-slots", port=name, most=size)
        yield port.closed and in_use and flaw(at, "SER-0.3", "closed-in-use", port=name)


def nobody_owes_ducats(state: State) -> Flaw | None:
    """SER-0.2: nobody has less than 0 ducats."""
    return event.purses_hold_sums(state, "ducats", "SER-0.2", "not-a-sum")


def seats_are_taken(state: State) -> Flaw | None:
    """SER-0.4: the seats name every player once."""
    return event.names_everybody(state, state.seats, ("seats",), "SER-0.4", "seats")


@first_of
def track_is_whole(state: State) -> Flaws:
    """SER-1.1, SER-7.1, SER-7.3, SER-8.2: the pawn is on the track; every known card of the Doge is in one of the two
    piles, the one that shuffles in the first; numbers that had their turn exist."""
    squares, box = board.track(len(state.players)), list(board.BOARD.doge)
    least, last, held = squares.start, squares.scorings[-1], len(squares.scorings)
    off = not least <= state.pawn <= last
    yield off and flaw(("pawn",), "SER-7.3", "off-the-track", value=state.pawn, least=least, most=last)
    yield event.at_most(state.scorings, held, ("scorings",), "SER-8.2", "scorings")
    cards = [*(card.value for card in state.doge if card.known), *state.doge_out]
    odd = sorted(cards) != sorted(box) or ("two-shuffle" in state.doge_out and state.scorings < held)
    whole = all(card.known for card in state.doge)
    yield whole and odd and flaw(("doge",), "SER-7.1", "doge-cards", value=cards, cards=box)
    done, highest = list(state.done), state.box().galleys
    beyond = max(done, default=0) > highest
    yield beyond and flaw(("done",), "SER-1.1", "done-numbers", value=done, highest=highest)


INVARIANTS = (box_holds_out, nobody_owes_ducats, seats_are_taken)
CHECKS = (galleys_are_whole, ports_are_whole, *INVARIANTS, track_is_whole)


MOST = 60
"""A guessed purse holds no more than so many ducats."""


def boxes(state: State) -> tuple[Box, ...]:
    """SER-7.1: the Doge's cards."""
    return (Box(board.BOARD.doge, state.doge_out, piles=(("doge",),)),)


def guess(view: State, me: Player, chance: Chance) -> State:
    """SER-0.2, SER-7.1: any sum in a hidden purse, the Doge's cards in any order."""
    (box,) = boxes(view)
    unseen = UnseenCards.of(box, view, chance)
    players = {
        name: seat if seat.ducats.known else replace(seat, ducats=Secret(chance(MOST + 1)))
        for name, seat in view.players.items()
    }
    return without_standing(replace(view, players=players, doge=unseen.fill(view.doge)), Standing)


SEAS = tuple(zone for zone in board.BOARD.zones if zone not in board.BOARD.ports)
"""The zones without a port."""
NO_PORT = Port(None, 0)


class Waters(condition.Place, frozen=True):
    """A sea zone with its port, if there is one, and the total of sailors on each player's galleys there."""

    afloat: dict[Player, int]


def waters(view: State, me: Player, zone: board.ZoneId) -> Waters:
    """A zone and its port."""
    port = view.ports.get(zone, NO_PORT)
    size = board.BOARD.ports[zone].size if zone in board.BOARD.ports else 0
    others = [galley.sailors for galley in view.galleys_in(zone).values() if galley.owner != me]
    free, fleets = size - len(port.warehouse), afloat(view, zone)
    return Waters(port.owner or "", port.garrison, port.warehouse, free, others, fleets)


def galley(view: State, me: Player, name: board.GalleyId) -> condition.Piece | None:
    """A galley, if there is one of that number."""
    there = view.galleys.get(name)
    return condition.Piece(there.zone, there.owner, there.sailors, there.cargo) if there else None


FACTS_OF_GALLEYS: Record[Any] = Record(dict, {"of": Part(PLAYER, needed=True), **condition.LEAST_AND_MOST})
FLEETS = {
    "fleet": condition.Fact(
        FACTS_OF_GALLEYS, lambda at, wanted: condition.within(wanted, at.afloat.get(wanted["of"], 0))
    )
}
"""`fleet: {of: red, least: 1, most: 3}`: the total of sailors on a player's galleys there (SER-3.2)."""
NUMBERS = Name("galley", "|".join(str(number) for number in NUMBER.among))
GALLEYS = condition.About(NUMBERS, galley, condition.of_pieces(ZONE, board.COLOURS, GOOD))
OF_PORTS = {**condition.of_places(board.COLOURS, GOOD, "sailors"), **FLEETS}
PORTS = condition.About(Name("port", "|".join(board.BOARD.ports)), waters, OF_PORTS)
AT_SEA = {name: OF_PORTS[name] for name in ("enemies", "fleet")}
ZONES = condition.About(Name("sea zone", "|".join(SEAS)), waters, AT_SEA)
ME = condition.of_me(State.purse, condition.purse(lambda ducats: ducats))
CONDITION = condition.condition(GALLEYS, PORTS, ZONES, ME)
