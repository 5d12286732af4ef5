"""The values of the fields of orders: their types, what is possible now, and why other values aren't.

SER-5 The fields of an order about fights: whom to attack, how long, what to save, who lands;
and what to do if blockaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from adjudicator.engine.table import Player, Reason, Setting
from adjudicator.engine.table.domain import (
    Another,
    Domain,
    Either,
    FirstOf,
    Forms,
    Limit,
    Many,
    OneOf,
    Part,
    Record,
    Whole,
    record,
)
from adjudicator.engine.table.reason import when_named
from adjudicator.rulebooks.serenissima.board import BOARD, COLOURS, GOODS, NUMBERS, PortId, ZoneId
from adjudicator.rulebooks.serenissima.state import Only, State, Wanted

ANY = "any"
"""SER-6.2: any number that is free, the lowest of them."""
NUMBER = OneOf(tuple(int(name) for name in NUMBERS))
PORT = OneOf(tuple(BOARD.ports))
ZONE = OneOf(tuple(BOARD.zones))
GOOD = OneOf(GOODS)
PLAYER, OTHER = OneOf(COLOURS), Another(COLOURS)
NUMBER_TO_BUY: OneOf[int | str] = OneOf((*NUMBER.among, ANY))
COUNT = Whole(1)
PLACE = OneOf((*BOARD.ports, *(str(number) for number in NUMBER.among)))
"""A port, or a galley by its number, as the key of a mapping."""
GOODS_WANTED = Many(GOOD, most=len(GOODS), distinct=True)
Fields = Mapping[str, Domain[Any]]
"""The types of the fields of an order or an answer, by name."""


def galleys_to_call(state: State, player: Player) -> OneOf[int]:
    """SER-1.1: the player's galleys that can be given orders now;
    not others' galleys, sunk ones, or those whose turn is over."""
    callable_ = [int(name) for name in state.on_call() if state.galleys[name].owner == player]
    return OneOf(callable_, but=why_not_called(state, player))


@when_named
def why_not_called(state: State, player: Player) -> dict[int, Reason]:
    """SER-1.1: why it isn't the turn of a galley."""
    yours, to_come = [int(name) for name in state.galleys_of(player)], state.to_come()
    whys = dict(none_of_these(state, player))
    for name, galley in state.galleys.items():
        others = Reason("SER-1.1", "not-yours", {"owner": galley.owner, "yours": yours})
        # a galley has had its turn, or its number was passed before it was bought
        over = "turn-over" if int(name) in state.done else "number-passed"
        mine = Reason("SER-1.1", "not-yet" if name in to_come else over)
        whys[int(name)] = mine if galley.owner == player else others
    return whys


@when_named
def none_of_these(state: State, player: Player) -> dict[int, Reason]:
    """Why numbers can't be named: there is no such galley, or it is sunk."""
    yours = [int(name) for name in state.galleys_of(player)]
    return dict.fromkeys(NUMBER.among, Reason("", "no-such-galley", {"yours": yours}))


def numbers_free(state: State) -> OneOf[int]:
    """SER-0.4, SER-6.2: the numbers of galleys that are free; others are taken, or not in the box (SER-0.1)."""
    return OneOf([int(name) for name in state.free_numbers()], but=why_not_free(state))


def ranked(numbers: OneOf[int | str]) -> Forms[int | str]:
    """SER-6.2: a number or `any`, or a list of these in order of preference."""
    return Forms(numbers, (FirstOf(numbers),))


def numbers_to_buy(state: State) -> OneOf[int | str]:
    """SER-6.2: the free numbers, and `any` if there is one."""
    free = [int(name) for name in state.free_numbers()]
    none = {} if free else {ANY: Reason("SER-6.2", "no-number-free")}
    return OneOf([*free, *[ANY] * bool(free)], but=why_not_free(state) | none)


@when_named
def why_not_free(state: State) -> dict[int, Reason]:
    """SER-0.1, SER-6.2: why a number isn't free."""
    beyond = Reason("SER-0.1", "beyond-the-box", {"highest": state.box().galleys})
    owners = {int(name): galley.owner for name, galley in state.galleys.items()}
    taken = {name: Reason("SER-6.2", "number-taken", {"owner": owner}) for name, owner in owners.items()}
    return dict.fromkeys(NUMBER.among, beyond) | taken


def own_ports(state: State, player: Player) -> OneOf[PortId]:
    """The player's ports; the others are closed, neutral, or another player's."""
    return OneOf(list(state.ports_of(player)), but=why_not_own(state, player))


