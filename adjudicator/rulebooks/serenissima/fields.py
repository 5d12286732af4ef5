"""The types of the fields of orders, and what an order says of a fight as values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeVar

from msgspec import Struct

from adjudicator.engine.table.domain import (
    Domain,
    Either,
    Limit,
    Many,
    MapOf,
    OneOf,
    Part,
    Record,
    Whole,
)
from adjudicator.rulebooks.serenissima.board import BOARD, COLOURS, GOODS, HOLD, MOST_NUMBER, Good, PortId

NUMBER = OneOf(tuple(range(1, MOST_NUMBER + 1)))
PORT = OneOf(tuple(BOARD.ports))
ZONE = OneOf(tuple(BOARD.zones))
GOOD = OneOf(GOODS)
PLAYER = OneOf(COLOURS)
COUNT = Whole(1)
PLACE = OneOf((*BOARD.ports, *(str(number) for number in NUMBER.among)))
"""A port, or a galley by its number, as the key of a mapping."""
GOODS_WANTED = Many(GOOD, most=len(GOODS), distinct=True)


class Stop(Struct, frozen=True):
    """SER-5.3: an attacker stops between throws, once so few own sailors are left (0: never)."""

    own: int = 1


class Target(Struct, frozen=True):
    """SER-5: whom a galley is to fight, one of a galley and a port; how long, and what then."""

    galley: int | None = None
    port: PortId = ""
    rounds: int | None = None
    stop: Stop = Stop()
    salvage: tuple[Good, ...] = ()
    land: int | Literal["all"] = 1


class IfBlocked(Struct, frozen=True):
    """SER-4.3, SER-5.6: the galleys to fight when a sale or a landing is blockaded: all, or those named, in order."""

    fight: Literal["all"] | tuple[int, ...] = ()
    rounds: int | None = None
    stop: Stop = Stop()


class Purchase(Struct, frozen=True):
    """SER-6.2: a galley bought: its number, the port, the sailors bought aboard."""

    number: int
    at: PortId
    crew: int


ROUNDS = Part(Whole(1, [Limit(99, "SER-5.3", "rounds")]))
STOP = Part(Record(Stop, {"own": Part(Whole(0), 1)}), Stop())
FIGHTS: Many[Target] = Many(
    Record(
        Target,
        {
            "galley": Part(NUMBER),
            "port": Part(PORT, ""),
            "rounds": ROUNDS,
            "stop": STOP,
            "salvage": Part(GOODS_WANTED, ()),
            "land": Part(Either((COUNT, OneOf(("all",)))), 1),
        },
    )
)
IF_BLOCKED = Either(
    (
        OneOf(("end",)),
        Record(
            IfBlocked,
            {
                "fight": Part(Either((OneOf(("all",)), Many(NUMBER, distinct=True))), needed=True),
                "rounds": ROUNDS,
                "stop": STOP,
            },
        ),
    )
)
WAY = Many(ZONE, least=1)
SELL = Either((Many(GOOD), MapOf(PORT, Many(GOOD))))
T = TypeVar("T")


def offered(now: Iterable[T], every: OneOf[T]) -> OneOf[T]:
    """What is possible now is offered; the others are admitted too: they may be possible when the turn comes."""
    mine = list(now)
    return OneOf(mine, besides=[each for each in every.among if each not in mine]) if mine else every


def line(places: OneOf[str], goods: OneOf[Good], galleys: OneOf[int]) -> Record[Any]:
    """SER-2: a line of a loading: where sailors come from, which goods, which other galleys."""
    cubes = MapOf(goods, COUNT)
    parts: dict[str, Part[Any]] = {
        "sailors": Part(MapOf(places, Whole(-HOLD))),
        "goods": Part(cubes),
        "transfer": Part(MapOf(GOOD, COUNT)),
        "from": Part(galleys),
        "to": Part(galleys),
        "jettison": Part(MapOf(GOOD, COUNT)),
        "sink": Part(galleys),
    }
    return Record(dict, {**parts, "else": Part(Many(Record(dict, parts)))})


LINE = line(PLACE, GOOD, NUMBER)
LOAD = Many(LINE)


def purchase(number: Domain[int], at: Domain[PortId], crew: Domain[int]) -> Record[Purchase]:
    """SER-6.2: a galley to buy, all of it said."""
    parts: dict[str, Domain[Any]] = {"number": number, "at": at, "crew": crew}
    return Record(Purchase, {name: Part(domain, needed=True) for name, domain in parts.items()})
