"""TRI-4 Building: influence, pieces and legions; and, with a free start, the same for points (TRI-0.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from adjudicator.engine.table.domain import Limit, Many, OneOf, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.triumvirat.board import (
    BOARD,
    BORDERS,
    ITALY,
    OUTSIDE,
    RESOURCES,
    WORTH,
    Card,
    ProvinceId,
    Resource,
    linked,
)
from adjudicator.rulebooks.triumvirat.events.building import Built, InfluencePlaced, Paid, Recruited
from adjudicator.rulebooks.triumvirat.standing import COUNT, PAY, PROVINCE, RESOURCE
from adjudicator.rulebooks.triumvirat.state import (
    State,
    capital,
    hand_of,
    left,
    owned,
    power,
    units,
    units_left,
)

Piece = Literal["city", "caravan", "market", "temple"]
KIND: OneOf[Piece] = OneOf(("city", "caravan", "market", "temple"))
COSTS = BOARD.costs


def starting(state: State) -> bool:
    """TRI-0.2: is it the free start that is built, for points instead of cards?"""
    return state.phase.name == "start"


# -- prices ----------------------------------------------------------------------------------------------------------


def charge(t: Table[State], price: int, times: int = 1) -> tuple[Card, ...]:
    """TRI-4.1: so many cards of resources, all different, for each piece; in a free start points of 27 (TRI-0.2)."""
    if starting(t.state):
        rest = WORTH - worth(t.state, t.me)
        t.require(price * times <= rest, "TRI-0.2", "beyond-the-start", price=price * times, left=rest)
        return ()
    return cards_to_pay(t, price, times)


def cards_to_pay(t: Table[State], price: int, times: int = 1) -> tuple[Card, ...]:
    """TRI-4.1: the cards of `pay`: of each kind no more than there are pieces to pay for, and in the hand."""
    held = hand_of(t.state, t.me)
    not_there = {card: Reason("TRI-4.1", "not-in-hand") for card in RESOURCES}
    kinds = OneOf([card for card in RESOURCES if held[card]], but=not_there)
    count = price * times
    cards = t.pick("pay", Many(kinds, least=count, most=count, distinct=times == 1), rule="TRI-4.1")
    for card in cards:
        t.require(cards.count(card) <= times, "TRI-4.1", "all-different", value=card)
        t.require(
            cards.count(card) <= held[card],
            "TRI-4.1",
            "not-so-many",
            field="pay",
            value=card,
            most=held[card],
        )
    return cards


def pay(t: Table[State], cards: tuple[Card, ...], *, rule: str) -> None:
    """TRI-4.1: the cards go to the box."""
    if cards:
        t.play(Paid(rule=rule, player=t.me, cards=cards))


def worth(state: State, player: Player) -> int:
    """TRI-0.2: what a player has built at the start, at the prices of building."""
    found = 0
    for name in owned(state, player):
        here = state.provinces[name]
        found += COSTS.influence + COSTS.caravan * len(here.caravans) + COSTS.city * here.city
        found += (COSTS.caravan + COSTS.market) * len(here.markets) + COSTS.temple * here.temple
        found += COSTS.legion * here.legions
    return found


# -- influence -------------------------------------------------------------------------------------------------------


def influence(t: Table[State]) -> None:
    """TRI-4.2: a neutral province adjacent to one under own influence since an earlier turn, by land or from coast to
    coast (Ruling)."""
    whys = {name: why_not(t.state, t.me, name) for name in BOARD.provinces}
    but = {name: why for name, why in whys.items() if why}
    where = OneOf([name for name, why in whys.items() if not why], but=but)
    name = t.pick("influence", where, rule="TRI-4.2")
    most = BOARD.pieces["influence"]
    t.require(len(owned(t.state, t.me)) < most, "TRI-0.5", "no-influence-left", most=most)
    cards = charge(t, COSTS.influence)
    pay(t, cards, rule="TRI-4.2")
    t.play(InfluencePlaced(rule="TRI-4.2", player=t.me, province=name))


def why_not(state: State, player: Player, name: ProvinceId) -> Reason | None:
    """TRI-4.2: why a province can't be taken; None if it can."""
    here = state.provinces[name]
    if name in ITALY:
        return Reason("TRI-4.2", "never-italy")
    if here.owner:
        return Reason("TRI-4.2", "not-neutral", {"owner": here.owner})
    if here.barbarians.count:
        return Reason("TRI-4.2", "barbarians-there")
    if any(units(state, name, other).count for other in state.seats if other != player):
        return Reason("TRI-4.2", "units-there")
    if not any(near(state, player, own, name) for own in bases(state, player)):
        return Reason("TRI-4.2", "not-near")
    return None


