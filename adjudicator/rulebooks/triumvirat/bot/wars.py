"""The bot's wars: against an Emperor with all its units, otherwise for Italy if it can win there, and at home."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.triumvirat.board import (
    BORDERS,
    CAESAR,
    COASTS,
    ITALY,
    OUTSIDE,
    ROME,
    ProvinceId,
    convoys,
)
from adjudicator.rulebooks.triumvirat.pieces import Troops
from adjudicator.rulebooks.triumvirat.state import State
from adjudicator.rulebooks.triumvirat.war import fare

LEAST = 3
"""The least number of units with which the bot proclaims itself Emperor."""
TO_ITALY = 5
"""The bot goes to Italy in one of so many turns: an army there doesn't guard its home."""
NEAR = 7
"""When a rival has so many points, the bot no longer helps that rival by keeping Italy."""
BEHIND = 2
"""When the bot is no more than so many points behind that rival, it can still win itself."""
LAST_SITES = 2
"""With so few free sites left in Italy every unit fights there: without any, all lose (TRI-5.2)."""
FOR_TWO = 3
"""Units sent against two barbarians: a die shows 3.5 on average, and 5 kill one (TRI-6.3), so three dice kill two."""
ENOUGH_FIXED = 2
"""Dice that Caesar counts as 3 against a single barbarian: two make 6, which is enough to kill it (TRI-6.3)."""


class Campaign:
    """The units and taxes that are left while orders are worked out."""

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me = view, me
        self.troops = {name: view.units(name, me) for name in view.places_of(me) if name not in ITALY}
        self.taxes = view.purse(me)
        self.found: list[dict[str, Any]] = []

    def fare(self, start: ProvinceId, aim: ProvinceId, count: int) -> int:
        """The taxes for bringing this number of units there."""
        if start == aim or aim in BORDERS[start]:
            return 0
        return fare(self.view) * convoys(count)

    def send(self, aim: ProvinceId, need: int) -> Troops:
        """Attacks with the units of one place, the largest army that is enough; they are then counted as gone."""
        best: ProvinceId = ""
        for start, troops in self.troops.items():
            able = troops.count >= need and (start == aim or aim in BORDERS[start] or aim in COASTS[start])
            if able and self.fare(start, aim, troops.count) <= self.taxes:
                best = start if not best or troops.count > self.troops[best].count else best
        if not best:
            return Troops()
        troops = self.troops.pop(best)
        self.taxes -= self.fare(best, aim, troops.count)
        order: dict[str, Any] = {"attack": aim, "with": plain(troops)}
        if best != aim:
            order["from"] = best
        if self.me == self.view.person(CAESAR) and self.view.barbarians(aim).count == 1:
            order["fixed"] = min(troops.count, ENOUGH_FIXED)
        self.found.append(order)
        return troops


def plain(troops: Troops) -> dict[str, int]:
    """Units as an order names them."""
    every = {"legions": troops.legions, "veterans": troops.veterans}
    return {kind: count for kind, count in every.items() if count}


def war(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """Attacks the Emperor first, then barbarians in Italy, then those in the bot's own provinces."""
    campaign = Campaign(view, me)
    emperor = view.emperor.player
    if emperor == me:
        return reinforce(campaign)
    if emperor and view.units(ROME, emperor).count:
        while campaign.send(ROME, 1).count:
            pass
    if chance(TO_ITALY) == 0:
        italy(campaign)
    for name in OUTSIDE:
        wild = view.barbarians(name).count
        if wild and view.provinces[name].owner == me:
            campaign.send(name, need(wild))
    return campaign.found


def need(wild: int) -> int:
    """The number of units sent against so many barbarians."""
    return 1 if wild == 1 else (wild * FOR_TWO + 1) // 2


def italy(campaign: Campaign) -> None:
    """Attacks the provinces of Italy with the fewest barbarians; with all units when the last sites are at stake.

    If this would only help a rival to win, the bot gives Italy up.
    """
    view = campaign.view
    best = max(view.score(player) for player in view.seats if player != campaign.me)
    if best >= NEAR and view.score(campaign.me) + BEHIND < best:
        return
    held = {name: view.barbarians(name).count for name in ITALY}
    danger = len(view.free_sites()) <= LAST_SITES
    for name in sorted((name for name in ITALY if held[name]), key=lambda name: held[name]):
        sent = campaign.send(name, 1 if danger else held[name] + 1)
        if name == ROME and sent.count >= LEAST and not view.emperor.player and bold(campaign):
            campaign.found.append({"emperor": True})


def bold(campaign: Campaign) -> bool:
    """Is the army the largest, so that it can hold Rome?"""
    view = campaign.view
    army = {
        player: sum(view.units(name, player).count for name in view.places_of(player))
        for player in view.seats
    }
    return army[campaign.me] >= max(army.values()) and view.score(campaign.me) < NEAR


def reinforce(campaign: Campaign) -> list[dict[str, Any]]:
    """Sends as many units to Rome as the bot can pay for, once that is possible;
    the Emperor's units attack barbarians there."""
    view, me = campaign.view, campaign.me
    if view.barbarians(ROME).count and view.units(ROME, me).count > view.barbarians(ROME).count:
        campaign.found.append({"attack": ROME, "with": plain(view.units(ROME, me))})
    if view.emperor.turn < view.phase.turn:
        for start, troops in campaign.troops.items():
            cost = campaign.fare(start, ROME, troops.count)
            if ROME in COASTS[start] and cost <= campaign.taxes:
                campaign.taxes -= cost
                campaign.found.append({"convoy": plain(troops), "from": start, "to": ROME})
    return campaign.found
