"""The position: who has what and where; and standing instructions as it keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret, changed, position
from adjudicator.rulebooks.serenissima import board
from adjudicator.rulebooks.serenissima.board import BOARD, GOODS, Card, GalleyId, Good, PortId, ZoneId

Bank: Player = ""
"""The receiver of a payment to the bank: no player."""
Act = Literal["move", "sale", "landing"]
"""The act that a blockade is against (SER-3.2, SER-4.3, SER-5.6)."""
RULES = 3
"""The version of these rules. `rules.md` says of a ruling that has changed since when it holds."""


class Options(position.Options, frozen=True, kw_only=True):
    """The options of a match: whether money is secret (SER-0.2), and the closed ports (SER-0.3)."""

    money: Literal["open", "hidden"] = "open"
    closed: tuple[str, ...] = ()


class Declaring(Struct, frozen=True, omit_defaults=True, rename={"for_": "for", "in_": "in"}):
    """SER-3.2: a standing instruction that declares a blockade, or not, `against` a move, a sale or a landing."""

    declare: bool
    for_: Player = ""
    in_: ZoneId = ""
    against: str = ""

    def fits(self, player: Player, zone: ZoneId, against: str) -> bool:
        """Does the entry fit? A key that it leaves out fits everything."""
        return self.for_ in ("", player) and self.in_ in ("", zone) and self.against in ("", against)


class Only(Struct, frozen=True):
    """SER-5.4: only these goods are taken from a sunk galley, the first ones first."""

    only: tuple[Good, ...]


Wanted = tuple[Good, ...] | Only
"""SER-5.4: the goods wanted from a sunk galley: these first and then the dearest, or only these."""


class Standing(position.InForce, frozen=True, kw_only=True):
    """All standing instructions of a player: blockades, of which the first that fits counts,
    and the goods wanted from sunk galleys."""

    blockade: tuple[Declaring, ...] = ()
    salvage: Wanted = ()


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has, except the pieces on the board."""

    ducats: Secret[int]
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))


class Port(Struct, frozen=True, forbid_unknown_fields=True):
    """A port: its owner (None: neutral), the sailors stationed in it, the goods in its warehouse in the order sold."""

    owner: Player | None
    garrison: int
    warehouse: tuple[Good, ...] = ()
    fort: bool = False
    basilica: bool = False
    closed: bool = False


class Galley(Struct, frozen=True, forbid_unknown_fields=True):
    """A galley: owner, sea zone, sailors aboard, goods aboard in the board's order."""

    owner: Player
    zone: ZoneId
    sailors: int
    cargo: tuple[Good, ...] = ()

    def room(self) -> int:
        """SER-0.6: how many more sailors or goods there is room for."""
        return board.HOLD - self.sailors - len(self.cargo)


class Turn(Struct, frozen=True):
    """The turn of a galley: where it began, the zones it has moved, the value it attacks with once that is worked out,
    whether it has had its free cube (SER-2.3), and whether its sale or landing has been blockaded."""

    galley: GalleyId
    start: ZoneId
    moved: int = 0
    value: int | None = None
    free_cube: bool = False
    blocked: bool = False


