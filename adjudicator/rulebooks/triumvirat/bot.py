"""The game's own bot: it builds, helps to keep Italy free while that serves it, and tries to win.

Its wishes in Italy and in the trade: building needs different cards, so it wants those that it lacks. Its building:
senators if it can pay, otherwise whatever brings new cards, and legions where they are needed. Its barbarians: away
from its own provinces, and into those of the player who leads. Its free start (TRI-0.2): the usual pieces, or a
temple in place of a caravan. Its wars: against an Emperor with all its units, otherwise for Italy if it can win
there, and at home.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.triumvirat import board
from adjudicator.rulebooks.triumvirat.barbarians import WAYS
from adjudicator.rulebooks.triumvirat.building import COSTS, senator_price, within_reach
from adjudicator.rulebooks.triumvirat.pieces import Troops
from adjudicator.rulebooks.triumvirat.standing import number, province
from adjudicator.rulebooks.triumvirat.state import State
from adjudicator.rulebooks.triumvirat.war import fare

ANY_TITLE = 3
"""In one turn of so many the bot bids on any title, so that rivals can't foresee which."""
CALLED = 2
"""The number of cards for which the bot calls as trade leader."""


def governor(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet of the open phase, from the bot's own view;
    its decisions as leader are sent once, as standing instructions."""
    sheet: dict[str, Any] = {"orders": orders(view, me, chance)}
    if not view.standing_of(me).lead.building:
        sheet["standing"] = {"lead": lead(view, me)}
    return sheet


def lead(view: State, me: Player) -> dict[str, Any]:
    """The bot builds and drives first, and fights last, when others have weakened the barbarians."""
    others = [player for player in view.seats if player != me]
    first, last = [me, *others], [*others, me]
    return {"trade": CALLED, "italy": others, "building": first, "barbarians": last, "war": first}


def orders(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """The orders of the open phase."""
    match view.phase.name:
        case "start":
            return start(me, chance)
        case "italy":
            return [{"want": cards_wanted(view, me)}]
        case "trade":
            return trade(view, me)
        case "building":
            return building(view, me)
        case "barbarians":
            return barbarians(view, me, chance)
        case "war":
            return war(view, me, chance)
    return bids(view, me, chance)


def bids(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """Bids all taxes that are left, now and then on any title, otherwise on one of the rival with the most points."""
    taxes = view.purse(me)
    open_ = [title for title, holder in view.titles.items() if holder != me]
    if not taxes or not open_:
        return []
    best = max(open_, key=lambda title: view.score(view.titles[title]))
    return [{"bid": {open_[chance(len(open_))] if chance(ANY_TITLE) == 0 else best: taxes}}]


ENOUGH_TAXES = 3
"""The taxes that the bot keeps for convoys and steps; more are useful only towards a senator."""


def cards_wanted(view: State, me: Player) -> list[board.Card]:
    """Resources that the bot lacks, the rarest first; then a few taxes; then the rest."""
    held = view.holding(me)
    new = sorted((card for card in board.RESOURCES if not held[card]), key=board.BOX.__getitem__)
    taxes = [board.TAX] * (held[board.TAX] < ENOUGH_TAXES)
    return [*new[:2], *taxes, *new[2:], *(card for card in board.CARDS if held[card])]


def trade(view: State, me: Player) -> list[dict[str, Any]]:
    """Lays out the cards that the bot has most of, and wants those that it lacks."""
    held, count = Counter(view.holding(me)), number(view)
    offered: list[board.Card] = []
    if held.total() < count:  # for a sheet sent ahead the bot doesn't know what it will have
        return [{"want": cards_wanted(view, me)}]
    for _ in range(count):
        most = max(held.values())
        card = next((card for card in board.CARDS if held[card] == most and card != board.TAX), board.TAX)
        held[card] -= 1
        offered.append(card)
    return [{"offer": offered}, {"want": cards_wanted(view, me)}]


LEGIONS = 4
"""The number of units that the bot wants before anything else."""
CHEAPEST = COSTS["influence"]
"""With fewer kinds of cards nothing can be built."""


def building(view: State, me: Player) -> list[dict[str, Any]]:
    """Builds one thing after another while there are cards for it, and pays with the cards that the bot has most of."""
    hand = view.hand_of(me)
    found: list[dict[str, Any]] = []
    best = max(view.on_offer, key=worth, default="")
    cost, kinds = senator_price(view, me), [card for card in board.RESOURCES if hand[card]]
    if best and view.purse(me) >= cost:
        found.append({"senator": best, "pay": "taxes"})
    elif best and len(kinds) >= cost:
        paid = payment(hand, cost)
        hand.subtract(paid)
        found.append({"senator": best, "pay": paid})
    for order, count in wishes(view, me):
        kinds = [card for card in board.RESOURCES if hand[card]]
        if len(kinds) < CHEAPEST:
            break
        if len(kinds) >= count:
            paid = payment(hand, count)
            hand.subtract(paid)
            found.append({**order, "pay": paid})
    return found


def worth(senator: board.Senator) -> int:
    """A senator's points."""
    man = board.BOARD.senators[senator]
    return man.trade + man.politics + man.arms


def payment(hand: Any, count: int) -> list[board.Card]:
    """So many different cards to pay with, those first that the bot has most of."""
    return sorted((card for card in board.RESOURCES if hand[card]), key=lambda card: -hand[card])[:count]


def wishes(view: State, me: Player) -> Iterator[tuple[dict[str, Any], int]]:
    """The orders for things that the bot would build, best first, with their prices."""
    army = sum(view.units(name, me).count for name in view.places_of(me))
    old = [name for name in view.owned(me) if view.provinces[name].since < view.phase.turn]
    home = board.BOARD.starts[me].capital if board.BOARD.starts[me].capital in old else next(iter(old), "")
    if army < LEGIONS and home and view.left("legion", me):
        yield {"recruit": 1, "at": home}, COSTS["legion"]
    made = {crop for name in old for crop in (*view.provinces[name].caravans, *view.provinces[name].markets)}
    if view.left("caravan"):
        yield from caravans(view, old, made)
    for name in old:
        if board.BOARD.provinces[name].city and not view.provinces[name].city and view.left("city"):
            yield {"build": "city", "at": name}, COSTS["city"]
    yield from influences(view, me, made)
    if view.left("temple"):
        cities = [name for name in old if view.provinces[name].city and not view.provinces[name].temple]
        for name in cities[:1]:
            yield {"build": "temple", "at": name}, COSTS["temple"]
    if view.left("market"):
        for name in old:
            for crop in view.provinces[name].caravans[:1]:
                yield {"build": "market", "at": name, "on": crop}, COSTS["market"]


def caravans(
    view: State, old: list[board.ProvinceId], made: set[board.Card]
) -> Iterator[tuple[dict[str, Any], int]]:
    """Caravans on resources that the bot doesn't produce yet, then on others."""
    lands = {name: view.provinces[name] for name in old}
    built = {name: (*here.caravans, *here.markets) for name, here in lands.items()}
    printed = {name: board.BOARD.provinces[name].resources for name in old}
    free = [(name, crop) for name in old for crop in printed[name] if crop not in built[name]]
    for name, crop in sorted(free, key=lambda each: each[1] in made):
        yield {"build": "caravan", "at": name, "on": crop}, COSTS["caravan"]


def influences(view: State, me: Player, made: set[board.Card]) -> Iterator[tuple[dict[str, Any], int]]:
    """Provinces with resources that the bot doesn't produce."""
    free = within_reach(view, me).among

    def gain(name: board.ProvinceId) -> int:
        land = board.BOARD.provinces[name]
        return sum(crop not in made for crop in land.resources) + land.city

    if view.left("caravan"):
        for name in sorted(free, key=gain, reverse=True)[:2]:
            yield {"influence": name}, COSTS["influence"]


KEPT = 2
"""Taxes that the bot keeps for convoys."""
RAISED = 3
"""In one turn of so many the bot raises barbarians if it can."""


def barbarians(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """Drives piles that nobody has moved yet one step each while taxes last; now and then raises some beside the
    leader."""
    found: list[dict[str, Any]] = []
    most = board.BOARD.numbers["pile"]
    taxes = view.purse(me) - KEPT
    for name in sorted(board.OUTSIDE, key=lambda name: view.provinces[name].owner != me):
        if taxes < board.BOARD.costs["step"]:
            break
        there, _ = province(view, me, name)
        aims = [aim for aim in WAYS[False][name] if good(view, me, name, aim)] if there else []
        if not aims:
            continue
        aim = max(aims, key=lambda aim: prize(view, me, aim))
        taxes -= board.BOARD.costs["step"]
        found.append({"drive": min(there, most), "from": name, "via": [aim], "if": {name: min(there, most)}})
    if taxes >= board.BOARD.costs["raise"] and view.left("barbarian") and not chance(RAISED):
        free = [name for name in board.OUTSIDE if not view.provinces[name].owner]
        near = [name for name in free if beside_leader(view, me, name)]
        found += [{"raise": name} for name in near[:1]]
    return found


def good(view: State, me: Player, start: board.ProvinceId, aim: board.ProvinceId) -> bool:
    """Is the step good for the bot: out of its own land, or into a rival's unguarded land?"""
    own, other = view.provinces[start].owner, view.provinces[aim].owner
    if own == me:
        return other != me and not view.garrisoned(start)
    return other not in (None, me, own) and not view.garrisoned(aim)


def prize(view: State, me: Player, aim: board.ProvinceId) -> int:
    """How much a pile there hurts the player who leads."""
    owner = view.provinces[aim].owner
    return view.score(owner) + 1 if owner and owner != me and not view.garrisoned(aim) else 0


def beside_leader(view: State, me: Player, name: board.ProvinceId) -> bool:
    """Is the province next to an unguarded one of the rival with the most points?"""
    rival = max((player for player in view.seats if player != me), key=view.score)
    theirs = [other for other in board.BOARD.provinces[name].borders if view.provinces[other].owner == rival]
    return not all(map(view.garrisoned, theirs))


WARLIKE = 4
"""In one province of so many the bot has a legion instead of a caravan."""


def start(me: Player, chance: Chance) -> list[dict[str, Any]]:
    """The pieces of the fixed start as orders, where they lie next to the capital;
    now and then a legion instead of a caravan."""
    found: list[dict[str, Any]] = []
    for name, pieces in board.BOARD.starts[me].pieces.items():
        found.append({"influence": name})
        found += [{"build": "city", "at": name}] * pieces.city
        caravans = pieces.caravans[1:] if chance(WARLIKE) == 0 and pieces.legions else pieces.caravans
        found += [{"build": "caravan", "at": name, "on": crop} for crop in caravans]
        legions = pieces.legions + len(pieces.caravans) - len(caravans)
        found += [{"recruit": legions, "at": name}] if legions else []
        found += [{"build": "temple", "at": name}] * pieces.temple
    return found


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
        self.troops = {name: view.units(name, me) for name in view.places_of(me) if name not in board.ITALY}
        self.taxes = view.purse(me)
        self.found: list[dict[str, Any]] = []

    def fare(self, start: board.ProvinceId, aim: board.ProvinceId, count: int) -> int:
        """The taxes for bringing this number of units there."""
        if start == aim or aim in board.BORDERS[start]:
            return 0
        return fare(self.view) * board.convoys(count)

    def send(self, aim: board.ProvinceId, need: int) -> Troops:
        """Attacks with the units of one place, the largest army that is enough; they are then counted as gone."""
        best: board.ProvinceId = ""
        for start, troops in self.troops.items():
            near = (start, *board.BORDERS[start], *board.COASTS[start])
            able = troops.count >= need and aim in near
            if able and self.fare(start, aim, troops.count) <= self.taxes:
                best = start if not best or troops.count > self.troops[best].count else best
        if not best:
            return Troops()
        troops = self.troops.pop(best)
        self.taxes -= self.fare(best, aim, troops.count)
        order: dict[str, Any] = {"attack": aim, "with": plain(troops)}
        if best != aim:
            order["from"] = best
        if self.me == self.view.person(board.CAESAR) and self.view.barbarians(aim).count == 1:
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
    if emperor and view.units(board.ROME, emperor).count:
        while campaign.send(board.ROME, 1).count:
            pass
    if chance(TO_ITALY) == 0:
        italy(campaign)
    for name in board.OUTSIDE:
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
    held = {name: view.barbarians(name).count for name in board.ITALY}
    danger = len(view.free_sites()) <= LAST_SITES
    for name in sorted((name for name in board.ITALY if held[name]), key=lambda name: held[name]):
        sent = campaign.send(name, 1 if danger else held[name] + 1)
        if name == board.ROME and sent.count >= LEAST and not view.emperor.player and bold(campaign):
            campaign.found.append({"emperor": True})


def bold(campaign: Campaign) -> bool:
    """Is the army the largest, so that it can hold Rome?"""
    view = campaign.view
    armies = {player: [view.units(name, player) for name in view.places_of(player)] for player in view.seats}
    army = {player: sum(troops.count for troops in there) for player, there in armies.items()}
    return army[campaign.me] >= max(army.values()) and view.score(campaign.me) < NEAR


def reinforce(campaign: Campaign) -> list[dict[str, Any]]:
    """Sends as many units to Rome as the bot can pay for, once that is possible;
    the Emperor's units attack barbarians there."""
    view, me = campaign.view, campaign.me
    if (
        view.barbarians(board.ROME).count
        and view.units(board.ROME, me).count > view.barbarians(board.ROME).count
    ):
        campaign.found.append({"attack": board.ROME, "with": plain(view.units(board.ROME, me))})
    if view.emperor.turn < view.phase.turn:
        for start, troops in campaign.troops.items():
            cost = campaign.fare(start, board.ROME, troops.count)
            if board.ROME in board.COASTS[start] and cost <= campaign.taxes:
                campaign.taxes -= cost
                campaign.found.append({"convoy": plain(troops), "from": start, "to": board.ROME})
    return campaign.found
