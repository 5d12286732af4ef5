"""What happens in a match: small events, each of which changes the position or tells the players something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from adjudicator.engine.table import Deed, Event, Player, Private, Secret, changed
from adjudicator.engine.table.position import WaitingOrder
from adjudicator.rulebooks.rome_carthage.board import Card, City, Kind, Piece, StateName, is_king, worth
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, Holding, State, Unit

HIDDEN: tuple[Secret[Any], ...] = (Secret.hidden(),) * 2
"""ROM-6.3: a split talon that the reader can't see."""


class SeatsTaken(Event[State], frozen=True):
    """ROM-0.5: the seats, clockwise from the first player."""

    seats: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, seats=self.seats, mover=self.seats[0], round=1)


class TalonLaid(Event[State], frozen=True):
    """ROM-0.3, ROM-1.1, ROM-6.3: a talon of shuffled cards; `packs` are the sizes if each alliance has its own."""

    cards: tuple[Secret[Card], ...]
    packs: tuple[int, ...] = ()
    spent: bool = False

    def apply(self, state: State) -> State:
        talon: tuple[Secret[Any], ...] = self.cards
        if self.packs:
            halves = (self.cards[: self.packs[0]], self.cards[self.packs[0] :])
            known = all(card.known for card in self.cards)  # a half is seen whole, or not at all
            talon = tuple(Secret([each.value for each in half]) for half in halves) if known else HIDDEN
        return replace(state, talon=talon, packs=self.packs, spent=() if self.spent else state.spent)


class Placed(Deed[State], frozen=True):
    """ROM-0.6: a piece is placed."""

    piece: Piece
    state: StateName
    kind: Kind
    city: City
    by_lot: bool = False

    def apply(self, state: State) -> State:
        return replace(state, pieces={**state.pieces, self.piece: Unit(self.state, self.kind, self.city)})


class Drawn(Deed[State], frozen=True):
    """ROM-1.1: a card is drawn from the talon; `pack` is the alliance's number if the talon is split."""

    card: Secret[Card]
    pack: int | None = None

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        state = changed(state, "players", self.player, hand=(*seat.hand, self.card))
        if self.pack is None:
            return replace(state, talon=state.talon[1:])
        talon = list(state.talon)
        packs = list(state.packs) or [len(pack.value) for pack in state.talon]
        packs[self.pack] -= 1
        if talon[self.pack].known:
            talon[self.pack] = Secret(list(talon[self.pack].value)[1:])
        return replace(state, talon=tuple(talon), packs=tuple(packs))


class SpecialPlayed(Deed[State], frozen=True):
    """ROM-1.2: a special card is played, once in the match."""

    special: ClassVar[str]

    def apply(self, state: State) -> State:
        left = tuple(card for card in state.players[self.player].special if card != self.special)
        return replace(changed(state, "players", self.player, special=left), stirred=True)


class Betrayed(SpecialPlayed, frozen=True):
    """ROM-4.1: the Betrayal of a general is played."""

    special = "betrayal"
    victim: Player


class Sedition(SpecialPlayed, frozen=True):
    """ROM-4.2: the Popular sedition is played; another event eliminates the occupying piece."""

    special = "sedition"
    city: City


class MarchOffered(Deed[State], frozen=True):
    """ROM-2.5: cards are laid ready to pay a forced march;
    they are taken only when a move needs it. None: they are taken back."""

    cards: Secret[tuple[Card, ...]]

    def apply(self, state: State) -> State:
        laid = self.cards.value if self.cards.known else ()
        return replace(state, march=tuple(Private(card) for card in laid))


class MarchPaid(Deed[State], frozen=True):
    """ROM-2.5: a forced march is paid: its cards are shown and spent."""

    reveals: ClassVar[bool] = True
    cards: tuple[Card, ...]

    def apply(self, state: State) -> State:
        return replace(state.with_cards_spent(self.player, self.cards), marched=True, march=())


class Moved(Deed[State], frozen=True):
    """ROM-2.1, ROM-2.2: a piece moves, city after city; `steps` is the number of simple moves that this takes."""

    piece: Piece
    start: City
    way: tuple[City, ...]
    steps: int
    capital: bool = False
    betrayal: bool = False

    def apply(self, state: State) -> State:
        if self.betrayal:
            state = replace(state, betrayed=(*state.betrayed, self.piece))
            return replace(state.with_piece_moved(self.piece, self.way[-1]), stirred=True)
        begun = {self.piece: self.start, **state.begun}
        steps = {**state.steps, self.piece: state.steps.get(self.piece, 0) + self.steps}
        state = state.with_piece_moved(self.piece, self.way[-1])
        return replace(state, begun=begun, steps=steps, stirred=state.stirred or self.capital)


class FightBegan(Event[State], frozen=True):
    """ROM-1.4: a moved piece stands in a city with an enemy piece: a fight is pending."""

    fight: Fight

    def apply(self, state: State) -> State:
        return replace(state, fights=(*state.fights, self.fight), stirred=True)


class FightsOrdered(Event[State], frozen=True):
    """ROM-1.4: the attacker names which fight comes first."""

    cities: tuple[City, ...]

    def apply(self, state: State) -> State:
        fights = {fight.city: fight for fight in state.fights}
        first = [fights[city] for city in self.cities]
        rest = [fight for fight in state.fights if fight.city not in self.cities]
        return replace(state, fights=(*first, *rest), named=self.cities)


class Chose(Deed[State], frozen=True):
    """ROM-3.1: a player has chosen cards for a fight, in secret."""

    city: City
    choice: Secret[Choice]

    def apply(self, state: State) -> State:
        chosen = {**state.fight_in(self.city).chosen, self.player: self.choice}
        return state.with_fight(self.city, chosen=chosen)


