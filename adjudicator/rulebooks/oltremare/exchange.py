"""OLT-2.1 to 2.3: offers are made, accepted or refused, by an order or by a standing trade, and exchanges carried
out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from adjudicator.engine.table import UNFORESEEN, Player, Reason, Table, Use, Verb, face_down, once
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
from adjudicator.rulebooks.oltremare import board, commerce, events, standing
from adjudicator.rulebooks.oltremare.commerce import TALKING, UNPLAYED, check_may_act
from adjudicator.rulebooks.oltremare.hand import cards_by_name, cards_in_hand, cards_named
from adjudicator.rulebooks.oltremare.standing import ALL, CARD, OFFER, Bundle
from adjudicator.rulebooks.oltremare.state import Offer, State, offer_made


def lowest(cards: Iterable[board.CardId], goods: Mapping[board.GoodId, int]) -> tuple[board.CardId, ...]:
    """OLT-2.1: the given number of cards of each good, lowest numbers first; fewer if there aren't that many."""
    held = board.in_order([card for card in cards if board.CARDS[card].good in goods])
    by_good = {good: [card for card in held if board.CARDS[card].good == good] for good in goods}
    of_each = [by_good[good][:count] for good, count in goods.items()]
    return tuple([card for found in of_each for card in found])


def leaves_enough(state: State, made: Offer) -> bool:
    """OLT-3.1: will the active player still have enough cards, counting possible purchases,
    to play as many as necessary?"""
    gives, gets = len(made.give.cards), sum(made.for_.goods.values())
    change = gets - gives if made.by == state.turn_of else gives - gets
    return change >= 0 or -change <= most_given(state)


def most_given(state: State) -> int:
    """OLT-3.1: how many cards the active player can give for none."""
    buys, there = board.PURCHASES - state.bought, state.cards_in_stock() + len(state.on_turn.pirates)
    buys = buys if state.rules < 3 else min(buys, there)
    return len(state.on_turn.hand) + buys - state.must_play()


def carry_out(t: Table[State], name: str, other: Player, cards: tuple[board.CardId, ...]) -> None:
    """OLT-2.1, OLT-2.3: cards and ducats change hands; the player who isn't active gets a prestige tile.

    A check doesn't know whether the cards of the offer are still there, and assumes that they are.
    """
    made = t.state.offers[name]
    given = tuple(shown.card for shown in made.give.cards)
    if not set(given) <= set(t.state.players[made.by].hand):
        for each in (made.by, other):
            t.play(events.OfferVoid(rule="OLT-2.1", to=(each,), name=name, player=other, maker=made.by))
        return
    goods = [shown.good.value for shown in made.give.cards]
    gives = events.Side(given, board.counted(goods), made.give.ducats)
    gets = events.Side(face_down(cards), board.goods_of(cards), made.for_.ducats)
    t.play(events.Exchanged(rule="OLT-2.1", name=name, player=made.by, other=other, gives=gives, gets=gets))
    partner = other if made.by == t.state.turn_of else made.by
    if (given or cards) and partner not in t.state.exchanged:
        t.play(events.TileTaken(rule="OLT-2.3", player=partner))
    commerce.look(t, given)


def open_to(state: State, me: Player) -> OneOf[str]:
    """OLT-2.1: the offers that a player may accept, and why others can't be accepted:
    closed, one's own, or made to somebody else."""
    closed: dict[str, Reason] = {}
    for player, count in state.offered.items():
        for name in (f"{player}-{at}" for at in range(1, count + 1)):
            open_ = name in state.offers and me not in state.offers[name].refused
            why = "own-offer" if player == me else "not-to-you" if open_ else "offer-closed"
            closed[name] = Reason("OLT-2.1", why)
    return OneOf(state.to_answer(me), but=closed)


def accept(t: Table[State]) -> None:
    """OLT-2.1: a player accepts an offer; `with` names the cards to give,
    else those of the lowest numbers are given."""
    name = t.pick("accept", open_to(t.state, t.me), rule="OLT-2.1")
    made = t.state.offers[name]
    goods, have = made.for_.goods, t.state.hand_of(t.me)
    held = board.goods_of(have)
    lacks = {good: max(0, wanted - held.get(good, 0)) for good, wanted in goods.items()}
    lacking, hidden = [good for good in lacks if lacks[good]], len(t.state.players[t.me].hand) - len(have)
    t.require(sum(lacks.values()) <= hidden, "OLT-2.1", "lacks-asked", lacking=lacking, name=name)
    chosen = t.pick("with", asked_for(t, name, goods), rule="OLT-2.1", default=None)
    if t.me == t.state.turn_of:
        check_may_act(t)
    t.require(leaves_enough(t.state, made), "OLT-3.1", "leaves-too-few", count=t.state.must_play())
    if chosen is None:
        t.require(not lacking, "OLT-2.1", "lacks-asked", lacking=lacking, name=name)
        cards = lowest(have, goods)
    else:
        cards = cards_named(t, "with", chosen)
        t.require(board.goods_of(cards) == goods, "OLT-2.2", "other-goods", name=name, goods=goods)
    carry_out(t, name, t.me, cards)


