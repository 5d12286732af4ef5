"""What happens in a match: small events, each of which changes the position or tells the players something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.table import (
    Deed,
    Event,
    Player,
    Secret,
    changed,
    face_down,
    hand_without,
    removed,
    without_secrets,
)
from adjudicator.rulebooks.oltremare.board import CardId, GoodId, Lot, Marker, PortId, has_unknown_card
from adjudicator.rulebooks.oltremare.state import Hand, Offer, Seat, State

Source = Literal["deck", "pirates"]
Onto = Literal["hand", "pirates"]
Where = Literal["hand", "pirates", "deck"]
What = Literal["symbols", "calm-sea", "local-influence", "prestige", "markers", "pirates"]


def paid(state: State, player: Player, ducats: int) -> State:
    """The position after a player has got this many ducats, or paid them if the number is below 0."""
    return changed(state, "players", player, ducats=state.players[player].ducats + ducats)


def with_names(seat: Seat, word: str, cards: Sequence[Secret[CardId]]) -> Mapping[str, Secret[CardId]]:
    """The names that cards have in the rest of a sheet, with names for some new cards: `drawn-1`, `drawn-2`."""
    count = sum(name.startswith(f"{word}-") for name in seat.fresh)
    return {**seat.fresh, **{f"{word}-{count + at}": card for at, card in enumerate(cards, start=1)}}


# -- set-up ----------------------------------------------------------------------------------------------------------


class SeatsTaken(Event[State], frozen=True):
    """OLT-0.5: the seats, clockwise from the first player."""

    seats: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, seats=self.seats, turn_of=self.seats[0])


class MarkersLaid(Event[State], frozen=True):
    """OLT-0.3: a bonus marker is laid on each port."""

    markers: Mapping[PortId, Marker]

    def apply(self, state: State) -> State:
        return replace(state, markers=self.markers)


class TurnedUp(Deed[State], frozen=True):
    """OLT-0.4: cards are turned up until one names a port.
    That card is the first of the cargo, and the ship starts there."""

    cards: tuple[CardId, ...]
    port: PortId

    def apply(self, state: State) -> State:
        cargo = face_down(self.cards[-1:])
        state = replace(removed(state, "markers", self.port), deck=without_secrets(state.deck, cargo))
        return changed(state, "players", self.player, cargo=cargo, ship=self.port)


class DeckLaid(Event[State], frozen=True):
    """OLT-0.4, OLT-6.1: a deck of shuffled cards: those left at the set-up, the discard, or a player's piles."""

    cards: Hand
    source: Literal["start", "discard", "piles"]
    player: Player = ""

    def apply(self, state: State) -> State:
        if self.source == "discard":
            state = replace(state, discard=())
        elif self.source == "piles":
            state = changed(state, "players", self.player, cargo=(), pirates=())
        return replace(state, deck=self.cards)


class Dealt(Deed[State], frozen=True):
    """OLT-0.4: the first hand."""

    cards: Hand

    def apply(self, state: State) -> State:
        state = replace(state, deck=state.deck[len(self.cards) :])
        return changed(state, "players", self.player, hand=self.cards)


# -- a turn ----------------------------------------------------------------------------------------------------------


class TurnBegan(Deed[State], frozen=True):
    """OLT-0.5: a player's turn begins."""

    def apply(self, state: State) -> State:
        turns = {**state.turns, self.player: state.turns.get(self.player, 0) + 1}
        return replace(state, turns=turns, between=False)


class Paid(Deed[State], frozen=True):
    """A player gets ducats from the bank, or pays them to it if they are below 0, and for what;
    `count` is how many of that."""

    ducats: int
    what: What
    count: int

    def apply(self, state: State) -> State:
        return paid(state, self.player, self.ducats)


class RulePlays(Deed[State], frozen=True):
    """OLT-1.1, OLT-3.1: the rule for a missing sheet plays for a player, or a program does (`absent: bot`): all that is
    left of the turn, or only what the sheet has left out."""

    what: Literal["all", "program", "discard", "play"]


class LimitKept(Event[State], frozen=True):
    """OLT-1.1: the hand is within its limit."""

    def apply(self, state: State) -> State:
        return replace(state, limited=True)


class Discarded(Deed[State], frozen=True):
    """OLT-1.1: the cards in excess go face down on the player's pirate pile, the last one on top."""

    cards: Hand

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        hand, pirates = without_secrets(seat.hand, self.cards), (*seat.pirates, *self.cards)
        return replace(changed(state, "players", self.player, hand=hand, pirates=pirates), limited=True)


# -- commerce --------------------------------------------------------------------------------------------------------