@when_named
def why_not_own(state: State, player: Player) -> dict[PortId, Reason]:
    """SER-0.3, SER-0.5: why a port isn't the player's."""
    yours = list(state.ports_of(player))
    whys: dict[PortId, Reason] = {}
    for name, port in state.ports.items():
        key = "port-not-yours" if port.owner else "neutral"
        closed = Reason("SER-0.3", "closed", {"port": name})
        whys[name] = closed if port.closed else Reason("", key, {"owner": port.owner, "yours": yours})
    return whys


def berths(state: State, place: str) -> Limit:
    """SER-0.6: how many more sailors a galley or a port can take."""
    if place in state.galleys:
        return Limit(state.galleys[place].room(), "SER-0.6", "room", {"galley": place})
    size = BOARD.ports[place].size
    return Limit(size - state.ports[place].garrison, "SER-0.6", "port-full", {"port": place, "slots": size})


class Stop(Struct, frozen=True):
    """SER-5.3: an attacker stops between throws when `own` sailors or fewer are left (0: never)."""

    own: int = 1  # Ruling: an order that says nothing doesn't risk the last sailor


class Fight(Struct, frozen=True, kw_only=True):
    """SER-5.3, SER-5.4: how a fight is fought: the most throws, when to stop, and the goods wanted."""

    rounds: int | None = None
    stop: Stop = Stop()
    salvage: Wanted = ()


class Target(Fight, frozen=True, kw_only=True):
    """SER-5: a target, either a galley or a port, and how many sailors land there."""

    galley: int | None = None
    port: PortId = ""
    land: int | Literal["all"] = 1


Targets = list[tuple[int, Target]]
"""The targets of an order, each with its place in the order."""


class IfBlocked(Fight, frozen=True, kw_only=True):
    """SER-4.3, SER-5.6: the galleys to fight when a sale or a landing is blockaded:
    all, or those named, in that order."""

    fight: Literal["all"] | tuple[int, ...]


ALL = OneOf(("all",))
ROUNDS = Whole(1, [Limit(99, "SER-5.3", "rounds")])
WANTED = Either((GOODS_WANTED, record(Only, {"only": GOODS_WANTED})))
HOW: Fields = {"rounds": ROUNDS, "stop": record(Stop, {"own": Whole(0)}), "salvage": WANTED}
LAND = Either((Whole(0), ALL))


def fights(galleys: OneOf[int], ports: OneOf[PortId]) -> Many[Target]:
    """SER-5: the type of a list of targets."""
    return Many(record(Target, {"galley": galleys, "port": ports, **HOW, "land": LAND}))


FIGHTS = fights(NUMBER, PORT)
THEIRS = Either((ALL, Many(NUMBER, distinct=True)))
IF_BLOCKED = Either((OneOf(("end",)), record(IfBlocked, {"fight": THEIRS, **HOW})))


def fights_now(state: State, player: Player, zone: ZoneId, crew: int) -> Many[Any]:
    """SER-5.1: the galleys of others, and the ports that can be taken, by a galley with such a crew that stays in the
    zone (empty: that moves); any other may be met when the galley's turn comes."""
    galleys = [int(name) for name, galley in state.galleys.items() if galley.owner != player]
    owners = {name: port.owner for name, port in state.ports.items() if not port.closed}
    guarded = {galley.owner for galley in state.galleys.values() if galley.zone == zone}
    foreign = {name: owner for name, owner in owners.items() if owner not in (None, player)}
    shielded = [name for name, owner in foreign.items() if name == zone and owner in guarded]
    last = [name for name, owner in foreign.items() if owner and len(state.ports_of(owner)) < 2]
    owned = [name for name in foreign if name not in (*shielded, *last)]
    neutral = [name for name, owner in owners.items() if owner is None]
    # SER-5.6: a sailor must land in a neutral port, the last one only if all are to.
    landing = Part(ALL, needed=True) if crew < 2 else Part(Either((Whole(1), ALL)))
    targets: list[tuple[str, list[Any], dict[str, Part[Any]]]] = [
        ("galley", galleys, {}),
        ("port", owned, {"land": Part(LAND)}),
        ("port", neutral, {"land": landing}),
    ]
    how = record(Fight, HOW).parts
    records: list[Record[Any]] = [
        Record(dict, {field: Part(OneOf(names), needed=True), **how, **more})
        for field, names, more in targets
        if names
    ]
    return Many(Either(tuple(records)))


SALVAGE = Setting(WANTED, "SER-5.4")
"""SER-5.4: the standing instruction on what to save from a galley that attacked and was sunk."""
