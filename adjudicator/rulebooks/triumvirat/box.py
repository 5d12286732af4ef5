"""What must be true of every position: cards, taxes, pieces and barbarians of the box, and a board that can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from adjudicator.engine.table.reason import Flaw, Path, flaw
from adjudicator.engine.table.rulebook import names_everybody
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.triumvirat.board import (
    BARBARIAN_CARDS,
    BOARD,
    BOX,
    CARDS,
    ISSUED,
    ITALY,
    SITES,
    TAX,
    TITLES,
)
from adjudicator.rulebooks.triumvirat.state import Province, State, left, owned, units_left

SHARED = ("caravan", "city", "market", "temple", "barbarian", "elite", "medal")


def hands(state: State) -> Iterator[tuple[Path, tuple[Secret[str], ...]]]:
    """Every hand and offer, and where it stands."""
    for player, seat in state.players.items():
        yield ("players", player, "cards"), seat.cards
    for player, cards in state.offers.items():
        yield ("offers", player), cards


def cards_are_of_the_box(state: State) -> Flaw | None:
    """TRI-0.5: no more cards of a kind than the box has, taxes among them, no purse below nothing."""
    count: Counter[str] = Counter()
    for where, cards in hands(state):
        for at, card in enumerate(cards):
            if card.known:
                if card.value not in CARDS:
                    return flaw((*where, at), "TRI-0.5", "no-such-card", value=card.value)
                count[card.value] += 1
    for player, seat in state.players.items():
        if seat.taxes < 0:
            return flaw(("players", player, "taxes"), "TRI-0.5", "below-nothing", value=seat.taxes)
        count[TAX] += seat.taxes
    for kind, number in count.items():
        if number > BOX[kind]:
            return flaw(("players",), "TRI-0.5", "too-many-cards", value=number, card=kind, most=BOX[kind])
    return None


def deck_is_whole(state: State) -> Flaw | None:
    """TRI-0.4: each of the 21 cards lies in the deck, on offer, before a player, at work or among those used."""
    open_ = (*state.used, *state.events, *state.on_offer)
    bought = (each for seat in state.players.values() for each in seat.senators)
    count = Counter((*open_, *bought, *(card.value for card in state.deck if card.known)))
    for card, number in count.items():
        if number > ISSUED.get(card, 0):
            return flaw(
                ("deck",), "TRI-0.4", "not-so-often", card=card, value=number, most=ISSUED.get(card, 0)
            )
    return None


def barbarian_cards_are_whole(state: State) -> Flaw | None:
    """TRI-0.4: each of the eight cards lies in the barbarian deck or is out."""
    cards = (*state.barbarian_out, *(card.value for card in state.barbarian_deck if card.known))
    for card, number in Counter(cards).items():
        most = int(card in BARBARIAN_CARDS)
        if number > most:
            return flaw(("barbarian_deck",), "TRI-0.4", "not-so-often", card=card, value=number, most=most)
    return None


def pieces_are_of_the_box(state: State) -> Flaw | None:
    """TRI-0.5: no more pieces of a kind than the box has; asked of a whole board alone (TRI-0.3)."""
    if provinces_are_the_boards(state):
        return None
    for piece in SHARED:
        if left(state, piece) < 0:
            most = BOARD.pieces[piece]
            return flaw(
                ("provinces",),
                "TRI-0.5",
                "too-many-pieces",
                piece=piece,
                value=most - left(state, piece),
                most=most,
            )
    for player in state.players:
        units = units_left(state, player)
        for kind, rest, most in (
            ("legion", units.legions, BOARD.pieces["legion"]),
            ("veteran", units.veterans, BOARD.pieces["veteran"]),
            ("influence", BOARD.pieces["influence"] - len(owned(state, player)), BOARD.pieces["influence"]),
        ):
            if rest < 0:
                return flaw(
                    ("provinces",), "TRI-0.5", "too-many-pieces", piece=kind, value=most - rest, most=most
                )
    return None


def provinces_are_the_boards(state: State) -> Flaw | None:
    """TRI-0.3: every province is there, and Italy's have their sites and nobody's pieces."""
    for name in (*BOARD.provinces, *state.provinces):
        if name not in BOARD.provinces or name not in state.provinces:
            return flaw(("provinces",), "TRI-0.3", "provinces", value=name)
    for name in ITALY:
        here = state.provinces[name]
        if sorted(here.sites) != sorted(SITES[name]):
            return flaw(("provinces", name, "sites"), "TRI-0.3", "sites", value=list(SITES[name]))
        if here.owner or here.barbarians.count:
            return flaw(("provinces", name), "TRI-0.3", "never-owned", value=name)
    return None


def provinces_are_built_right(state: State) -> Flaw | None:
    """TRI-4.3: pieces stand under somebody's influence, each on its printed place; no number is below nothing."""
    for name, land in BOARD.provinces.items():
        here, where = state.provinces.get(name, Province()), ("provinces", name)
        if here.owner is not None and here.owner not in state.players:
            return flaw((*where, "owner"), "TRI-0.1", "no-such-player", value=here.owner)
        built = (*here.caravans, *here.markets)
        if not here.owner and (built or here.city or here.temple or here.legions or here.veterans):
            return flaw(where, "TRI-4.3", "nobodys-pieces", province=name)
        if (here.city and not land.city) or (here.temple and not here.city):
            return flaw(where, "TRI-4.3", "city-or-temple", province=name)
        if len(set(built)) < len(built) or not set(built) <= set(land.resources):
            return flaw(where, "TRI-4.3", "caravans", value=list(built))
        troops = [(each.legions, each.veterans) for each in here.troops.values()]
        numbers = [(here.legions, here.veterans), (here.barbarians.ordinary, here.barbarians.elite), *troops]
        if any(number < 0 for pair in numbers for number in pair):
            return flaw(where, "TRI-0.5", "below-nothing", value=min(min(pair) for pair in numbers))
        for player in here.troops:
            if player not in state.players or player == here.owner or here.owner:
                return flaw((*where, "troops"), "TRI-6.1", "no-troops-there", value=player)
    return None


def titles_are_held(state: State) -> Flaw | None:
    """TRI-0.1: each title is some player's, medals are in domains, and seats name everybody once."""
    found = names_everybody(state, state.seats, ("seats",), "TRI-0.1", "seats")
    if found:
        return found
    for title in TITLES:
        if state.titles.get(title) not in state.players:
            return flaw(("titles",), "TRI-0.1", "no-such-player", value=state.titles.get(title, "nobody"))
    for player, seat in state.players.items():
        if any(domain not in TITLES or count < 0 for domain, count in seat.medals.items()):
            return flaw(("players", player, "medals"), "TRI-6.5", "no-such-domain", value=list(seat.medals))
        for each in seat.senators:
            if each not in BOARD.senators:
                return flaw(("players", player, "senators"), "TRI-0.4", "no-such-senator", value=each)
    if state.emperor.player and state.emperor.player not in state.players:
        return flaw(("emperor",), "TRI-6.6", "no-such-player", value=state.emperor.player)
    return None


INVARIANTS = (
    provinces_are_the_boards,
    cards_are_of_the_box,
    deck_is_whole,
    barbarian_cards_are_whole,
    pieces_are_of_the_box,
    provinces_are_built_right,
    titles_are_held,
)
CHECKS = INVARIANTS