class Offered(Event[State], frozen=True):
    """OLT-2.1: an offer is made by an order, or by standing instructions."""

    name: str
    player: Player
    offer: Offer

    def apply(self, state: State) -> State:
        new = (each for each in state.asked_by(self.offer.to) if each not in (*state.asked, state.turn_of))
        offered = {**state.offered, self.player: state.next_offer(self.player)}
        offers = {**state.offers, self.name: self.offer}
        return replace(state, offers=offers, offered=offered, asked=(*state.asked, *new))


class OfferRefused(Event[State], frozen=True):
    """OLT-2.1: an offer is refused; an offer to all stays open as long as somebody may accept it."""

    name: str
    player: Player
    maker: Player

    def apply(self, state: State) -> State:
        offer = state.offers[self.name]
        refused = (*offer.refused, self.player)
        if set(state.asked_by(offer.to)) <= set(refused):
            return removed(state, "offers", self.name)
        return changed(state, "offers", self.name, refused=refused)


class OfferVoid(Event[State], frozen=True):
    """OLT-2.1: an offer is accepted whose cards are gone: nothing happens, and only the two players are told."""

    name: str
    player: Player
    maker: Player


class Side(Struct, frozen=True):
    """What one side of an exchange gives: only the two see the cards, everybody sees goods and ducats."""

    cards: Hand = ()
    goods: Mapping[GoodId, int] = {}
    ducats: int = 0


class Exchanged(Event[State], frozen=True):
    """OLT-2.1: an offer is accepted: `player` gives what was offered, `other` what was asked."""

    name: str
    player: Player
    other: Player
    gives: Side
    gets: Side

    def apply(self, state: State) -> State:
        state = removed(state, "offers", self.name)
        sides = ((self.player, self.other, self.gives), (self.other, self.player, self.gets))
        for giver, taker, side in sides:
            hand = without_secrets(state.players[giver].hand, side.cards)
            state = changed(paid(state, giver, -side.ducats), "players", giver, hand=hand)
            seat = state.players[taker]
            hand, fresh = (*seat.hand, *side.cards), with_names(seat, "got", side.cards)
            state = changed(paid(state, taker, side.ducats), "players", taker, hand=hand, fresh=fresh)
        return state


class TileTaken(Deed[State], frozen=True):
    """OLT-2.3: a prestige tile for the first exchange with the active player in a turn."""

    def apply(self, state: State) -> State:
        state = replace(state, exchanged=(*state.exchanged, self.player))
        return changed(state, "players", self.player, prestige=state.players[self.player].prestige + 1)


class Bought(Deed[State], frozen=True):
    """OLT-2.4: a player pays the price of a card; another event brings the card."""

    source: Source
    price: int

    def apply(self, state: State) -> State:
        return replace(paid(state, self.player, -self.price), bought=state.bought + 1)


class Drew(Deed[State], frozen=True):
    """OLT-2.4, OLT-3.3, OLT-3.4: a card goes from the deck or the player's pirate pile into the hand,
    or from the deck onto that pile."""

    card: Secret[CardId]
    onto: Onto
    source: Source = "deck"
    bought: bool = False

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        if self.source == "deck":
            state = replace(state, deck=state.deck[1:])
        else:
            state = changed(state, "players", self.player, pirates=seat.pirates[:-1])
        if self.onto == "pirates":
            return changed(state, "players", self.player, pirates=(*seat.pirates, self.card))
        fresh = with_names(seat, "drawn", [self.card]) if self.bought else seat.fresh
        state = changed(state, "players", self.player, hand=(*seat.hand, self.card), fresh=fresh)
        return state if self.bought else replace(state, drawn=(*state.drawn, self.card))


class VeniceFound(Deed[State], frozen=True):
    """OLT-5.1, OLT-5.3: the Venice card is found on top of the deck,
    when a card is drawn or at the end of a turn, and leaves the game."""

    reveals: ClassVar[bool] = True
    where: Where

    def apply(self, state: State) -> State:
        return replace(state, deck=state.deck[1:])


class TilesReturned(Event[State], frozen=True):
    """OLT-5.1: all prestige tiles are returned."""

    def apply(self, state: State) -> State:
        seats = {name: replace(seat, prestige=0) for name, seat in state.players.items()}
        return replace(state, players=seats)


class Sold(Deed[State], frozen=True):
    """OLT-5.2, OLT-7.2: a player sells lots of a cargo, from the top down; `cards` (bottom to top) are discarded.

    At the end of the match `cards` is empty: nothing needs to leave the cargo.
    """

    reveals: ClassVar[bool] = True
    lots: tuple[Lot, ...]
    cards: tuple[CardId, ...] = ()

    @property
    def ducats(self) -> int:
        """The ducats that the lots pay in all."""
        return sum(lot.ducats for lot in self.lots)

    def apply(self, state: State) -> State:
        kept = state.players[self.player].cargo[len(self.cards) :]
        state = changed(paid(state, self.player, self.ducats), "players", self.player, cargo=kept)
        return replace(state, discard=(*state.discard, *self.cards))


