"""The position: who has what and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from adjudicator.engine.table import rulebook
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.serenissima.board import (
    BASILICAS,
    BOARD,
    FORTS,
    GOODS,
    HOLD,
    Card,
    GalleyId,
    Good,
    PortId,
    Supply,
    ZoneId,
    numbers,
    supply,
)
from adjudicator.rulebooks.serenissima.entries import Standing

Bank: Player = ""
"""Who is paid when the bank is: nobody."""
Act = Literal["move", "sale", "landing"]
"""What a blockade is against (SER-3.2, SER-4.3, SER-5.6)."""


class Options(rulebook.Options, frozen=True, kw_only=True):
    """The options of a match: whether money is secret (SER-0.2), and the ports that are closed (SER-0.3)."""

    money: Literal["open", "hidden"] = "open"
    closed: tuple[str, ...] = ()


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has besides the pieces on the board."""

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


class Turn(Struct, frozen=True):
    """The turn of a galley: where it began, the zones it has moved, the value it attacks with once that is reckoned,
    and whether it has had its free cube (SER-2.3)."""

    galley: GalleyId
    start: ZoneId
    moved: int = 0
    value: int | None = None
    free_cube: bool = False


def none_yet() -> tuple[Any, ...]:
    """An empty list that is written all the same."""
    return ()


class State(rulebook.Position, frozen=True, kw_only=True, omit_defaults=True):
    """The position of a match.

    `seats` is clockwise, the first player first; `done` are the numbers that have had their turn in this round;
    `pawn` is the square of the white pawn, `doge` the cards left, the first drawn next, `doge_out` those drawn since
    the last shuffle. `acting` stands only while a round is adjudicated.
    """

    options: Options
    seats: tuple[Player, ...]
    players: Mapping[Player, Seat]
    ports: Mapping[PortId, Port]
    galleys: Mapping[GalleyId, Galley]
    done: tuple[Annotated[int, Meta(ge=1)], ...] = field(default_factory=none_yet)
    pawn: int
    doge: tuple[Secret[Card], ...]
    doge_out: tuple[Card, ...] = field(default_factory=none_yet)
    scorings: Annotated[int, Meta(ge=0)]
    result: tuple[Player, ...] = field(default_factory=none_yet)
    acting: Turn | None = None


# -- questions to a position -----------------------------------------------------------------------------------------


def ports_of(state: State, player: Player) -> dict[PortId, Port]:
    """SER-0.5: the ports that belong to the player."""
    return {name: port for name, port in state.ports.items() if port.owner == player}


def galleys_of(state: State, player: Player) -> dict[GalleyId, Galley]:
    """The player's galleys, by number."""
    return {name: state.galleys[name] for name in in_order(state) if state.galleys[name].owner == player}


def galleys_in(state: State, zone: ZoneId) -> dict[GalleyId, Galley]:
    """The galleys in a zone, by number."""
    return {name: state.galleys[name] for name in in_order(state) if state.galleys[name].zone == zone}


def beside(state: State, player: Player, zone: ZoneId) -> dict[GalleyId, Galley]:
    """The player's galleys in a zone."""
    return {name: galley for name, galley in galleys_in(state, zone).items() if galley.owner == player}


def in_order(state: State) -> list[GalleyId]:
    """SER-1.1: the numbers of the galleys on the board, the smallest first."""
    return sorted(state.galleys, key=int)


def to_come(state: State) -> list[GalleyId]:
    """SER-1.1: the galleys whose turn is still to come, in their order."""
    return [name for name in in_order(state) if int(name) > max(state.done, default=0)]


def on_call(state: State) -> list[GalleyId]:
    """SER-1.1: the galleys that can be given orders now; in live pacing the next run of numbers of one owner."""
    names = to_come(state)
    if state.options.pacing == "batch":
        return names
    return list(takewhile(lambda name: state.galleys[name].owner == state.galleys[names[0]].owner, names))


def room(galley: Galley) -> int:
    """SER-0.6: how many sailors or goods more fit aboard."""
    return HOLD - galley.sailors - len(galley.cargo)


