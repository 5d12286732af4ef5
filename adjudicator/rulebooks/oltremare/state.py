"""The position: hands, cargoes, pirate piles, ships and markers, the deck, and the offers of the turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct, field

from adjudicator.engine.table import Player, Secret, clockwise, face_down, position
from adjudicator.engine.table.reason import Path
from adjudicator.rulebooks.oltremare import board
from adjudicator.rulebooks.oltremare.board import CARDS, CardId, GoodId, Marker, PortId, Symbol, good_of
from adjudicator.rulebooks.oltremare.standing import ALL, Standing, Terms

Hand = tuple[Secret[CardId], ...]
RULES = 4
"""The version of these rules. `rules.md` says of a ruling that has changed since when it holds."""


class Options(position.Options, frozen=True, kw_only=True):
    """The options of a match.

    `talks`: how often in a turn the table waits for answers. `absent`: who plays for a player without a sheet: the rule
    of the chapter "How it is played by file", or a program. `none_counts`: for which places a player without a tile or
    marker counts, third alone or second as well (OLT-5.1, OLT-7.4).
    """

    talks: Literal[0, 1, 2] = 1
    absent: Literal["rule", "bot"] = "rule"
    none_counts: Literal["third", "second"] = "third"


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has.

    `cargo` and `pirates` are listed bottom to top; `active` is the last of `markers`, or none. `fresh`: the names
    (`drawn-1`, `got-1`) that cards of the hand have for the rest of a sheet.
    """

    ducats: int = board.DUCATS
    hand: Hand = ()
    cargo: Hand = ()
    pirates: Hand = ()
    ship: PortId = ""
    markers: tuple[Secret[Marker], ...] = ()
    active: Marker | None = None
    prestige: int = 0
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))
    fresh: Mapping[str, Secret[CardId]] = {}

    def top(self) -> CardId | None:
        """The top card of a cargo; None if the cargo is gone (OLT-6.1)."""
        return self.cargo[-1].value if self.cargo else None

    def shows_top(self) -> bool:
        """Does the reader know the top card of a cargo? A check doesn't, once a card is loaded that it can't tell."""
        return not self.cargo or self.cargo[-1].known

    def power(self) -> int:
        """OLT-1.1: the sailor power on top of the cargo. **Ruling**: without a cargo there is no limit."""
        card = self.top()
        return len(self.hand) if card is None else CARDS[card].power


class Shown(Struct, frozen=True):
    """A card in an offer: its good, which is true, and its symbols as claimed (none: no claim)."""

    card: Secret[CardId]
    good: Secret[GoodId]
    says: Secret[tuple[Symbol, ...]] = field(default_factory=lambda: Secret(()))


class Give(Struct, frozen=True):
    """What is given in an offer."""

    cards: tuple[Shown, ...] = ()
    ducats: int = 0


class Want(Struct, frozen=True):
    """What is asked in an offer: goods and ducats, never cards."""

    goods: Mapping[GoodId, int] = {}
    ducats: int = 0


class Offer(Struct, frozen=True, rename={"for_": "for"}):
    """An offer: by whom, to whom (`all`: the first who accepts), and who has refused it.

    `silent`: the table has waited for answers to it, and somebody has given none.
    """

    by: Player
    to: Player
    give: Give = Give()
    for_: Want = Want()
    refused: tuple[Player, ...] = ()
    silent: bool = False


Claims = Mapping[CardId, tuple[Symbol, ...]]  # by card: the symbols that its owner claims


def offer_made(by: Player, to: Player, terms: Terms, cards: tuple[CardId, ...], says: Claims) -> Offer:
    """OLT-2.2: the offer as the position holds it: the goods are true, the symbols as claimed."""
    shown = [Shown(Secret(card), Secret(good_of(card)), Secret(says.get(card, ()))) for card in cards]
    return Offer(by, to, Give(tuple(shown), terms.give.ducats), Want(terms.for_.goods, terms.for_.ducats))


