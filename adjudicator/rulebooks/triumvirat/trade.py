"""TRI-3 Trade: cards put out face down, shown, and taken by turns, by lists of wishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from adjudicator.engine.table.domain import Many, OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.triumvirat.board import CARDS, TAX, Card, in_order
from adjudicator.rulebooks.triumvirat.entries import Wish
from adjudicator.rulebooks.triumvirat.events.cards import PutOut, Shown, Taken, TradeClosed
from adjudicator.rulebooks.triumvirat.leading import number
from adjudicator.rulebooks.triumvirat.production import WANT, wishes_of
from adjudicator.rulebooks.triumvirat.standing import CARD
from adjudicator.rulebooks.triumvirat.state import State, hand_of, holding


def traders(state: State) -> Sequence[Player]:
    """TRI-3.1: all with at least N cards, kept taxes among them; nobody if N is 0, or if there is but one."""
    count = number(state)
    found = tuple(
        player
        for player in state.seats
        if len(state.players[player].cards) + state.players[player].taxes >= count
    )
    return found if count and len(found) > 1 and not state.result.by else ()


def offer(t: Table[State]) -> None:
    """TRI-3.1: exactly N cards, resources or taxes, of the own hand or kept."""
    count, held = number(t.state), holding(t.state, t.me)
    t.require(t.me not in t.state.offers, "TRI-3.1", "offered-already")
    kinds = OneOf([card for card in CARDS if held[card]])
    named = t.pick("offer", Many(kinds, least=count, most=count), rule="TRI-3.1")
    cards = Counter(named)
    for card, wanted in cards.items():
        t.require(wanted <= held[card], "TRI-3.1", "not-so-many", field="offer", value=card, most=held[card])
    put_out(t, t.me, cards)


def put_out(t: Table[State], player: Player, cards: Counter[Card]) -> None:
    """TRI-3.1: cards lie face down; of the taxes those of the hand first."""
    kept = max(0, cards[TAX] - hand_of(t.state, player)[TAX])
    hand = tuple(Secret(card) for card in in_order(cards))
    t.play(PutOut(rule="TRI-3.1", to=(player,), player=player, cards=hand, kept=kept))


def trade(t: Table[State]) -> None:
    """TRI-3.1, TRI-3.2: who sent no cards puts out some by lot; all are shown; then they are taken."""
    players = sorted({*traders(t.state), *t.state.offers}, key=t.state.seats.index)
    for player in players:
        if player not in t.state.offers:
            cards = in_order(holding(t.state, player))
            drawn = t.shuffle(cards, "offer", player, rule="TRI-3.1")[: number(t.state)]
            put_out(t, player, Counter(drawn))
    for player in players:
        cards = tuple(t.reveal(card) for card in t.state.offers[player])
        t.play(Shown(rule="TRI-3.1", player=player, cards=cards))
    if players:
        chain(t, players)
    t.play(TradeClosed(rule="TRI-3.2"))


def chain(t: Table[State], players: Sequence[Player]) -> None:
    """TRI-3.2: the leader takes the first card; whose card was taken takes next; until all are taken.

    Ruling: a leader who sits out is stood in for by the next player who takes part.
    """
    seats = t.state.seats
    at = seats.index(t.state.titles["trade"])
    first = next(player for player in (*seats[at:], *seats[:at]) if player in players)
    struck: dict[Player, set[int]] = {player: set() for player in players}
    chooser = first
    while left := {player: lying(t, player) for player in players if t.state.offers[player]}:
        source, card = choice(t, chooser, left, struck[chooser])
        t.play(Taken(rule="TRI-3.2", player=chooser, source=source, card=card))
        chooser = source
    if chooser != first:
        compensate(t, chooser, first)


def lying(t: Table[State], player: Player) -> Counter[Card]:
    """What a player has put out and nobody has taken yet."""
    return Counter(t.reveal(card) for card in t.state.offers[player])


def choice(
    t: Table[State], chooser: Player, left: dict[Player, Counter[Card]], struck: set[int]
) -> tuple[Player, Card]:
    """TRI-3.2: the first wish that can be met, which is struck off; else the board's order.

    Who sees only own cards left takes one back.
    """
    others = {player: cards for player, cards in left.items() if player != chooser} or left
    wishes: Sequence[Wish] = wishes_of(t, chooser)
    for index, wish in enumerate((*wishes, *(Wish(card) for card in CARDS))):
        sources = [player for player in others if wish.of in ("", player) and others[player][wish.card]]
        if index not in struck and sources:
            if index < len(wishes):
                struck.add(index)
            return sources[0], wish.card
    raise AssertionError("there is a card left")


def compensate(t: Table[State], short: Player, leader: Player) -> None:
    """TRI-3.2: who would end one short gets a card of the leader's: the lowest of the leader's own wishes, else the
    last in the board's order."""
    held = Counter(t.reveal(card) for card in t.state.players[leader].cards)
    held[TAX] += t.state.players[leader].taxes
    wished = [wish.card for wish in wishes_of(t, leader) if held[wish.card]]
    card = wished[-1] if wished else in_order(held)[-1]
    t.play(Taken(rule="TRI-3.2", player=short, source=leader, card=card, hand=True))


VERBS = {**WANT, "offer": Verb(offer, {"offer": Many(CARD)})}
