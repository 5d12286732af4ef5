"""The values of the fields of orders: their types, what is possible now, and why other values aren't."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table import Player, Reason
from adjudicator.engine.table.domain import (
    Another,
    Domain,
    FirstOf,
    Forms,
    Limit,
    Many,
    OneOf,
    Whole,
)
from adjudicator.engine.table.lazy_reasons import when_named
from adjudicator.rulebooks.serenissima.board import BOARD, COLOURS, GOODS, NUMBERS, GalleyId, PortId
from adjudicator.rulebooks.serenissima.state import State

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
        mine = Reason("SER-1.1", "not-yet" if name in to_come else when_over(state, name))
        whys[int(name)] = mine if galley.owner == player else others
    return whys


@when_named
def none_of_these(state: State, player: Player) -> dict[int, Reason]:
    """Why numbers can't be named: there is no such galley, or it is sunk."""
    yours = [int(name) for name in state.galleys_of(player)]
    return dict.fromkeys(NUMBER.among, Reason("", "no-such-galley", {"yours": yours}))


def when_over(state: State, name: GalleyId) -> str:
    """SER-1.1: why a galley has no more turn in this round:
    it has had it, or its number was passed before it was bought."""
    return "turn-over" if int(name) in state.done else "number-passed"


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
    taken = {
        int(name): Reason("SER-6.2", "number-taken", {"owner": galley.owner})
        for name, galley in state.galleys.items()
    }
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
