"""OLT-2.1 to 2.3: offers made, accepted and refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engine.table.domain import Counts, Domain, Limit, Many, MapOf, OneOf, Record, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.oltremare import events, exchange, standing
from adjudicator.rulebooks.oltremare.board import GOODS, CardId, cards_for, good_of, goods_of
from adjudicator.rulebooks.oltremare.cards import cards_named, hand
from adjudicator.rulebooks.oltremare.commerce import act
from adjudicator.rulebooks.oltremare.standing import ALL, CARD, OFFER, Bundle
from adjudicator.rulebooks.oltremare.state import (
    Give,
    Offer,
    Shown,
    State,
    Want,
    asked_by,
    hand_of,
    must_play,
    next_offer,
    others,
    to_answer,
)

MOST_OFFERS = 12  # that a player may make in a turn (Ruling)
MOST_PUT_UP = (
    6  # of these by standing instructions, the first (Ruling): there is room left for counter-offers
)
Claims = Mapping[CardId, tuple[str, ...]]  # by card: the symbols that are claimed
CLAIM = Many(standing.SYMBOL, least=1, most=2, distinct=True)


def offer(t: Table[State]) -> None:
    """OLT-2.1: the active player offers cards and ducats to another, or to all: the first who accepts has it."""
    yourself = {t.me: Reason("OLT-2.1", "yourself")}
    to = t.pick("offer", OneOf((*others(t.state), ALL), yourself), rule="OLT-2.1")
    made = terms(t, to)
    act(t, "OLT-2.1")
    put(t, made)


def counter(t: Table[State]) -> None:
    """OLT-2.1: the others deal with the active player alone; a counter-offer is open until the voyage."""
    absent = dict.fromkeys((*others(t.state), ALL), Reason("OLT-2.1", "not-active"))
    put(t, terms(t, t.pick("offer", OneOf((t.state.turn_of,), absent), rule="OLT-2.1")))


def terms(t: Table[State], to: Player) -> Offer:
    """OLT-2.1, OLT-2.2: what is given, what is asked for it, and what is said of the symbols."""
    give, wanted = standing.picked(t, giving(t.state, t.me), asking(t.state))
    says = t.pick("says", MapOf(hand(t.state, t.me), CLAIM), rule="OLT-2.2", default=None) or {}
    standing.check_sides(give, wanted)
    size = max(len(t.state.players[each].hand) for each in asked_by(t.state, to))
    count = sum(wanted.goods.values())
    t.require(count <= size, "OLT-2.1", "hand-is-smaller", player=to, value=count, most=size)
    t.require(next_offer(t.state, t.me) <= MOST_OFFERS, "OLT-2.1", "offers-enough", most=MOST_OFFERS)
    claims = dict(zip(cards_named(t, "says", tuple(says)), says.values(), strict=True))
    cards = cards_named(t, "give", give.cards) or exchange.lowest(hand_of(t.state, t.me), give.goods)
    for card in claims:
        t.require(card in cards, "OLT-2.2", "not-offered", value=card)
    return of_cards(t.me, to, cards, give, wanted, claims)


def giving(state: State, me: Player) -> Record[Bundle]:
    """What a player can give now: cards of the hand, or so many of a good."""
    have = goods_of(hand_of(state, me))
    each = {good: Whole(0, [Limit(have[good], "OLT-2.2", "lacks-goods", {"good": good})]) for good in have}
    lacking = {good: Reason("OLT-2.2", "has-none") for good in GOODS if good not in have}
    return standing.bundle(hand(state, me), Counts(each, least=0, but=lacking))


def asking(state: State) -> Record[Bundle]:
    """OLT-2.1: any goods of the game may be asked for, whatever the other's hand holds."""
    box, why = goods_of(cards_for(len(state.seats))), "more-than-there-is"
    each = {good: Whole(0, [Limit(count, "OLT-2.1", why, {"what": good})]) for good, count in box.items()}
    absent = {good: Reason("OLT-0.1", "not-for-two") for good in GOODS if good not in box}
    return standing.bundle(None, Counts(each, least=0, but=absent))