def asked_for(t: Table[State], name: str, goods: Mapping[board.GoodId, int]) -> Many[str]:
    """OLT-2.2: an answer gives exactly as many cards as the offer asks for, and only of these goods."""
    hand, count = cards_in_hand(t.state, t.me), sum(goods.values())
    other = Reason("OLT-2.2", "other-goods", {"name": name, "goods": goods})
    there = cards_by_name(t.state, t.me)
    fit = [each for each, card in there.items() if not card.known or board.good_of(card.value) in goods]
    unfit = {each: other for each in there if each not in fit}
    may_be = [card for card in hand.besides if board.good_of(card) in goods]
    number = Reason("OLT-2.2", "other-count", {"name": name, "goods": goods, "count": count})
    each = OneOf(fit, {**hand.but, **unfit}, may_be)
    return Many(each, count, count, distinct=True, over=number, under=number)


def refuse(t: Table[State]) -> None:
    """OLT-2.1: a player refuses an offer."""
    name = t.pick("refuse", open_to(t.state, t.me), rule="OLT-2.1")
    t.play(events.OfferRefused(rule="OLT-2.1", name=name, player=t.me, maker=t.state.offers[name].by))


def use_of_answer(field: str) -> Use:
    """OLT-2.1: an offer is answered once."""
    return once(f"answer {{{field}}}", "OLT-2.1", "offer-closed", decide=True)


ACCEPT = {
    "accept": Verb(
        accept,
        {"accept": OFFER, "with": Many(CARD, distinct=True)},
        uses=(UNPLAYED, use_of_answer("accept"), Use("card {each}", "with"), UNFORESEEN),
        subject=("accept",),
    )
}
REFUSE = {"refuse": Verb(refuse, {"refuse": OFFER}, uses=(use_of_answer("refuse"),), subject=("refuse",))}

# -- standing instructions -------------------------------------------------------------------------------------------


def answer_by_standing(t: Table[State], name: str, player: Player) -> None:
    """OLT-2.1: the first standing trade that fits an offer answers it; standing trades answer only the first offer of a
    turn.

    A trade fits if it names the same goods and ducats from the other side. One that accepts doesn't fit if it can't be
    carried out, because its owner lacks the cards or by OLT-3.1. One that refuses fits no matter what the hand holds,
    so that it tells nothing about the cards.
    """
    made = t.state.offers[name]
    goods = board.goods_of(t.reveal(shown.card) for shown in made.give.cards)
    offer = (goods, made.give.ducats, made.for_.goods, made.for_.ducats)
    for entry in t.reveal(t.state.players[player].standing).trade:
        gets, gives = entry.for_, entry.give
        if (gets.all_goods, gets.ducats, gives.all_goods, gives.ducats) != offer:
            continue
        cards = cards_of(t, player, gives)
        if not entry.accept:
            t.play(events.OfferRefused(rule="OLT-2.1", name=name, player=player, maker=made.by))
        elif cards is not None and leaves_enough(t.state, made):
            carry_out(t, name, player, cards)
        else:
            continue
        return


def cards_of(t: Table[State], player: Player, bundle: Bundle) -> tuple[board.CardId, ...] | None:
    """The cards of a hand that a bundle means: those it lists, else the lowest of its goods;
    None if the hand lacks some."""
    held = [t.reveal(card) for card in t.state.players[player].hand]
    if bundle.cards:
        return bundle.cards if set(bundle.cards) <= set(held) else None
    found = lowest(held, bundle.goods)
    return found if len(found) == sum(bundle.goods.values()) else None


MOST_OFFERS = 12  # the most offers of a player in a turn (Ruling)
MOST_PUT_UP = 6  # the most of them by standing instructions (Ruling): the rest is left for counter-offers
CLAIM = Many(standing.SYMBOL, least=1, most=2, distinct=True)


def offer(t: Table[State]) -> None:
    """OLT-2.1: the active player offers cards and ducats to another player, or to all:
    the first who accepts gets the deal."""
    yourself = {t.me: Reason("OLT-2.1", "yourself")}
    to = t.pick("offer", OneOf((*t.state.others(), ALL), yourself), rule="OLT-2.1")
    check_may_act(t)
    t.require(not t.state.sailing, "OLT-2.1", "sailing-already")
    made = read_offer(t, to)
    t.require(leaves_enough(t.state, made), "OLT-3.1", "leaves-too-few", count=t.state.must_play())
    make_offer(t, made)


