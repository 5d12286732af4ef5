"""Events of cards (TRI-1 to 4), and of what leaders name: dealt, put out, taken, paid, put away."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from adjudicator.engine.table import Deed, Event, Player, Secret, changed, face_down, less, without
from adjudicator.rulebooks.triumvirat.board import BOARD, TAX, Card, Senator
from adjudicator.rulebooks.triumvirat.pieces import Done, Hand
from adjudicator.rulebooks.triumvirat.standing import Wish
from adjudicator.rulebooks.triumvirat.state import State


class Baring(Deed[State], frozen=True):
    """An event of a player that makes something secret public."""

    reveals: ClassVar[bool] = True


class DeckLaid(Event[State], frozen=True):
    """TRI-0.4, TRI-1.1, TRI-5.1: a deck is shuffled: at the start, or of what has been used."""

    deck: Literal["deck", "barbarian_deck"]
    cards: Hand
    again: bool = False

    def apply(self, state: State) -> State:
        used = {"deck": "used", "barbarian_deck": "barbarian_out"}[self.deck]
        return replace(state, **{self.deck: self.cards, used: ()})


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


class Produced(Deed[State], frozen=True):
    """TRI-2.1: the cards of a player's provinces, taken before everybody's eyes; `extra` by a senator's power."""

    cards: tuple[Card, ...]
    short: tuple[Card, ...] = ()
    extra: Card = ""

    def apply(self, state: State) -> State:
        return state.drawn(self.player, (*self.cards, *((self.extra,) if self.extra else ())))


class OrderNamed(Baring, frozen=True):
    """TRI-2.3, TRI-4.1, TRI-5.3, TRI-6.1: the order in which a phase is played, named by a leader."""

    order: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, order=self.order)


class Wished(Deed[State], frozen=True):
    """TRI-2.3, TRI-3.2: a list of wishes, closed until the chain of taking."""

    wishes: Secret[tuple[Wish, ...]]

    def apply(self, state: State) -> State:
        return replace(state, wishes={**state.wishes, self.player: self.wishes})


class Picked(Deed[State], frozen=True):
    """TRI-2.3: a card of Italy's production; `wish` is which of the player's wishes it is, 0 if none."""

    province: str
    site: str
    card: Card
    wish: Secret[int]

    def apply(self, state: State) -> State:
        return state.drawn(self.player, (self.card,))


# -- the trade -------------------------------------------------------------------------------------------------------


class NumberNamed(Baring, frozen=True):
    """TRI-3.1: how many cards each puts out, named by the trade leader."""

    count: int

    def apply(self, state: State) -> State:
        return replace(state, number=self.count)


class PutOut(Deed[State], frozen=True):
    """TRI-3.1: cards put out face down, `kept` of them taxes that lay face up."""

    cards: Hand
    kept: int = 0

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        hand = without(seat.cards, self.cards[: len(self.cards) - self.kept])
        state = changed(state, "players", self.player, cards=hand, taxes=seat.taxes - self.kept)
        return replace(state, offers={**state.offers, self.player: self.cards})


class Shown(Baring, frozen=True):
    """TRI-3.1: what a player has put out."""

    cards: tuple[Card, ...]

    def apply(self, state: State) -> State:
        return replace(state, offers={**state.offers, self.player: face_down(self.cards)})


class Taken(Baring, frozen=True):
    """TRI-3.2: a card taken in the trade: of those put out, or (`hand`) of what the leader owns."""

    source: Player
    card: Card
    hand: bool = False

    def apply(self, state: State) -> State:
        if self.hand:
            return state.given(self.source, [self.card]).drawn(self.player, [self.card])
        left = less(state.offers[self.source], [self.card])
        return replace(state, offers={**state.offers, self.source: left}).drawn(self.player, [self.card])


class PhaseDone(Event[State], frozen=True):
    """A phase is over: what the leader named, wishes, offers and all that was done in it are put away.

    A number of cards that was named before Italy's were shared out is that of the trade, which follows.
    """

    def apply(self, state: State) -> State:
        number = state.number if state.phase.name == "italy" else None
        return replace(state, wishes={}, offers={}, order=(), number=number, done=Done())


# -- paid and put away -----------------------------------------------------------------------------------------------


class Paid(Baring, frozen=True):
    """Cards and taxes go to the box; of the taxes those kept first, then those in hand."""

    cards: tuple[Card, ...] = ()
    taxes: int = 0

    def apply(self, state: State) -> State:
        return state.given(self.player, (*self.cards, *(TAX,) * self.taxes))


class SenatorBought(Deed[State], frozen=True):
    """TRI-4.4: a senator comes to a player's side."""

    senator: Senator

    def apply(self, state: State) -> State:
        senators = (*state.players[self.player].senators, self.senator)
        on_offer = tuple(each for each in state.on_offer if each != self.senator)
        bought = {**state.bought, self.player: state.bought.get(self.player, 0) + 1}
        state = replace(state, on_offer=on_offer, bought=bought)
        return changed(state, "players", self.player, senators=senators)


class Swapped(Baring, frozen=True):
    """TRI-10.3: a card exchanged with the bank by a senator's power."""

    senator: Senator
    gives: Card
    gets: Card

    def apply(self, state: State) -> State:
        return state.given(self.player, [self.gives]).drawn(self.player, [self.gets])


class Used(Deed[State], frozen=True):
    """TRI-10: a senator's power of once a turn is used."""

    senator: Senator

    def apply(self, state: State) -> State:
        return state.noted(used=(*state.done.used, BOARD.senators[self.senator].power))


class PutAway(Baring, frozen=True):
    """TRI-4.5, TRI-8.2: cards of the hand, and of the kept `taxes`, go before everybody's eyes; so many taxes of the
    hand are `kept`, face up. What a senator keeps stays in the hand."""

    cards: tuple[Card, ...] = ()
    taxes: int = 0
    kept: int = 0

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        left = less(seat.cards, (*self.cards, *(TAX,) * self.kept))
        face_up = seat.taxes + self.kept - self.taxes
        return changed(state, "players", self.player, cards=left, taxes=face_up)
