"""OLT-2.1, OLT-2.2: offers are made, by an order or by standing instructions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from adjudicator.engine.table import Player, Reason, Table, Use, Verb
from adjudicator.engine.table.domain import (
    Counts,
    Domain,
    Limit,
    Many,
    MapOf,
    Offering,
    OneOf,
    Record,
    Whole,
    between,
)
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.oltremare import events, exchange, standing
from adjudicator.rulebooks.oltremare.board import GOODS, CardId, cards_for, goods_of
from adjudicator.rulebooks.oltremare.commerce import TALKING, check_may_act
from adjudicator.rulebooks.oltremare.hand import cards_in_hand, cards_named
from adjudicator.rulebooks.oltremare.standing import ALL, CARD, Bundle
from adjudicator.rulebooks.oltremare.state import (
    Offer,
    State,
    asked_by,
    hand_of,
    must_play,
    next_offer,
    offer_made,
    others,
)

MOST_OFFERS = 12  # the most offers of a player in a turn (Ruling)
MOST_PUT_UP = 6  # the most of them by standing instructions (Ruling): the rest is left for counter-offers
CLAIM = Many(standing.SYMBOL, least=1, most=2, distinct=True)


def offer(t: Table[State]) -> None:
    """OLT-2.1: the active player offers cards and ducats to another player, or to all:
    the first who accepts gets the deal."""
    yourself = {t.me: Reason("OLT-2.1", "yourself")}
    to = t.pick("offer", OneOf((*others(t.state), ALL), yourself), rule="OLT-2.1")
    check_may_act(t, "OLT-2.1")
    t.require(not t.state.sailing, "OLT-2.1", "sailing-already")
    made = read_offer(t, to)
    t.require(exchange.leaves_enough(t.state, made), "OLT-3.1", "leaves-too-few", count=must_play(t.state))
    make_offer(t, made)


def counter(t: Table[State]) -> None:
    """OLT-2.1: other players may exchange only with the active player; a counter-offer is open until the voyage."""
    absent = dict.fromkeys((*others(t.state), ALL), Reason("OLT-2.1", "not-active"))
    make_offer(t, read_offer(t, t.pick("offer", OneOf((t.state.turn_of,), absent), rule="OLT-2.1")))


def read_offer(t: Table[State], to: Player) -> Offer:
    """OLT-2.1, OLT-2.2: reads an offer from an order: what is given, what is asked for,
    and the claims about symbols."""
    t.require(next_offer(t.state, t.me) <= MOST_OFFERS, "OLT-2.1", "offers-enough", most=MOST_OFFERS)
    size = max(len(t.state.players[each].hand) for each in asked_by(t.state, to))
    giving = Offering(bundle_given(t.state, t.me), partial(given_for_none, t.state, t.me))
    terms = standing.terms_named(t, giving, bundle_asked(t.state, to, size))
    says = t.pick("says", MapOf(cards_in_hand(t.state, t.me), CLAIM), rule="OLT-2.2", default=None) or {}
    standing.check(terms)
    count = sum(terms.for_.goods.values())
    t.require(count <= size, "OLT-2.1", "hand-is-smaller", player=to, value=count, most=size)
    claims = dict(zip(cards_named(t, "says", tuple(says)), says.values(), strict=True))
    listed = cards_named(t, "give", terms.give.cards)
    cards = listed or exchange.lowest(hand_of(t.state, t.me), terms.give.goods)
    for card in claims:
        t.require(card in cards, "OLT-2.2", "not-offered", value=card)
    return offer_made(t.me, to, terms, cards, claims)


@remembered
def bundle_given(state: State, me: Player) -> Record[Bundle]:
    """OLT-2.2: what a player can give now: cards of the hand, or a number of a good."""
    have = goods_of(hand_of(state, me))
    each = {good: Whole(0, [Limit(have[good], "OLT-2.2", "lacks-goods", {"good": good})]) for good in have}
    lacking = {good: Reason("OLT-2.2", "has-none") for good in GOODS if good not in have}
    return standing.bundle(cards_in_hand(state, me), Counts(each, least=0, but=lacking))


def given_for_none(state: State, me: Player) -> Record[Bundle]:
    """OLT-3.1: what a player can give even if no card comes for it."""
    have = goods_of(hand_of(state, me))
    most = max(0, exchange.most_given(state)) if me == state.turn_of else sum(have.values())
    each = Counts({good: between(0, min(count, most)) for good, count in have.items()}, least=0)
    return standing.bundle(cards_in_hand(state, me), each, most)


@remembered
def bundle_asked(state: State, to: Player, size: int) -> Record[Bundle]:
    """OLT-2.1: an offer may ask for any goods of the game, no matter what the other player's hand holds, but for no
    more than `size` cards, as many as it holds."""
    box, why = goods_of(cards_for(len(state.seats))), "more-than-there-is"
    smaller = Limit(size, "OLT-2.1", "hand-is-smaller", {"player": to})
    each = {
        good: Whole(0, [Limit(count, "OLT-2.1", why, {"what": good}), smaller]) for good, count in box.items()
    }
    absent = {good: Reason("OLT-0.1", "not-for-two") for good in GOODS if good not in box}
    return standing.bundle(None, Counts(each, least=0, but=absent))


def make_offer(t: Table[State], made: Offer) -> None:
    """OLT-2.1: the offer is made; standing trades of players who get their first offer of the turn answer at once."""
    name, before = f"{made.by}-{next_offer(t.state, made.by)}", t.state.asked
    t.play(events.Offered(rule="OLT-2.1", name=name, player=made.by, offer=made))
    for player in t.state.asked[len(before) :]:
        if name in t.state.offers:
            exchange.answer_by_standing(t, name, player)


def make_standing_offers(t: Table[State]) -> None:
    """OLT-2.1: when the turn opens, standing offers are made to the active player if their owners have the goods."""
    for player in others(t.state):
        for entry in t.reveal(t.state.players[player].standing).offers[:MOST_PUT_UP]:
            cards = exchange.cards_of(t, player, entry.give)
            if cards is not None:
                make_offer(t, offer_made(player, t.state.turn_of, entry, cards, {}))


def at_stake(state: State, me: Player) -> Mapping[CardId, Reason]:
    """OLT-2.1: the cards in the player's open offers, as long as somebody may accept them."""
    if state.phase.name not in ("commerce", "answer", "voyage")[: 2 if me == state.turn_of else 3]:
        return {}
    mine = [
        (name, shown) for name, made in state.offers.items() if made.by == me for shown in made.give.cards
    ]
    facts = ({"value": shown.card.value, "name": name} for name, shown in mine if shown.card.known)
    return {each["value"]: Reason("OLT-2.1", "offered-away", each) for each in facts}


TERMS: dict[str, Domain[Any]] = {"give": standing.GIVE, "for": standing.FOR, "says": MapOf(CARD, CLAIM)}
GIVEN = (
    Use("offers"),
    Use("card {each}", "give.cards", times=0, keeps=1),
    Use("free {each}", "give.cards", ends=True),
)
"""OLT-2.1: a card that is offered stays in the hand until somebody accepts."""
MAKE = {
    "offer": Verb(offer, {"offer": standing.ANYBODY, **TERMS}, uses=(*TALKING, *GIVEN), subject=("offer",))
}
COUNTER = {"offer": Verb(counter, {"offer": standing.PLAYER, **TERMS}, uses=GIVEN, subject=("offer",))}
ANSWER = COUNTER | exchange.ACCEPT | exchange.REFUSE