class ChoiceVoid(Deed[State], frozen=True):
    """ROM-3.1: cards that came along can't be played any more; the player chooses again."""

    city: City

    def apply(self, state: State) -> State:
        chosen = state.fight_in(self.city).chosen
        left = {who: held for who, held in chosen.items() if who != self.player}
        return state.with_fight(self.city, chosen=left)


class Shown(Event[State], frozen=True):
    """ROM-3.1, ROM-3.2: cards are shown at the same time, with their total; they are spent, and zeros come back.

    `ties` are the cards given in advance for ties, which stay secret.
    """

    reveals: ClassVar[bool] = True
    city: City
    cards: Mapping[Player, tuple[Card, ...]]
    totals: Mapping[Player, int]
    ties: Mapping[Player, Secret[tuple[Card, ...]]] = {}

    def apply(self, state: State) -> State:
        for player, cards in self.cards.items():
            state = state.with_cards_spent(player, cards)
        fight = state.fight_in(self.city)
        shown, ties = {**fight.shown, **self.cards}, {**fight.ties, **self.ties}
        return state.with_fight(self.city, shown=shown, chosen={}, ties=ties)


class SpyDeclared(Deed[State], frozen=True):
    """ROM-3.7: a player with a total of 2 declares a spy, sees the enemy's cards and plays again."""

    city: City

    def apply(self, state: State) -> State:
        return state.with_fight(self.city, stage="spy", spy=self.player)


class FightAnew(Event[State], frozen=True):
    """ROM-3.7: both sides declared a spy: the fight starts again with new cards."""

    city: City

    def apply(self, state: State) -> State:
        return state.with_fight(self.city, stage="fight", shown={}, chosen={}, spy="", anew=True)


class Tied(Event[State], frozen=True):
    """ROM-3.4: the totals are equal: each plays one more card."""

    city: City
    total: int

    def apply(self, state: State) -> State:
        return state.with_fight(self.city, stage="tie", shown={}, chosen={}, spy="")


class FightEnded(Event[State], frozen=True):
    """ROM-3.1, ROM-3.5: a fight is over; a player has won it, or nobody if all showed only zeros."""

    city: City
    winner: Player = ""

    def apply(self, state: State) -> State:
        fights = tuple(fight for fight in state.fights if fight.city != self.city)
        return replace(state, fights=fights, named=tuple(city for city in state.named if city != self.city))


class WentBack(Event[State], frozen=True):
    """ROM-3.5: the attacker goes back to where it began its first move of the turn."""

    piece: Piece
    city: City

    def apply(self, state: State) -> State:
        return state.with_piece_moved(self.piece, self.city)


class Eliminated(Event[State], frozen=True):
    """ROM-3.1, ROM-4.2: a piece is eliminated."""

    piece: Piece
    player: Player
    city: City

    def apply(self, state: State) -> State:
        return state.without_piece(self.piece)


class WentOut(Deed[State], frozen=True):
    """ROM-5.2: a player without pieces is out and loses the hand; zeros and kings leave the game."""

    reveals: ClassVar[bool] = True
    hand: tuple[Card, ...]

    def apply(self, state: State) -> State:
        lost = tuple(card for card in self.hand if worth(card) and not is_king(card))
        state = changed(state, "players", self.player, hand=(), special=())
        return replace(state, spent=(*state.spent, *lost))


class OrdersHeld(Deed[State], frozen=True):
    """ROM-1.4: the rest of the turn's sheet waits for a fight to end."""

    held: tuple[Private[WaitingOrder], ...]

    def apply(self, state: State) -> State:
        return replace(state, held=self.held, rest=True)

    def leaves_open(self) -> Mapping[str, bool]:
        return {kept.value.at: True for kept in self.held if kept.known}


class FightWaits(Event[State], frozen=True):
    """ROM-3.1: a fight waits for cards of these players."""

    mover: Player
    city: City
    players: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, mover=self.mover, waited=True)


class RestBegan(Event[State], frozen=True):
    """ROM-4.1: the rest of the turn goes on."""

    def apply(self, state: State) -> State:
        return replace(state, held=(), rest=False, waited=False, named=())


class Passed(Deed[State], frozen=True):
    """ROM-1.3: a player has moved no piece in the turn."""


class HoldingSet(Event[State], frozen=True):
    """ROM-5.1: the alliances that hold both enemy capitals, and the players who still have to finish a turn."""

    holding: tuple[Holding, ...]

    def apply(self, state: State) -> State:
        return replace(state, holding=self.holding)


class TurnEnded(Deed[State], frozen=True):
    """ROM-0.5: a turn is over, and the next player's follows; after the last player a round is over (ROM-5.3)."""

    following: Player
    round: int
    quiet_rounds: int

    def apply(self, state: State) -> State:
        stirred = state.stirred if self.round == (state.round or state.phase.turn) else False
        return replace(
            state,
            mover=self.following,
            round=self.round,
            quiet_rounds=self.quiet_rounds,
            stirred=stirred,
            begun={},
            steps={},
            march=(),
            marched=False,
            betrayed=(),
            named=(),
            rest=False,
            waited=False,
            held=(),
        )


class Finished(Event[State], frozen=True):
    """ROM-5: the match is over: `players` have won; after a draw they are all who are still in.

    `draw`: by agreement, after `rounds` full rounds in which nothing happened, or at the last round allowed.
    """

    ends: ClassVar[bool] = True
    players: tuple[Player, ...]
    draw: Literal["", "agreed", "quiet", "cap"] = ""
    rounds: int = 0

    def apply(self, state: State) -> State:
        return replace(state, result=self.players)