def slots(port: PortId) -> int:
    """SER-0.6: the slots of a port's warehouse, and the most sailors stationed there."""
    return len(BOARD.slots_of(port))


def has(state: State, port: PortId, good: Good) -> bool:
    """SER-4.4, SER-6.3: does the port produce the good or hold it?"""
    return BOARD.ports[port].good == good or good in state.ports[port].warehouse


def purse(state: State, player: Player) -> int:
    """The player's ducats. Raises Unknown where they are hidden."""
    return state.players[player].ducats.value


def may_have(state: State, player: Player, sum: int) -> bool:
    """SER-0.2: may the player have so many ducats, by what is public? Who is due must tell nothing of a purse."""
    return state.options.money == "hidden" or purse(state, player) >= sum


def box(state: State) -> Supply:
    """SER-0.1: the sailors of each player and the galleys of this match."""
    return supply(len(state.players))


def stock_of_sailors(state: State, player: Player) -> int:
    """SER-0.1: the player's sailors that are not on the board."""
    aboard = sum(galley.sailors for galley in state.galleys.values() if galley.owner == player)
    return box(state).sailors - aboard - sum(port.garrison for port in ports_of(state, player).values())


def stock_of(state: State, good: Good) -> int:
    """SER-0.5: the cubes of a good left in the box."""
    aboard = sum(galley.cargo.count(good) for galley in state.galleys.values())
    return BOARD.goods[good] - aboard - sum(port.warehouse.count(good) for port in state.ports.values())


def stock_of_buildings(state: State, what: Literal["fort", "basilica"]) -> int:
    """SER-0.5: the forts or basilicas left in the box."""
    most = FORTS if what == "fort" else BASILICAS
    return most - sum(port.fort if what == "fort" else port.basilica for port in state.ports.values())


def free_numbers(state: State) -> list[GalleyId]:
    """SER-0.6: the numbers of the galleys in the stock."""
    return [name for name in numbers(len(state.players)) if name not in state.galleys]


def counted(cargo: Iterable[Good]) -> dict[Good, int]:
    """Goods by kind, in the board's order."""
    goods = list(cargo)
    return {good: goods.count(good) for good in GOODS if good in goods}


# -- changes, for events to apply ------------------------------------------------------------------------------------


def paid(state: State, payer: Player, payee: Player, sum: int) -> State:
    """The position after a payment in ducats; a purse that the reader can't see stays hidden."""
    players = dict(state.players)
    for player, change in ((payer, -sum), (payee, sum)):
        if player != Bank and players[player].ducats.known:
            seat = players[player]
            players[player] = replace(seat, ducats=Secret(seat.ducats.value + change))
    return replace(state, players=players)


def with_galley(state: State, name: GalleyId, **changes: Any) -> State:
    """The position with one galley changed."""
    return replace(state, galleys={**state.galleys, name: replace(state.galleys[name], **changes)})


def with_port(state: State, name: PortId, **changes: Any) -> State:
    """The position with one port changed."""
    return replace(state, ports={**state.ports, name: replace(state.ports[name], **changes)})


def crewed(state: State, place: str, change: int) -> State:
    """The position with more or fewer sailors on a galley or in a port."""
    if place in state.galleys:
        return with_galley(state, place, sailors=state.galleys[place].sailors + change)
    return with_port(state, place, garrison=state.ports[place].garrison + change)


def stowed(state: State, name: GalleyId, goods: Mapping[Good, int], sign: int = 1) -> State:
    """The position with goods brought aboard a galley; with `sign` -1 taken from it."""
    aboard = counted(state.galleys[name].cargo)
    held = {good: aboard.get(good, 0) + sign * goods.get(good, 0) for good in GOODS}
    return with_galley(state, name, cargo=tuple(good for good in GOODS for _ in range(held[good])))


def sunk(state: State, name: GalleyId) -> State:
    """The position without a galley."""
    return replace(state, galleys={other: galley for other, galley in state.galleys.items() if other != name})
