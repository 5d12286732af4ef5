"""Sending the open phase and the answers, each mail once, whatever happens in between.

A mail is entered in the ledger as `begun` before it is handed over, and as `done` after that; its Message-ID follows
from its content. If the command is killed in between, nobody knows whether the mail went. So a copy of each mail goes
to the account: the next command looks for the copy, and sends only a mail without a copy again, under the same
Message-ID. The match stays locked meanwhile, so that two commands don't send the same mail.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.adjudication import open_closing
from adjudicator.engine.folder.entries import Bounced, Entry, Reminded, Sent, Warned, of_kind
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.ledger import add_entries, deadline_in_force, ledger_of, now_in
from adjudicator.engine.folder.names import MAIL, PUBLIC
from adjudicator.gm.by_mail import CONFIRM, INVITATION, NOTICE, PRESS
from adjudicator.gm.missed import entries_since_replaced
from adjudicator.gm.playing import schedule_in_force
from adjudicator.gm.situation import players_due_soon
from adjudicator.mail.account import Account
from adjudicator.mail.boxes import MailRefused, Outgoing
from adjudicator.mail.club import inbox, outgoing as way_out
from adjudicator.mail.digest import KIND as DIGEST
from adjudicator.mail.mails_to_send import MailsToSend, unfinished_mails
from adjudicator.mail.notices import (
    LAST_CALL_LASTS,
    acts_since,
    closes_if_reminded,
    closing_id,
)
from adjudicator.mail.parcel import (
    CLOSING,
    FAREWELL,
    LAST_CALL,
    REMINDER,
    SOON,
    WELCOME,
    files_for,
    identity_of_mail,
    is_kept,
    is_of_kind,
    parcel,
    public_parcel,
)

ELSEWHERE = (FAREWELL, CONFIRM, INVITATION)
"""Kinds of mails that go to the address in their own header: nobody's who plays now."""


class SendResult(Struct, frozen=True):
    """What became of the mails of a match: who got one, whose mail was refused, and who has no address.

    `sent` got the phase, `answered` an answer, `reminded` a reminder, `messages` another player's message, `digests`
    what all matches ask, and `told` a mail about what the GM did. The mails to `before` had gone already when a command
    was cut short. `refused` adds the server's words to each name.
    """

    sent: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    reminded: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    invited: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()


def send(
    path: Path, account: Account, now: datetime, *, phase: bool = True, unread: bool = False
) -> SendResult:
    """Sends all mails of a match that are due; without `phase` only those that were begun, such as answers.

    `unread`: the mailbox couldn't be read now, so nobody is reminded. If there is no way out, nothing is begun. Raises
    Faulty if it can't go on; the next call sends the rest.
    """
    with changing(path) as match:
        round_ = _Round(match, account, now, unread=unread)
        todo = round_.todo(phase)
        if not todo:
            return round_.went
        wrong = []
        with way_out(account) as out:
            if match.fresh:
                match.commit()
            for entry, again in todo:
                try:
                    round_.hand_over(entry, out, again=again)
                except Faulty as faulty:  # the other mails are sent all the same
                    wrong += faulty.problems
        if wrong:
            raise Faulty(wrong)
        return round_.went