def counter(t: Table[State]) -> None:
    """OLT-2.1: other players may exchange only with the active player; a counter-offer is open until the voyage."""
    absent = dict.fromkeys((*t.state.others(), ALL), Reason("OLT-2.1", "not-active"))
    make_offer(t, read_offer(t, t.pick("offer", OneOf((t.state.turn_of,), absent), rule="OLT-2.1")))


def read_offer(t: Table[State], to: Player) -> Offer:
    """OLT-2.1, OLT-2.2: reads an offer from an order: what is given, what is asked for,
    and the claims about symbols."""
    t.require(t.state.next_offer(t.me) <= MOST_OFFERS, "OLT-2.1", "offers-enough", most=MOST_OFFERS)
    size = max(len(t.state.players[each].hand) for each in t.state.asked_by(to))
    giving = Offering(bundle_given(t.state, t.me), partial(given_for_none, t.state, t.me))
    terms = standing.terms_named(t, giving, bundle_asked(t.state, to, size))
    says = t.pick("says", MapOf(cards_in_hand(t.state, t.me), CLAIM), rule="OLT-2.2", default=None) or {}
    standing.check(terms)
    count = sum(terms.for_.goods.values())
    t.require(count <= size, "OLT-2.1", "hand-is-smaller", player=to, value=count, most=size)
    claims = dict(zip(cards_named(t, "says", tuple(says)), says.values(), strict=True))
    listed = cards_named(t, "give", terms.give.cards)
    cards = listed or lowest(t.state.hand_of(t.me), terms.give.goods)
    for card in claims:
        t.require(card in cards, "OLT-2.2", "not-offered", value=card)
    return offer_made(t.me, to, terms, cards, claims)


@remembered
def bundle_given(state: State, me: Player) -> Record[Bundle]:
    """OLT-2.2: what a player can give now: cards of the hand, or a number of a good."""
    have = board.goods_of(state.hand_of(me))
    each = {good: Whole(0, [Limit(have[good], "OLT-2.2", "lacks-goods", {"good": good})]) for good in have}
    lacking = {good: Reason("OLT-2.2", "has-none") for good in board.GOODS if good not in have}
    return standing.bundle(cards_in_hand(state, me), Counts(each, least=0, but=lacking))


def given_for_none(state: State, me: Player) -> Record[Bundle]:
    """OLT-3.1: what a player can give even if no card comes for it."""
    have = board.goods_of(state.hand_of(me))
    most = max(0, most_given(state)) if me == state.turn_of else sum(have.values())
    each = Counts({good: between(0, min(count, most)) for good, count in have.items()}, least=0)
    return standing.bundle(cards_in_hand(state, me), each, most)


@remembered
def bundle_asked(state: State, to: Player, size: int) -> Record[Bundle]:
    """OLT-2.1: an offer may ask for any goods of the game, no matter what the other player's hand holds, but for no
    more than `size` cards, as many as it holds."""
    box, why = board.goods_of(board.cards_for(len(state.seats))), "more-than-there-is"
    smaller = Limit(size, "OLT-2.1", "hand-is-smaller", {"player": to})
    limits = {good: Limit(count, "OLT-2.1", why, {"what": good}) for good, count in box.items()}
    each = {good: Whole(0, [limit, smaller]) for good, limit in limits.items()}
    absent = {good: Reason("OLT-0.1", "not-for-two") for good in board.GOODS if good not in box}
    return standing.bundle(None, Counts(each, least=0, but=absent))


def make_offer(t: Table[State], made: Offer) -> None:
    """OLT-2.1: the offer is made; standing trades of players who get their first offer of the turn answer at once."""
    name, before = f"{made.by}-{t.state.next_offer(made.by)}", t.state.asked
    t.play(events.Offered(rule="OLT-2.1", name=name, player=made.by, offer=made))
    for player in t.state.asked[len(before) :]:
        if name in t.state.offers:
            answer_by_standing(t, name, player)


def make_standing_offers(t: Table[State]) -> None:
    """OLT-2.1: when the turn opens, standing offers are made to the active player if their owners have the goods."""
    for player in t.state.others():
        for entry in t.reveal(t.state.players[player].standing).offers[:MOST_PUT_UP]:
            cards = cards_of(t, player, entry.give)
            if cards is not None:
                make_offer(t, offer_made(player, t.state.turn_of, entry, cards, {}))


def at_stake(state: State, me: Player) -> Mapping[board.CardId, Reason]:
    """OLT-2.1: the cards in the player's open offers, as long as somebody may accept them."""
    if state.phase.name not in ("commerce", "answer", "voyage")[: 2 if me == state.turn_of else 3]:
        return {}
    mine = {name: made.give.cards for name, made in state.offers.items() if made.by == me}
    shown = [(name, each.card) for name, cards in mine.items() for each in cards if each.card.known]
    facts = [{"value": card.value, "name": name} for name, card in shown]
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
ANSWER = COUNTER | ACCEPT | REFUSE
