"""Standing instructions: prices in the player's ports, leave to go on, prizes; sent when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.engine.table.secret import plain_of
from adjudicator.rulebooks.mediterranee.board import GOODS, PRODUCERS, Good
from adjudicator.rulebooks.mediterranee.bot.worth import leader, standing_of, turns_left
from adjudicator.rulebooks.mediterranee.state import State, galleys_of

if TYPE_CHECKING:
    from adjudicator.engine.table import Player

DEAR: tuple[Good, ...] = ("gems", "gold", "spices")
ASK, FLOOR = 400, 300
"""The ducats asked for a piece aboard in a deal, and the least taken."""
CREW_OF_A_TRADER = 3
"""The sailors that a galley needs to trade; with more it takes ports."""
AHEAD = 8
"""A rival who leads by so many public points is refused leave."""


def instructions(view: State, me: Player) -> dict[str, Any]:
    """The standing instructions to replace, by kind."""
    wanted = {
        "prices": prices(view, me),
        "deals": deals(view, me),
        "passage": passage(view, me),
        "defence": [{"keep": list(DEAR)}],
    }
    held = plain_of(view.players[me].standing.value)
    return {key: entries for key, entries in wanted.items() if held.get(key, []) != entries}


RARE, COMMON = {"ask": 300, "floor": 200}, {"ask": 200, "floor": 100}
"""The ducats asked first for a piece in the player's ports, and the least taken: for rare goods, and for others."""


def prices(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-2.3: rare goods are dear, common ones cheap, and a buyer who makes an offer pays less."""
    rare = [{"good": good, **RARE} for good in DEAR]
    mine = [good for good, ports in PRODUCERS.items() if any(view.ports[port].owner == me for port in ports)]
    return [*[entry for entry in rare if entry["good"] in mine], {**COMMON}]


def deals(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-2.13: players in the same zone may buy goods of which the galley has two."""
    cargoes = [galley.cargo for galley in galleys_of(view, me).values()]
    spare = {good for cargo in cargoes for good in goods_to_spare(cargo)}
    return [{"sell": good, "ask": ASK, "floor": FLOOR} for good in GOODS if good in spare]


def goods_to_spare(cargo: tuple[Good, ...]) -> list[Good]:
    """The goods that a trader offers for sale: those aboard more than once, since a port takes only one piece."""
    return [good for good in dict.fromkeys(cargo) if cargo.count(good) > 1]


def passage(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-3.3: gives leave to all except crews large enough to take ports and, in the second half,
    a rival who is well ahead."""
    first = leader(view, me)
    best = max(standing_of(view, player) for player in view.order if player != first)
    late = turns_left(view) * 2 < view.options.turns
    refused = [{"for": first, "grant": False}] if late and standing_of(view, first) >= best + AHEAD else []
    return [*refused, {"most": CREW_OF_A_TRADER, "grant": True}, {"grant": False}]
