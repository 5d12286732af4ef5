"""Open seats: those who wait for one (`standby` in `mail.yaml`) are asked in turn, and who accepts first plays.

Nobody on the list has a token. An invitation has a code instead, which shows that its answer comes from the address
that it went to; the seat's own number is in it, so it counts until somebody plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage

from msgspec.structs import replace

from adjudicator.door.seats import LENGTH, Seated, hmac_of, short_digest
from adjudicator.engine.folder.entries import Bounced, Invited, Replaced, Sent, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, ledger_of
from adjudicator.engine.handout.times import due_text
from adjudicator.engine.report.template import clock_text
from adjudicator.gm.by_mail import INVITATION
from adjudicator.gm.missed import entries_since_replaced
from adjudicator.gm.people import Person, person_of
from adjudicator.gm.regents import give_open_seat, open_seats
from adjudicator.mail.account import Account
from adjudicator.mail.answer import message_without_text
from adjudicator.mail.commands import Command
from adjudicator.mail.notices import write_text
from adjudicator.mail.parcel import keep_mail

TAKE = "take"
TIME_TO_ANSWER = timedelta(days=2)
"""After that the next on the list is asked; the first may still accept, if nobody else has."""
KIND = "seat"
"""What the codes of invitations are for."""


def invitations(match: Folder, account: Account, seats: Sequence[Seated], now: datetime) -> Iterator[Sent]:
    """The mail to the next person for each open seat, if it is time for it; with their entries. Raises Faulty."""
    for player in open_seats(match) if account.standby else []:
        seated = next(each for each in seats if each.seat.player == player)
        person = _next_person(match, account, seats, player, now)
        if person is not None:
            yield _invite(match, account, replace(seated, address=person.address, name=person.name), now)


def _next_person(
    match: Folder, account: Account, seats: Sequence[Seated], player: str, now: datetime
) -> Person | None:
    """Who is to be asked now; None while somebody has time to answer, or if nobody is left."""
    entries, seed = ledger_of(match), seats[0].seed
    refused = {one.of for one in of_kind(entries, Bounced)}
    every = of_kind(entries, Invited)
    pending = [each for each in every if now < each.at + TIME_TO_ANSWER and each.message not in refused]
    mine = [
        each for each in of_kind(entries_since_replaced(entries, player), Invited) if each.player == player
    ]
    if any(each in mine for each in pending):
        return None
    busy = {each.who for each in (*mine, *pending)}
    playing = {each.address.lower() for each in seats}
    people = (person_of(one) for one in account.standby)
    return next(
        (
            each
            for each in people
            if each.address.lower() not in playing and _stands_for(seed, each.address) not in busy
        ),
        None,
    )


def _invite(match: Folder, account: Account, there: Seated, now: datetime) -> Sent:
    player, code = there.seat.player, there.code(KIND)
    message = _mail(match, account, there, f"invitation {code}", now, code)
    sent = keep_mail(match, player, message, INVITATION, now)
    who = _stands_for(there.seed, there.address)
    invited = Invited(at=now, phase=match.phases[-1], player=player, who=who, message=sent.message)
    add_entries(match, invited)
    return sent


def _mail(
    match: Folder, account: Account, there: Seated, what: str, now: datetime, code: str = ""
) -> EmailMessage:
    """The mail that offers a seat by its code; without one it says that the seat is taken."""
    player, until = there.seat.player, due_text(match, match.last, there.seat.player)
    rulebook = match.rulebook_for(player)
    subject = clock_text(rulebook, "invitation", match.card.match, player)
    message = message_without_text(account, there, what, subject, now, token=False)
    facts = {"code": code, "player": player, "title": rulebook.title, "until": until}
    write_text(message, match, player, "mail-invitation.txt.j2", **facts)
    return message


def accepted(seated: Seated, commands: Sequence[Command], sender: str) -> bool | None:
    """Does a mail from an address accept the seat, by its code? True if the seat is still as it was when it was
    offered, False if somebody has taken it since; None if the mail has no such code.
    """
    codes = {each.rest.lower() for each in commands if each.verb == TAKE}
    for number in range(seated.seat.number, -1, -1):
        there = replace(seated, seat=replace(seated.seat, number=number), address=sender)
        if there.code(KIND) in codes:
            return number == seated.seat.number
    return None


def take_seat(
    match: Folder, account: Account, seated: Seated, sender: str, now: datetime, *, good: bool
) -> Sequence[Replaced | Sent]:
    """Gives the seat to who has accepted it, and returns the entry; or, if it isn't open any more, the mail that says
    so, once to each address. Raises Faulty.
    """
    player = seated.seat.player
    person = next(
        (each for one in account.standby if (each := person_of(one)).address.lower() == sender), None
    )
    if good and player in open_seats(match):
        return [give_open_seat(match, player, person or Person(address=sender), now)]
    there = replace(seated, address=sender, name="")
    message = _mail(match, account, there, f"too late {there.code(KIND)}", now)
    if any(one.message == message["Message-ID"] for one in of_kind(ledger_of(match), Sent)):
        return []
    return [keep_mail(match, player, message, INVITATION, now)]


def _stands_for(seed: bytes, address: str) -> str:
    return short_digest(hmac_of(seed, "standby", address.lower()), LENGTH)
