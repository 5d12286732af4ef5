"""What a player suspects others to hold: purses, and cards in hands that nobody has shown.

A suspicion is a `known.yaml` in which it is certain, so whatever plays on what a player knows plays on it too. Which of
a game's secrets can be suspected is said by its words (`suspected` in `words.yaml`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.match.trying_out import Impossible, guessed_position
from adjudicator.engine.play.known import (
    Between,
    Known,
    at,
    filled_in,
    hidden_at,
    known_from_view,
    numbers_in,
    put,
)
from adjudicator.engine.play.known_file import STEP, read_known, write_known
from adjudicator.engine.play.sightings import Sighting, without
from adjudicator.engine.report.template import names
from adjudicator.engine.table.boxes import OUT, Box, Place, cards_in, known_of, left_of
from adjudicator.engine.table.secret import Secret
from adjudicator.page.opened import OpenView

SUSPECTED, PLAYERS = "suspected", "players"
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Suspect(Struct, frozen=True, omit_defaults=True):
    """Something of another player that can be suspected: its place in the position, and its name in words.

    A number lies between `least` and `most` (0: nobody can say). Of cards, `held` are suspected there, and `room` more
    can be, of those in `cards`; both by name, with words.
    """

    place: str
    words: str
    least: int = 0
    most: int = 0
    room: int = 0
    cards: Mapping[str, str] = {}
    held: Mapping[str, str] = {}


def suspects(seen: OpenView, suspicion: Known | None = None) -> Iterator[Suspect]:
    """What can be suspected of the other players, once some of it is (`suspicion`)."""
    known = known_by(seen)
    for place, held in numbers_in(known.state):
        if isinstance(held.value, Between) and (called := _in_words(seen, place)):
            yield Suspect(STEP.join(place), called, held.value.least, held.value.most or 0)
    before, after = filled_in(known), filled_in(suspicion or known)
    gone = [card for each in known.sightings if each.places == (OUT,) for card in each.cards]
    for was, box in zip(seen.rulebook.boxes(before), seen.rulebook.boxes(after), strict=True):
        left = left_within(box, after, gone)
        for place, cards in was.places(before):
            if hidden_at(before, place) and (called := _in_words(seen, place)):
                mine = left_of(known_of(cards_in(at(after, place))), known_of(cards))
                said = [_cards_in_words(seen, some) for some in (left, mine)]
                yield Suspect(STEP.join(place), called, 0, 0, hidden_at(after, place), *said)


def suspecting(
    seen: OpenView, numbers: Mapping[str, int] = NOTHING, cards: Mapping[str, Sequence[str]] = NOTHING
) -> Known:
    """What the player would know if these numbers and cards were certain, each by its place. Raises `Impossible`."""
    known = known_by(seen)
    state, sightings = known.state, known.sightings
    places = {each.place: tuple(each.place.split(STEP)) for each in suspects(seen)}
    for name, number in numbers.items():
        state = put(state, places[name], Secret(number))
    for name, held in cards.items():
        for card in held:
            sightings = without(sightings, card, [places[name]])
        sightings = (*sightings, Sighting((places[name],), tuple(held)))
    found = Known(state, sightings)
    text = write_known(seen.rulebook, found, seen.view, seen.me)
    cannot_be = words(texts_of(seen.rulebook))["pages"]["suspect.cannot-be"]
    if read_known(seen.rulebook, text.encode(), seen.view, seen.me) is None:
        raise Impossible(cannot_be)
    try:
        guessed_position(seen.rulebook, seen.view, seen.me, known=found)
    except Impossible:
        raise Impossible(cannot_be) from None
    return found


def left_within(box: Box, state: Any, gone: Sequence[str]) -> list[str]:
    """The cards of a box that can lie where the reader can't see them, without `gone`. Of those that leave the game
    when they are played, none can if so many cards have no place.
    """
    left = left_of(box.cards, [*box.seen(state), *gone])
    leaving = [card for card in left if card in box.leave]
    places = sum(hidden_at(state, place) for place, _ in box.places(state))
    return left_of(left, leaving) if box.piles and len(left) - places >= len(leaving) else left


def known_by(seen: OpenView) -> Known:
    """What the player of a view knows."""
    return known_from_view(seen.rulebook, seen.view) if seen.known is None else seen.known


def _cards_in_words(seen: OpenView, cards: Iterable[str]) -> Mapping[str, str]:
    said = names(texts_of(seen.rulebook))
    return {card: str(said.get(card)) for card in cards}


def _in_words(seen: OpenView, place: Place) -> str:
    """What the game calls something of another player that can be suspected; empty for anything else."""
    texts = texts_of(seen.rulebook)
    said: Mapping[str, str] = words(texts).get(SUSPECTED, {})
    if place[0] != PLAYERS or place[1] == seen.me or place[-1] not in said:
        return ""
    return said[place[-1]].format(name=names(texts).get(place[1]))
