"""The position: every piece, its owner and its place; and why one that exists can't be named in an order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from adjudicator.engine.table import Player, Private, Reason, Secret, changed, position, removed
from adjudicator.engine.table.reason import when_named
from adjudicator.engine.table.remembered import remembered_while
from adjudicator.rulebooks.mediterranee import board
from adjudicator.rulebooks.mediterranee.board import BOARD, Good, ZoneId
from adjudicator.rulebooks.mediterranee.standing import Standing

GalleyId = str
Bank: Player = ""
"""The receiver of a payment to the bank: no player."""
RULES = 5
"""The version of these rules. `rules.md` says of a ruling that has changed since when it holds."""


class Options(position.Options, frozen=True, kw_only=True):
    """The options of a match (MED-0.1, MED-0.8). `turns` left out are 12, 10 or 8 by the number of players.

    `bookkeeping`: whether forms and reports show the treasuries that follow from what was public.
    """

    turns: Annotated[int, Meta(ge=1, le=99)] = 0
    powers: Literal["venice-genoa", "spain-turkey"] = "venice-genoa"
    treasury: Literal["hidden", "open"] = "hidden"
    bookkeeping: Literal["own", "shown"] = "own"


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has, except the pieces on the board; the treasury is in ducats."""

    treasury: Secret[int]
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))


class Port(Struct, frozen=True, forbid_unknown_fields=True):
    """A port: its owner (None: neutral), the sailors in garrison, the goods in the warehouse in the order sold."""

    owner: Player | None
    garrison: int
    fortress: bool
    warehouse: tuple[board.Good, ...]


class Galley(Struct, frozen=True, forbid_unknown_fields=True):
    """A galley: owner, sea zone, sailors aboard, goods aboard in the board's order."""

    owner: Player
    zone: board.ZoneId
    sailors: int
    cargo: tuple[board.Good, ...]

    def room(self) -> int:
        """MED-0.6: how many more pieces there is room for aboard."""
        return board.HOLD - self.sailors - len(self.cargo)

    def goods(self) -> dict[board.Good, int]:
        """How many pieces of each good are aboard, in the board's order."""
        return {good: self.cargo.count(good) for good in board.BOARD.goods}


class Loss(Struct, frozen=True, forbid_unknown_fields=True):
    """How a galley was lost: when, how (`sunk`, `captured`), and its owner."""

    galley: GalleyId
    turn: int
    how: Literal["sunk", "captured"]
    owner: Player


class Deal(Struct, frozen=True, forbid_unknown_fields=True, rename={"with_": "with", "for_": "for"}):
    """One side of a deal between players (MED-2.13), as its player offers it.

    `first` is the price named, `last` the most that its player pays or the least that it takes, in ducats a piece;
    `for_` are the goods that go the other way, `at` is the line of the sheet. Only its player knows `last` and `at`.
    """

    by: Player
    with_: Player
    sells: bool
    good: board.Good
    quantity: int
    galley: GalleyId
    first: int | None
    last: Secret[int]
    for_: Mapping[board.Good, int]
    at: Secret[str]


