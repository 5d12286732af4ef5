"""What a reader knows: the view, and what follows from all that the reader was told before.

It is folded phase by phase from the reader's own events (`play/view.py`): each is applied to what was known, as the
referee applies it to the position. Nothing else goes in, neither the position nor what others were told.

Guesses of a position within what a reader knows; the rulebook's own guess fills in the rest (`table/guess.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, get_args, get_origin

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.play.sightings import Moved, Sighting, Sightings, in_order, without
from adjudicator.engine.table.boxes import OUT, Box, Changes, Kind, Place, at_kind, is_of, known_of, left_of
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret, Unknown, Untold, hints_of, secret_fields

HIDDEN = Secret.hidden()


class Between(Struct, frozen=True):
    """A number that isn't certain: at least `least`, at most `most` (None: nobody can say)."""

    least: int = 0
    most: int | None = None

    def __add__(self, change: int) -> Between:
        """The number after a change. No hidden number is below 0: what was paid must have been there."""
        return Between(max(0, self.least + change), None if self.most is None else self.most + change)

    def __sub__(self, change: int) -> Between:
        """The same for what is taken away."""
        return self + -change


ANY = Between()


class Known(Struct, frozen=True):
    """What a reader knows of a position.

    `state` is the view with what follows from earlier reports filled in: hidden numbers (a `Between` for those that
    aren't certain), and the cards in piles. `sightings` are cards whose place isn't as certain: in some hand, or in one
    of several places.
    """

    state: Any
    sightings: Sightings = ()


def known_at_start(rulebook: Rulebook[Any], start: Any, view: Any) -> Known:
    """What a reader knows when a match begins: the whole position, since it follows from what everybody knows of the
    match; but nothing of what the others have laid down.
    """
    return _seen(rulebook, Known(start), view)


def known_from_view(rulebook: Rulebook[Any], view: Any) -> Known:
    """What a reader knows who remembers nothing."""
    return _seen(rulebook, Known(view), view)


def known_after(
    rulebook: Rulebook[Any], known: Known, events: Iterable[Event[Any]], view: Any, *, amended: bool = False
) -> Known:
    """What a reader knows after a phase: `events` are those that the reader was told, `view` is the position after
    them. `amended`: something in it was changed by hand that the reader can't see.

    An event that can't be applied to what its reader knows leaves nothing known but the view.
    """
    if amended:
        return known_from_view(rulebook, view)
    fold = _Fold(rulebook, known, view)
    try:
        for event in events:
            fold.add(event)
    except (Unknown, LookupError, ValueError, TypeError, AttributeError):
        return known_from_view(rulebook, view)
    return _seen(rulebook, Known(fold.state, tuple(chain(*fold.sightings))), view)


def filled_in(known: Known) -> Any:
    """The view with everything filled in that is certain, also cards in hands."""
    found = known.state
    for place, held in numbers_in(found):
        if isinstance(held.value, Between):
            found = put(found, place, HIDDEN)
    for each in known.sightings:
        for card in each.cards if len(each.places) == 1 and each.places[0] != OUT else ():
            found = with_card(found, each.places[0], card)
    return found


# -- events ------------------------------------------------------------------------------------------------------------


class _Fold:
    """What a reader knows from event to event: the position, and for each box the sightings of its cards."""

    def __init__(self, rulebook: Rulebook[Any], known: Known, view: Any) -> None:
        self.rulebook, self.view, self.state = rulebook, view, known.state
        boxes = rulebook.boxes(known.state)
        self.kinds = [(*box.piles, *box.hands) for box in boxes]
        self.sightings = [_of_box(box, known.sightings) for box in boxes]

    def add(self, event: Event[Any]) -> None:
        """Adds an event that the reader was told."""
        mark = Untold()
        hides, event = _marked(event, mark)
        before, self.state = self.state, event.recall(self.state, self.view)
        changes = Changes(before, self.state)
        if not (hides or any(changes.at(kind) for kinds in self.kinds for kind in kinds)):
            return
        boxes = zip(self.rulebook.boxes(before), self.rulebook.boxes(self.state), strict=True)
        for index, (was, now) in enumerate(boxes):
            mine = self.sightings[index]
            if hides or mine or now.leave:
                self.sightings[index] = Moved(was, now, changes, mark).sightings(
                    mine, event, event.counted_out(before)
                )


def _marked(event: Event[Any], mark: Untold) -> tuple[bool, Event[Any]]:
    """Does the event hide anything from its reader? And the event with the mark wherever it does."""
    if not secret_fields(type(event)):
        return False, event
    marked = _with_mark(event, mark)
    return marked is not event, marked