class Waited(Event[State], frozen=True):
    """The table waits for answers."""

    players: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, talked=state.talked + 1)


class Unanswered(Event[State], frozen=True):
    """OLT-2.1: the table has waited for answers to these offers, and asks nobody about them again."""

    names: tuple[str, ...]

    def apply(self, state: State) -> State:
        for name in self.names:
            state = changed(state, "offers", name, silent=True)
        return state


class TalkEnded(Deed[State], frozen=True):
    """`then: sail`: offers of the active player that wait for an answer lapse."""

    def apply(self, state: State) -> State:
        offers = {name: offer for name, offer in state.offers.items() if offer.by != self.player}
        return replace(state, offers=offers, sailing=True)


class SheetsDone(Event[State], frozen=True):
    """A sheet has been carried out: names such as `drawn-1` hold no longer."""

    def apply(self, state: State) -> State:
        seats = {name: replace(seat, fresh={}) for name, seat in state.players.items()}
        return replace(state, players=seats)


# -- the voyage ------------------------------------------------------------------------------------------------------


class Played(Deed[State], frozen=True):
    """OLT-3.1: cards are played, face up."""

    reveals: ClassVar[bool] = True
    cards: tuple[CardId, ...]

    def apply(self, state: State) -> State:
        hand = hand_without(state.players[self.player].hand, self.cards)
        return replace(changed(state, "players", self.player, hand=hand), in_play=self.cards, drawn=())


class Sailed(Deed[State], frozen=True):
    """OLT-3.5: the ship goes from port to port."""

    start: PortId
    way: tuple[PortId, ...]

    def apply(self, state: State) -> State:
        return changed(state, "players", self.player, ship=self.way[-1])


class MarkerTaken(Deed[State], frozen=True):
    """OLT-3.5: the marker of a port becomes the active one."""

    port: PortId
    marker: Marker

    def apply(self, state: State) -> State:
        markers = (*state.players[self.player].markers, Secret(self.marker))
        state = removed(state, "markers", self.port)
        return changed(state, "players", self.player, markers=markers, active=self.marker)


class MarkerTurned(Deed[State], frozen=True):
    """OLT-3.5: at a port without a marker the active one is turned face down."""

    marker: Marker

    def apply(self, state: State) -> State:
        return changed(state, "players", self.player, active=None)


class Jumped(Deed[State], frozen=True):
    """OLT-8.2: the compass just taken is discarded, and the ship goes to another port."""

    start: PortId
    port: PortId

    def apply(self, state: State) -> State:
        markers = state.players[self.player].markers[:-1]
        return changed(state, "players", self.player, markers=markers, active=None, ship=self.port)


class Loaded(Deed[State], frozen=True):
    """OLT-4.1: the cards played go on the cargo, the last one on top; the player's turn is done."""

    cards: tuple[CardId, ...]

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        loaded = (Secret.hidden() if has_unknown_card((card,)) else Secret(card) for card in self.cards)
        state = changed(state, "players", self.player, cargo=(*seat.cargo, *loaded))
        return replace(state, in_play=(), between=True)


class TurnEnded(Deed[State], frozen=True):
    """OLT-4.1: the turn is over: offers lapse, and the next player's turn follows."""

    following: Player

    def apply(self, state: State) -> State:
        state = replace(state, offers={}, offered={}, asked=(), talked=0, exchanged=(), bought=0)
        return replace(state, turn_of=self.following, limited=False, sailing=False, drawn=())


# -- the end ---------------------------------------------------------------------------------------------------------


class LastRound(Event[State], frozen=True):
    """OLT-6.1: the last card of the deck is taken: play goes on until all have had the same number of turns."""

    def apply(self, state: State) -> State:
        return replace(state, last_round=True)


class Settled(Deed[State], frozen=True):
    """OLT-6.1: the first player has made the final scoring, except for prestige, before the others."""

    cargo: int

    def apply(self, state: State) -> State:
        return replace(state, settled=self.player, settled_cargo=self.cargo)


class Finished(Event[State], frozen=True):
    """OLT-7.5: the match is over: who has won, with how many ducats."""

    ends: ClassVar[bool] = True
    players: tuple[Player, ...]
    ducats: int
    tied: tuple[Player, ...] = ()

    def apply(self, state: State) -> State:
        return replace(state, winners=self.players)
