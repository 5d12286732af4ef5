"""What must be true of every position: cards, taxes, pieces and barbarians of the box, and a board that can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec.structs import asdict

from adjudicator.engine.table.checks import names_everybody
from adjudicator.engine.table.reason import Flaw, first_flaw, flaw
from adjudicator.rulebooks.triumvirat import board
from adjudicator.rulebooks.triumvirat.board import BOARD, BOX, ISSUED, ITALY, LANDS, SITES, TAX, TITLES
from adjudicator.rulebooks.triumvirat.pieces import Hand, Province
from adjudicator.rulebooks.triumvirat.state import State, counted

Tests = Iterator[tuple[bool, Flaw]]
"""What may be wrong, one after another: if it is, and the flaw that it then is."""
SHARED = ("caravan", "city", "market", "temple", "barbarian", "elite", "medal")


def of_cards(state: State) -> Tests:
    """TRI-0.5: no more cards of a kind than the box has, in hands, offers and taxes kept; no purse below nothing."""
    hands = [(("players", player, "cards"), seat.cards) for player, seat in state.players.items()]
    count: Counter[str] = Counter()
    for where, cards in (*hands, *((("offers", player), cards) for player, cards in state.offers.items())):
        for at, card in enumerate(cards):
            value = card.value if card.known else TAX
            yield value not in BOX, flaw((*where, at), "TRI-0.5", "no-such-card", value=value)
        count += counted(cards)
    for player, seat in state.players.items():
        at_taxes = ("players", player, "taxes")
        yield seat.taxes < 0, flaw(at_taxes, "TRI-0.5", "below-nothing", value=seat.taxes)
        count[TAX] += seat.taxes
    for kind, number in count.items():
        too_many = flaw(("players",), "TRI-0.5", "too-many-cards", value=number, card=kind, most=BOX[kind])
        yield number > BOX[kind], too_many


def of_deck(state: State) -> Tests:
    """TRI-0.4: each of the 21 cards lies in the deck, on offer, before a player, at work or among those used."""
    bought = (each for seat in state.players.values() for each in seat.senators)
    open_ = (*state.used, *state.events, *state.on_offer, *bought)
    return once("deck", state.deck, open_, ISSUED)


def of_barbarian_deck(state: State) -> Tests:
    """TRI-0.4: each of the eight cards lies in the barbarian deck or is out."""
    issued = dict.fromkeys(board.BARBARIAN_CARDS, 1)
    return once("barbarian_deck", state.barbarian_deck, state.barbarian_out, issued)


def once(deck: str, lying: Hand, open_: tuple[str, ...], issued: Mapping[str, int]) -> Tests:
    """TRI-0.4: no card lies in a deck and open more often than there are of it."""
    for card, number in (Counter(open_) + counted(lying)).items():
        most = issued.get(card, 0)
        yield number > most, flaw((deck,), "TRI-0.4", "not-so-often", card=card, value=number, most=most)


def of_pieces(state: State) -> Tests:
    """TRI-0.5: no more pieces of a kind than the box has; asked of a whole board alone (TRI-0.3)."""
    if first_flaw(of_board(state)):
        return
    left = [(piece, state.left(piece)) for piece in SHARED]
    for player in state.players:
        units = state.units_left(player)
        left += [("legion", units.legions), ("veteran", units.veterans)]
        left += [("influence", BOARD.pieces["influence"] - len(state.owned(player)))]
    for piece, rest in left:
        facts = {"piece": piece, "value": BOARD.pieces[piece] - rest, "most": BOARD.pieces[piece]}
        yield rest < 0, flaw(("provinces",), "TRI-0.5", "too-many-pieces", **facts)


def of_board(state: State) -> Tests:
    """TRI-0.3: every province is there, and Italy's have their sites and nobody's pieces."""
    for name in (*LANDS, *state.provinces):
        there = name in LANDS and name in state.provinces
        yield not there, flaw(("provinces",), "TRI-0.3", "provinces", value=name)
    for name in ITALY:
        here, at, sites = state.provinces[name], ("provinces", name), list(SITES[name])
        yield sorted(here.sites) != sorted(sites), flaw((*at, "sites"), "TRI-0.3", "sites", value=sites)
        yield bool(here.owner or here.barbarians.count), flaw(at, "TRI-0.3", "never-owned", value=name)


def of_provinces(state: State) -> Tests:
    """TRI-0.1, TRI-0.5, TRI-4.3, TRI-6.1: pieces stand under somebody's influence, each on its printed place; no number
    is below nothing."""
    for name, land in LANDS.items():
        here, at = state.provinces.get(name, Province()), ("provinces", name)
        strange = here.owner is not None and here.owner not in state.players
        yield strange, flaw((*at, "owner"), "TRI-0.1", "no-such-player", value=here.owner)
        built = (*here.caravans, *here.markets)
        pieces = built or here.city or here.temple or here.legions or here.veterans
        yield bool(pieces and not here.owner), flaw(at, "TRI-4.3", "nobodys-pieces", province=name)
        wrong = (here.city and not land.city) or (here.temple and not here.city)
        yield wrong, flaw(at, "TRI-4.3", "city-or-temple", province=name)
        doubled = len(set(built)) < len(built) or not set(built) <= set(land.resources)
        yield doubled, flaw(at, "TRI-4.3", "caravans", value=list(built))
        tallies = (asdict(each) for each in (here.barbarians, *here.troops.values()))
        least = min(here.legions, here.veterans, *(count for each in tallies for count in each.values()))
        yield least < 0, flaw(at, "TRI-0.5", "below-nothing", value=least)
        for player in here.troops:
            away = player in state.players and not here.owner
            yield not away, flaw((*at, "troops"), "TRI-6.1", "no-troops-there", value=player)


def of_titles(state: State) -> Tests:
    """TRI-0.1: seats name everybody once, each title is some player's; medals are in domains (TRI-6.5), senators known
    (TRI-0.4), the Emperor a player (TRI-6.6)."""
    if seats := names_everybody(state, state.seats, ("seats",), "TRI-0.1", "seats"):
        yield True, seats
    for title in TITLES:
        holder = state.titles.get(title, "nobody")
        yield holder not in state.players, flaw(("titles",), "TRI-0.1", "no-such-player", value=holder)
    for player, seat in state.players.items():
        strange = any(domain not in TITLES or count < 0 for domain, count in seat.medals.items())
        at = ("players", player)
        yield strange, flaw((*at, "medals"), "TRI-6.5", "no-such-domain", value=list(seat.medals))
        for each in seat.senators:
            unknown = flaw((*at, "senators"), "TRI-0.4", "no-such-senator", value=each)
            yield each not in BOARD.senators, unknown
    nobody = flaw(("emperor",), "TRI-6.6", "no-such-player", value=state.emperor.player)
    yield state.emperor.player not in ("", *state.players), nobody


def check(tests: Callable[[State], Tests], state: State) -> Flaw | None:
    """The first of some flaws that a position has."""
    return first_flaw(tests(state))


ALL = (of_board, of_cards, of_deck, of_barbarian_deck, of_pieces, of_provinces, of_titles)
INVARIANTS = tuple(partial(check, tests) for tests in ALL)