def _with_mark(value: Any, mark: Untold) -> Any:
    if isinstance(value, Secret):
        return value if value.known else mark
    if isinstance(value, tuple):
        found: Any = tuple([_with_mark(each, mark) for each in value])
        return found if any(one is not other for one, other in zip(found, value, strict=True)) else value
    if isinstance(value, dict):
        found = {key: _with_mark(each, mark) for key, each in value.items()}
        return found if any(found[key] is not each for key, each in value.items()) else value
    fields = secret_fields(type(value)) if isinstance(value, Struct) else ()
    inside = {name: _with_mark(getattr(value, name), mark) for name in fields}
    changes = {name: each for name, each in inside.items() if each is not getattr(value, name)}
    return replace(value, **changes) if changes else value


# -- the view ----------------------------------------------------------------------------------------------------------


def _seen(rulebook: Rulebook[Any], known: Known, view: Any) -> Known:
    """What is known once the view has come: what it shows counts, and what it hides is filled in from what was known.

    Where another number of cards lies than was known, cards have come or gone of which the reader wasn't told.
    """
    found, sightings = view, list[Sighting]()
    for place, held in numbers_in(view):
        if not held.known:
            found = put(found, place, there if (there := at(known.state, place)).known else Secret(ANY))
    for box in rulebook.boxes(view):
        before, now = dict(box.places(known.state)), dict(box.places(view))
        mine, hidden = _of_box(box, known.sightings), dict[Place, int]()
        if any(len(before.get(place, ())) != len(now.get(place, ())) for place in (*before, *now)):
            mine, before = (), now
        for place, cards in now.items():
            was, filled = before.get(place, ()), cards
            if (seen := known_of(cards)) != (mine_there := known_of(was)):
                for card in left_of(seen, mine_there):
                    mine = without(mine, card, [place])
                certain = tuple(left_of(mine_there, seen))
                if certain and is_of(place, box.hands):
                    mine += (Sighting((place,), certain),)
                elif certain:
                    filled = tuple(
                        one if one.known else Secret(other.value) if other.known else one
                        for one, other in zip(cards, was, strict=True)
                    )
                    found = put(found, place, filled)
            hidden[place] = len(filled) - len(known_of(filled))
        sightings += in_order(mine, hidden)
    return Known(found, tuple(sightings))


def _of_box(box: Box, sightings: Sightings) -> Sightings:
    return tuple([each for each in sightings if box.has(each.places[0])])


# -- places ------------------------------------------------------------------------------------------------------------


def numbers_in(state: Any) -> list[tuple[Place, Secret[Any]]]:
    """The numbers of a position that some may not see, each with its place."""
    kind_of_state: Any = type(state)
    return [each for kind in _kinds_of_numbers(kind_of_state) for each in at_kind(state, kind)]


@cache
def _kinds_of_numbers(kind: type[Any]) -> tuple[Kind, ...]:
    return tuple(_kinds(kind, ()))


def _kinds(hint: Any, kind: Kind) -> Iterator[Kind]:
    """The kinds of places at which a type has a secret number; not within lists or other secrets."""
    found = get_origin(hint) or hint
    if found is Secret:
        if get_args(hint)[0] is int:
            yield kind
    elif isinstance(found, type) and issubclass(found, Struct):
        hints = hints_of(found)
        for name in secret_fields(found):
            yield from _kinds(hints[name], (*kind, name))
    elif isinstance(found, type) and issubclass(found, Mapping):
        yield from _kinds(get_args(hint)[1], (*kind, "*"))


def at(value: Any, place: Place) -> Any:
    """What is at a place of a position. Raises LookupError."""
    for step in place:
        value = value[step] if isinstance(value, dict) else getattr(value, step)
    return value


def put(value: Any, place: Place, held: Any) -> Any:
    """A position with something else at a place."""
    if not place:
        return held
    if isinstance(value, dict):
        return {**value, place[0]: put(value[place[0]], place[1:], held)}
    return replace(value, **{place[0]: put(getattr(value, place[0]), place[1:], held)})


def with_card(state: Any, place: Place, card: str, nth: int = 0) -> Any:
    """A position with a card instead of one of those hidden at a place: the first one, or another by its number.

    Raises LookupError if there is none.
    """
    held = at(state, place)
    if isinstance(held, Secret):
        if held.known:
            raise LookupError(place)
        return put(state, place, Secret(card))
    index = [number for number, each in enumerate(held) if not each.known][nth]
    return put(state, place, (*held[:index], Secret(card), *held[index + 1 :]))


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
