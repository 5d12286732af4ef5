"""TRI-3 Trade: cards put out face down, shown, and taken by turns, by lists of wishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from adjudicator.engine.table import Player, Table, Verb, clockwise, face_down
from adjudicator.engine.table.domain import Limit, Many, only
from adjudicator.rulebooks.triumvirat import board, events, production, standing
from adjudicator.rulebooks.triumvirat.state import State


def traders(state: State) -> Sequence[Player]:
    """TRI-3.1: all with at least N cards, kept taxes and the cards put out among them; nobody if N is 0."""
    # Ruling: one alone would only take back the own cards, so there is no trade then and no card is shown.
    count = standing.number(state)
    found = [player for player in state.seats if in_all(state, player) >= count]
    return found if count and len(found) > 1 else ()


def in_all(state: State, player: Player) -> int:
    """TRI-3.1: how many cards a player has, those that are put out already among them."""
    return state.cards_of(player) + len(state.offers.get(player, ()))


def offer(t: Table[State]) -> None:
    """TRI-3.1: exactly N cards, resources or taxes, of the own hand or kept."""
    count, held = standing.number(t.state), t.state.holding(t.me)
    t.require(t.me not in t.state.offers, "TRI-3.1", "offered-already")
    mine = [card for card in board.CARDS if held[card]]
    kinds = only(mine, board.CARDS, "TRI-3.1", "not-in-hand")
    limits = {card: Limit(held[card], "TRI-3.1", "not-so-many") for card in mine}
    cards = t.pick("offer", Many(kinds, least=count, most=count, limits=limits), rule="TRI-3.1")
    put_out(t, t.me, Counter(cards))


def put_out(t: Table[State], player: Player, cards: Counter[board.Card]) -> None:
    """TRI-3.1: cards lie face down; of the taxes those of the hand first."""
    kept = max(0, cards[board.TAX] - t.state.hand_of(player)[board.TAX])
    t.play(events.PutOut(player, face_down(board.in_order(cards)), kept, rule="TRI-3.1", to=(player,)))


def trade(t: Table[State]) -> None:
    """TRI-3.1, TRI-3.2: who sent no cards puts out some by lot; all are shown; then they are taken."""
    players = traders(t.state)
    for player in players:
        if player not in t.state.offers:
            lot = t.shuffle(board.in_order(t.state.holding(player)), "offer", player, rule="TRI-3.1")
            put_out(t, player, Counter(lot[: standing.number(t.state)]))
    for player in players:
        t.play(events.Shown(player, tuple(map(t.reveal, t.state.offers[player])), rule="TRI-3.1"))
    if players:
        chain(t, players)


def chain(t: Table[State], players: Sequence[Player]) -> None:
    """TRI-3.2: the leader takes the first card; whose card was taken takes next; until all are taken. Who sees only own
    cards left takes one back.

    Ruling: a leader who sits out is stood in for by the next player who takes part.
    """
    wishes = {player: production.wishes_of(t, player) for player in players}
    around = clockwise(t.state.seats, t.state.titles["trade"])
    chooser = first = next(player for player in around if player in players)
    while any(t.state.offers.values()):
        left = {player: Counter(map(t.reveal, t.state.offers[player])) for player in players}
        others = {player: cards for player, cards in left.items() if cards and player != chooser}
        _, source, card = production.chosen(wishes[chooser], others or left)
        t.play(events.Taken(rule="TRI-3.2", player=chooser, source=source, card=card))
        chooser = source
    if chooser != first:
        compensate(t, chooser, first)


def compensate(t: Table[State], short: Player, leader: Player) -> None:
    """TRI-3.2: who would end one short gets a card of the leader's: the lowest of the leader's own wishes, which go on
    in the board's order with all that they don't name (Ruling)."""
    seat = t.state.players[leader]
    held = Counter(map(t.reveal, seat.cards)) + Counter({board.TAX: seat.taxes})
    named = [wish.card for _, wish in production.wishes_of(t, leader)]
    wished = [*named, *(card for card in board.CARDS if card not in named)]
    card = next(card for card in reversed(wished) if held[card])
    t.play(events.Taken(rule="TRI-3.2", player=short, source=leader, card=card, hand=True))


VERBS = {**production.WANT, "offer": Verb(offer, {"offer": Many(standing.CARD)})}
