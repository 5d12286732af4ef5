"""OLT-2.1 to 2.3: exchanges carried out, for an order or by a standing trade."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.oltremare.board import PURCHASES, CardId, GoodId, good_of, goods_of, in_order
from adjudicator.rulebooks.oltremare.entries import Bundle, Trade
from adjudicator.rulebooks.oltremare.events import (
    Exchanged,
    OfferRefused,
    OfferVoid,
    Side,
    TileTaken,
)
from adjudicator.rulebooks.oltremare.state import (
    Offer,
    State,
    active,
    must_play,
)


def lowest(cards: Iterable[CardId], goods: Mapping[GoodId, int]) -> tuple[CardId, ...]:
    """OLT-2.1: so many cards of each good, those with the lowest numbers; fewer where there aren't so many."""
    held = in_order(cards)
    return tuple(
        card
        for good, count in goods.items()
        for card in [each for each in held if good_of(each) == good][:count]
    )


def leaves_enough(state: State, made: Offer) -> bool:
    """OLT-3.1: does the exchange leave the active player cards and purchases enough for what must be played?"""
    gives, gets = len(made.give.cards), sum(made.for_.goods.values())
    change = gets - gives if made.by == state.turn_of else gives - gets
    left = len(active(state).hand) + change
    return change >= 0 or left + PURCHASES - state.bought >= must_play(state)


def check_enough(t: Table[State], made: Offer) -> None:
    """OLT-3.1: an exchange that leaves too few cards is refused."""
    t.require(leaves_enough(t.state, made), "OLT-3.1", "leaves-too-few", count=must_play(t.state))


def carry_out(t: Table[State], name: str, other: Player, cards: tuple[CardId, ...]) -> None:
    """OLT-2.1, OLT-2.3: cards and ducats change hands; the player who isn't active gets a prestige tile."""
    made = t.state.offers[name]
    given = tuple(t.reveal(shown.card) for shown in made.give.cards)
    held = [t.reveal(card) for card in t.state.players[made.by].hand]
    if not set(given) <= set(held):
        for each in (made.by, other):
            t.play(OfferVoid(rule="OLT-2.1", to=(each,), name=name, player=other, maker=made.by))
        return
    gives, gets = side(given, made.give.ducats), side(cards, made.for_.ducats)
    t.play(Exchanged(rule="OLT-2.1", name=name, player=made.by, other=other, gives=gives, gets=gets))
    partner = other if made.by == t.state.turn_of else made.by
    if (given or cards) and partner not in t.state.exchanged:
        t.play(TileTaken(rule="OLT-2.3", player=partner))


def side(cards: tuple[CardId, ...], ducats: int) -> Side:
    """One side of an exchange."""
    return Side(tuple(Secret(card) for card in cards), goods_of(cards), ducats)


# -- standing instructions -------------------------------------------------------------------------------------------


def by_standing(t: Table[State], name: str, player: Player) -> None:
    """OLT-2.1: the first standing trade that fits an offer answers it; it answers the first offer of a turn alone."""
    made = t.state.offers[name]
    entry = first_fitting(t, made, player)
    if entry is None:
        return
    if entry.accept:
        carry_out(t, name, player, cards_of(t, player, entry.give))
    else:
        t.play(OfferRefused(rule="OLT-2.1", name=name, player=player, maker=made.by))


def first_fitting(t: Table[State], made: Offer, player: Player) -> Trade | None:
    """OLT-2.1: the entry that says the same goods and ducats from the other side, and whose owner has the cards.

    One that can't be carried out (OLT-3.1) doesn't fit, and the offer waits for mail.
    """
    offered = (goods_of(t.reveal(shown.card) for shown in made.give.cards), made.give.ducats)
    for entry in t.reveal(t.state.players[player].standing).trade:
        same = (entry.for_.all_goods, entry.for_.ducats) == offered
        asked = (entry.give.all_goods, entry.give.ducats) == (made.for_.goods, made.for_.ducats)
        if same and asked and has(t, player, entry.give) and leaves_enough(t.state, made):
            return entry
    return None


def has(t: Table[State], player: Player, bundle: Bundle) -> bool:
    """Are the cards of a bundle, or so many of its goods, in a hand?"""
    return len(cards_of(t, player, bundle)) == (len(bundle.cards) or sum(bundle.goods.values()))


def cards_of(t: Table[State], player: Player, bundle: Bundle) -> tuple[CardId, ...]:
    """The cards of a hand that a bundle means: those it lists, else the lowest-numbered of its goods."""
    held = [t.reveal(card) for card in t.state.players[player].hand]
    listed = tuple(card for card in bundle.cards if card in held)
    return listed if bundle.cards else lowest(held, bundle.goods)
