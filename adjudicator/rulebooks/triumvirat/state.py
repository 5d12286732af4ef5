"""The position: hands, provinces, Italy's sites, decks, titles, and what is under way in a phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from adjudicator.engine.table import rulebook
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import Line, total
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.triumvirat.board import (
    BOARD,
    ITALY,
    SITES,
    TAX,
    TITLES,
    Card,
    ProvinceId,
    Resource,
    Senator,
    Title,
)
from adjudicator.rulebooks.triumvirat.entries import Standing, Wish

Holder = Literal["free", "ordinary", "elite"]
Hand = tuple[Secret[Card], ...]


class Options(rulebook.Options, frozen=True, kw_only=True):
    """The options of a match: see TRI-0.2, TRI-2.3, TRI-7.1, TRI-9.3."""

    start: Literal["fixed", "free"] = "fixed"
    powers: Literal["person", "title"] = "person"
    pillage: Literal["table", "text"] = "table"
    max_turns: int = 20


class Troops(Struct, frozen=True, forbid_unknown_fields=True):
    """Regular units of a player in a place, or some of them."""

    legions: int = 0
    veterans: int = 0

    @property
    def count(self) -> int:
        """How many units."""
        return self.legions + self.veterans

    @property
    def bonuses(self) -> tuple[int, ...]:
        """TRI-6.3: what each unit adds to its die, in the order of throwing."""
        return (0,) * self.legions + (1,) * self.veterans

    def __add__(self, other: Troops) -> Troops:
        return Troops(self.legions + other.legions, self.veterans + other.veterans)

    def __sub__(self, other: Troops) -> Troops:
        return Troops(self.legions - other.legions, self.veterans - other.veterans)


class Barbarians(Struct, frozen=True, forbid_unknown_fields=True):
    """Barbarians of a place, or some of them."""

    ordinary: int = 0
    elite: int = 0

    @property
    def count(self) -> int:
        """How many of them."""
        return self.ordinary + self.elite

    @property
    def bonuses(self) -> tuple[int, ...]:
        """TRI-6.3: what each adds to its die, in the order of throwing."""
        return (0,) * self.ordinary + (1,) * self.elite

    def __add__(self, other: Barbarians) -> Barbarians:
        return Barbarians(self.ordinary + other.ordinary, self.elite + other.elite)

    def __sub__(self, other: Barbarians) -> Barbarians:
        return Barbarians(self.ordinary - other.ordinary, self.elite - other.elite)

    def first(self, count: int) -> Barbarians:
        """So many of them, ordinary ones first."""
        ordinary = min(self.ordinary, count)
        return Barbarians(ordinary, min(self.elite, count - ordinary))


class Province(Struct, frozen=True, forbid_unknown_fields=True):
    """A province: a player's pieces, or, in Italy, who holds each site; `troops` are units that aren't its owner's."""

    owner: Player | None = None
    since: int = 0
    caravans: tuple[Resource, ...] = ()
    markets: tuple[Resource, ...] = ()
    city: bool = False
    temple: bool = False
    legions: int = 0
    veterans: int = 0
    barbarians: Barbarians = Barbarians()
    sites: Mapping[str, Holder] = {}
    troops: Mapping[Player, Troops] = {}


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has: cards in hand, kept taxes, medals, senators."""

    cards: Hand = ()
    taxes: int = 0
    medals: Mapping[Title, int] = {}
    senators: tuple[Senator, ...] = ()
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))


class Acted(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """TRI-6.1: units of the player whose turn it is that have moved, attacked, or done both, in a province."""

    moved: Troops = Troops()
    attacked: Troops = Troops()
    both: Troops = Troops()


class Done(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What has been done in the open phase: who has passed, which barbarians lie (by province, for whom), which units
    have acted, whose powers of a turn are used; `went` is who drove barbarians last."""

    passed: tuple[Player, ...] = ()
    went: Player = ""
    lying: Mapping[ProvinceId, Mapping[Player, Barbarians]] = {}
    acted: Mapping[ProvinceId, Acted] = {}
    used: tuple[str, ...] = ()


