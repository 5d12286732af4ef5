"""The position, and questions that rules ask about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from adjudicator.engine.table import (
    Line,
    Player,
    Secret,
    changed,
    face_down,
    hand_without,
    position,
    total,
    with_tally,
)
from adjudicator.rulebooks.triumvirat import pieces
from adjudicator.rulebooks.triumvirat.board import BOARD, ITALY, SITES, TAX, TITLES, Card, ProvinceId, Title

OWN = ("influence", "legion", "veteran")
"""TRI-0.5: the kinds of pieces of which each player has own ones."""
SHARED: Mapping[str, Callable[[Iterable[pieces.Province]], Iterable[int]]] = {
    "city": lambda there: [here.city for here in there],
    "temple": lambda there: [here.temple for here in there],
    "caravan": lambda there: [len(here.caravans) for here in there],
    "market": lambda there: [len(here.markets) for here in there],
    "barbarian": lambda there: [(here.wild if here.sites else here.barbarians).ordinary for here in there],
    "elite": lambda there: [(here.wild if here.sites else here.barbarians).elite for here in there],
}
"""TRI-0.5: the kinds that all share, each with how many of it lie in some provinces."""
RULES = 3
"""The version of these rules. `rules.md` says of a ruling that has changed since when it holds."""


class State(position.Position, frozen=True, kw_only=True):
    """The position of a match; the chapter "The position" of the rules explains the other fields.

    `order`, of the open phase, and `number`, of the trade, are as the leader has named them; `wishes` and `bids` are
    secret until all are in.
    """

    options: pieces.Options
    players: Mapping[Player, pieces.Seat]
    seats: tuple[Player, ...]
    titles: Mapping[Title, Player]
    provinces: Mapping[ProvinceId, pieces.Province]
    offers: Mapping[Player, pieces.Hand] = {}
    on_offer: tuple[str, ...] = ()
    deck: pieces.Hand = ()
    used: tuple[str, ...] = ()
    barbarian_deck: pieces.Hand = ()
    barbarian_out: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    bought: Mapping[Player, int] = {}
    won: Mapping[Player, tuple[Card, ...]] = {}
    done: pieces.Done = pieces.Done()
    emperor: pieces.Emperor = pieces.Emperor()
    result: pieces.Result = pieces.Result()
    order: tuple[Player, ...] = ()
    number: int | None = None
    wishes: Mapping[Player, Secret[tuple[pieces.Wish, ...]]] = {}
    bids: Mapping[Player, Secret[Mapping[str, int]]] = {}

    def over(self) -> bool:
        """TRI-9: has the match ended, at once?"""
        return bool(self.result.by)

    # -- players -----------------------------------------------------------------------------------------------------

    def hand_of(self, player: Player) -> Counter[Card]:
        """The number of cards of each kind in a hand; those that the reader can't see are left out."""
        return counted(self.players[player].cards)

    def holding(self, player: Player) -> Counter[Card]:
        """The cards of a hand, and the taxes kept (TRI-0.6)."""
        seat = self.players[player]
        return Counter((*cards_seen(seat.cards), *(TAX,) * seat.taxes))

    def purse(self, player: Player) -> int:
        """The number of taxes that a player can pay: those kept, and those in hand."""
        seat = self.players[player]
        return cards_seen(seat.cards).count(TAX) + seat.taxes

    def cards_of(self, player: Player) -> int:
        """The number of cards that a player has, including kept taxes: it is public."""
        return len(self.players[player].cards) + self.players[player].taxes

    def has_cards(self, player: Player) -> bool:
        """TRI-4.1, TRI-8.1: does the player have anything to pay with, by what is public?"""
        return self.cards_of(player) > 0

    def power(self, player: Player, name: str) -> str:
        """TRI-10: the player's senator who has this power; empty if there is none."""
        for each in self.players[player].senators if player else ():
            if BOARD.senators[each].power == name:
                return each
        return ""

    def ready(self, player: Player, name: str) -> str:
        """TRI-10: the player's senator who has this power, if it can still be used in this turn; otherwise empty."""
        return "" if name in self.done.used else self.power(player, name)

    def person(self, who: Player) -> Player:
        """TRI-2.3: the player who has a person's power; with option `powers:
        title` the holder of that person's title."""
        return self.titles[BOARD.starts[who].title] if self.options.powers == "title" else who

    def standing_of(self, player: Player) -> pieces.Standing:
        """A player's standing instructions; none if the reader may not know them."""
        standing = self.players[player].standing
        return standing.value if standing.known else pieces.Standing()

    def points(self, player: Player, domains: Collection[Title] = TITLES) -> tuple[Line, ...]:
        """TRI-8.1, TRI-9.1: a player's points of influence in some domains, or in all, line by line."""
        seat = self.players[player]
        own = sum([BOARD.generals[player].get(domain, 0) for domain in domains])
        medals = sum([seat.medals.get(domain, 0) for domain in domains])
        senate = sum([getattr(BOARD.senators[each], domain) for each in seat.senators for domain in domains])
        return (
            Line("TRI-10.1", "general", 1, own),
            Line("TRI-6.5", "medals", medals, medals),
            Line("TRI-4.4", "senators", len(seat.senators), senate),
        )

    def score(self, player: Player, domains: Collection[Title] = TITLES) -> int:
        """TRI-8.1, TRI-9.1: the sum of a player's points in some domains, by default in all."""
        return total(self.points(player, domains)).points

    # -- the board ---------------------------------------------------------------------------------------------------

    def owned(self, player: Player) -> tuple[ProvinceId, ...]:
        """A player's provinces in the board's order."""
        return tuple([name for name in BOARD.provinces if self.provinces[name].owner == player])

    def units(self, at: ProvinceId, player: Player) -> pieces.Troops:
        """A player's units in a province."""
        here = self.provinces[at]
        if here.owner == player:
            return pieces.Troops(here.legions, here.veterans)
        return here.troops.get(player, pieces.NO_TROOPS)

    def places_of(self, player: Player) -> tuple[ProvinceId, ...]:
        """Where a player's units stand, in the board's order."""
        return tuple([name for name in BOARD.provinces if self.units(name, player) != pieces.NO_TROOPS])

    def has_units(self, player: Player) -> bool:
        """TRI-6.1: does the player have units on the board?"""
        return bool(self.places_of(player))

    def garrisoned(self, at: ProvinceId) -> bool:
        """Are there regular units of anybody in the province?"""
        return any(self.units(at, player) != pieces.NO_TROOPS for player in self.seats)

    def barbarians(self, at: ProvinceId) -> pieces.Barbarians:
        """The barbarians of a province; in Italy those on its sites."""
        return self.provinces[at].wild

    def free_sites(self) -> tuple[tuple[ProvinceId, str], ...]:
        """TRI-2.3: the free sites of Italy."""
        italy = [(name, self.provinces[name].sites) for name in ITALY]
        return tuple([(name, site) for name, held in italy for site in SITES[name] if held[site] == "free"])

    def occupied(self) -> Mapping[ProvinceId, pieces.Province]:
        """The provinces with anything in them, and those of Italy with their sites."""
        return {name: here for name, here in self.provinces.items() if here != pieces.EMPTY}

    def in_use(self, piece: str, player: Player = "") -> int:
        """TRI-0.5: how many pieces of a kind are on the board; with a player, only that player's."""
        there = self.provinces.values()
        match piece:
            case "influence":
                return len(self.owned(player))
            case "legion":
                away = [here.troops[player].legions for here in there if player in here.troops]
                return sum([here.legions for here in there if here.owner == player]) + sum(away)
            case "veteran":
                away = [here.troops[player].veterans for here in there if player in here.troops]
                return sum([here.veterans for here in there if here.owner == player]) + sum(away)
        return sum(SHARED[piece]([here for here in there if here.owner == player] if player else there))

    def left(self, piece: str, player: Player = "") -> int:
        """TRI-0.5: the pieces of a kind left in the box, of the common ones or of a player's own."""
        return BOARD.pieces[piece] - self.in_use(piece, player)

    def medals(self) -> int:
        """TRI-0.5: how many medals have been won."""
        return sum(sum(seat.medals.values()) for seat in self.players.values())

    def acted(self, at: ProvinceId) -> pieces.Acted:
        """TRI-6.1: what units of the player whose turn it is have done in a province."""
        return self.done.acted.get(at, pieces.Acted())

    def unmoved(self, player: Player, at: ProvinceId) -> pieces.Troops:
        """TRI-6.1: the units that can still move: each moves once, and in Italy none does."""
        if at in ITALY:
            return pieces.NO_TROOPS
        here, acted = self.units(at, player), self.done.acted.get(at)
        return here if acted is None else here - acted.moved - acted.both

    def units_unused(self, player: Player, at: ProvinceId) -> pieces.Troops:
        """TRI-6.1: units that have neither moved nor attacked."""
        unmoved, acted = self.unmoved(player, at), self.done.acted.get(at)
        return unmoved if acted is None else unmoved - acted.attacked

    # -- changes, for events to apply --------------------------------------------------------------------------------

    def with_cards(self, player: Player, cards: Collection[Card]) -> State:
        """The position with cards added to a player's hand."""
        return changed(self, "players", player, cards=(*self.players[player].cards, *face_down(cards)))

    def without_cards(self, player: Player, cards: Sequence[Card]) -> State:
        """The position with cards taken from a player: of the taxes first those kept, then those in hand; as few as
        possible of the cards won in Italy in this turn."""
        seat = self.players[player]
        face_up = min(seat.taxes, cards.count(TAX))
        gone = [*cards]
        for _ in range(face_up):
            gone.remove(TAX)
        hand = hand_without(seat.cards, gone)
        state = changed(self, "players", player, cards=hand, taxes=seat.taxes - face_up)
        if player not in self.won:
            return state
        won = Counter(self.won[player])
        held = counted(hand) if all(card.known for card in hand) else won - Counter(gone)
        left = tuple((won & held).elements())
        return replace(state, won={**self.won, player: left})

    def with_units(self, at: ProvinceId, player: Player, change: pieces.Troops) -> State:
        """The position with units added to a province, or taken from it."""
        here = self.provinces[at]
        if here.owner == player:
            return changed(self, "provinces", at, **asdict(self.units(at, player) + change))
        return changed(self, "provinces", at, troops=with_tally(here.troops, player, change))

    def with_barbarians(self, at: ProvinceId, change: pieces.Barbarians) -> State:
        """The position with barbarians added to a province, or taken from it."""
        return changed(self, "provinces", at, barbarians=self.provinces[at].barbarians + change)

    def with_acts(self, at: ProvinceId, **more: pieces.Troops) -> State:
        """The position with a record of the units in a province that have `moved`, `attacked` or both."""
        here = self.acted(at)
        here = replace(here, **{what: getattr(here, what) + change for what, change in more.items()})
        others = {name: each for name, each in self.done.acted.items() if name != at}
        return self.with_done(acted={**others, at: here} if here != pieces.Acted() else others)

    def with_done(self, **changes: Any) -> State:
        """The position with changes to its record of what was done in the phase."""
        return replace(self, done=replace(self.done, **changes))


def counted(cards: pieces.Hand) -> Counter[Card]:
    """How many of each kind there are, of those that the reader can see."""
    return Counter(cards_seen(cards))


def cards_seen(cards: pieces.Hand) -> list[Card]:
    """The cards that the reader can see."""
    return [card.value for card in cards if card.known]
