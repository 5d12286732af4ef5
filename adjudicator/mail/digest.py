"""Mails about many matches: a person's digest once a day, for who has said so (`settings: digest`), and the GM's week.

A digest is kept in one of the person's matches, and goes out with that match's mails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

from msgspec import Struct

from adjudicator.door.seats import Seated, seats_of
from adjudicator.engine.folder.entries import Asked, Sent, of_kind
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing, open_match
from adjudicator.engine.folder.ledger import (
    deadline_in_force,
    hold_in_force,
    ledger_of,
    now_in,
    opened_at,
    zone_of,
)
from adjudicator.engine.handout.times import calendar_of, due_text
from adjudicator.engine.library.languages import ENGLISH
from adjudicator.engine.report.template import clock_text
from adjudicator.gm.by_players import DIGEST, NO_DIGEST, settings_of
from adjudicator.gm.glance import Glance, club_words, glance_page, in_order_of_deadlines, line_of, parts_of
from adjudicator.gm.missed import entries_since_replaced
from adjudicator.mail.account import Account
from adjudicator.mail.answer import DEADLINES, add_files, button_of, message_without_text
from adjudicator.mail.boxes import MailRefused
from adjudicator.mail.club import outgoing
from adjudicator.mail.notices import write_text
from adjudicator.mail.parcel import asked_of, first_lines, is_of_kind, keep_mail, link_for, subject_of
from adjudicator.mail.sender import id_of_week

MORNING = 6
"""The hour from which on a day's digest is sent, in its reader's zone."""
A_DAY = timedelta(days=1)
SETTINGS = "settings"
"""The command that says what mails somebody wants."""
KIND = "-digest.eml"
"""The ending of the name of a kept digest."""
NEVER = "9999"
PAGE = "club.html"


class Place(Struct, frozen=True):
    """A match in which a person plays, and as whom."""

    match: Folder
    seated: Seated

    @property
    def player(self) -> str:
        """The player's name."""
        return self.seated.seat.player

    @property
    def settings(self) -> Sequence[str]:
        """What the player has said of mails there. Raises Faulty."""
        return settings_of(self.match, self.player)


class Item(Struct, frozen=True):
    """What a digest says of a match: what it asks and until when, the link to the form, and, if a phase was opened
    since yesterday, its report's first lines.
    """

    subject: str
    until: str
    link: str
    news: str
    asks: bool


def write_digests(account: Account, paths: Sequence[Path], now: datetime) -> list[Faulty]:
    """Adds today's digests to the matches of an account, for who wants one; the next `send` mails them. Returns what is
    wrong.
    """
    wrong: list[Faulty] = []
    for places in _with_digest(paths):
        try:
            _write(account, places, now)
        except Faulty as faulty:
            wrong.append(faulty)
    return wrong


def places_by_address(paths: Sequence[Path]) -> Iterable[list[Place]]:
    """The matches of each address, without those that can't be read."""
    found = dict[str, list[Place]]()
    for path in sorted(paths):
        with suppress(Faulty, OSError):  # what is wrong with a match is told where it is used
            match = open_match(path)
            match.state(match.last)
            for seated in seats_of(match):
                if seated.address:
                    found.setdefault(seated.address.lower(), []).append(Place(match, seated))
    return found.values()


def _with_digest(paths: Sequence[Path]) -> Iterator[list[Place]]:
    """The matches of each address that wants a digest, by the last word in any of them; first the one that goes on
    whose mails bring it.
    """
    for places in places_by_address(paths):
        going = [each for each in places if not each.seated.over]
        if going and _wants_digest(places):
            first = next((each for each in going if DIGEST in each.settings), going[0])
            yield [first, *(each for each in places if each is not first)]


def _wants_digest(places: Sequence[Place]) -> bool:
    """Is a person's last word about digests, in whatever match, that there be one?"""
    said = [each for each in places if {DIGEST, NO_DIGEST} & {*each.settings}]
    return bool(said) and DIGEST in max(said, key=_last_said).settings


def _last_said(place: Place) -> datetime:
    """When a player last said anything about the mails of a match."""
    asked = of_kind(entries_since_replaced(ledger_of(place.match), place.player), Asked)
    mine = (one.at for one in asked if one.player == place.player and SETTINGS in one.commands)
    return max(mine, default=datetime.min.replace(tzinfo=UTC))


