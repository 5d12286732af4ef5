"""`known.yaml`: what a player knows beyond the view, as a file beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from adjudicator.engine.play.known import Between, Known, at, filled_in, numbers_in, put
from adjudicator.engine.play.sightings import Sighting
from adjudicator.engine.sheets.published import KnownFile
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.boxes import OUT, Box, Cards, Place, is_of, known_of
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret, face_down
from adjudicator.engine.text import typed
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import in_a_line, write

KNOWN = "known.yaml"
STEP = "."
EVERYBODY = "public"
PILES = "piles:\n"


def write_known(rulebook: Rulebook[Any], known: Known, view: Any, who: Player | None) -> str:
    """The text of `known.yaml`. What can be long, cards and piles, takes a line each, however long."""
    head: dict[str, Any] = {
        "format": typed.FORMAT,
        "match": view.match,
        "phase": folder_name(view.phase),
        "player": who or EVERYBODY,
    }
    numbers = dict(_numbers(known, view))
    cards = [f"  - {in_a_line(each)}\n" for each in _cards(rulebook, known, view)]
    piles = [f"  {name}: {in_a_line(each)}\n" for name, each in _piles(rulebook, known)]
    return "".join(
        [
            write({**head, "numbers": numbers} if numbers else head),
            *(["cards:\n", *cards] if cards else ()),
            *([PILES, *piles] if piles else ()),
        ]
    )


def _numbers(known: Known, view: Any) -> Iterator[tuple[str, Any]]:
    for (place, held), (_, there) in zip(numbers_in(view), numbers_in(known.state), strict=True):
        if not held.known:
            told = there.value
            least, most = (told.least, told.most) if isinstance(told, Between) else (told, told)
            yield STEP.join(place), {"least": least} if most is None else {"least": least, "most": most}


def _cards(rulebook: Rulebook[Any], known: Known, view: Any) -> Iterator[dict[str, Any]]:
    for box in rulebook.boxes(view):
        for (place, cards), (_, seen) in zip(box.places(known.state), box.places(view), strict=True):
            for index, row in _rows(cards, seen) if cards is not seen else ():
                yield {"seen": STEP.join((*place, str(index))), "state": "there", "cards": row}
    for each in known.sightings:
        first, *others = map(STEP.join, each.places)
        said = {"seen": first, "state": "may-have-left" if others else "there", "cards": [*each.cards]}
        yield {**said, "to": others} if others else said


def _rows(cards: Cards, seen: Cards) -> Iterator[tuple[int, list[str]]]:
    """The cards of a pile that are known and not seen, row by row; a row has the number of its first card."""
    begin, row = 0, list[str]()
    for index, (card, shown) in enumerate(zip(cards, seen, strict=True)):
        if card.known and not shown.known:
            begin = begin if row else index
            row.append(card.value)
        elif row:
            yield begin, row
            row = []
    if row:
        yield begin, row


def _piles(rulebook: Rulebook[Any], known: Known) -> Iterator[tuple[str, Any]]:
    """The piles that belong to nobody, as far as cards in them are hidden."""
    for box in rulebook.boxes(known.state):
        for place, cards in box.places(known.state):
            if place[0] != "players" and is_of(place, box.piles) and not all(card.known for card in cards):
                yield STEP.join(place), {"without": [*_elsewhere(box, known, place)]}


def _elsewhere(box: Box, known: Known, place: Place) -> Iterator[str]:
    found = Counter(box.open)
    for other, cards in box.places(known.state):
        found.update(known_of(cards) if other != place else ())
    for each in known.sightings:
        found.update(each.cards if box.has(each.places[0]) and place not in each.places else ())
    for card in box.cards:
        if found[card]:
            found[card] -= 1
            yield card


def read_known(rulebook: Rulebook[Any], text: bytes, view: Any, who: Player | None) -> Known | None:
    """What a `known.yaml` says of its player's view, whoever wrote it. None if it isn't of this view, can't be read, or
    doesn't fit.
    """
    found = known_handed_out(rulebook, text, view, who)
    return found if found is not None and _can_be(rulebook, found) else None


def known_handed_out(rulebook: Rulebook[Any], text: bytes, view: Any, who: Player | None) -> Known | None:
    """The same for a file that we have written."""
    needed = text.partition(f"\n{PILES}".encode())[
        0
    ]  # what piles are without follows from the rest, and is long
    source = read(needed + b"\n", KNOWN, most=None)
    try:
        file = msgspec.convert(source.plain if isinstance(source, Source) else None, KnownFile)
        of = (file.match, file.phase, file.player)
        if typed.is_later(file.format) or of != (view.match, folder_name(view.phase), who or EVERYBODY):
            return None
        return _known(rulebook, file, view)
    except (ValueError, LookupError, TypeError):  # a ValidationError is a ValueError
        return None


def _can_be(rulebook: Rulebook[Any], known: Known) -> bool:
    """Are there as many of all cards, and is there room for those that are certain?"""
    for box in rulebook.boxes(known.state):
        mine = [each for each in known.sightings if box.has(each.places[0])]
        said = Counter(card for each in mine for card in each.cards) + Counter(box.seen(known.state))
        if said - Counter(box.cards):
            return False
    try:
        filled_in(known)
    except LookupError:
        return False
    return True


def _known(rulebook: Rulebook[Any], file: KnownFile, view: Any) -> Known:
    found, sightings = view, list[Sighting]()
    for place, held in numbers_in(view):
        if not held.known:
            said = file.numbers[STEP.join(place)]
            certain = said.least == said.most
            found = put(found, place, Secret(said.least if certain else Between(said.least, said.most)))
    places = {STEP.join(place): place for box in rulebook.boxes(view) for place, _ in box.places(view)}
    places[STEP.join(OUT)] = OUT
    for each in file.cards:
        if each.seen in places:
            sightings.append(Sighting(tuple(places[name] for name in (each.seen, *each.to)), each.cards))
            continue
        name, _, number = each.seen.rpartition(STEP)
        if not number.isdecimal():
            raise LookupError(each.seen)
        pile, first, last = at(found, places[name]), int(number), int(number) + len(each.cards)
        if last > len(pile) or any(card.known for card in pile[first:last]):
            raise LookupError(each.seen)
        found = put(found, places[name], (*pile[:first], *face_down(each.cards), *pile[last:]))
    return Known(found, tuple(sightings))
