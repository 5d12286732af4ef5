"""Cards that a reader has seen and that lie hidden now: in which places they must be, from event to event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import boxes
from adjudicator.engine.table.secret import Secret, Untold


class Sighting(Struct, frozen=True):
    """Cards that lie hidden in these places, nobody can say where: they were seen last in the first one, and can have
    gone to the others since.
    """

    places: tuple[boxes.Place, ...]
    cards: tuple[str, ...]


Sightings = tuple[Sighting, ...]


class Moved:
    """What an event did to the cards of a box, as far as its reader is told: between two positions, and with the `mark`
    for each card that the reader isn't told.

    Cards `left` these places, and marked ones `came` to those; `gone` are the cards, by place, that aren't known to lie
    there any more, and `shown` those that are known to lie somewhere now.
    """

    def __init__(self, was: boxes.Box, now: boxes.Box, changes: boxes.Changes, mark: Untold) -> None:
        self.was, self.now = was, now
        self.left, self.came = set[boxes.Place](), list[boxes.Place]()
        self.gone, self.shown = list[tuple[boxes.Place, Counter[str]]](), Counter[str]()
        for kind in (*now.piles, *now.hands):
            for place, one, other in changes.at(kind):
                self._change(place, boxes.cards_in(one), boxes.cards_in(other), mark)

    def _change(self, place: boxes.Place, one: boxes.Cards, other: boxes.Cards, mark: Untold) -> None:
        arrived = sum([card is mark for card in other])
        known, still = boxes.known_of(one), boxes.known_of(other)
        new, lost = (boxes.left_of(still, known), boxes.left_of(known, still)) if known != still else ([], [])
        if new:
            self.shown.update(new)
        if lost:
            self.gone.append((place, Counter(lost)))
        if arrived:
            self.came.append(place)
        if len(one) + arrived + len(new) > len(other):
            self.left.add(place)

    def sightings(self, before: Sightings, event: Any, counted: Sequence[str]) -> Sightings:
        """What is left of the sightings after the event, and those that it adds; `counted` are cards that came to
        light, and aren't told by name."""
        if not (self.left or self.came):
            return before
        told, names = Counter((*names_in(event), *counted)), boxes.names_of(tuple(self.now.cards))
        found = before
        named = Counter({name: count for name, count in told.items() if name in names})
        for card in named.elements() if found else ():
            found = without(found, card, self.left)
        found += self._out(event)
        if self.came:
            found = tuple(
                with_places(each, self.came) if self.left & {*each.places} else each for each in found
            )
            found += self._hidden(named)
        return found

    def _out(self, event: Any) -> Sightings:
        """The cards that have left the game by being played."""
        if not self.now.leave:
            return ()
        told = Counter(names_in(event, secrets=False))
        out = tuple((Counter({card: told[card] for card in self.now.leave}) - self.shown).elements())
        return (Sighting((boxes.OUT,), out),) if out else ()

    def _hidden(self, named: Counter[str]) -> Sightings:
        """The cards that were known to lie somewhere, or lay open, and may be among those that came."""
        came = tuple(self.came)
        found = [
            Sighting(
                (place, *came) if boxes.is_of(place, self.now.hands) else came,
                tuple((cards - named).elements()),
            )
            for place, cards in self.gone
        ]
        closed = Counter(self.was.open) - Counter(self.now.open) - self.shown
        return (*found, Sighting(came, tuple(closed.elements())))


def with_places(sighting: Sighting, more: Iterable[boxes.Place]) -> Sighting:
    """A sighting whose cards may lie in more places."""
    return Sighting(tuple(dict.fromkeys((*sighting.places, *more))), sighting.cards)


def without(sightings: Sightings, card: str, places: Iterable[boxes.Place]) -> Sightings:
    """The sightings after a card has come to light that lay in one of these places. It may be any of those seen that
    could lie there; so one in the fewest places goes, and the others may be where that one could be.
    """
    there = {*places}
    found = [each for each in sightings if card in each.cards and there & {*each.places}]
    if not found:
        return sightings
    least = min(found, key=lambda each: len(each.places))
    changed = list[Sighting]()
    for each in sightings:
        if each is least:
            changed.append(Sighting(each.places, less(each.cards, card)))
        elif each in found and not {*least.places} <= {*each.places}:
            moved = tuple(other for other in each.cards if other == card)
            changed.append(Sighting(each.places, tuple(other for other in each.cards if other != card)))
            changed.append(with_places(Sighting(each.places, moved), least.places))
        else:
            changed.append(each)
    return tuple(changed)


def in_order(sightings: Sightings, hidden: Mapping[boxes.Place, int]) -> Sightings:
    """The sightings without what says nothing: places where no card lies hidden (`hidden` are the others, with the
    number of cards), and cards that may be anywhere.
    """
    found: dict[tuple[boxes.Place, ...], list[str]] = {}
    for each in sightings:
        places = tuple(place for place in each.places if hidden.get(place) or place == boxes.OUT)
        if each.cards and places and (boxes.OUT in places or len(places) < sum(map(bool, hidden.values()))):
            found.setdefault(places, []).extend(each.cards)
    return tuple(Sighting(places, tuple(cards)) for places, cards in found.items())


def less(cards: Sequence[str], card: str) -> tuple[str, ...]:
    """The cards without one of that name."""
    at = cards.index(card)
    return (*cards[:at], *cards[at + 1 :])


def names_in(value: Any, *, secrets: bool = True) -> Iterator[str]:
    """All texts in an event as its reader is told it, or only those that everybody is told."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Secret):
        if secrets and value.known:
            yield from names_in(value.value)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from names_in(each, secrets=secrets)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield key
            yield from names_in(each, secrets=secrets)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from names_in(getattr(value, name), secrets=secrets)
