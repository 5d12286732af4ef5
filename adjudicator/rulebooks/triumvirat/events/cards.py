"""Events of TRI-1 to TRI-3: decks, production, the leaders' words, Italy's cards and the trade."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.secret import Secret, less
from adjudicator.rulebooks.triumvirat.board import BOARD, TAX, Card, ProvinceId
from adjudicator.rulebooks.triumvirat.entries import Wish
from adjudicator.rulebooks.triumvirat.state import Done, Hand, State, drawn, with_seat


class DeckLaid(Event[State], frozen=True):
    """TRI-0.4, TRI-1.1, TRI-5.1: a deck is shuffled: at the start, or of what has been used."""

    deck: Literal["deck", "barbarian_deck"]
    cards: Hand
    again: bool = False

    def apply(self, state: State) -> State:
        if self.deck == "deck":
            return replace(state, deck=self.cards, used=())
        return replace(state, barbarian_deck=self.cards, barbarian_out=())


class TurnBegan(Event[State], frozen=True):
    """TRI-1.1: a turn begins."""


class CardTurned(Event[State], frozen=True):
    """TRI-1.1: a card of the deck: a senator goes on offer, an event works in this turn."""

    reveals: ClassVar[bool] = True
    card: str

    def apply(self, state: State) -> State:
        state = replace(state, deck=state.deck[1:])
        if self.card in BOARD.senators:
            return replace(state, on_offer=(*state.on_offer, self.card))
        return replace(state, events=(*state.events, self.card))


class Produced(Event[State], frozen=True):
    """TRI-2.1: the cards of a player's provinces, taken before everybody's eyes; `extra` by a senator's power."""

    player: Player
    cards: tuple[Card, ...]
    short: tuple[Card, ...] = ()
    extra: Card = ""

    def apply(self, state: State) -> State:
        return drawn(state, self.player, (*self.cards, *((self.extra,) if self.extra else ())))


class OrderNamed(Event[State], frozen=True):
    """TRI-2.3, TRI-4.1, TRI-5.3, TRI-6.1: the order in which a phase is played, named by a leader."""

    reveals: ClassVar[bool] = True
    player: Player
    order: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, order=self.order)


class NumberNamed(Event[State], frozen=True):
    """TRI-3.1: how many cards each puts out, named by the trade leader."""

    reveals: ClassVar[bool] = True
    player: Player
    count: int

    def apply(self, state: State) -> State:
        return replace(state, number=self.count)


class Wished(Event[State], frozen=True):
    """TRI-2.3, TRI-3.2: a list of wishes, closed until the chain of taking."""

    player: Player
    wishes: Secret[tuple[Wish, ...]]

    def apply(self, state: State) -> State:
        return replace(state, wishes={**state.wishes, self.player: self.wishes})


class Picked(Event[State], frozen=True):
    """TRI-2.3: a card of Italy's production; `wish` is which of the player's wishes it is, 0 if none."""

    player: Player
    province: ProvinceId
    site: str
    card: Card
    wish: Secret[int]

    def apply(self, state: State) -> State:
        return drawn(state, self.player, (self.card,))


class PutOut(Event[State], frozen=True):
    """TRI-3.1: cards put out face down, `kept` of them taxes that lay face up."""

    player: Player
    cards: Hand
    kept: int = 0

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        of_hand = self.cards[: len(self.cards) - self.kept]
        known = [card.value for card in of_hand if card.known]
        cards = less(seat.cards, known) if len(known) == len(of_hand) else seat.cards[len(of_hand) :]
        state = with_seat(state, self.player, cards=cards, taxes=seat.taxes - self.kept)
        return replace(state, offers={**state.offers, self.player: self.cards})


class Shown(Event[State], frozen=True):
    """TRI-3.1: what a player has put out."""

    reveals: ClassVar[bool] = True
    player: Player
    cards: tuple[Card, ...]

    def apply(self, state: State) -> State:
        return replace(
            state, offers={**state.offers, self.player: tuple(Secret(card) for card in self.cards)}
        )


class Taken(Event[State], frozen=True):
    """TRI-3.2: a card taken in the trade: of those put out, or (`hand`) of what the leader owns."""

    reveals: ClassVar[bool] = True
    player: Player
    source: Player
    card: Card
    hand: bool = False

    def apply(self, state: State) -> State:
        if not self.hand:
            left = less(state.offers[self.source], [self.card])
            return drawn(
                replace(state, offers={**state.offers, self.source: left}), self.player, (self.card,)
            )
        seat = state.players[self.source]
        if self.card == TAX and seat.taxes:
            state = with_seat(state, self.source, taxes=seat.taxes - 1)
        else:
            state = with_seat(state, self.source, cards=less(seat.cards, [self.card]))
        return drawn(state, self.player, (self.card,))


class TradeClosed(Event[State], frozen=True):
    """A phase of cards is over: what the leader named, wishes and offers are put away.

    A number of cards that was named before Italy's were shared out is that of the trade, which follows.
    """

    def apply(self, state: State) -> State:
        number = state.number if state.phase.name == "italy" else None
        return replace(state, wishes={}, offers={}, order=(), number=number, done=Done())