class Emperor(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """TRI-6.6: who is Emperor, and since which turn; nobody, if `player` is empty."""

    player: Player = ""
    turn: int = 0


class Result(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the match ended: who has won, and by which rule; empty while it goes on."""

    winners: tuple[Player, ...] | None = None
    by: str = ""


class State(rulebook.Position, frozen=True, kw_only=True):
    """The position of a match; the rules' chapter "The position" says what each field is.

    Further: `order` is that of the open phase and `number` that of the trade, as the leader has named them; `wishes`
    and `bids` lie closed until all are in.
    """

    options: Options
    players: Mapping[Player, Seat]
    seats: tuple[Player, ...]
    titles: Mapping[Title, Player]
    provinces: Mapping[ProvinceId, Province]
    offers: Mapping[Player, Hand] = {}
    on_offer: tuple[Senator, ...] = ()
    deck: Hand = ()
    used: tuple[str, ...] = ()
    barbarian_deck: Hand = ()
    barbarian_out: tuple[Resource, ...] = ()
    events: tuple[str, ...] = ()
    bought: Mapping[Player, int] = {}
    won: Mapping[Player, tuple[Card, ...]] = {}
    done: Done = Done()
    emperor: Emperor = Emperor()
    result: Result = Result()
    order: tuple[Player, ...] = ()
    number: int | None = None
    wishes: Mapping[Player, Secret[tuple[Wish, ...]]] = {}
    bids: Mapping[Player, Secret[Mapping[str, int]]] = {}


# -- questions to a position -----------------------------------------------------------------------------------------


def hand_of(state: State, player: Player) -> Counter[Card]:
    """How many cards of each kind in a hand; those that the reader can't see are left out."""
    return counted(state.players[player].cards)


def counted(cards: Hand) -> Counter[Card]:
    """How many of each kind, of those that the reader can see."""
    return Counter(card.value for card in cards if card.known)


def holding(state: State, player: Player) -> Counter[Card]:
    """The cards of a hand, and the taxes kept (TRI-0.6)."""
    return hand_of(state, player) + Counter({TAX: state.players[player].taxes})


def purse(state: State, player: Player) -> int:
    """The taxes that a player can pay: those kept, and those in hand."""
    return state.players[player].taxes + hand_of(state, player)[TAX]


def may_pay(state: State, player: Player, taxes: int) -> bool:
    """Could a player pay so many taxes, by what is public?"""
    return state.players[player].taxes + len(state.players[player].cards) >= taxes


def power(state: State, player: Player, name: str) -> Senator:
    """TRI-10: the player's senator who has this power; empty if there is none."""
    return next((each for each in state.players[player].senators if BOARD.senators[each].power == name), "")


def ready(state: State, player: Player, name: str) -> bool:
    """TRI-10: can a power of once a turn still be used?"""
    return bool(power(state, player, name)) and name not in state.done.used


def person(state: State, who: Player, title: Title) -> Player:
    """TRI-2.3: who has a person's power; with option `powers: title` the holder of the title."""
    return state.titles[title] if state.options.powers == "title" else who


def owned(state: State, player: Player) -> tuple[ProvinceId, ...]:
    """A player's provinces in the board's order."""
    return tuple(name for name in BOARD.provinces if state.provinces[name].owner == player)


def units(state: State, at: ProvinceId, player: Player) -> Troops:
    """A player's units in a province."""
    province = state.provinces[at]
    if province.owner == player:
        return Troops(province.legions, province.veterans)
    return province.troops.get(player, Troops())


def places_of(state: State, player: Player) -> tuple[ProvinceId, ...]:
    """Where a player's units stand, in the board's order."""
    return tuple(name for name in BOARD.provinces if units(state, name, player).count)


def garrisoned(state: State, at: ProvinceId) -> bool:
    """Do regular units stand in a province, anybody's?"""
    return any(units(state, at, player).count for player in state.seats)


def barbarians(state: State, at: ProvinceId) -> Barbarians:
    """The barbarians of a province; in Italy those on its sites."""
    province = state.provinces[at]
    held = Counter(province.sites.values())
    return province.barbarians + Barbarians(held["ordinary"], held["elite"])


def free_sites(state: State) -> tuple[tuple[ProvinceId, str], ...]:
    """TRI-2.3: the free sites of Italy."""
    return tuple(
        (name, site) for name in ITALY for site in SITES[name] if state.provinces[name].sites[site] == "free"
    )


def standing_of(state: State, player: Player) -> Standing:
    """A player's standing instructions; none where the reader may not know them."""
    standing = state.players[player].standing
    return standing.value if standing.known else Standing()


def on_board(state: State, piece: str) -> int:
    """TRI-0.5: how many pieces of a kind that all share are on the board."""
    every = state.provinces.values()
    match piece:
        case "barbarian":
            return sum(barbarians(state, name).ordinary for name in state.provinces)
        case "elite":
            return sum(barbarians(state, name).elite for name in state.provinces)
        case "caravan":
            return sum(len(province.caravans) for province in every)
        case "market":
            return sum(len(province.markets) for province in every)
        case "temple":
            return sum(province.temple for province in every)
        case "medal":
            return sum(sum(seat.medals.values()) for seat in state.players.values())
    return sum(province.city for province in every)


def left(state: State, piece: str) -> int:
    """TRI-0.5: the pieces of a kind that all share, left in the box."""
    return BOARD.pieces[piece] - on_board(state, piece)


def units_left(state: State, player: Player) -> Troops:
    """TRI-0.5: the units that a player has left in the box."""
    there = sum((units(state, name, player) for name in state.provinces), Troops())
    return Troops(BOARD.pieces["legion"], BOARD.pieces["veteran"]) - there


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """TRI-9.1: each player's points of influence: the general's, medals, senators."""
    return {player: lines(state, player, TITLES) for player in state.seats}


def lines(state: State, player: Player, domains: tuple[Title, ...]) -> tuple[Line, ...]:
    """TRI-8.1: a player's points in some domains, line by line."""
    seat = state.players[player]
    own = sum(BOARD.generals[player].get(domain, 0) for domain in domains)
    medals = sum(seat.medals.get(domain, 0) for domain in domains)
    senate = sum(getattr(BOARD.senators[each], domain) for each in seat.senators for domain in domains)
    return (
        Line("TRI-10.1", "general", 1, own),
        Line("TRI-6.5", "medals", medals, medals),
        Line("TRI-4.4", "senators", len(seat.senators), senate),
    )


def score(state: State, player: Player, domains: tuple[Title, ...] = TITLES) -> int:
    """TRI-8.1, TRI-9.1: a player's points in some domains, in all of them if none is named."""
    return total(lines(state, player, domains)).points


def pieces_of(state: State, player: Player) -> tuple[str, ...]:
    """No piece of this game has a name that an order says."""
    return ()


def capital(player: Player) -> ProvinceId:
    """TRI-0.2: where a player began."""
    return BOARD.starts[player].capital


def sites_to_fall(state: State) -> Iterator[tuple[ProvinceId, str]]:
    """Italy's sites with the barbarians on them, ordinary ones first."""
    for holder in ("ordinary", "elite"):
        for name in ITALY:
            for site in SITES[name]:
                if state.provinces[name].sites[site] == holder:
                    yield name, site


# -- changes, for events to apply ------------------------------------------------------------------------------------


def with_seat(state: State, player: Player, **changes: Any) -> State:
    """The position with something of a player changed."""
    return replace(state, players={**state.players, player: replace(state.players[player], **changes)})


def with_province(state: State, name: ProvinceId, **changes: Any) -> State:
    """The position with something of a province changed."""
    return replace(state, provinces={**state.provinces, name: replace(state.provinces[name], **changes)})


def with_units(state: State, at: ProvinceId, player: Player, change: Troops, *, away: bool = False) -> State:
    """The position with units come to a province, or gone from it."""
    now = units(state, at, player) - change if away else units(state, at, player) + change
    province = state.provinces[at]
    if province.owner == player:
        return with_province(state, at, legions=now.legions, veterans=now.veterans)
    others = {name: troops for name, troops in province.troops.items() if name != player}
    return with_province(state, at, troops={**others, player: now} if now.count else others)


def with_done(state: State, **changes: Any) -> State:
    """The position with something of what is done in the phase changed."""
    return replace(state, done=replace(state.done, **changes))


def drawn(state: State, player: Player, cards: tuple[Card, ...]) -> State:
    """The position with cards come into a hand."""
    return with_seat(state, player, cards=(*state.players[player].cards, *(Secret(card) for card in cards)))


ALL_SITES = sum(len(sites) for sites in SITES.values())
