"""The events of the game."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.table.event import ENGINE_EVENTS, Event, Player
from adjudicator.engine.table.points import Scored, Won
from adjudicator.engine.table.secret import Secret, without_secrets

from .state import Cart, State


class Dealt(Event[State], frozen=True):
    """CAR-0.2: a player's cards."""

    player: Player
    cards: tuple[Secret[str], ...]

    def apply(self, state: State) -> State:
        seat = replace(state.players[self.player], hand=self.cards)
        return replace(state, players={**state.players, self.player: seat})


class Laid(Event[State], frozen=True):
    """CAR-1.1: a card, face down."""

    player: Player
    card: Secret[str]

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        seat = replace(seat, hand=without_secrets(seat.hand, [self.card]))
        laid = {**state.laid, self.player: self.card}
        return replace(state, players={**state.players, self.player: seat}, laid=laid)


class Shown(Event[State], frozen=True):
    """CAR-1.2: the card is turned up, and earns coins."""

    reveals = True
    player: Player
    card: str
    coins: int

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        laid = {player: card for player, card in state.laid.items() if player != self.player}
        players = {**state.players, self.player: replace(seat, coins=seat.coins + self.coins)}
        return replace(state, players=players, laid=laid, gone=(*state.gone, self.card))


class Weather(Event[State], frozen=True):
    """CAR-2.1: how many roads a cart goes."""

    roads: int

    def apply(self, state: State) -> State:
        return replace(state, roads=self.roads, driven=())


class Drove(Event[State], frozen=True):
    """CAR-2.2: a cart comes to a town."""

    player: Player
    cart: str
    town: str

    def apply(self, state: State) -> State:
        carts = {**state.carts, self.cart: Cart(self.player, self.town)}
        return replace(
            state, carts=carts, driven=(*(cart for cart in state.driven if cart != self.cart), self.cart)
        )


class Asked(Event[State], frozen=True):
    """CAR-2.3: leave to enter, given or not."""

    player: Player
    asked: Player
    town: str
    given: bool


class Earned(Event[State], frozen=True):
    """CAR-2.4: the first in a town."""

    player: Player
    town: str
    coins: int

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        players = {**state.players, self.player: replace(seat, coins=seat.coins + self.coins)}
        return replace(state, players=players, paid=(*state.paid, self.town))


EVENTS = (*ENGINE_EVENTS, Dealt, Laid, Shown, Weather, Drove, Asked, Earned, Scored, Won)
