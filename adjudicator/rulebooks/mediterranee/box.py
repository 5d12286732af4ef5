"""What must be true of every position (MED-0.5, MED-0.6); what an `if:` may ask of it, what is left of what orders
share, and a guess of what is hidden."""

from __future__ import annotations

import re
from collections import Counter

from msgspec.structs import replace

from adjudicator.engine.table import (
    Flaw,
    Flaws,
    Limits,
    Player,
    Secret,
    condition,
    first_of,
    flaw,
    names_everybody,
)
from adjudicator.engine.table.boxes import with_values_where_hidden, without_standing
from adjudicator.engine.table.domain import Chance, Limit, Name
from adjudicator.engine.table.event import one_of, purses_hold_sums
from adjudicator.rulebooks.mediterranee.board import (
    BOARD,
    CAPITAL,
    EACH_GOOD,
    FORTRESSES,
    GALLEYS,
    GOODS,
    HOLD,
    POWERS,
    SAILORS,
    PortId,
    ZoneId,
)
from adjudicator.rulebooks.mediterranee.deals import partners
from adjudicator.rulebooks.mediterranee.setup import sailors_to_place
from adjudicator.rulebooks.mediterranee.standing import GALLEY, GOOD, STEP, ZONE, Standing
from adjudicator.rulebooks.mediterranee.state import Bid, Deal, GalleyId, Port, State

BEFORE_PLACING = ("start", "setup")


@first_of
def box_holds_out(state: State) -> Flaws:
    """MED-0.5: no more pieces on the board than there are."""
    pieces = Counter(state.goods_in_play())
    for good in (good for good in GOODS if pieces[good] > EACH_GOOD):
        yield flaw(("galleys",), "MED-0.5", "too-many", what=good, most=EACH_GOOD)
    sailors, galleys, fortresses = (limit.most for limit in limits_of_box(state).values())
    yield sailors < 0 and flaw(("galleys",), "MED-0.5", "too-many", what="sailors", most=SAILORS)
    yield galleys < 0 and flaw(("galleys",), "MED-0.5", "too-many", what="galleys", most=GALLEYS)
    yield fortresses < 0 and flaw(("ports",), "MED-0.5", "too-many", what="fortresses", most=FORTRESSES)


@first_of
def galleys_are_whole(state: State) -> Flaws:
    """MED-0.6: 1 to 5 pieces aboard, at least one of them a sailor; the owner plays, the zone is on the board."""
    least = 0 if state.phase.name in BEFORE_PLACING else 1
    for name, galley in state.galleys.items():
        at, goods = ("galleys", name), list(galley.cargo)
        owner, zone, cargo, crew = ((*at, field) for field in ("owner", "zone", "cargo", "sailors"))
        yield not re.fullmatch(GALLEY.pattern, name) and flaw(at, "MED-2.7", "no-galley-name", value=name)
        yield one_of(galley.owner, state.players, owner, "MED-0.1", "no-such-player")
        yield one_of(galley.zone, BOARD.zones, zone, "MED-3.1", "no-such-zone")
        yield not {*goods} <= {*GOODS} and flaw(cargo, "MED-0.5", "no-such-good", value=goods)
        yield galley.sailors < least and flaw(crew, "MED-0.6", "no-sailor", galley=name)
        yield galley.sailors + len(goods) > HOLD and flaw(at, "MED-0.6", "overloaded", galley=name, most=HOLD)


@first_of
def ports_are_whole(state: State) -> Flaws:
    """MED-6.1: a warehouse holds each good once, none that the port produces, no more than it has slots."""
    for name, port in state.ports.items():
        at, goods, nobody = ("ports", name), port.warehouse, port.owner is None
        owner, crew, held = ((*at, field) for field in ("owner", "garrison", "warehouse"))
        yield name not in BOARD.ports and flaw(at, "MED-0.4", "no-such-port", value=name)
        yield one_of(port.owner, (None, *state.players), owner, "MED-0.1", "no-such-player")
        odd = port.garrison < 0 or (nobody and port.garrison > 0)
        yield odd and flaw(crew, "MED-5.1", "garrison-of-nobody", port=name)
        yield len({*goods} & {*GOODS}) < len(goods) and flaw(held, "MED-6.1", "warehouse-goods", port=name)
        yield BOARD.ports[name].good in goods and flaw(held, "MED-6.1", "holds-own-good", port=name)
        slots = len(BOARD.slots_of(name))
        yield len(goods) > slots and flaw(held, "MED-6.1", "warehouse-slots", port=name, most=slots)
    missing = [name for name in BOARD.ports if name not in state.ports]
    yield bool(missing) and flaw(("ports",), "MED-0.4", "ports-missing", value=missing)


