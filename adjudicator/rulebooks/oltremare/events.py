"""What happens in a match: small events, each of which changes the position or tells the players
something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.table import Event, Player, Secret, changed, face_down, less, removed, without
from adjudicator.rulebooks.oltremare.board import CardId, GoodId, Lot, Marker, PortId, unknown
from adjudicator.rulebooks.oltremare.state import Hand, Offer, Seat, State, asked_by, next_offer

Source = Literal["deck", "pirates"]
Onto = Literal["hand", "pirates"]
Where = Literal["hand", "pirates", "deck"]
What = Literal["symbols", "calm-sea", "local-influence", "prestige", "markers", "pirates"]


def paid(state: State, player: Player, ducats: int) -> State:
    """The position after a player has got so many ducats, or paid them."""
    return changed(state, "players", player, ducats=state.players[player].ducats + ducats)


def named(seat: Seat, word: str, cards: Sequence[Secret[CardId]]) -> Mapping[str, Secret[CardId]]:
    """The names that cards have in the rest of a sheet, with those of some new ones: `drawn-1`, `drawn-2`."""
    count = sum(name.startswith(f"{word}-") for name in seat.fresh)
    return {**seat.fresh, **{f"{word}-{count + at}": card for at, card in enumerate(cards, start=1)}}


# -- set-up ----------------------------------------------------------------------------------------------------------


class SeatsTaken(Event[State], frozen=True):
    """OLT-0.5: who plays first, and the round from there."""

    seats: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, seats=self.seats, turn_of=self.seats[0])


class MarkersLaid(Event[State], frozen=True):
    """OLT-0.3: a bonus marker on each port."""

    markers: Mapping[PortId, Marker]

    def apply(self, state: State) -> State:
        return replace(state, markers=self.markers)


class TurnedUp(Event[State], frozen=True):
    """OLT-0.4: cards turned up until one names a port, the last: the first of the cargo. The ship starts there."""

    player: Player
    cards: tuple[CardId, ...]
    port: PortId

    def apply(self, state: State) -> State:
        cargo = face_down(self.cards[-1:])
        state = replace(removed(state, "markers", self.port), deck=without(state.deck, cargo))
        return changed(state, "players", self.player, cargo=cargo, ship=self.port)


class DeckLaid(Event[State], frozen=True):
    """OLT-0.4, OLT-6.1: a deck of shuffled cards: those that are left, the discard, or a player's piles."""

    cards: Hand
    source: Literal["start", "discard", "piles"]
    player: Player = ""

    def apply(self, state: State) -> State:
        if self.source == "discard":
            state = replace(state, discard=())
        elif self.source == "piles":
            state = changed(state, "players", self.player, cargo=(), pirates=())
        return replace(state, deck=self.cards)


class Dealt(Event[State], frozen=True):
    """OLT-0.4: the first hand."""

    player: Player
    cards: Hand

    def apply(self, state: State) -> State:
        state = replace(state, deck=state.deck[len(self.cards) :])
        return changed(state, "players", self.player, hand=self.cards)


# -- a turn ----------------------------------------------------------------------------------------------------------


class TurnBegan(Event[State], frozen=True):
    """OLT-0.5: a player's turn begins."""

    player: Player

    def apply(self, state: State) -> State:
        turns = {**state.turns, self.player: state.turns.get(self.player, 0) + 1}
        return replace(state, turns=turns, between=False)


class Paid(Event[State], frozen=True):
    """Ducats from the bank, or to it if they are below 0, and for what: `count` is how many of it."""

    player: Player
    ducats: int
    what: What
    count: int

    def apply(self, state: State) -> State:
        return paid(state, self.player, self.ducats)


class RulePlays(Event[State], frozen=True):
    """OLT-1.1, OLT-3.1: the rule plays for a player, or a program does (`absent: bot`): the whole of what is left of
    the turn for one without orders, else what the sheet has left out."""

    player: Player
    what: Literal["all", "program", "discard", "play"]


