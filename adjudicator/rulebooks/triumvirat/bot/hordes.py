"""The bot's barbarians: it drives them away from its own provinces, and into those of the player who leads."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.triumvirat.barbarians import WAYS
from adjudicator.rulebooks.triumvirat.board import BOARD, OUTSIDE, ProvinceId
from adjudicator.rulebooks.triumvirat.standing import province
from adjudicator.rulebooks.triumvirat.state import State

KEPT = 2
"""Taxes that the bot keeps for convoys."""
RAISED = 3
"""In one turn of so many the bot raises barbarians if it can."""


def barbarians(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """Drives piles that nobody has moved yet one step each while taxes last; now and then raises some beside the
    leader."""
    found: list[dict[str, Any]] = []
    most = BOARD.numbers["pile"]
    taxes = view.purse(me) - KEPT
    for name in sorted(OUTSIDE, key=lambda name: view.provinces[name].owner != me):
        if taxes < BOARD.costs["step"]:
            break
        there, _ = province(view, me, name)
        aims = [aim for aim in WAYS[False][name] if good(view, me, name, aim)] if there else []
        if not aims:
            continue
        aim = max(aims, key=lambda aim: prize(view, me, aim))
        taxes -= BOARD.costs["step"]
        found.append({"drive": min(there, most), "from": name, "via": [aim], "if": {name: min(there, most)}})
    if taxes >= BOARD.costs["raise"] and view.left("barbarian") and not chance(RAISED):
        near = [name for name in OUTSIDE if not view.provinces[name].owner and beside_leader(view, me, name)]
        found += [{"raise": name} for name in near[:1]]
    return found


def good(view: State, me: Player, start: ProvinceId, aim: ProvinceId) -> bool:
    """Is the step good for the bot: out of its own land, or into a rival's unguarded land?"""
    own, other = view.provinces[start].owner, view.provinces[aim].owner
    if own == me:
        return other != me and not view.garrisoned(start)
    return other not in (None, me, own) and not view.garrisoned(aim)


def prize(view: State, me: Player, aim: ProvinceId) -> int:
    """How much a pile there hurts the player who leads."""
    owner = view.provinces[aim].owner
    return view.score(owner) + 1 if owner and owner != me and not view.garrisoned(aim) else 0


def beside_leader(view: State, me: Player, name: ProvinceId) -> bool:
    """Is the province next to an unguarded one of the rival with the most points?"""
    rival = max((player for player in view.seats if player != me), key=view.score)
    return any(
        view.provinces[other].owner == rival and not view.garrisoned(other)
        for other in BOARD.provinces[name].borders
    )
