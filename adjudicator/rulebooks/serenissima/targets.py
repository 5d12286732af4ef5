"""SER-5 The fields of an order about fights: whom to attack, how long, what to save, who lands;
and what to do if blockaded."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from adjudicator.engine.table import Player, Setting
from adjudicator.engine.table.domain import Either, Limit, Many, OneOf, Part, Record, Whole, record
from adjudicator.rulebooks.serenissima.board import PortId, ZoneId
from adjudicator.rulebooks.serenissima.fields import GOODS_WANTED, NUMBER, PORT, Fields
from adjudicator.rulebooks.serenissima.state import Only, State, Wanted


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


def fights_now(state: State, player: Player, zone: ZoneId) -> Many[Any]:
    """SER-5.1: the galleys of others, and the ports that can be taken, by a galley that stays in the zone (empty: that
    moves); any other may be met when the galley's turn comes."""
    galleys = [int(name) for name, galley in state.galleys.items() if galley.owner != player]
    owners = {name: port.owner for name, port in state.ports.items() if not port.closed}
    guarded = {galley.owner for galley in state.galleys.values() if galley.zone == zone}
    ports = [
        name
        for name, owner in owners.items()
        if owner != player
        and (owner is None or len(state.ports_of(owner)) > 1)
        and not (name == zone and owner in guarded)
    ]
    how = record(Fight, HOW).parts
    at_sea: Record[Any] = Record(dict, {"galley": Part(OneOf(galleys), needed=True), **how})
    ashore: Record[Any] = Record(dict, {"port": Part(OneOf(ports), needed=True), **how, "land": Part(LAND)})
    return Many(Either(tuple(each for each, some in ((at_sea, galleys), (ashore, ports)) if some)))


SALVAGE = Setting(WANTED, "SER-5.4")
"""SER-5.4: the standing instruction on what to save from a galley that attacked and was sunk."""