class LimitKept(Event[State], frozen=True):
    """OLT-1.1: the hand has been counted, and is small enough."""

    def apply(self, state: State) -> State:
        return replace(state, limited=True)


class Discarded(Event[State], frozen=True):
    """OLT-1.1: the cards in excess go face down on the own pirate pile, the last one on top."""

    player: Player
    cards: Hand

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        hand, pirates = without(seat.hand, self.cards), (*seat.pirates, *self.cards)
        return replace(changed(state, "players", self.player, hand=hand, pirates=pirates), limited=True)


# -- commerce --------------------------------------------------------------------------------------------------------


class Offered(Event[State], frozen=True):
    """OLT-2.1: an offer is made, or put up again by standing instructions."""

    name: str
    player: Player
    offer: Offer

    def apply(self, state: State) -> State:
        new = (each for each in asked_by(state, self.offer.to) if each not in (*state.asked, state.turn_of))
        offered = {**state.offered, self.player: next_offer(state, self.player)}
        offers = {**state.offers, self.name: self.offer}
        return replace(state, offers=offers, offered=offered, asked=(*state.asked, *new))


class OfferRefused(Event[State], frozen=True):
    """OLT-2.1: an offer is refused; one to all stands as long as somebody may accept it."""

    name: str
    player: Player
    maker: Player

    def apply(self, state: State) -> State:
        offer = state.offers[self.name]
        refused = (*offer.refused, self.player)
        if set(asked_by(state, offer.to)) <= set(refused):
            return removed(state, "offers", self.name)
        return changed(state, "offers", self.name, refused=refused)


class OfferVoid(Event[State], frozen=True):
    """OLT-2.1: an offer is accepted of which the cards are gone: only the two hear of it, and nothing is done."""

    name: str
    player: Player
    maker: Player


class Side(Struct, frozen=True):
    """What one side of an exchange gives: the cards are for the two, goods and ducats for everybody."""

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
            hand = without(state.players[giver].hand, side.cards)
            state = changed(paid(state, giver, -side.ducats), "players", giver, hand=hand)
            seat = state.players[taker]
            hand, fresh = (*seat.hand, *side.cards), named(seat, "got", side.cards)
            state = changed(paid(state, taker, side.ducats), "players", taker, hand=hand, fresh=fresh)
        return state


class TileTaken(Event[State], frozen=True):
    """OLT-2.3: a prestige tile for the first exchange with the active player in a turn."""

    player: Player

    def apply(self, state: State) -> State:
        state = replace(state, exchanged=(*state.exchanged, self.player))
        return changed(state, "players", self.player, prestige=state.players[self.player].prestige + 1)


class Bought(Event[State], frozen=True):
    """OLT-2.4: the price of a card is paid; the card comes by an event of its own."""

    player: Player
    source: Source
    price: int

    def apply(self, state: State) -> State:
        return replace(paid(state, self.player, -self.price), bought=state.bought + 1)


class Drew(Event[State], frozen=True):
    """OLT-2.4, OLT-3.3, OLT-3.4: a card goes from the deck, or the own pirate pile, into the hand or onto that pile."""

    player: Player
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
        fresh = named(seat, "drawn", [self.card]) if self.bought else seat.fresh
        state = changed(state, "players", self.player, hand=(*seat.hand, self.card), fresh=fresh)
        return state if self.bought else replace(state, drawn=(*state.drawn, self.card))


class VeniceFound(Event[State], frozen=True):
    """OLT-5.1, OLT-5.3: the Venice card is found on top of the deck, by drawing it or at a turn's end, and is gone."""

    reveals: ClassVar[bool] = True
    player: Player
    where: Where

    def apply(self, state: State) -> State:
        return replace(state, deck=state.deck[1:])


class TilesReturned(Event[State], frozen=True):
    """OLT-5.1: all prestige tiles go back."""

    def apply(self, state: State) -> State:
        seats = {name: replace(seat, prestige=0) for name, seat in state.players.items()}
        return replace(state, players=seats)


