"""The bot's building: senators if it can pay, otherwise whatever brings new cards,
and legions where they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.engine.table import Player
from adjudicator.rulebooks.triumvirat.board import BOARD, RESOURCES, Card, ProvinceId, Senator
from adjudicator.rulebooks.triumvirat.building import COSTS, senator_price, within_reach
from adjudicator.rulebooks.triumvirat.state import State

LEGIONS = 4
"""The number of units that the bot wants before anything else."""
CHEAPEST = COSTS["influence"]
"""With fewer kinds of cards nothing can be built."""


def building(view: State, me: Player) -> list[dict[str, Any]]:
    """Builds one thing after another while there are cards for it, and pays with the cards that the bot has most of."""
    hand = view.hand_of(me)
    found: list[dict[str, Any]] = []
    best = max(view.on_offer, key=worth, default="")
    cost, kinds = senator_price(view, me), [card for card in RESOURCES if hand[card]]
    if best and view.purse(me) >= cost:
        found.append({"senator": best, "pay": "taxes"})
    elif best and len(kinds) >= cost:
        paid = payment(hand, cost)
        hand.subtract(paid)
        found.append({"senator": best, "pay": paid})
    for order, count in wishes(view, me):
        kinds = [card for card in RESOURCES if hand[card]]
        if len(kinds) < CHEAPEST:
            break
        if len(kinds) >= count:
            paid = payment(hand, count)
            hand.subtract(paid)
            found.append({**order, "pay": paid})
    return found


def worth(senator: Senator) -> int:
    """A senator's points."""
    man = BOARD.senators[senator]
    return man.trade + man.politics + man.arms


def payment(hand: Any, count: int) -> list[Card]:
    """So many different cards to pay with, those first that the bot has most of."""
    return sorted((card for card in RESOURCES if hand[card]), key=lambda card: -hand[card])[:count]


def wishes(view: State, me: Player) -> Iterator[tuple[dict[str, Any], int]]:
    """The orders for things that the bot would build, best first, with their prices."""
    army = sum(view.units(name, me).count for name in view.places_of(me))
    old = [name for name in view.owned(me) if view.provinces[name].since < view.phase.turn]
    home = BOARD.starts[me].capital if BOARD.starts[me].capital in old else next(iter(old), "")
    if army < LEGIONS and home and view.left("legion", me):
        yield {"recruit": 1, "at": home}, COSTS["legion"]
    made = {crop for name in old for crop in (*view.provinces[name].caravans, *view.provinces[name].markets)}
    if view.left("caravan"):
        yield from caravans(view, old, made)
    for name in old:
        if BOARD.provinces[name].city and not view.provinces[name].city and view.left("city"):
            yield {"build": "city", "at": name}, COSTS["city"]
    yield from influences(view, me, made)
    if view.left("temple"):
        for name in old:
            if view.provinces[name].city and not view.provinces[name].temple:
                yield {"build": "temple", "at": name}, COSTS["temple"]
                break
    if view.left("market"):
        for name in old:
            for crop in view.provinces[name].caravans[:1]:
                yield {"build": "market", "at": name, "on": crop}, COSTS["market"]


def caravans(view: State, old: list[ProvinceId], made: set[Card]) -> Iterator[tuple[dict[str, Any], int]]:
    """Caravans on resources that the bot doesn't produce yet, then on others."""
    free = [
        (name, crop)
        for name in old
        for crop in BOARD.provinces[name].resources
        if crop not in (*view.provinces[name].caravans, *view.provinces[name].markets)
    ]
    for name, crop in sorted(free, key=lambda each: each[1] in made):
        yield {"build": "caravan", "at": name, "on": crop}, COSTS["caravan"]


def influences(view: State, me: Player, made: set[Card]) -> Iterator[tuple[dict[str, Any], int]]:
    """Provinces with resources that the bot doesn't produce."""
    free = within_reach(view, me).among

    def gain(name: ProvinceId) -> int:
        land = BOARD.provinces[name]
        return sum(crop not in made for crop in land.resources) + land.city

    if view.left("caravan"):
        for name in sorted(free, key=gain, reverse=True)[:2]:
            yield {"influence": name}, COSTS["influence"]