def bases(state: State, player: Player) -> tuple[ProvinceId, ...]:
    """TRI-4.2: the provinces from which influence spreads; at a free start the capital, taken or not."""
    if starting(state):
        return (capital(player),)
    return tuple(name for name in owned(state, player) if state.provinces[name].since < state.phase.turn)


def near(state: State, player: Player, own: ProvinceId, name: ProvinceId) -> bool:
    """TRI-4.2: is one next to the other, by land, strait or sea? At a free start by land alone (TRI-0.2)."""
    if starting(state):
        return name == own or name in BORDERS[own]
    return name in BORDERS[own] or linked(own, name)


# -- pieces ----------------------------------------------------------------------------------------------------------


def places(state: State, player: Player) -> OneOf[ProvinceId]:
    """TRI-4.3: provinces under own influence since an earlier turn."""
    mine = owned(state, player)
    old = [name for name in mine if starting(state) or state.provinces[name].since < state.phase.turn]
    but = {name: Reason("TRI-4.3", "influence-is-new" if name in mine else "not-yours") for name in OUTSIDE}
    return OneOf(old, but=but | dict.fromkeys(ITALY, Reason("TRI-4.2", "never-italy")))


def build(t: Table[State]) -> None:
    """TRI-4.3: a city on a city site, a temple beside it, one caravan or market for each printed resource."""
    gone = {kind: Reason("TRI-0.5", "none-left", {"piece": kind}) for kind in KIND.among}
    what = t.pick(
        "build", OneOf([kind for kind in KIND.among if left(t.state, kind)], but=gone), rule="TRI-0.5"
    )
    name = t.pick("at", places(t.state, t.me), rule="TRI-4.3")
    here, land = t.state.provinces[name], BOARD.provinces[name]
    on: Resource = ""
    if what == "city":
        t.require(land.city, "TRI-4.3", "no-city-site", province=name)
        t.require(not here.city, "TRI-4.3", "city-there", province=name)
    elif what == "temple":
        t.require(here.city, "TRI-4.3", "temple-needs-city", province=name)
        t.require(not here.temple, "TRI-4.3", "temple-there", province=name)
    else:
        on = t.pick("on", crops(t.state, name, what), rule="TRI-4.3")
    cards = charge(t, getattr(COSTS, what))
    pay(t, cards, rule="TRI-4.3")
    t.play(Built(rule="TRI-4.3", player=t.me, what=what, province=name, on=on))


def crops(state: State, name: ProvinceId, what: Piece) -> OneOf[Resource]:
    """TRI-4.3: the printed resources on which a caravan, or a market in a caravan's place, can be built."""
    here, printed = state.provinces[name], BOARD.provinces[name].resources
    but: Mapping[Resource, Reason] = {
        crop: Reason("TRI-4.3", "built-already" if crop in printed else "not-printed", {"province": name})
        for crop in RESOURCES
    }
    if what == "caravan":
        return OneOf([crop for crop in printed if crop not in (*here.caravans, *here.markets)], but=but)
    needs = {crop: Reason("TRI-4.3", "market-needs-caravan") for crop in printed if crop not in here.markets}
    return OneOf(here.caravans, but={**but, **needs})


def recruit(t: Table[State]) -> None:
    """TRI-4.3, TRI-10.11: legions in own provinces, each for three different cards, or two."""
    most = Limit(units_left(t.state, t.me).legions, "TRI-0.5", "no-legions-left")
    legions = t.pick("recruit", Whole(1, [most]), rule="TRI-4.3")
    name = t.pick("at", places(t.state, t.me), rule="TRI-4.3")
    cheaper = 1 if power(t.state, t.me, "cheap-legions") else 0
    cards = charge(t, COSTS.legion - cheaper, legions)
    pay(t, cards, rule="TRI-4.3")
    t.play(Recruited(rule="TRI-4.3", player=t.me, province=name, legions=legions))


FREE = {
    "influence": Verb(influence, {"influence": PROVINCE}),
    "build": Verb(build, {"build": KIND, "at": PROVINCE, "on": RESOURCE}, ("at",)),
    "recruit": Verb(recruit, {"recruit": COUNT, "at": PROVINCE}, ("at",)),
}
VERBS = {
    name: Verb(verb.rule, {**verb.fields, "pay": PAY}, (*verb.needed, "pay")) for name, verb in FREE.items()
}
