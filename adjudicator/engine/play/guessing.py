"""Guesses of a position within what a reader knows; the rulebook's own guess fills in the rest (`table/guess.py`)."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.play.known import Between, Known, at, filled_in, numbers_in, put, with_card
from adjudicator.engine.play.sightings import Sighting
from adjudicator.engine.table.boxes import OUT, known_of, left_of
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret

TRIES = 20
"""How often cards are laid out anew where they don't fit together, such as in a hand that has to show others."""


def guess_within(rulebook: Rulebook[Any], known: Known, me: Player, chance: Chance) -> Any:
    """A position that could be the real one, as far as the reader `me` was ever told. Raises LookupError for a view
    that can be of no position.
    """
    certain = filled_in(known)
    open_ = [each for each in known.sightings if len(each.places) > 1]
    for left in range(TRIES, -1, -1):
        try:
            laid_out = certain
            for each in open_:
                laid_out = somewhere(laid_out, each, chance)
            guess = rulebook.guess(laid_out, me, chance)
            swapped = without_gone(rulebook, known, laid_out, guess)
            return in_bounds(guess if swapped is laid_out else rulebook.guess(swapped, me, chance), known)
        except LookupError:
            if not left:
                raise
    raise AssertionError


def somewhere(state: Any, sighting: Sighting, chance: Chance) -> Any:
    """A position with the cards of a sighting at places where they can be, by chance."""
    for card in sighting.cards:
        free = [(place, nth) for place in sighting.places for nth in range(hidden_at(state, place))]
        if not free:
            raise LookupError(sighting)
        place, nth = free[chance(len(free))]
        state = with_card(state, place, card, nth)
    return state


def without_gone(rulebook: Rulebook[Any], known: Known, laid_out: Any, guess: Any) -> Any:
    """What was laid out, with the guessed cards too where some of these have left the game, as the reader was told:
    others take their places.
    """
    gone = {card for each in known.sightings if each.places == (OUT,) for card in each.cards}
    for box in rulebook.boxes(guess):
        places = box.places(guess)
        others = [card for card in left_of(box.cards, box.seen(guess)) if card not in gone]
        if gone & {*known_of(*(cards for _, cards in places))}:
            for place, cards in places:
                filled = tuple(Secret(others.pop()) if card.value in gone else card for card in cards)
                laid_out = put(laid_out, place, filled[0] if isinstance(at(guess, place), Secret) else filled)
    return laid_out


def hidden_at(state: Any, place: tuple[str, ...]) -> int:
    """How many cards lie hidden at a place."""
    held = at(state, place)
    return sum(not each.known for each in ((held,) if isinstance(held, Secret) else held))


def in_bounds(guess: Any, known: Known) -> Any:
    """A guess whose numbers are at least and at most what the reader knows of them."""
    for place, held in numbers_in(known.state):
        if isinstance(held.value, Between):
            number, bounds = at(guess, place).value, held.value
            number = max(number, bounds.least)
            number = number if bounds.most is None else min(number, bounds.most)
            guess = put(guess, place, Secret(number))
    return guess
