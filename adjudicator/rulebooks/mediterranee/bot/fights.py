"""The combat sheet: few attacks, and only with good odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.mediterranee.board import GOODS, HOLD
from adjudicator.rulebooks.mediterranee.bot.odds import ROUNDS, fight
from adjudicator.rulebooks.mediterranee.bot.outlook import Outlook, Prospect, counted
from adjudicator.rulebooks.mediterranee.bot.worth import CREWS, SHIP, earlier, worth_of_cargo
from adjudicator.rulebooks.mediterranee.combat import targets
from adjudicator.rulebooks.mediterranee.state import GalleyId, galleys_of

if TYPE_CHECKING:
    from collections.abc import Mapping

CRIPPLED = 3
"""If a single sailor is left to sail both galleys, a prize counts for one part in so many."""


def against_galley(outlook: Outlook, own: GalleyId, target: GalleyId) -> Prospect:
    """Attack a galley: the prize is the galley and its cargo (MED-4.4, MED-4.5)."""
    mine, theirs = outlook.view.galleys[own], outlook.view.galleys[target]
    room = 2 * HOLD - 2 - len(mine.cargo)
    prize = (SHIP if outlook.left else 0) + worth_of_cargo(theirs.cargo[:room])
    odds, worth = 0.0, 0.0
    for (left, enemy), likely in fight(mine.sailors, theirs.sailors, False).items():
        if enemy == 0 and left:
            odds += likely
            worth += likely * (prize if left > 1 else prize / CRIPPLED)
        worth -= likely * (CREWS[mine.sailors] - CREWS[left])
        if not left:
            worth -= likely * (SHIP + worth_of_cargo(mine.cargo))
    return Prospect(odds, worth - outlook.scruples)


def attacks(outlook: Outlook) -> list[dict[str, Any]]:
    """The orders of the combat phase: each galley at most one attack, each target at most one attacker."""
    view, me = outlook.view, outlook.me
    found: list[dict[str, Any]] = []
    spoken_for: set[str] = set()
    for name, galley in galleys_of(view, me).items():
        there = [target for target in targets(view, galley.zone, me) if target not in spoken_for]
        forestalled = any(rival.sailors > 2 for rival in earlier(view, me, galley.zone))
        if not there or forestalled:
            continue
        quiet = outlook.peace(galley.zone, galley.sailors, counted(galley.cargo))
        gains: Mapping[str, float] = {target: gain_of(outlook, name, target, quiet) for target in there}
        good = sorted((target for target in gains if gains[target] > 0), key=lambda target: -gains[target])
        if good:
            spoken_for.add(good[0])
            found.append({**attack(outlook, name, good[0]), **with_conditions(outlook, name, good)})
    return found


def with_conditions(outlook: Outlook, name: GalleyId, good: list[str]) -> dict[str, Any]:
    """The odds hold for the position seen now: if either side has changed by then,
    the order takes the next target, or none."""
    view, (target, *rest) = outlook.view, good
    strength = view.ports[target].garrison if target in view.ports else view.galleys[target].sailors
    facts: dict[str, Any] = {target: {"most": strength}, name: {"least": view.galleys[name].sailors}}
    return {"if": facts, **({"else": [attack(outlook, name, rest[0])]} if rest else {})}


def gain_of(outlook: Outlook, name: GalleyId, target: str, quiet: float) -> float:
    """The gain of an attack over not fighting; below 0 if the odds aren't good."""
    galley = outlook.view.galleys[name]
    if target in outlook.view.ports:
        worth = outlook.storm(target, galley.sailors, counted(galley.cargo))
        return -1.0 if worth is None else worth - quiet
    prospect = against_galley(outlook, name, target)
    return prospect.worth if prospect.sensible else -1.0


def attack(outlook: Outlook, name: GalleyId, target: str) -> dict[str, Any]:
    """The order: attack until the enemy is beaten or one sailor is left."""
    order: dict[str, Any] = {"attack": target, "with": name, "rounds": ROUNDS}
    if target in outlook.view.galleys:
        galley = outlook.view.galleys[name]
        goods = {*galley.cargo, *outlook.view.galleys[target].cargo}
        order["crew"] = {"leave": 2} if galley.sailors > 3 else 1
        if goods:
            hopes = {good: outlook.markets[good].hopes[galley.zone, 2][0] for good in goods}
            order["keep"] = sorted(goods, key=lambda good: (-hopes[good], GOODS.index(good)))
    return order