def of_cards(
    by: Player, to: Player, cards: Sequence[CardId], give: Bundle, wanted: Bundle, claims: Claims
) -> Offer:
    """OLT-2.2: the offer as it stands in the position: the goods are true, the symbols as claimed."""
    shown = tuple(Shown(Secret(card), Secret(good_of(card)), Secret(claims.get(card, ()))) for card in cards)
    return Offer(by, to, Give(shown, give.ducats), Want(wanted.goods, wanted.ducats))


def put(t: Table[State], made: Offer) -> None:
    """OLT-2.1: the offer is made, and answered at once where a standing trade of the first who are asked fits."""
    name, before = f"{made.by}-{next_offer(t.state, made.by)}", t.state.asked
    t.play(events.Offered(rule="OLT-2.1", name=name, player=made.by, offer=made))
    for player in t.state.asked[len(before) :]:
        if name in t.state.offers:
            exchange.by_standing(t, name, player)


def put_up(t: Table[State]) -> None:
    """OLT-2.1: standing offers are put to the active player as the turn opens, while their owners have the goods."""
    for player in others(t.state):
        for entry in t.reveal(t.state.players[player].standing).offers[:MOST_PUT_UP]:
            cards = exchange.cards_of(t, player, entry.give)
            if cards is not None:
                put(t, of_cards(player, t.state.turn_of, cards, entry.give, entry.for_, {}))


def open_to(state: State, me: Player) -> OneOf[str]:
    """The offers that a player may accept, and why not those that are closed, one's own, or made to somebody else."""
    closed: dict[str, Reason] = {}
    for player, count in state.offered.items():
        for name in (f"{player}-{at}" for at in range(1, count + 1)):
            why = "own-offer" if player == me else "not-to-you" if name in state.offers else "offer-closed"
            closed[name] = Reason("OLT-2.1", why)
    return OneOf(to_answer(state, me), but=closed)


def accept(t: Table[State]) -> None:
    """OLT-2.1: an offer is accepted; `with` names the very cards, else the lowest-numbered of their goods."""
    name = t.pick("accept", open_to(t.state, t.me), rule="OLT-2.1")
    made = t.state.offers[name]
    goods, have = made.for_.goods, hand_of(t.state, t.me)
    count = sum(goods.values())
    among = Many(hand(t.state, t.me), count, count, distinct=True)
    chosen = t.pick("with", among, rule="OLT-2.1", default=None)
    if t.me == t.state.turn_of:
        act(t, "OLT-2.1")
    enough = exchange.leaves_enough(t.state, made)
    t.require(enough, "OLT-3.1", "leaves-too-few", count=must_play(t.state))
    if chosen is None:
        lacking = [good for good, wanted in goods.items() if goods_of(have).get(good, 0) < wanted]
        t.require(not lacking, "OLT-2.1", "lacks-asked", value=lacking, name=name)
        cards = exchange.lowest(have, goods)
    else:
        cards = cards_named(t, "with", chosen)
        t.require(goods_of(cards) == goods, "OLT-2.2", "other-goods", name=name, goods=goods)
    exchange.carry_out(t, name, t.me, cards)


def refuse(t: Table[State]) -> None:
    """OLT-2.1: an offer is refused."""
    name = t.pick("refuse", open_to(t.state, t.me), rule="OLT-2.1")
    t.play(events.OfferRefused(rule="OLT-2.1", name=name, player=t.me, maker=t.state.offers[name].by))


TERMS: dict[str, Domain[Any]] = {"give": standing.GIVE, "for": standing.FOR, "says": MapOf(CARD, CLAIM)}
MAKE = {"offer": Verb(offer, {"offer": standing.ANYBODY, **TERMS})}
ACCEPT = {"accept": Verb(accept, {"accept": OFFER, "with": Many(CARD, distinct=True)})}
COUNTER = {"offer": Verb(counter, {"offer": standing.PLAYER, **TERMS})}
ANSWER = {**COUNTER, **ACCEPT, "refuse": Verb(refuse, {"refuse": OFFER})}
