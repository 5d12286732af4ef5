"""Why a galley, a port or a number can't be named in an order, though there is one."""

from __future__ import annotations

from adjudicator.engine.table.domain import OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.rulebooks.serenissima.board import BOARD, MOST_NUMBER
from adjudicator.rulebooks.serenissima.state import (
    State,
    box,
    free_numbers,
    galleys_of,
    on_call,
    ports_of,
    to_come,
)


def not_to_call(state: State, player: Player) -> dict[int, Reason]:
    """SER-1.1: why galleys can't be given an order: others', gone, or their turn is over."""
    yours = [int(name) for name in galleys_of(state, player)]
    whys: dict[int, Reason] = {}
    for number in range(1, MOST_NUMBER + 1):
        galley = state.galleys.get(str(number))
        if galley is None:
            whys[number] = Reason("SER-1.1", "no-such-galley", {"yours": yours})
        elif galley.owner != player:
            whys[number] = Reason("SER-1.1", "not-yours", {"owner": galley.owner, "yours": yours})
        elif str(number) not in on_call(state):
            over = str(number) not in to_come(state)
            whys[number] = Reason("SER-1.1", "turn-over" if over else "not-yet")
    return whys


def numbers_free(state: State) -> OneOf[int]:
    """SER-0.4, SER-6.2: the numbers of the galleys that nobody has."""
    return OneOf([int(number) for number in free_numbers(state)], but=taken_numbers(state))


def taken_numbers(state: State) -> dict[int, Reason]:
    """SER-0.1, SER-6.2: why numbers can't be chosen: a galley bears them, or the box has none."""
    most = box(state).galleys
    taken = {
        int(name): Reason("SER-6.2", "number-taken", {"owner": galley.owner})
        for name, galley in state.galleys.items()
    }
    beyond = range(most + 1, MOST_NUMBER + 1)
    return taken | dict.fromkeys(beyond, Reason("SER-0.1", "beyond-the-box", {"highest": most}))


def not_your_ports(state: State, player: Player) -> dict[str, Reason]:
    """Why ports can't be used as one's own: closed, neutral, or another's."""
    yours = list(ports_of(state, player))
    whys: dict[str, Reason] = {}
    for name, port in state.ports.items():
        if port.closed:
            whys[name] = Reason("SER-0.3", "closed", {"port": name})
        elif port.owner != player:
            key = "port-not-yours" if port.owner else "neutral"
            whys[name] = Reason("", key, {"owner": port.owner, "yours": yours})
    return whys


def other_goods(port: str) -> dict[str, Reason]:
    """SER-2.3: why other goods can't be loaded from a port."""
    made = BOARD.ports[port].good
    return dict.fromkeys(BOARD.goods, Reason("SER-2.3", "not-produced", {"port": port, "good": made}))