class State(position.Position, frozen=True, kw_only=True):
    """The position of a match; the chapter "The position" of the rules explains the other fields.

    `asked`: who has been made an offer in this turn. `limited`: the hand limit has been applied. `sailing`: `then:
    sail` has ended the talk. `between`: the cargo is loaded, and the next turn has not begun. `settled_cargo`: how many
    cards the cargo of the player `settled` had.
    """

    options: Options
    players: Mapping[Player, Seat]
    seats: tuple[Player, ...]
    turn_of: Player
    deck: Hand = ()
    discard: tuple[CardId, ...] = ()
    markers: Mapping[PortId, Marker] = {}
    offers: Mapping[str, Offer] = {}
    offered: Mapping[Player, int] = {}
    asked: tuple[Player, ...] = ()
    talked: int = 0
    exchanged: tuple[Player, ...] = ()
    bought: int = 0
    limited: bool = False
    sailing: bool = False
    in_play: tuple[CardId, ...] = ()
    drawn: Hand = ()
    between: bool = False
    last_round: bool = False
    settled: Player | None = None
    settled_cargo: int = 0
    turns: Mapping[Player, int] = {}
    winners: tuple[Player, ...] = ()

    @property
    def on_turn(self) -> Seat:
        """The seat of the player whose turn it is."""
        return self.players[self.turn_of]

    def others(self) -> tuple[Player, ...]:
        """The other players in turn order, from the active one's left."""
        return clockwise(self.seats, self.turn_of)[1:]

    def piles(self) -> Iterator[tuple[Path, Hand]]:
        """All piles of cards, with their places."""
        for name, seat in self.players.items():
            for pile in ("hand", "cargo", "pirates"):
                yield ("players", name, pile), getattr(seat, pile)
        yield ("deck",), self.deck
        yield ("discard",), face_down(self.discard)
        yield ("in_play",), face_down(self.in_play)

    def hand_of(self, player: Player) -> tuple[CardId, ...]:
        """The cards of a hand, without those that the reader can't see."""
        return tuple([card.value for card in self.players[player].hand if card.known])

    def has_unseen_cards(self, player: Player) -> bool:
        """Are there cards of a hand that the reader doesn't know:
        another player's, or in a check cards that have just come?"""
        return not all([card.known for card in self.players[player].hand])

    def excess(self) -> int:
        """OLT-1.1: how many cards the active player must still discard before doing anything else."""
        if self.phase.name != "commerce" or self.limited or self.talked:
            return 0
        return max(0, len(self.on_turn.hand) - self.on_turn.power())

    def must_play(self) -> int:
        """OLT-3.1: how many cards the active player must play. **Ruling**: one, if the cargo is gone."""
        card = self.on_turn.top()
        symbols = 1 if card is None else CARDS[card].cargo
        # OLT-6.1: where no card is left to get, as many as there are
        left = self.cards_in_stock() or (self.on_turn.pirates and self.bought < board.PURCHASES)
        return symbols if left else min(symbols, len(self.on_turn.hand))

    def cards_in_stock(self) -> int:
        """OLT-6.1: how many cards the deck can still give: its own, then the discard, then the first player's piles."""
        first = self.players[self.seats[0]]
        piles = 0 if self.settled is not None else len(first.cargo) + len(first.pirates)
        return len(self.deck) + len(self.discard) + piles

    def asked_by(self, to: Player) -> tuple[Player, ...]:
        """The players to whom an offer is made, in turn order."""
        return self.others() if to == ALL else (to,)

    def to_answer(self, player: Player) -> tuple[str, ...]:
        """The offers that are open to a player."""
        asked = (player,) if player == self.turn_of else (player, ALL)
        mine = [name for name, each in self.offers.items() if each.to in asked]
        return tuple([name for name in mine if player not in self.offers[name].refused])

    def next_offer(self, player: Player) -> int:
        """The number of a player's next offer in the turn; numbers aren't used again."""
        open_ = [int(name.rpartition("-")[2]) for name, offer in self.offers.items() if offer.by == player]
        return 1 + max(self.offered.get(player, 0), *open_, 0)