def treasuries_are_sums(state: State) -> Flaw | None:
    """Every treasury is a multiple of 100 ducats and not below 0; a hidden one can't be checked."""
    return purses_hold_sums(state, "treasury", "MED-2.2", "not-a-sum", STEP)


@first_of
def turn_is_whole(state: State) -> Flaws:
    """MED-0.1, MED-2.6, MED-2.9: the turn is one of the match,
    and everything built or enlisted this turn is in ports."""
    turn, turns = state.phase.turn, state.options.turns
    yield 0 < turns < turn and flaw(("phase", "turn"), "MED-0.1", "turn-too-late", value=turn, most=turns)
    for field in ("built", "enlisted", "landed"):
        for port in getattr(state, field):
            yield one_of(port, BOARD.ports, (field,), "MED-0.4", "no-such-port")


@first_of
def placing_is_whole(state: State) -> Flaws:
    """MED-0.3: while sailors are placed nobody has more than ten."""
    for player in state.players if state.phase.name in BEFORE_PLACING else ():
        at, over = ("ports", CAPITAL[player], "garrison"), sailors_to_place(state, player) < 0
        yield over and flaw(at, "MED-0.3", "placed-too-many", player=player)


@first_of
def deals_are_whole(state: State) -> Flaws:
    """MED-2.13: an open deal is between two players of the match, its galley is there or was lost since, and its line
    is a line of a sheet."""
    galleys = {*state.galleys, *(loss.galley for loss in state.lost)}
    for index, deal in ((index, held.value) for index, held in enumerate(state.deals) if held.known):
        at, facts = ("deals", index), {"by": deal.by, "player": deal.with_, "galley": deal.galley}
        odd = not {deal.by, deal.with_} <= {*state.players} or deal.galley not in galleys
        yield odd and flaw(at, "MED-2.13", "no-such-deal", **facts)
        line = deal.at.value if deal.at.known else ""
        no_line = deal.at.known and not re.fullmatch(r".+:\d+:\d+", line)
        yield no_line and flaw((*at, "at"), "MED-2.13", "no-line", value=line)


def order_is_whole(state: State) -> Flaw | None:
    """MED-0.9: the order of play names every player once."""
    return names_everybody(state, state.order, ("order",), "MED-0.9", "order")


INVARIANTS = (box_holds_out, treasuries_are_sums, order_is_whole)
CHECKS = (
    box_holds_out,
    turn_is_whole,
    galleys_are_whole,
    ports_are_whole,
    treasuries_are_sums,
    placing_is_whole,
    deals_are_whole,
    order_is_whole,
)


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
    return without_standing(replace(view, players=players, deals=deals, bids=bids), Standing)


def guessed_deal(deal: Deal) -> Deal:
    """MED-2.13: another player's deal, whose limit and line nobody else knows: guessed at the price named."""
    last = deal.last if deal.last.known else Secret(deal.first or 0)
    return replace(deal, last=last, at=deal.at if deal.at.known else Secret(f"sheets/{deal.by}.yaml:1:1"))


SEAS = tuple(zone for zone in BOARD.zones if zone not in BOARD.ports)
"""The zones without a port."""
NO_PORT = Port(None, 0, fortress=False, warehouse=())


class Waters(condition.Place, frozen=True):
    """A sea zone with its port, if there is one: of a port the owner, garrison, warehouse and free slots (MED-6.2)."""

    zone: ZoneId


def galley(view: State, me: Player, name: GalleyId) -> condition.Piece | None:
    """A galley, if there is one of that name."""
    there = view.galleys.get(name)
    return condition.Piece(there.zone, there.owner, there.sailors, there.cargo) if there else None


def waters(view: State, me: Player, zone: ZoneId) -> Waters:
    """A zone and its port."""
    port, slots = view.ports.get(zone, NO_PORT), BOARD.slots_of(zone) if zone in BOARD.ports else ()
    others = [each.sailors for each in view.galleys_in(zone).values() if each.owner != me]
    free = len(slots) - len(port.warehouse)
    return Waters(port.owner or "", port.garrison, port.warehouse, free, others, zone)


OF_PORTS = condition.of_places(POWERS, GOOD, "sailors")
FACTS_OF_GALLEYS = condition.About(GALLEY, galley, condition.of_pieces(ZONE, POWERS, GOOD))
PORTS = condition.About(
    Name("port", "|".join(BOARD.ports)),
    waters,
    {**condition.lies_in(ZONE, lambda waters: waters.zone), **OF_PORTS},
)
ZONES = condition.About(Name("sea zone", "|".join(SEAS)), waters, {"enemies": OF_PORTS["enemies"]})
ME = condition.of_me(
    lambda view, me: (view, me),
    {
        **condition.seated(lambda mine: mine[0].order.index(mine[1]) + 1),
        **condition.purse(lambda mine: mine[0].players[mine[1]].treasury.value),
    },
)
CONDITION = condition.condition(FACTS_OF_GALLEYS, PORTS, ZONES, ME)


