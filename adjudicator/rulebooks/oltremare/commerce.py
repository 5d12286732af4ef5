"""OLT-2 Commerce: the deck and cards bought from it (OLT-2.4), and the end of the talk."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.table import Reason, Secret, Table, Use, Verb, face_down
from adjudicator.engine.table.domain import Limit, OneOf, Whole
from adjudicator.rulebooks.oltremare import events, scoring
from adjudicator.rulebooks.oltremare.board import DEAR, FAVOURABLE, PRICE, PURCHASES, VENICE, CardId
from adjudicator.rulebooks.oltremare.state import State


def draw(t: Table[State], onto: events.Onto, *, rule: str, bought: bool = False) -> None:
    """OLT-5.3: draws a card from the deck; the Venice card is scored at once, and the next one is drawn instead.

    A check doesn't know the card and assumes that it isn't the Venice card; `look` says so when all cards of an order
    are drawn.
    """
    while t.state.deck or t.state.cards_in_stock():
        if not t.state.deck:
            renew(t)
        card = t.state.deck[0]
        if card.known and card.value == VENICE:
            find_venice(t, onto)
            continue
        t.play(events.Drew(rule=rule, player=t.state.turn_of, card=card, onto=onto, bought=bought))
        begin_last_round(t)
        return


def find_venice(t: Table[State], where: events.Where) -> None:
    """OLT-5.1, OLT-6.1: scores, and removes the Venice card, which is the first card of the deck and may be the only
    one."""
    scoring.score_venice(t, t.state.turn_of, where)
    begin_last_round(t)


def begin_last_round(t: Table[State]) -> None:
    """OLT-6.1: begins the last round if the deck is empty."""
    if not (t.state.deck or t.state.last_round):
        t.play(events.LastRound(rule="OLT-6.1"))


def look(t: Table[State], cards: Iterable[Secret[CardId]]) -> None:
    """OLT-5.3: looks at cards that were drawn or received. A check doesn't know them, so the order ends there."""
    for card in cards:
        t.reveal(card)


def renew(t: Table[State]) -> None:
    """OLT-6.1: shuffles the discard into a new deck; if there is none, the first player's cargo and pirate pile."""
    if t.state.discard:
        order = t.shuffle(t.state.discard, "deck", rule="OLT-6.1")
        t.play(events.DeckLaid(rule="OLT-6.1", cards=face_down(order), source="discard"))
        return
    first = t.state.seats[0]
    scoring.settle(t, first)
    seat = t.state.players[first]
    order = t.shuffle([t.reveal(card) for card in (*seat.cargo, *seat.pirates)], "deck", rule="OLT-6.1")
    t.play(events.DeckLaid(rule="OLT-6.1", cards=face_down(order), source="piles", player=first))


def check_may_act(t: Table[State]) -> None:
    """OLT-1.1, OLT-3.1, OLT-4.1: requires that it is the player's turn,
    that the hand is within its limit, and that no card has been played yet."""
    t.require(t.state.turn_of == t.me and not t.state.between, "OLT-4.1", "turn-is-over")
    t.require(not t.state.in_play, "OLT-3.1", "already-played")
    count = t.state.excess()
    t.require(count == 0, "OLT-1.1", "discard-first", count=count)


def buy(t: Table[State]) -> None:
    """OLT-2.4: a player may buy up to 4 cards in a turn,
    from the deck or the top of the player's pirate pile, for 3 or 4 ducats each."""
    there = {"deck": t.state.cards_in_stock(), "pirates": len(t.state.players[t.me].pirates)}
    empty = {source: Reason("OLT-2.4", "none-to-buy") for source in there}
    source = t.pick("buy", OneOf([name for name, count in there.items() if count], but=empty), rule="OLT-2.4")
    left = Limit(PURCHASES - t.state.bought, "OLT-2.4", "bought-enough", {"purchases": PURCHASES})
    pile = Limit(there[source], "OLT-2.4", "pile-is-smaller")
    times = t.pick("times", Whole(1, [left, pile]), rule="OLT-2.4", default=1)
    check_may_act(t)
    for _ in range(times):
        pay_and_take(t, "pirates" if source == "pirates" else "deck")
    look(t, t.state.on_turn.hand)


def pay_and_take(t: Table[State], source: events.Source) -> None:
    """OLT-2.4: pays the price, which is worked out again for each card, and takes the card."""
    player, price = t.state.turn_of, price_now(t.state)
    rule = "OLT-8.6" if t.state.on_turn.active == "favourable-trade" else "OLT-2.4"
    t.play(events.Bought(rule=rule, player=player, source=source, price=price))
    if source == "deck":
        draw(t, "hand", rule="OLT-2.4", bought=True)
    else:
        card = t.state.on_turn.pirates[-1]
        t.play(events.Drew(rule="OLT-2.4", player=player, card=card, onto="hand", source=source, bought=True))


def price_now(state: State) -> int:
    """OLT-2.4, OLT-8.6: a card costs 3 ducats, or 4 while the player has 0 or less;
    with favourable trade 1, 2, 3, 4."""
    if state.on_turn.active == "favourable-trade":
        return FAVOURABLE[min(state.bought, len(FAVOURABLE) - 1)]
    return PRICE if state.on_turn.ducats > 0 else DEAR


def end_talk(t: Table[State]) -> None:
    """OLT-2.1: the talk is over. The voyage's orders follow in this sheet, and the table waits for no answer."""
    t.pick("then", OneOf(("sail",)), rule="OLT-2.1")
    check_may_act(t)
    t.require(not t.state.sailing, "OLT-2.1", "sailing-already")
    t.play(events.TalkEnded(rule="OLT-2.1", player=t.me))


UNPLAYED = Use("unplayed", times=0, keeps=1)
"""OLT-3.1: before cards are played."""
TALKING = (UNPLAYED, Use("talk", times=0, keeps=1))
"""OLT-2.1: as long as there is talk."""
BUY = {
    "buy": Verb(
        buy,
        {"buy": OneOf(("deck", "pirates")), "times": Whole(1)},
        # A check stops at the first card drawn, so it can't tell that a fifth purchase is refused.
        uses=(UNPLAYED, Use("purchases", "times", perhaps=True), Use("of {buy}", "times", perhaps=True)),
        subject=(),
        prices=lambda state, player: {"": price_now(state)} if state.turn_of == player else {},
    )
}
THEN = {
    "then": Verb(end_talk, {"then": OneOf(("sail",))}, uses=(*TALKING, Use("talk", ends=True)), subject=())
}