class Sold(Event[State], frozen=True):
    """OLT-5.2, OLT-7.2: lots of a cargo are sold, from the top down; `cards` (bottom to top) are discarded.

    At the end (`cards` empty) nothing needs to leave the cargo.
    """

    reveals: ClassVar[bool] = True
    player: Player
    lots: tuple[Lot, ...]
    cards: tuple[CardId, ...] = ()

    @property
    def ducats(self) -> int:
        """What they pay in all."""
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


class TalkEnded(Event[State], frozen=True):
    """`then: sail`: offers of the active player that wait for an answer lapse."""

    player: Player

    def apply(self, state: State) -> State:
        offers = {name: offer for name, offer in state.offers.items() if offer.by != self.player}
        return replace(state, offers=offers, sailing=True)


class SheetsDone(Event[State], frozen=True):
    """Names such as `drawn-1` hold in one sheet alone."""

    def apply(self, state: State) -> State:
        seats = {name: replace(seat, fresh={}) for name, seat in state.players.items()}
        return replace(state, players=seats)


# -- the voyage ------------------------------------------------------------------------------------------------------


class Played(Event[State], frozen=True):
    """OLT-3.1: cards are played, face up."""

    reveals: ClassVar[bool] = True
    player: Player
    cards: tuple[CardId, ...]

    def apply(self, state: State) -> State:
        hand = less(state.players[self.player].hand, self.cards)
        return replace(changed(state, "players", self.player, hand=hand), in_play=self.cards, drawn=())


class Sailed(Event[State], frozen=True):
    """OLT-3.5: the ship goes from port to port."""

    player: Player
    start: PortId
    way: tuple[PortId, ...]

    def apply(self, state: State) -> State:
        return changed(state, "players", self.player, ship=self.way[-1])


class MarkerTaken(Event[State], frozen=True):
    """OLT-3.5: the marker of a port becomes the active one."""

    player: Player
    port: PortId
    marker: Marker

    def apply(self, state: State) -> State:
        markers = (*state.players[self.player].markers, Secret(self.marker))
        state = removed(state, "markers", self.port)
        return changed(state, "players", self.player, markers=markers, active=self.marker)


class MarkerTurned(Event[State], frozen=True):
    """OLT-3.5: at a port without a marker the active one is turned face down."""

    player: Player
    marker: Marker

    def apply(self, state: State) -> State:
        return changed(state, "players", self.player, active=None)


class Jumped(Event[State], frozen=True):
    """OLT-8.2: the compass just taken is discarded, and the ship goes to another port."""

    player: Player
    start: PortId
    port: PortId

    def apply(self, state: State) -> State:
        markers = state.players[self.player].markers[:-1]
        return changed(state, "players", self.player, markers=markers, active=None, ship=self.port)


class Loaded(Event[State], frozen=True):
    """OLT-4.1: the cards played go on the cargo, the last one on top; the turn is done."""

    player: Player
    cards: tuple[CardId, ...]

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        loaded = (Secret.hidden() if unknown((card,)) else Secret(card) for card in self.cards)
        state = changed(state, "players", self.player, cargo=(*seat.cargo, *loaded))
        return replace(state, in_play=(), between=True)


class TurnEnded(Event[State], frozen=True):
    """OLT-4.1: the turn is over, all that was open in it lapses, and the next player is on."""

    player: Player
    following: Player

    def apply(self, state: State) -> State:
        state = replace(state, offers={}, offered={}, asked=(), talked=0, exchanged=(), bought=0)
        return replace(state, turn_of=self.following, limited=False, sailing=False, drawn=())


# -- the end ---------------------------------------------------------------------------------------------------------


class LastRound(Event[State], frozen=True):
    """OLT-6.1: the last card of the deck is taken: all play on until they have had as many turns."""

    def apply(self, state: State) -> State:
        return replace(state, last_round=True)


class Settled(Event[State], frozen=True):
    """OLT-6.1: the first player has made the final scoring, but for prestige, before the others."""

    player: Player
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