def _write(account: Account, places: Sequence[Place], now: datetime) -> None:
    """Adds the digest of a person, if it is time for it and there is something to say. Raises Faulty."""
    first, zone = places[0], zone_of(places[0].match, places[0].player)[1]
    here, going = now.astimezone(zone), [each for each in places if not each.seated.over]
    if here.hour < MORNING or here.date() in {at.astimezone(zone).date() for at in _written(places)}:
        return
    items = [_item(account, each, now) for each in sorted(going, key=_due)]
    if not any(each.asks or each.news for each in items):
        return
    rulebook = first.match.rulebook_for(first.player)
    subject = clock_text(rulebook, "digest", sum(each.asks for each in items))
    with changing(first.match.path) as match:
        at = now_in(match, now)
        message = message_without_text(account, first.seated, f"digest {here.date()}", subject, at)
        write_text(message, match, first.player, "mail-digest.txt.j2", items=items)
        if deadlines := calendar_of((each.match, each.player) for each in going):
            add_files(message, {DEADLINES: deadlines.encode()})
        keep_mail(match, first.player, message, KIND, at)
        match.commit()


def _written(places: Sequence[Place]) -> Iterator[datetime]:
    """When digests were written for a person: which match keeps them changes with settings, and when one is over."""
    for each in places:
        for one in of_kind(entries_since_replaced(ledger_of(each.match), each.player), Sent):
            if one.to == each.player and one.stage == "begun" and is_of_kind(KIND, one):
                yield one.at


def _item(account: Account, place: Place, now: datetime) -> Item:
    match, player = place.match, place.player
    opened = opened_at(ledger_of(match), match.phases[-1])
    asks = _asks(place)
    return Item(
        subject=subject_of(match, player),
        until=due_text(match, match.last, player),
        link=link_for(match, account, player, button_of(account, place.seated)) if asks else "",
        news=first_lines(match, player) if opened is not None and now - opened < A_DAY else "",
        asks=asks,
    )


def _asks(place: Place) -> bool:
    """Does a match ask something of its player? One on hold waits for nobody."""
    match = place.match
    return hold_in_force(ledger_of(match)) is None and asked_of(match, place.player) in ("sheet", "answer")


def _due(place: Place) -> tuple[bool, str, str]:
    """In which order a person's matches are named: those that ask something first, by their deadlines."""
    match = place.match
    known = deadline_in_force(ledger_of(match), match.phases[-1])
    return not _asks(place), str(known.due) if known else NEVER, match.card.match


def mail_of_week(
    account: Account, found: Sequence[Glance], wrong: Sequence[str], at: datetime
) -> EmailMessage:
    """The mail: a line a match, the next deadline first, and what is wrong with those that can't be read; the page is
    attached.
    """
    language = account.language or ENGLISH
    said = club_words(language)
    going = [each for each in in_order_of_deadlines(found) if not each.over]
    over = [each for each in found if each.over]
    busy = sum(bool(parts_of(each, said)) for each in going)
    lines = [*(line_of(each, said) for each in going), *wrong, *(line_of(each, said) for each in over)]
    message = EmailMessage(policy=SMTP)
    message["From"] = message["To"] = account.address
    message["Subject"] = said["week_one" if len(going) == 1 else "week_many"].format(
        day=f"{at:%Y-%m-%d}", count=len(going), busy=busy
    )
    message["Date"] = format_datetime(at)
    message["Message-ID"] = id_of_week(at, account.host)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(lines or [said["none"]]) + "\n")
    page = glance_page(found, at, language).encode()
    message.add_attachment(page, maintype="text", subtype="html", filename=PAGE)
    return message


def send_week(account: Account, found: Sequence[Glance], wrong: Sequence[str], at: datetime) -> str:
    """Sends the mail to the account's own address; returns a sentence that says so. Raises Faulty."""
    message = mail_of_week(account, found, wrong, at)
    try:
        with outgoing(account) as out:
            out.send(message.as_bytes(), [account.address])
    except MailRefused as refused:
        raise Faulty([problem(account.file, f"the mail of the week was refused: {refused}")]) from None
    return f"the mail of the week went to {account.address}"
