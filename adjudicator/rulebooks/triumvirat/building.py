"""TRI-4 Building: influence, pieces, legions, senators, kept cards; with a free start the same for points (TRI-0.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Literal

from msgspec.structs import replace

from adjudicator.engine.table import UNFORESEEN, Hindrances, Player, Reason, Table, Use, Verb, once
from adjudicator.engine.table.domain import Either, Limit, Many, OneOf, Whole, allowed, only
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.triumvirat import board, ending, events, setup, standing
from adjudicator.rulebooks.triumvirat.board import BOARD, BORDERS, LANDS, RESOURCES, TAX, Card, ProvinceId
from adjudicator.rulebooks.triumvirat.pieces import NO_BARBARIANS
from adjudicator.rulebooks.triumvirat.standing import CARD, PAY, PROVINCE, RESOURCE
from adjudicator.rulebooks.triumvirat.state import State

Piece = Literal["city", "caravan", "market", "temple"]
KIND: OneOf[Piece] = OneOf(("city", "caravan", "market", "temple"))
SENATOR = OneOf(tuple(BOARD.senators))
TAXES = OneOf(("taxes",))
COSTS = BOARD.costs
PAID = Use("hand {each}", "pay")
"""TRI-4.1: the cards that are paid."""


def starting(state: State) -> bool:
    """TRI-0.2: is the free start being built, for points instead of cards?"""
    return state.phase.name == "start"


def is_settled(state: State, name: ProvinceId) -> bool:
    """TRI-4.2, TRI-4.3: is the influence in a province from an earlier turn? At a free start it doesn't matter."""
    return starting(state) or state.provinces[name].since < state.phase.turn


# -- prices ----------------------------------------------------------------------------------------------------------


def charge(t: Table[State], price: int, times: int = 1, *, rule: str) -> None:
    """TRI-4.1: pays for each piece this number of resource cards, all different;
    in a free start points of 27 (TRI-0.2)."""
    if starting(t.state):
        rest = BOARD.numbers["worth"] - worth(t.state, t.me)
        t.require(price * times <= rest, "TRI-0.2", "beyond-the-start", price=price * times, left=rest)
    else:
        paid = t.pick("pay", cards_to_pay(t.state, t.me, price, times), rule="TRI-4.1")
        t.play(events.Paid(rule=rule, player=t.me, cards=paid))


def cards_to_pay(state: State, player: Player, price: int, times: int = 1) -> Many[Card]:
    """TRI-4.1: the cards that can be paid: of each kind no more than there are
    pieces to pay for, and than the hand has."""
    held, count = state.hand_of(player), price * times
    mine = [card for card in RESOURCES if card in held]
    kinds = only(mine, RESOURCES, "TRI-4.1", "not-in-hand")
    different = Limit(times, "TRI-4.1", "all-different")
    limits = {
        card: different if times <= held[card] else Limit(held[card], "TRI-4.1", "not-so-many")
        for card in mine
    }
    return Many(kinds, least=count, most=count, distinct=times == 1, limits=limits)


def with_cards(verb: Verb[State]) -> Verb[State]:
    """TRI-4.1: a verb of the free start for ordinary turns, when cards pay for it."""
    uses = tuple(use for use in verb.uses or () if use.what != "points")
    fields, needed = {**verb.fields, "pay": PAY}, (*verb.needed, "pay")
    return replace(verb, fields=fields, needed=needed, uses=(*uses, PAID))


def worth(state: State, player: Player) -> int:
    """TRI-0.2: the value of what a player has built at the start, at the prices of building;
    a market includes its caravan."""
    kinds = [piece for piece in COSTS if piece in BOARD.pieces]
    found = sum(COSTS[piece] * state.in_use(piece, player) for piece in kinds)
    return found + COSTS["caravan"] * state.in_use("market", player)


# -- influence -------------------------------------------------------------------------------------------------------


def influence(t: Table[State]) -> None:
    """TRI-4.2: a player takes a neutral province adjacent to one held since an earlier turn,
    by land or from coast to coast (Ruling)."""
    name = t.pick("influence", within_reach(t.state, t.me), rule="TRI-4.2")
    left = t.state.left("influence", t.me)
    t.require(left > 0, "TRI-0.5", "no-influence-left", most=BOARD.pieces["influence"])
    charge(t, COSTS["influence"], rule="TRI-4.2")
    t.play(events.InfluencePlaced(rule="TRI-4.2", player=t.me, province=name))


