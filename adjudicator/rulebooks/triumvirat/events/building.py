"""Events of TRI-0 and TRI-4: what is paid, built, recruited and bought, and the cards put away afterwards."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, Literal

from msgspec.structs import replace

from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.secret import less
from adjudicator.rulebooks.triumvirat.board import BOARD, TAX, Card, ProvinceId, Resource, Senator
from adjudicator.rulebooks.triumvirat.state import (
    State,
    Troops,
    drawn,
    with_done,
    with_province,
    with_seat,
    with_units,
)


class StartPlaced(Event[State], frozen=True):
    """TRI-0.2: a player's pieces of the start."""

    player: Player

    def apply(self, state: State) -> State:
        for name, found in BOARD.starts[self.player].pieces.items():
            state = with_province(
                state,
                name,
                owner=self.player,
                caravans=found.caravans,
                city=bool(found.city),
                temple=bool(found.temple),
                legions=found.legions,
            )
        return state


class Paid(Event[State], frozen=True):
    """Cards and taxes go to the box; of the taxes those kept first, then those in hand."""

    reveals: ClassVar[bool] = True
    player: Player
    cards: tuple[Card, ...] = ()
    taxes: int = 0

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        kept = min(seat.taxes, self.taxes)
        gone = (*self.cards, *(TAX,) * (self.taxes - kept))
        state = with_seat(state, self.player, cards=less(seat.cards, gone), taxes=seat.taxes - kept)
        return _won_less(state, self.player, gone)


def _won_less(state: State, player: Player, gone: tuple[Card, ...]) -> State:
    """Cards won in Italy that are spent in the same turn aren't there to be kept."""
    won = state.won.get(player, ())
    if not won:
        return state
    hand = state.players[player].cards
    held = Counter(card.value for card in hand if card.known) if all(card.known for card in hand) else None
    left = list(won)
    for card in gone:
        if card in left and (held is None or left.count(card) > held[card]):
            left.remove(card)
    return replace(state, won={**state.won, player: tuple(left)})


class InfluencePlaced(Event[State], frozen=True):
    """TRI-4.2: a province comes under a player's influence; own units there stay."""

    player: Player
    province: ProvinceId

    def apply(self, state: State) -> State:
        troops = dict(state.provinces[self.province].troops)
        own = troops.pop(self.player, Troops())
        since = 0 if state.phase.name == "start" else state.phase.turn
        state = with_province(state, self.province, owner=self.player, since=since, troops=troops)
        return with_units(state, self.province, self.player, own)


class Built(Event[State], frozen=True):
    """TRI-4.3: a city, a caravan, a market in a caravan's place, or a temple."""

    player: Player
    what: Literal["city", "caravan", "market", "temple"]
    province: ProvinceId
    on: Resource = ""

    def apply(self, state: State) -> State:
        here = state.provinces[self.province]
        match self.what:
            case "city":
                return with_province(state, self.province, city=True)
            case "temple":
                return with_province(state, self.province, temple=True)
            case "caravan":
                return with_province(state, self.province, caravans=(*here.caravans, self.on))
        caravans = tuple(each for each in here.caravans if each != self.on)
        return with_province(state, self.province, caravans=caravans, markets=(*here.markets, self.on))


class Recruited(Event[State], frozen=True):
    """TRI-4.3: new legions."""

    player: Player
    province: ProvinceId
    legions: int

    def apply(self, state: State) -> State:
        return with_units(state, self.province, self.player, Troops(self.legions))


class SenatorBought(Event[State], frozen=True):
    """TRI-4.4: a senator comes to a player's side."""

    player: Player
    senator: Senator

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        state = with_seat(state, self.player, senators=(*seat.senators, self.senator))
        on_offer = tuple(each for each in state.on_offer if each != self.senator)
        bought = {**state.bought, self.player: state.bought.get(self.player, 0) + 1}
        return replace(state, on_offer=on_offer, bought=bought)


class Swapped(Event[State], frozen=True):
    """TRI-10.3: a card exchanged with the bank by a senator's power."""

    reveals: ClassVar[bool] = True
    player: Player
    senator: Senator
    gives: Card
    gets: Card

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        if self.gives == TAX and seat.taxes:
            state = with_seat(state, self.player, taxes=seat.taxes - 1)
        else:
            state = with_seat(state, self.player, cards=less(seat.cards, [self.gives]))
        return drawn(state, self.player, (self.gets,))


class Used(Event[State], frozen=True):
    """TRI-10: a senator's power of once a turn is used."""

    player: Player
    senator: Senator

    def apply(self, state: State) -> State:
        return with_done(state, used=(*state.done.used, BOARD.senators[self.senator].power))


class Discarded(Event[State], frozen=True):
    """TRI-4.5, TRI-8.2: cards are put away before everybody's eyes; what a senator keeps stays in the hand."""

    reveals: ClassVar[bool] = True
    player: Player
    cards: tuple[Card, ...]
    taxes: int = 0

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        return with_seat(
            state, self.player, cards=less(seat.cards, self.cards), taxes=seat.taxes - self.taxes
        )


class TaxesKept(Event[State], frozen=True):
    """TRI-4.5: taxes of the hand are kept, face up."""

    reveals: ClassVar[bool] = True
    player: Player
    count: int

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        cards = less(seat.cards, (TAX,) * self.count)
        return with_seat(state, self.player, cards=cards, taxes=seat.taxes + self.count)
