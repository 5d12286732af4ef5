"""Standing instructions: prices in own ports, leave to pass, prizes; sent when they change."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.event import Player
from adjudicator.engine.secret import plain_of
from adjudicator.rulebooks.mediterranee.board import PRODUCERS, Good
from adjudicator.rulebooks.mediterranee.bot.worth import leader, standing_of, turns_left
from adjudicator.rulebooks.mediterranee.state import State

DEAR: tuple[Good, ...] = ("gems", "gold", "spices")
AHEAD = 8
"""Public points by which a rival must lead before leave to pass is refused."""


def instructions(view: State, me: Player) -> dict[str, Any]:
    """The kinds of standing instructions that are to be replaced."""
    wanted = {"prices": prices(view, me), "passage": passage(view, me), "defence": [{"keep": list(DEAR)}]}
    held = plain_of(view.players[me].standing.value)
    return {key: entries for key, entries in wanted.items() if held.get(key, []) != entries}


def prices(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-2.3: what is rare is dear, what is common goes for little, and who makes an offer pays less."""
    rare = [{"good": good, "ask": 300, "floor": 200} for good in DEAR]
    mine = [good for good, ports in PRODUCERS.items() if any(view.ports[port].owner == me for port in ports)]
    return [*[entry for entry in rare if entry["good"] in mine], {"ask": 200, "floor": 100}]


def passage(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-3.3: leave for everybody but, in the second half, a rival who is well ahead."""
    first = leader(view, me)
    best = max(standing_of(view, player) for player in view.order if player != first)
    late = turns_left(view) * 2 < view.options.turns
    refused = [{"for": first, "grant": False}] if late and standing_of(view, first) >= best + AHEAD else []
    return [*refused, {"grant": True}]