@remembered
def within_reach(state: State, player: Player) -> OneOf[ProvinceId]:
    """TRI-4.2: the provinces that a player can take, and why the others can't be taken."""
    near = provinces_reached(state, player)

    def hindrances(name: ProvinceId) -> Hindrances:
        here = state.provinces[name]
        yield name in board.ITALY and Reason("TRI-4.2", "never-italy")
        yield bool(here.owner) and Reason("TRI-4.2", "not-neutral", {"owner": here.owner})
        yield here.barbarians != NO_BARBARIANS and Reason("TRI-4.2", "barbarians-there")
        yield bool(here.troops.keys() - {player}) and Reason("TRI-4.2", "units-there")
        yield name not in near and Reason("TRI-4.2", "not-near")

    return allowed(LANDS, hindrances)


def provinces_reached(state: State, player: Player) -> Collection[ProvinceId]:
    """TRI-4.2: the provinces next to those from which influence spreads, by land, strait or sea.

    At a free start it spreads by land alone, and from the capital even before that is taken (TRI-0.2, Ruling).
    """
    if starting(state):
        capital = BOARD.starts[player].capital
        return (capital, *BORDERS[capital])
    return {name for own in state.owned(player) if is_settled(state, own) for name in board.NEXT[own]}


# -- pieces ----------------------------------------------------------------------------------------------------------


@remembered
def places(state: State, player: Player) -> OneOf[ProvinceId]:
    """TRI-4.3: the provinces under the player's influence since an earlier turn, and why not others."""

    def hindrances(name: ProvinceId) -> Hindrances:
        yield name in board.ITALY and Reason("TRI-4.2", "never-italy")
        yield state.provinces[name].owner != player and Reason("TRI-4.3", "not-yours")
        yield not is_settled(state, name) and Reason("TRI-4.3", "influence-is-new")

    return allowed(LANDS, hindrances)


def build(t: Table[State]) -> None:
    """TRI-4.3: a player builds a city on a city site, a temple beside a city,
    one caravan or market for each printed resource."""
    what = t.pick("build", pieces_in_box(t.state), rule="TRI-0.5")
    name = t.pick("at", places(t.state, t.me), rule="TRI-4.3")
    here, on = t.state.provinces[name], ""
    if what == "city":
        t.require(LANDS[name].city, "TRI-4.3", "no-city-site", province=name)
        t.require(not here.city, "TRI-4.3", "city-there", province=name)
    elif what == "temple":
        t.require(here.city, "TRI-4.3", "temple-needs-city", province=name)
        t.require(not here.temple, "TRI-4.3", "temple-there", province=name)
    else:
        on = t.pick("on", crops(t.state, name, what), rule="TRI-4.3")
    charge(t, COSTS[what], rule="TRI-4.3")
    t.play(events.Built(rule="TRI-4.3", player=t.me, what=what, province=name, on=on))


@remembered
def pieces_in_box(state: State) -> OneOf[Piece]:
    """TRI-0.5: the kinds of which the box still has pieces."""

    def hindrances(kind: Piece) -> Hindrances:
        yield not state.left(kind) and Reason("TRI-0.5", "none-left", {"piece": kind})

    return allowed(KIND.among, hindrances)


def crops(state: State, name: ProvinceId, what: Piece) -> OneOf[Card]:
    """TRI-4.3: the printed resources on which a caravan can be built, or a market in place of a caravan."""
    here, printed = state.provinces[name], LANDS[name].resources

    def hindrances(crop: Card) -> Hindrances:
        built = crop in here.markets or (crop in here.caravans and what == "caravan")
        yield crop not in printed and Reason("TRI-4.3", "not-printed", {"province": name})
        yield built and Reason("TRI-4.3", "built-already", {"province": name})
        yield what == "market" and crop not in here.caravans and Reason("TRI-4.3", "market-needs-caravan")

    return allowed((*here.caravans, *printed, *RESOURCES), hindrances)


def recruit(t: Table[State]) -> None:
    """TRI-4.3, TRI-10.11: a player recruits legions in provinces that the player holds,
    each for three different cards, or two with a senator."""
    most = Limit(t.state.left("legion", t.me), "TRI-0.5", "no-legions-left")
    legions = t.pick("recruit", Whole(1, [most]), rule="TRI-4.3")
    name = t.pick("at", places(t.state, t.me), rule="TRI-4.3")
    charge(t, legion_price(t.state, t.me), legions, rule="TRI-4.3")
    t.play(events.Recruited(rule="TRI-4.3", player=t.me, province=name, legions=legions))


def legion_price(state: State, player: Player) -> int:
    """TRI-4.1: a legion costs 3. TRI-10.11: or 2."""
    return COSTS["legion"] - (1 if state.power(player, "cheap-legions") else 0)


# -- senators --------------------------------------------------------------------------------------------------------


def senator_price(state: State, player: Player) -> int:
    """TRI-4.4: a senator costs 6, then 7, then 8, counted over the match (Ruling). TRI-10.6: one less."""
    bought, prices = state.bought.get(player, 0), BOARD.senator_costs
    return prices[min(bought, len(prices) - 1)] - (1 if state.power(player, "cheaper-senators") else 0)


