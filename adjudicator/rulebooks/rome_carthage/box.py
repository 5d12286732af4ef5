"""What must be true of every position: at most 28 pieces, one in a city; 52 cards, each in one place."""

from __future__ import annotations

from collections import Counter

from adjudicator.engine.table import Flaw, flaw, names_everybody
from adjudicator.rulebooks.rome_carthage.board import BOARD, CARDS, KINDS, PIP_CARDS, worth
from adjudicator.rulebooks.rome_carthage.state import State

KNOWN = frozenset(CARDS)


def every_card_in_one_place(state: State) -> Flaw | None:
    """ROM-0.3, ROM-3.2: every card above zero except kings is in a hand, the talon or spent;
    no card is in two places."""
    cards: list[str] = list(state.spent)
    hidden = False
    for secret in (*(card for seat in state.players.values() for card in seat.hand), *state.talon):
        if not secret.known:
            hidden = True
        elif isinstance(secret.value, str):
            cards.append(secret.value)
        else:
            cards += secret.value
    once = set(cards)
    if len(once) < len(cards) or not once <= KNOWN:
        for card, number in Counter(cards).items():
            if card not in KNOWN:
                return flaw(("players",), "ROM-0.3", "no-such-card", value=card)
            if number > 1:
                return flaw(("players",), "ROM-0.3", "card-twice", card=card)
    if not hidden:
        for card in PIP_CARDS:
            if card not in once:
                return flaw(("talon",), "ROM-0.3", "card-missing", card=card)
    return None


def talon_is_split_or_not(state: State) -> Flaw | None:
    """ROM-6.3: once the talon is laid, it is a pack for each alliance with `split_talon`, else single cards."""
    if state.phase.name == "start" or not state.talon:
        return None
    packs = [card.value for card in state.talon if card.known and not isinstance(card.value, str)]
    if not state.options.split_talon:
        return flaw(("talon",), "ROM-6.3", "talon-split") if packs or state.packs else None
    whole = len(state.talon) == len(state.alliances) and len(packs) == sum(card.known for card in state.talon)
    if not whole:
        return flaw(("talon",), "ROM-6.3", "talon-not-split", most=len(state.alliances))
    sizes = zip(state.packs, state.talon, strict=False)
    if len(state.packs) not in (0, len(state.talon)) or any(
        pack.known and len(pack.value) != size for size, pack in sizes
    ):
        return flaw(("packs",), "ROM-6.3", "pack-sizes", value=list(state.packs))
    return None


def spent_cards_count(state: State) -> Flaw | None:
    """ROM-3.2: no zero and no king is among the spent cards."""
    for card in state.spent:
        if card in CARDS and not 0 < worth(card) < 15:
            return flaw(("spent",), "ROM-3.2", "never-spent", card=card)
    return None


def pieces_are_whole(state: State) -> Flaw | None:
    """ROM-0.2, ROM-2.3: the pieces are those of the box and on the board,
    one in a city except where a fight is pending; ships are in ports."""
    fights = {fight.city: (fight.attacker, fight.defender) for fight in state.fights}
    there: dict[str, list[str]] = {}
    for name, unit in state.pieces.items():
        where = ("pieces", name)
        owner, _, piece = name.partition("-")
        if owner != unit.state or KINDS.get(piece) != unit.kind or owner not in BOARD.states:
            return flaw(where, "ROM-0.2", "no-such-piece", value=name)
        if unit.at not in BOARD.cities:
            return flaw((*where, "at"), "ROM-2.1", "no-such-city", value=unit.at)
        if unit.kind == "ship" and not BOARD.cities[unit.at].port:
            return flaw((*where, "at"), "ROM-0.6", "no-port", value=unit.at)
        there.setdefault(unit.at, []).append(name)
    for city, names in there.items():
        if len(names) > 1 and sorted(names) != sorted(fights.get(city, ())):
            return flaw(("pieces", names[1], "at"), "ROM-2.3", "two-in-a-city", city=city, pieces=names)
    for number, fight in enumerate(state.fights):
        if not {fight.attacker, fight.defender} <= set(there.get(fight.city, ())):
            return flaw(("fights", number), "ROM-1.4", "fight-without-pieces", city=fight.city)
    return None


def players_are_whole(state: State) -> Flaw | None:
    """ROM-0.1: every player has a seat and an alliance, and every state has a player."""
    if found := names_everybody(state, state.seats, ("seats",), "ROM-0.5", "seats"):
        return found
    if sorted(player for alliance in state.alliances for player in alliance) != sorted(state.players):
        return flaw(("alliances",), "ROM-0.1", "alliances", value=[list(each) for each in state.alliances])
    if sorted(name for seat in state.players.values() for name in seat.states) != sorted(BOARD.states):
        return flaw(("players",), "ROM-0.1", "states-of-players")
    return None


INVARIANTS = (every_card_in_one_place, spent_cards_count, players_are_whole)
CHECKS = (*INVARIANTS, talon_is_split_or_not, pieces_are_whole)