class Bargain(Struct, frozen=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """A bargain in this turn's market that failed (MED-2.5): who began it, with whom, over what, and the prices that
    both have heard, in ducats a piece."""

    by: Player
    with_: Player
    good: board.Good
    prices: tuple[int, ...] = ()


class Beside(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat next to a player who has already chosen: right after, or right before."""

    after: Player | None = None
    before: Player | None = None


class Bid(Struct, frozen=True, forbid_unknown_fields=True):
    """A bid in ducats, and the seats wanted if the sheet names any (MED-1.2)."""

    sum: int
    seats: tuple[int | Beside, ...] | None


class State(position.Position, frozen=True, kw_only=True, omit_defaults=True):
    """The position of a match.

    `deals` are the open deals of players who have acted in this market, `bargains` the bargains that failed in this
    turn's; `built` the ports where something was built this turn, `enlisted` the sailors enlisted this turn by port;
    `moved` the galleys that have moved this turn and `landed` the ports manned this turn, both left out when empty.
    `lost` are lost galleys, each with its last loss, so that refusals can say so. `bids` are filled only while an
    auction is adjudicated.
    """

    options: Options
    players: Mapping[Player, Seat]
    order: tuple[Player, ...]
    ports: Mapping[board.PortId, Port]
    galleys: Mapping[GalleyId, Galley]
    deals: tuple[Private[Deal], ...] = field(default_factory=position.none_yet)
    bargains: tuple[Private[Bargain], ...] = ()
    built: tuple[board.PortId, ...] = field(default_factory=position.none_yet)
    enlisted: Mapping[board.PortId, int] = field(default_factory=dict[str, int])
    moved: tuple[GalleyId, ...] = ()
    landed: tuple[board.PortId, ...] = ()
    lost: tuple[Loss, ...] = ()
    bids: Mapping[Player, Secret[Bid]] = {}

    def galleys_of(self, player: Player) -> dict[GalleyId, Galley]:
        """The player's galleys."""
        return {name: galley for name, galley in self.galleys.items() if galley.owner == player}

    def galleys_in(self, zone: board.ZoneId) -> dict[GalleyId, Galley]:
        """The galleys in a zone."""
        return {name: galley for name, galley in self.galleys.items() if galley.zone == zone}

    def may_have(self, player: Player, amount: int) -> bool:
        """MED-0.8: may the player have this many ducats, as far as is public?

        The list of due players must not give a treasury away.
        """
        return self.options.treasury == "hidden" or self.players[player].treasury.value >= amount

    def ports_of(self, player: Player) -> dict[board.PortId, Port]:
        """The ports that the player controls."""
        return {name: port for name, port in self.ports.items() if port.owner == player}

    def sailors_of(self, player: Player) -> int:
        """The player's sailors, aboard and in garrisons."""
        aboard = sum([galley.sailors for galley in self.galleys_of(player).values()])
        return aboard + sum([port.garrison for port in self.ports_of(player).values()])

    def own_galleys_in(self, player: Player, zone: board.ZoneId) -> dict[GalleyId, Galley]:
        """The player's galleys in a zone."""
        here = self.galleys_in(zone).items()
        return {name: galley for name, galley in here if galley.owner == player}

    def goods_of(self, owner: Player | None) -> set[board.Good]:
        """MED-6.3: the goods that an owner's ports produce or have in their warehouses."""
        found: set[board.Good] = set()
        for name, port in self.ports.items():
            if port.owner == owner:
                found.add(board.BOARD.ports[name].good)
                found.update(port.warehouse)
        return found

    @remembered_while("ports")
    def goods_of_owners(self) -> Mapping[Player | None, Collection[board.Good]]:
        """MED-6.3: the goods of each owner's ports."""
        owners = dict.fromkeys(port.owner for port in self.ports.values())
        return {owner: self.goods_of(owner) for owner in owners}

    def supply_of_sailors(self) -> int:
        """MED-0.5: the sailors left in the box."""
        aboard = sum([galley.sailors for galley in self.galleys.values()])
        return board.SAILORS - aboard - sum([port.garrison for port in self.ports.values()])

    def supply_of(self, good: board.Good) -> int:
        """MED-0.5: the pieces of a good left in the box."""
        return board.EACH_GOOD - list(self.goods_in_play()).count(good)

    def goods_in_play(self) -> Iterator[board.Good]:
        """The pieces that lie in galleys and ports, each named by its good."""
        aboard = [galley.cargo for galley in self.galleys.values()]
        return chain.from_iterable(aboard + [port.warehouse for port in self.ports.values()])

    def supply_of_galleys(self) -> int:
        """MED-0.5: the galleys left in the box."""
        return board.GALLEYS - len(self.galleys)

    def supply_of_fortresses(self) -> int:
        """MED-0.5: the fortresses left in the box."""
        return board.FORTRESSES - sum(port.fortress for port in self.ports.values())

    def has(self, port: board.PortId, good: board.Good) -> bool:
        """Does the port produce the good or hold it in its warehouse?"""
        return board.BOARD.ports[port].good == good or good in self.ports[port].warehouse

    # -- changes, for events to apply --------------------------------------------------------------------------------

    def with_sailors(self, place: str, change: int) -> State:
        """The position with more or fewer sailors on a galley or in a garrison."""
        if place in self.ports:
            return changed(self, "ports", place, garrison=self.ports[place].garrison + change)
        return changed(self, "galleys", place, sailors=self.galleys[place].sailors + change)

    def with_goods(self, galley: GalleyId, goods: Mapping[board.Good, int]) -> State:
        """The position with goods put aboard."""
        cargo = in_board_order((*self.galleys[galley].cargo, *one_by_one(goods)))
        return changed(self, "galleys", galley, cargo=cargo)

    def without_goods(self, galley: GalleyId, goods: Mapping[board.Good, int]) -> State:
        """The position with goods taken from a galley."""
        return changed(self, "galleys", galley, cargo=without(self.galleys[galley].cargo, goods))

    def without_galley(self, galley: GalleyId) -> State:
        """The position without a galley and everything aboard."""
        return removed(self.with_loss(galley, "sunk"), "galleys", galley)

    def with_loss(self, galley: GalleyId, how: Literal["sunk", "captured"]) -> State:
        """The position that remembers how a galley was lost."""
        loss = Loss(galley, self.phase.turn, how, self.galleys[galley].owner)
        return replace(self, lost=(*(each for each in self.lost if each.galley != galley), loss))


def in_board_order(goods: Iterable[board.Good]) -> tuple[board.Good, ...]:
    """Goods in the board's order, as a galley's cargo is written."""
    return tuple(sorted(goods, key=board.BOARD.goods.index))


def without(cargo: tuple[board.Good, ...], goods: Mapping[board.Good, int]) -> tuple[board.Good, ...]:
    """A cargo without some goods."""
    left = list(cargo)
    for good, count in goods.items():
        for _ in range(count):
            left.remove(good)
    return tuple(left)


def one_by_one(goods: Mapping[board.Good, int]) -> tuple[board.Good, ...]:
    """Goods one by one: `{wine: 2}` as wine, wine."""
    return tuple(good for good, count in goods.items() for _ in range(count))


@when_named
def not_yours(state: State, player: Player) -> dict[str, Reason]:
    """Why galleys and ports can't be given orders: they belong to others or nobody, or are lost."""
    galleys, ports = list(state.galleys_of(player)), list(state.ports_of(player))
    whys = {
        name: Reason("", "not-yours", {"owner": galley.owner, "yours": galleys})
        for name, galley in state.galleys.items()
        if galley.owner != player
    }
    for loss in state.lost:
        if loss.galley in whys and loss.how == "captured" and loss.owner == player:
            facts = {"turn": loss.turn, "owner": state.galleys[loss.galley].owner, "yours": galleys}
            whys[loss.galley] = Reason("", "was-captured", facts)
        elif loss.galley not in state.galleys:
            whys[loss.galley] = Reason("", "was-sunk", {"turn": loss.turn, "yours": galleys})
    return whys | {
        name: Reason("", "not-yours" if port.owner else "neutral", {"owner": port.owner, "yours": ports})
        for name, port in state.ports.items()
        if port.owner != player
    }


@when_named
def elsewhere(state: State, player: Player, zone: ZoneId) -> Mapping[str, Reason]:
    """Why galleys and ports can't be named for a zone: they aren't the player's, or they lie in another zone."""
    return (
        not_yours(state, player)
        | {
            name: Reason("", "lies-elsewhere", {"zone": galley.zone})
            for name, galley in state.galleys_of(player).items()
            if galley.zone != zone
        }
        | {name: Reason("", "other-port", {"zone": zone}) for name in state.ports_of(player) if name != zone}
    )


@when_named
def none_aboard(galley: GalleyId) -> dict[Good, Reason]:
    """Why goods can't be taken from a galley."""
    return dict.fromkeys(BOARD.goods, Reason("", "none-aboard", {"galley": galley}))


@when_named
def no_port_at(state: State, name: GalleyId) -> Mapping[str, Reason]:
    """Why a galley can't do something at a port: it lies in another zone, or in one without a port."""
    zone = state.galleys[name].zone
    none = Reason("", "no-port-there", {"galley": name, "zone": zone})
    return other_ports(state, name) | ({} if zone in state.ports else {zone: none})


@when_named
def other_ports(state: State, name: GalleyId) -> dict[str, Reason]:
    """Why a galley can't do something at a port: it lies in another zone."""
    zone = state.galleys[name].zone
    return dict.fromkeys(state.ports, Reason("", "galley-elsewhere", {"galley": name, "zone": zone}))
