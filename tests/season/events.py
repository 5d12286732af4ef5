"""What happens to people once in a season: each kind is a function that yields the mails of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING

from msgspec import Struct

from tests.season.people import Person, Place, forged, mail_of
from tests.season.post import Got

if TYPE_CHECKING:
    from tests.season.club import Season

SETTINGS = ("digest", "light", "digest, light", "waiting mails", "no digest", "full")
Mails = Iterator[EmailMessage | bytes]


class Moment(Struct, frozen=True):
    """Whom something happens to, in which seat, on which day, and the last mail about the seat."""

    season: Season
    person: Person
    place: Place
    to: Got
    day: int

    def writes(self, text: str, kind: str) -> Mails:
        """The person answers the mail."""
        yield self.person.answers(self.to, f"{text}\n", kind)


def goes_away(moment: Moment) -> Mails:
    """For a week, from four days later on; every other one lets a regent play."""
    first = moment.season.now + timedelta(days=4)
    days = f"{first:%d.%m.}-{first + timedelta(days=6):%d.%m.}"
    return moment.writes(f"away {days}{' regent' if moment.day % 2 else ''}", "away")


def gives_up(moment: Moment) -> Mails:
    """Asks to resign; the answer's code is sent back."""
    return moment.writes("resign", "resign")


def vanishes(moment: Moment) -> Mails:
    """Is never heard of again."""
    moment.person.gone = True
    yield from ()


def moves(moment: Moment) -> Mails:
    """Wants mails at another address."""
    return moment.writes(f"address new-{moment.person.address}", "address")


def address_dies(moment: Moment) -> Mails:
    """The server knows the address no more, or takes its mails and sends them back."""
    (moment.season.post.dead if moment.day % 2 else moment.season.post.silent).add(moment.person.address)
    yield from ()


def is_forged(moment: Moment) -> Mails:
    """Somebody else writes under the person's address."""
    yield forged(moment.person, moment.season.now, moment.day)


def sets(moment: Moment) -> Mails:
    """Says what mails to get."""
    return moment.writes(f"settings: {SETTINGS[moment.day // 2 % len(SETTINGS)]}", "settings")


def all_vote(moment: Moment) -> Mails:
    """All players of a match vote for its end."""
    season = moment.season
    for each in season.people:
        for one in each.places:
            if one.match == moment.place.match and (mine := mail_of(season.post, each, one)):
                yield each.answers(mine, f"vote {'end' if moment.day % 2 else 'draw'}\n", "vote")


HAPPENS: Mapping[str, Callable[[Moment], Mails]] = {
    each.__name__: each
    for each in (goes_away, sets, moves, is_forged, address_dies, gives_up, vanishes, all_vote)
}
IN_TURN = (
    "goes_away", "sets", "moves", "is_forged", "address_dies", "goes_away", "sets", "gives_up", "sets", "vanishes",
    "is_forged", "goes_away", "all_vote",
)  # fmt: skip
"""What happens on each day."""


def of_day(season: Season, day: int) -> Mails:
    """What happens on a day, to somebody who plays."""
    person = season.people[day * 3 % len(season.people)]
    place = person.places[day % len(person.places)] if person.places else None
    to = mail_of(season.post, person, place) if place else None
    if to is not None and place is not None:
        yield from HAPPENS[IN_TURN[day % len(IN_TURN)]](Moment(season, person, place, to, day))