class State(position.Position, frozen=True, kw_only=True, omit_defaults=True):
    """The position of a match.

    `seats`: clockwise, the first player first. `done`: the numbers that have had their turn in this round. `pawn`: the
    square of the white pawn. `doge`: the cards left, the first is drawn next; `doge_out`: those drawn since the last
    shuffle. `acting`: the turn of a galley, set only while a round is adjudicated.
    """

    options: Options
    seats: tuple[Player, ...]
    players: Mapping[Player, Seat]
    ports: Mapping[PortId, Port]
    galleys: Mapping[Annotated[GalleyId, Meta(pattern="^[0-9]+$")], Galley]
    done: tuple[Annotated[int, Meta(ge=1)], ...] = field(default_factory=position.none_yet)
    pawn: int
    doge: tuple[Secret[Card], ...]
    doge_out: tuple[Card, ...] = field(default_factory=position.none_yet)
    scorings: Annotated[int, Meta(ge=0)]
    result: tuple[Player, ...] = field(default_factory=position.none_yet)
    acting: Turn | None = None

    def ports_of(self, player: Player) -> dict[PortId, Port]:
        """SER-0.5: the ports that belong to the player."""
        return {name: port for name, port in self.ports.items() if port.owner == player}

    def in_order(self) -> list[GalleyId]:
        """SER-1.1: the numbers of the galleys on the board, the smallest first."""
        return sorted(self.galleys, key=int)

    def galleys_of(self, player: Player) -> dict[GalleyId, Galley]:
        """The player's galleys, by number."""
        mine = [name for name, galley in self.galleys.items() if galley.owner == player]
        return {name: self.galleys[name] for name in sorted(mine, key=int)}

    def galleys_in(self, zone: ZoneId) -> dict[GalleyId, Galley]:
        """The galleys in a zone, by number."""
        there = [name for name, galley in self.galleys.items() if galley.zone == zone]
        return {name: self.galleys[name] for name in sorted(there, key=int)}

    def beside(self, player: Player, zone: ZoneId) -> dict[GalleyId, Galley]:
        """The player's galleys in a zone."""
        mine = [name for name, each in self.galleys.items() if each.zone == zone and each.owner == player]
        return {name: self.galleys[name] for name in sorted(mine, key=int)}

    def to_come(self) -> list[GalleyId]:
        """SER-1.1: the galleys whose turn is still to come, by number."""
        passed = max(self.done, default=0)
        return [name for name in board.NUMBERS[passed:] if name in self.galleys]

    def on_call(self) -> list[GalleyId]:
        """SER-1.1: the galleys that can be given orders now;
        in live pacing the next run of consecutive numbers of one owner."""
        names = self.to_come()
        if self.options.pacing == "batch":
            return names
        return list(takewhile(lambda name: self.galleys[name].owner == self.galleys[names[0]].owner, names))

    def turn(self) -> Turn:
        """The turn of the galley that acts."""
        assert self.acting is not None
        return self.acting

    def sailors_of(self, place: str) -> int:
        """The number of sailors on a galley, or stationed in a port."""
        return self.galleys[place].sailors if place in self.galleys else self.ports[place].garrison

    def has(self, port: PortId, good: Good) -> bool:
        """SER-4.4, SER-6.3: does the port produce or hold the good?"""
        return BOARD.ports[port].good == good or good in self.ports[port].warehouse

    def purse(self, player: Player) -> int:
        """The player's ducats. Raises Unknown if they are hidden."""
        return self.players[player].ducats.value

    # -- the box -----------------------------------------------------------------------------------------------------

    def box(self) -> board.Supply:
        """SER-0.1: the sailors of each player and the galleys of this match."""
        return board.supply(len(self.players))

    def stock_of_sailors(self, player: Player) -> int:
        """SER-0.1: the number of the player's sailors that are not on the board."""
        aboard = sum([galley.sailors for galley in self.galleys.values() if galley.owner == player])
        ashore = sum([port.garrison for port in self.ports.values() if port.owner == player])
        return self.box().sailors - aboard - ashore

    def stock_of(self, what: Good | board.Building) -> int:
        """SER-0.5: the number of cubes of a good, of forts or of basilicas left in the box."""
        if what in board.BUILDINGS:
            return board.BUILDINGS[what] - sum([bool(getattr(port, what)) for port in self.ports.values()])
        aboard = [good for galley in self.galleys.values() for good in galley.cargo if good == what]
        ashore = [good for port in self.ports.values() for good in port.warehouse if good == what]
        return BOARD.goods[what] - len(aboard) - len(ashore)

    def free_numbers(self) -> list[GalleyId]:
        """SER-0.6: the numbers of the galleys in the stock."""
        return [name for name in board.numbers(len(self.players)) if name not in self.galleys]

    # -- what events change ------------------------------------------------------------------------------------------

    def with_turn(self, **changes: Any) -> State:
        """The position with the turn of the active galley changed; unchanged if no galley has its turn."""
        return replace(self, acting=replace(self.acting, **changes)) if self.acting else self

    def with_sailors(self, place: str, change: int) -> State:
        """The position with more or fewer sailors on a galley or in a port."""
        of, what = ("galleys", "sailors") if place in self.galleys else ("ports", "garrison")
        return changed(self, of, place, **{what: self.sailors_of(place) + change})

    def with_goods(self, name: GalleyId, goods: Mapping[Good, int], sign: int = 1) -> State:
        """The position with goods put aboard a galley; with `sign` -1 taken from it."""
        cargo = self.galleys[name].cargo
        there = [good for good in GOODS if good in cargo or good in goods]
        count = {good: cargo.count(good) + sign * goods.get(good, 0) for good in there}
        cargo = tuple([good for good in there for _ in range(count[good])])
        return changed(self, "galleys", name, cargo=cargo)
