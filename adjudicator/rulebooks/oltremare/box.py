"""What must be true of every position: each card lies in one place,
markers lie on ports or with players, all names exist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from adjudicator.engine.table import Flaw, Secret, flaw, names_everybody
from adjudicator.engine.table.reason import Path
from adjudicator.rulebooks.oltremare.board import BOARD, CARDS, GOODS, MARKERS, PORTS, VENICE, cards_for
from adjudicator.rulebooks.oltremare.standing import ALL
from adjudicator.rulebooks.oltremare.state import State, piles


def every_card_in_one_place(state: State) -> Flaw | None:
    """OLT-0.1: each card lies in exactly one place: a hand, a cargo, a pirate pile, the deck,
    the discard or in play."""
    there = [((*where, at), card) for where, pile in piles(state) for at, card in enumerate(pile)]
    mine = cards_for(len(state.players))
    seen: set[str] = set()
    for where, card in ((where, card.value) for where, card in there if card.known):
        if card not in mine and card != VENICE:
            return flaw(where, "OLT-0.1", "no-such-card", value=card)
        if card in seen:
            return flaw(where, "OLT-0.1", "card-twice", card=card)
        seen.add(card)
    missing = [card for card in mine if card not in seen]
    if missing and all(card.known for _, card in there):
        return flaw(("deck",), "OLT-0.1", "card-missing", card=missing[0], count=len(missing))
    return None


def venice_is_where_it_can_be(state: State) -> Flaw | None:
    """OLT-5.3: the Venice card is in the deck, or out of the game."""
    for where, pile in piles(state):
        if where != ("deck",) and Secret(VENICE) in pile:
            return flaw(where, "OLT-5.3", "venice-elsewhere")
    return None


def names(state: State) -> Iterator[tuple[Path, str, Collection[str], str, str]]:
    """The names of ports, markers and players in a position: each with its place, the names allowed there, and the rule
    and reason key if it isn't one of them."""
    for port, marker in state.markers.items():
        yield ("markers", port), port, PORTS, "OLT-0.3", "no-such-port"
        yield ("markers", port), marker, MARKERS, "OLT-0.3", "no-such-marker"
    ports = (*PORTS, "") if state.phase.name == "start" else PORTS
    for name, seat in state.players.items():
        yield ("players", name, "ship"), seat.ship, ports, "OLT-0.4", "no-such-port"
        for marker in (marker.value for marker in seat.markers if marker.known):
            yield ("players", name, "markers"), marker, MARKERS, "OLT-0.3", "no-such-marker"
    of_the_turn = {"exchanged": state.exchanged, "turns": state.turns, "asked": state.asked}
    for field, players in {"turn_of": (state.turn_of,), **of_the_turn}.items():
        for name in players:
            yield (field,), name, state.players, "OLT-0.5", "no-such-player"


def names_are_known(state: State) -> Flaw | None:
    """OLT-0.3 to 0.5: markers lie on ports of the board, ships are in ports once they have been placed,
    and the seats name every player."""
    for where, name, among, rule, why in names(state):
        if name not in among:
            return flaw(where, rule, why, value=name)
    return names_everybody(state, state.seats, ("seats",), "OLT-0.5", "seats")


def markers_are_whole(state: State) -> Flaw | None:
    """OLT-0.3: ports and players hold no more markers than the box has,
    and a player's active marker is the last one collected."""
    count = Counter(state.markers.values())
    for name, seat in state.players.items():
        count.update(marker.value for marker in seat.markers if marker.known)
        last = seat.markers[-1:]
        if seat.active is not None and last not in ((Secret(seat.active),), (Secret.hidden(),)):
            return flaw(("players", name, "active"), "OLT-3.5", "active-is-last", value=seat.active)
    for marker, most in BOARD.markers.items():
        if count[marker] > most:
            return flaw(("markers",), "OLT-0.3", "too-many-markers", value=marker, most=most)
    return None


def offers_are_whole(state: State) -> Flaw | None:
    """OLT-2.1: every offer is between the active player and another, of cards and goods of the game."""
    for name, offer in state.offers.items():
        where, sides = ("offers", name), (offer.by, offer.to)
        if not re.fullmatch(rf"{offer.by}-[1-9][0-9]?", name):
            return flaw(where, "OLT-2.1", "no-offer-name", value=name, by=offer.by)
        if offer.by not in state.seats or offer.to not in (*state.seats, ALL):
            return flaw(where, "OLT-2.1", "no-such-player", value=f"{offer.by}, {offer.to}")
        if state.turn_of not in sides or offer.by == offer.to:
            return flaw(where, "OLT-2.1", "not-with-active", value=name)
        if any(good not in GOODS for good in offer.for_.goods):
            return flaw(where, "OLT-2.1", "no-such-good", value=list(offer.for_.goods))
        for shown in (shown for shown in offer.give.cards if shown.card.known):
            face = CARDS.get(shown.card.value)
            if face is None or shown.good not in (Secret(face.good), Secret.hidden()):
                return flaw(where, "OLT-2.2", "good-is-true", value=shown.card.value)
    return None


INVARIANTS = (every_card_in_one_place, names_are_known, markers_are_whole)
CHECKS = (*INVARIANTS, venice_is_where_it_can_be, offers_are_whole)