def senator(t: Table[State]) -> None:
    """TRI-4.4: a player buys a senator on offer, all in taxes or all in different resources (Ruling)."""
    on_offer = only(t.state.on_offer, BOARD.senators, "TRI-4.4", "not-on-offer")
    name = t.pick("senator", on_offer, rule="TRI-4.4")
    cost, purse = senator_price(t.state, t.me), t.state.purse(t.me)
    too_few = Reason("TRI-4.4", "not-enough-taxes", {"price": cost, "held": purse})
    taxes = OneOf(TAXES.among if purse >= cost else (), dict.fromkeys(TAXES.among, too_few))
    paid = t.pick("pay", Either((taxes, cards_to_pay(t.state, t.me, cost))), rule="TRI-4.4")
    if paid in TAXES.among:
        t.play(events.Paid(rule="TRI-4.4", player=t.me, taxes=cost))
    else:
        t.play(events.Paid(rule="TRI-4.4", player=t.me, cards=paid))
    t.play(events.SenatorBought(rule="TRI-4.4", player=t.me, senator=name))
    ending.look_at_points(t, t.me)


def swap(t: Table[State]) -> None:
    """TRI-10.3: a player swaps one tax for one resource with the bank, or back, once a turn."""
    who, held = t.state.power(t.me, "exchange-one"), t.state.holding(t.me)
    t.require(bool(who), "TRI-10.3", "no-such-power")
    t.require(bool(t.state.ready(t.me, "exchange-one")), "TRI-10.3", "used-already")
    mine = [card for card in board.CARDS if held[card]]
    gives = t.pick("swap", only(mine, board.CARDS, "TRI-10.3", "not-in-hand"), rule="TRI-10.3")
    others = RESOURCES if gives == TAX else (TAX,)
    gets = t.pick("for", only(others, board.CARDS, "TRI-10.3", "tax-for-resource"), rule="TRI-10.3")
    t.play(events.Used(rule="TRI-10.3", player=t.me, senator=who))
    if not setup.supply(t)[gets]:
        t.refuse("TRI-0.5", "box-is-empty", card=gets)
    t.play(events.Paid(rule="TRI-10.3", player=t.me, cards=(gives,), gets=(gets,)))


# -- what is kept ----------------------------------------------------------------------------------------------------


def put_away(t: Table[State]) -> None:
    """TRI-4.5: resources are discarded, except one that a senator keeps (TRI-10.8); taxes are kept, face up."""
    if t.state.over():
        return
    for player in t.state.seats:
        hand = Counter(map(t.reveal, t.state.players[player].cards))
        kept = hand.pop(TAX, 0)
        standing.discard(t, player, hand, "TRI-4.5", taxes=0, kept=kept)


FREE = {
    "influence": Verb(
        influence,
        {"influence": PROVINCE},
        uses=(
            once("influence {influence}", "TRI-4.2", "taken-already"),
            Use("influence"),
            Use("points", times=COSTS["influence"]),
        ),
        subject=("influence",),
        prices=lambda state, player: {"": COSTS["influence"]},
    ),
    "build": Verb(
        build,
        {"build": KIND, "at": PROVINCE, "on": RESOURCE},
        ("at",),
        uses=(
            once("site {build} {at}", "TRI-4.3", "stands-already"),
            once("{build} {at} {on}", "TRI-4.3", "stands-already"),
            Use("box {build}"),
            Use("points", "build", COSTS),
        ),
        subject=("at",),
        prices=lambda state, player: {piece: COSTS[piece] for piece in KIND.among},
    ),
    "recruit": Verb(
        recruit,
        {"recruit": Whole(1), "at": PROVINCE},
        ("at",),
        uses=(Use("legions", "recruit"), Use("points", "recruit", COSTS["legion"])),
        subject=("at",),
        prices=lambda state, player: {"": legion_price(state, player)},
    ),
}
VERBS = {name: with_cards(verb) for name, verb in FREE.items()} | {
    "senator": Verb(
        senator,
        {"senator": SENATOR, "pay": Either((TAXES, PAY))},
        ("pay",),
        uses=(
            once("senator {senator}", "TRI-4.4", "bought-already"),
            Use("senator-price", perhaps=True),
            PAID,
            UNFORESEEN,
        ),
        subject=("senator",),
        prices=lambda state, player: {"": senator_price(state, player)},
    ),
    "swap": Verb(
        swap,
        {"swap": CARD, "for": CARD},
        ("for",),
        uses=(
            once("swap", "TRI-10.3", "used-already"),
            # Whether the box can give the card is secret; if it can't, the order is refused, and nothing is swapped.
            Use("hand {swap}", times=0, keeps=1),
            Use("hand {swap}", times=None),
            Use("hand {for}", times=None),
            Use("hand taxes", times=None),
        ),
        subject=("swap",),
        prices=lambda state, player: {"": 1},
    ),
}
