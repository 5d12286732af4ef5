"""TRI-3 Trade: players lay cards out face down, show them, and take them in turn, by lists of wishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from adjudicator.engine.table import Player, Table, Use, Verb, clockwise, face_down, once, warn_of_player
from adjudicator.engine.table.domain import Limit, Many, only
from adjudicator.rulebooks.triumvirat import board, events, production, standing
from adjudicator.rulebooks.triumvirat.state import State


def traders(state: State) -> Sequence[Player]:
    """TRI-3.1: all players with at least N cards, counting kept taxes and the cards laid out; nobody if N is 0."""
    # Ruling: a single player would only take back the same cards, so there is no trade and no card is shown.
    count = standing.number(state)
    held = {player: state.cards_of(player) + len(state.offers.get(player, ())) for player in state.seats}
    found = [player for player in state.seats if held[player] >= count]
    return found if count and len(found) > 1 else ()


def partners(state: State, me: Player) -> Sequence[Player]:
    """TRI-3.1: the other players who take part; all others while that isn't known."""
    # A check that looks ahead asks one player alone; an open trade asks two at least.
    among = state.phase.due if state.phase.name == "trade" and len(state.phase.due) > 1 else state.seats
    return [player for player in among if player != me]


def offer(t: Table[State]) -> None:
    """TRI-3.1: a player lays out exactly N cards, resources or taxes, of the hand or kept."""
    count, held = standing.number(t.state), t.state.holding(t.me)
    t.require(t.me not in t.state.offers, "TRI-3.1", "offered-already")
    mine = [card for card in board.CARDS if card in held]
    kinds = only(mine, board.CARDS, "TRI-3.1", "not-in-hand")
    limits = {card: Limit(held[card], "TRI-3.1", "not-so-many") for card in mine}
    cards = t.pick("offer", Many(kinds, least=count, most=count, limits=limits), rule="TRI-3.1")
    put_out(t, t.me, Counter(cards))


def want(t: Table[State]) -> None:
    """TRI-3.2: a player wishes for cards in order of preference, of certain players or of any; wishes for cards of
    players who lay none out are skipped."""
    others = partners(t.state, t.me)
    listed = t.pick("want", production.wishes_among(board.CARDS, others), rule="TRI-3.2")
    for index, wish in enumerate(listed):
        for card, of in wish.items() if not isinstance(wish, str) else ():
            warn_of_player(t, of, "want", index, card, state=t.state, me=t.me, rule="TRI-3.2")
            if of in t.state.seats and of not in (t.me, *others):
                t.warn("TRI-3.1", "sits-out", "want", index, card, value=of, count=standing.number(t.state))
    production.make_wishes(t, listed)


def put_out(t: Table[State], player: Player, cards: Counter[board.Card]) -> None:
    """TRI-3.1: lays cards face down; of the taxes first those of the hand."""
    kept = max(0, cards[board.TAX] - t.state.hand_of(player)[board.TAX])
    t.play(events.PutOut(player, face_down(board.in_order(cards)), kept, rule="TRI-3.1", to=(player,)))


def trade(t: Table[State]) -> None:
    """TRI-3.1, TRI-3.2: for players who sent no cards some are drawn by lot; all are shown; then they are taken."""
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
    """TRI-3.2: the leader takes the first card; the player whose card was taken takes the next; until all are taken. A
    player for whom only his or her own cards are left takes one back.

    **Ruling**: for a leader who sits out the next player who takes part stands in.
    """
    wishes = {player: production.wishes_of(t, player) for player in players}
    around = clockwise(t.state.seats, t.state.titles["trade"])
    chooser = first = next(player for player in around if player in players)
    left = {player: Counter(map(t.reveal, t.state.offers[player])) for player in players}
    while left := {player: cards for player, cards in left.items() if cards}:
        others = {player: cards for player, cards in left.items() if player != chooser}
        _, source, card = production.wish_met(wishes[chooser], others or left)
        t.play(events.Taken(rule="TRI-3.2", player=chooser, source=source, card=card))
        left[source] -= Counter((card,))
        chooser = source
    if chooser != first:
        compensate(t, chooser, first)


def compensate(t: Table[State], short: Player, leader: Player) -> None:
    """TRI-3.2: a player who would end one short gets a card of the leader's: the lowest of the leader's own wishes,
    in which a kind
    ranks by its first mention, and which go on in the board's order with all that they don't name (Ruling)."""
    seat = t.state.players[leader]
    held = Counter(map(t.reveal, seat.cards)) + Counter({board.TAX: seat.taxes})
    named = [wish.card for _, wish in production.wishes_of(t, leader)]
    named = named if t.state.rules < 3 else [*dict.fromkeys(named)]
    wished = [*named, *(card for card in board.CARDS if card not in named)]
    card = next(card for card in reversed(wished) if held[card])
    t.play(events.Taken(rule="TRI-3.2", player=short, source=leader, card=card, hand=True))


VERBS = {
    "want": production.wanting(want),
    "offer": Verb(
        offer,
        {"offer": Many(standing.CARD)},
        uses=(once("offer", "TRI-3.1", "offered-already", decide=True), Use("hand {each}", "offer")),
        subject=(),
    ),
}