def rooms(state: State, player: Player) -> Limits:
    """MED-0.6: how many more pieces there is room for aboard each galley."""
    mine = state.galleys_of(player)
    return {
        f"room {name}": Limit(galley.room(), "MED-0.6", "room", {"galley": name})
        for name, galley in mine.items()
    }


def pieces(state: State, player: Player) -> Limits:
    """MED-2.10: the sailors of each galley and garrison, and of the garrison where a galley lies; of goods, those that
    the player has aboard or can buy."""
    found: dict[str, Limit] = {}
    mine = state.galleys_of(player)
    aboard = {good for galley in mine.values() for good in galley.cargo}
    bought = {BOARD.ports[port].good for port in ports_near(state, player)}
    goods = [good for good in GOODS if good in aboard | bought]
    for name, galley in mine.items():
        held = {"sailors": galley.sailors, **{good: galley.cargo.count(good) for good in goods}}
        for what, count in held.items():
            found[f"aboard {name} {what}"] = Limit(count, "MED-2.10", "aboard", {"galley": name})
    for name, port in state.ports_of(player).items():
        found[f"aboard {name} sailors"] = Limit(port.garrison, "MED-2.10", "garrison", {"port": name})
    for name, galley in mine.items():
        if f"aboard {galley.zone} sailors" in found:
            found[f"ashore {name}"] = found[f"aboard {galley.zone} sailors"]
    return found


def setup(state: State, player: Player) -> Limits:
    """MED-0.3: the sailors to place, and the room for them."""
    return {
        "to-place": Limit(sailors_to_place(state, player), "MED-0.3", "sailors-left"),
        **rooms(state, player),
    }


def market(state: State, player: Player) -> Limits:
    """MED-2: ducats, pieces and room, what each port of the player's gives, what the box has, and the owners with whom
    a price must be agreed."""
    found = {**rooms(state, player), **pieces(state, player), **limits_of_box(state)}
    found["ducats"] = Limit(state.players[player].treasury.value, "MED-2.2", "ducats-left")
    found["crew"] = Limit(HOLD, "MED-0.6", "crew-too-large")
    for port, place in state.ports_of(player).items():
        goods, already = len(place.warehouse), state.enlisted.get(port, 0)
        facts = {"port": port, "goods": goods, "already": already}
        found[f"enlisting {port}"] = Limit(goods - already, "MED-2.9", "warehouse", facts)
    near = ports_near(state, player)
    supply = {good: box(good, state.supply_of(good)) for good in {BOARD.ports[port].good: 0 for port in near}}
    for port in near:  # the purse under the name of each port: a deal with a player may cost nothing
        good = BOARD.ports[port].good
        found[f"ducats {port}"], found[f"box {port}"] = found["ducats"], supply[good]
        found[f"box {good}"] = supply[good]
    others = [port for port in near if state.ports[port].owner not in (None, player)]
    for name in (*others, *partners(state, player)):
        found[f"agreed {name}"] = Limit(0, "MED-2.5", "to-agree", {"name": name})
    return found


def limits_of_box(state: State) -> dict[str, Limit]:
    """MED-0.5: what the box has left of what is built and enlisted."""
    left = {"sailors": state.supply_of_sailors(), "galley": state.supply_of_galleys()}
    left["fortress"] = state.supply_of_fortresses()
    return {f"box {what}": box(what, count) for what, count in left.items()}


def box(what: str, left: int) -> Limit:
    """MED-0.5: how much is left of something."""
    return Limit(left, "MED-0.5", "box", {"what": what})


def ports_near(state: State, player: Player) -> list[PortId]:
    """MED-2.1: the ports in which the player has a galley."""
    zones = dict.fromkeys(galley.zone for galley in state.galleys_of(player).values())
    return [zone for zone in zones if zone in BOARD.ports]


def sale(state: State, player: Player) -> Limits:
    """MED-6.1, MED-6.2: the slots of the ports where galleys lie, and which goods each still takes once; what a sale
    brings is known later."""
    found = {**pieces(state, player), "price": Limit(0, "MED-6.2", "price-later")}
    free: dict[str, Limit] = {}
    takes: dict[tuple[str, str], Limit] = {}
    for name, galley in state.galleys_of(player).items():
        if galley.zone not in BOARD.ports:
            continue
        port, warehouse = galley.zone, state.ports[galley.zone].warehouse
        slots = len(BOARD.slots_of(port)) - len(warehouse)
        limit = Limit(slots, "MED-6.1", "warehouse-full", {"port": port})
        found[f"slots {name}"] = free.setdefault(port, limit)
        for good in GOODS:
            one = Limit(int(not state.has(port, good)), "MED-6.1", "sold-already", {"port": port})
            found[f"market {name} {good}"] = takes.setdefault((port, good), one)
    return found