class _Round:
    """One round of sending, for a match that is locked."""

    def __init__(self, match: Folder, account: Account, now: datetime, *, unread: bool) -> None:
        self.match, self.account, self.now, self.unread = match, account, now_in(match, now), unread
        self.beginning = MailsToSend(match, account, self.now, unread=unread)
        self.went = SendResult()

    def todo(self, phase: bool) -> list[tuple[Sent, bool]]:
        """The mails to be handed over, and whether each was begun before; the next commit enters new ones as begun."""
        old = [
            one
            for one in unfinished_mails(self.match, self.now)
            if not (self.unread and is_of_kind(REMINDER, one))
        ]
        new: list[Sent] = []
        if phase:
            new = self.beginning.mails()
            self.went = replace(self.went, nowhere=self.beginning.players_without_address)
        return [*((entry, True) for entry in old), *((entry, False) for entry in new)]

    def hand_over(self, entry: Sent, out: Outgoing, *, again: bool) -> None:
        """Sends one mail and enters it as sent; `again`: it was begun before, and goes only if there is no copy."""
        if again and self._has_gone(entry):
            self._enter_as_gone(entry)
            self._note("before", entry.to)
            return
        data = self._mail(entry)
        if data is None:  # the phase is over, or the reason for the mail is gone
            self._enter(
                replace(entry, at=self.now, stage="done", why="a newer mail replaced it, so it wasn't sent")
            )
            return
        try:
            out.send(data, self._addresses(entry, data))
        except MailRefused as refused:
            said = " ".join(str(refused).split())[:300]
            self._note("refused", f"{entry.to} ({said})")
            bounced = Bounced(
                at=self.now, player=entry.to, message=entry.message, because=said, of=entry.message
            )
            self._enter(bounced)
            return
        self._enter_as_gone(entry)
        if any(is_of_kind(kind, entry) for kind in (REMINDER, LAST_CALL, SOON)):
            self._note("reminded", entry.to)
        elif any(is_of_kind(kind, entry) for kind in (NOTICE, CLOSING, WELCOME, FAREWELL)):
            self._note("told", entry.to)
        elif is_of_kind(INVITATION, entry):
            self._note("invited", entry.to)
        elif is_of_kind(DIGEST, entry):
            self._note("digests", entry.to)
        elif is_of_kind(PRESS, entry):
            self._note("messages", entry.to)
        else:
            self._note("answered" if is_kept(entry) else "sent", entry.to)

    def _note(self, what: str, whom: str) -> None:
        """Adds a name to one of the lists of the result."""
        self.went = replace(self.went, **{what: (*getattr(self.went, what), whom)})

    def _has_gone(self, entry: Sent) -> bool:
        if not self.account.copies:
            return False
        with inbox(self.account) as box:
            return box.has(entry.message)

    def _enter_as_gone(self, entry: Sent) -> None:
        done = replace(entry, at=self.now, stage="done")
        if is_of_kind(LAST_CALL, entry):
            closes, phase, player = self.now + LAST_CALL_LASTS, entry.phase, entry.to
            warned = Warned(at=self.now, phase=phase, player=player, message=entry.message, closes=closes)
            self._enter(done, warned)
            return
        known = deadline_in_force(ledger_of(self.match), entry.phase)
        if not is_of_kind(REMINDER, entry) or known is None:
            self._enter(done)
            return
        closes = closes_if_reminded(known, self.now)
        told = Reminded(at=self.now, phase=entry.phase, player=entry.to, message=entry.message, closes=closes)
        self._enter(done, told)

    def _enter(self, *entries: Entry) -> None:
        add_entries(self.match, *entries)
        self.match.commit()

    def _mail(self, entry: Sent) -> bytes | None:
        """The mail as it was first written, made again from the same files,
        or read from the match if it is kept there."""
        now = entry.phase == self.match.phases[-1]
        if is_of_kind(REMINDER, entry) and not self.beginning.reminds_in_time(entry):
            return None
        if any(is_of_kind(kind, entry) for kind in (NOTICE, LAST_CALL, SOON)) and not now:
            return None
        if is_of_kind(SOON, entry) and entry.to not in players_due_soon(
            self.match, schedule_in_force(self.match), self.now
        ):
            return None
        if is_of_kind(CLOSING, entry) and not self._is_closed_so(entry):
            return None
        if is_of_kind(DIGEST, entry) and self._has_newer_digest(entry):
            return None
        gone = entry.to != PUBLIC and entry not in entries_since_replaced(ledger_of(self.match), entry.to)
        if is_kept(entry) and gone and not any(is_of_kind(kind, entry) for kind in (FAREWELL, INVITATION)):
            return None  # the mail is for the person who played before, and names that person's address
        if is_kept(entry):
            return self._kept(entry)
        if not now or files_for(self.match, entry.to) != dict(entry.files):
            return None
        seated = self.beginning.observer if entry.to == PUBLIC else self.beginning.seats[entry.to]
        make = public_parcel if entry.to == PUBLIC else parcel
        entries = ledger_of(self.match)
        acts = acts_since(entries[: entries.index(entry)], entry.phase, seated) or ()
        what = identity_of_mail(entry.phase, entry.files)
        message = make(self.match, self.account, seated, what, entry.at, acts)
        return message.as_bytes() if str(message["Message-ID"]) == entry.message else None

    def _has_newer_digest(self, entry: Sent) -> bool:
        """Was another digest written for its reader since? Then it waited for a day, as while mail couldn't be sent."""
        every = (one for one in of_kind(ledger_of(self.match), Sent) if is_of_kind(DIGEST, one))
        return any(one.to == entry.to and one.at > entry.at and one.stage == "begun" for one in every)

    def _is_closed_so(self, entry: Sent) -> bool:
        """Is the open phase closed as that mail says, and not played yet?"""
        closed = open_closing(self.match) if entry.phase == self.match.phases[-1] else None
        seated = self.beginning.observer if entry.to == PUBLIC else self.beginning.seats[entry.to]
        return closed is not None and closing_id(closed, seated, self.account) == entry.message

    def _kept(self, entry: Sent) -> bytes | None:
        """A mail that is kept in the match; None if it is gone. Raises Faulty if it isn't the one that was written."""
        folder = f"{entry.phase}/{MAIL}"
        there = self.match.names(folder) if entry.phase in self.match.phases else []
        for name in there:
            if (digest := entry.files.get(f"{MAIL}/{name}")) is None:
                continue
            data = self.match.read(f"{folder}/{name}")
            if digest_of(data) != digest:
                said = f"this isn't the mail that was written for {entry.to}, so it isn't sent: tampered with"
                raise Faulty([problem(self.match.path / folder / name, said)])
            return data
        return None

    def _addresses(self, entry: Sent, data: bytes) -> Sequence[str]:
        """The addresses: first the reader's, then the account's own, as a blind copy."""
        to = self.account.observers if entry.to == PUBLIC else (self.beginning.seats[entry.to].address,)
        if any(is_of_kind(kind, entry) for kind in ELSEWHERE):
            to = (parseaddr(str(message_from_bytes(data)["To"]))[1],)
        return list(dict.fromkeys([*to, *([self.account.address] if self.account.copies else [])]))
