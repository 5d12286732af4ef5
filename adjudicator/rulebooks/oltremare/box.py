"""What must be true of every position: every card in one place, markers on their ports or with players, whole names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from adjudicator.engine.table.reason import Flaw, flaw
from adjudicator.engine.table.rulebook import names_everybody
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.oltremare.board import BOARD, CARDS, PORTS, VENICE, cards_for
from adjudicator.rulebooks.oltremare.state import ALL, State


def piles(state: State) -> Iterator[tuple[tuple[str | int, ...], tuple[Secret[str], ...]]]:
    """Every pile of cards, and where it stands."""
    for name, seat in state.players.items():
        for field in ("hand", "cargo", "pirates"):
            yield ("players", name, field), getattr(seat, field)
    yield ("deck",), state.deck
    yield ("discard",), tuple(Secret(card) for card in state.discard)
    yield ("in_play",), tuple(Secret(card) for card in state.in_play)


def every_card_in_one_place(state: State) -> Flaw | None:
    """OLT-0.1: each card is in a hand, a cargo, a pirate pile, the deck, the discard or in play, and in one of them."""
    seen: Counter[str] = Counter()
    hidden = False
    mine = cards_for(len(state.players))
    for where, pile in piles(state):
        for at, card in enumerate(pile):
            if not card.known:
                hidden = True
                continue
            if card.value not in mine and card.value != VENICE:
                return flaw((*where, at), "OLT-0.1", "no-such-card", value=card.value)
            seen[card.value] += 1
            if seen[card.value] > 1:
                return flaw((*where, at), "OLT-0.1", "card-twice", card=card.value)
    missing = [card for card in mine if card not in seen]
    if missing and not hidden:
        return flaw(("deck",), "OLT-0.1", "card-missing", card=missing[0], count=len(missing))
    return None


def venice_is_where_it_can_be(state: State) -> Flaw | None:
    """OLT-5.3: the Venice card is in the deck, or out of the game."""
    for where, pile in piles(state):
        if where != ("deck",) and any(card.known and card.value == VENICE for card in pile):
            return flaw(where, "OLT-5.3", "venice-elsewhere")
    return None


def markers_are_whole(state: State) -> Flaw | None:
    """OLT-0.3: markers on ports and with players are of the box, no more than there are; the active one is the last."""
    count = Counter(state.markers.values())
    for port, marker in state.markers.items():
        if port not in PORTS:
            return flaw(("markers", port), "OLT-0.3", "no-such-port", value=port)
        if marker not in BOARD.markers:
            return flaw(("markers", port), "OLT-0.3", "no-such-marker", value=marker)
    for name, seat in state.players.items():
        known = [marker.value for marker in seat.markers if marker.known]
        count.update(known)
        for marker in known:
            if marker not in BOARD.markers:
                return flaw(("players", name, "markers"), "OLT-0.3", "no-such-marker", value=marker)
        last = seat.markers[-1] if seat.markers else None
        if seat.active is not None and (last is None or (last.known and last.value != seat.active)):
            return flaw(("players", name, "active"), "OLT-3.5", "active-is-last", value=seat.active)
    for marker, number in count.items():
        if number > BOARD.markers[marker]:
            return flaw(("markers",), "OLT-0.3", "too-many-markers", value=marker, most=BOARD.markers[marker])
    return None


def ships_are_in_ports(state: State) -> Flaw | None:
    """OLT-0.4: every ship lies in a port, once they have been placed."""
    for name, seat in state.players.items():
        if seat.ship not in PORTS and not (seat.ship == "" and state.phase.name == "start"):
            return flaw(("players", name, "ship"), "OLT-0.4", "no-such-port", value=seat.ship)
    return None


def seats_are_whole(state: State) -> Flaw | None:
    """OLT-0.5: the seats name every player once, and whose turn it is is one of them."""
    found = names_everybody(state, state.seats, ("seats",), "OLT-0.5", "seats")
    if found:
        return found
    if state.turn_of not in state.seats:
        return flaw(("turn_of",), "OLT-0.5", "no-such-player", value=state.turn_of)
    for field, names in (
        ("exchanged", state.exchanged),
        ("turns", tuple(state.turns)),
        ("asked", state.asked),
    ):
        for name in names:
            if name not in state.seats:
                return flaw((field,), "OLT-0.5", "no-such-player", value=name)
    return None


def offers_are_whole(state: State) -> Flaw | None:
    """OLT-2.1: every offer is between the active player and another, of cards and goods of the game."""
    for name, offer in state.offers.items():
        where = ("offers", name)
        if not re.fullmatch(rf"{offer.by}-[1-9][0-9]?", name):
            return flaw(where, "OLT-2.1", "no-offer-name", value=name, by=offer.by)
        sides = (offer.by, offer.to)
        if offer.by not in state.seats or offer.to not in (*state.seats, ALL):
            return flaw(where, "OLT-2.1", "no-such-player", value=f"{offer.by}, {offer.to}")
        if state.turn_of not in sides or offer.by == offer.to:
            return flaw(where, "OLT-2.1", "not-with-active", value=name)
        if any(good not in BOARD.goods for good in offer.for_.goods):
            return flaw(where, "OLT-2.1", "no-such-good", value=list(offer.for_.goods))
        for shown in offer.give.cards:
            if shown.card.known and (
                shown.card.value not in CARDS
                or (shown.good.known and shown.good.value != CARDS[shown.card.value].good)
            ):
                return flaw(where, "OLT-2.2", "good-is-true", value=shown.card.value)
    return None


INVARIANTS = (every_card_in_one_place, markers_are_whole, seats_are_whole, ships_are_in_ports)
CHECKS = (*INVARIANTS, venice_is_where_it_can_be, offers_are_whole)
