"""The mails that a match should send now: the open phase, what the GM has done, reminders, welcomes and farewells; and
the players whom the open phase's mail didn't reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cached_property

from adjudicator.door.seats import Seated, seats_of
from adjudicator.engine.folder.adjudication import open_closing
from adjudicator.engine.folder.entries import Bounced, Replaced, Sent, Warned, of_kind, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, deadline_in_force, hold_in_force, ledger_of
from adjudicator.engine.folder.names import MAIL, PUBLIC
from adjudicator.engine.folder.post import Post
from adjudicator.engine.handout.times import is_told
from adjudicator.gm.by_mail import NOTICE, PRESS, is_refused, was_read, was_reminded
from adjudicator.gm.by_players import WAITING, settings_of
from adjudicator.gm.missed import has_resigned
from adjudicator.gm.people import is_address
from adjudicator.gm.playing import put_off, schedule_in_force
from adjudicator.gm.situation import players_due_soon, players_to_remind, silent_players
from adjudicator.mail.account import Account
from adjudicator.mail.notices import (
    acts_since,
    closes_if_reminded,
    closing,
    closing_id as number_of_closing,
    farewell,
    is_own,
    is_short,
    last_call,
    newcomer_id,
    notice,
    reminder,
    soon,
    welcome,
)
from adjudicator.mail.parcel import (
    CLOSING,
    FAREWELL,
    LAST_CALL,
    REMINDER,
    SOON,
    WELCOME,
    asked_of,
    files_for,
    identity_of_mail,
    is_kept,
    is_of_kind,
    keep_mail,
)
from adjudicator.mail.press import ALL_MESSAGES, all_messages
from adjudicator.mail.sender import is_to, message_id, observer
from adjudicator.mail.standby import invitations

A_DAY = timedelta(days=1)
"""After that a mail of the open phase that a server refused for good is tried again: servers err, too."""


class MailsToSend:
    """The mails that a locked match should send. Each is entered as begun; the next commit writes the entries.

    `unread`: the mailbox couldn't be read now. Then nobody is told that a sheet is missing: it may lie there.
    """

    def __init__(self, match: Folder, account: Account, now: datetime, *, unread: bool = False) -> None:
        self.match, self.account, self.now, self.unread = match, account, now, unread
        self.seats = {each.seat.player: each for each in seats_of(match)}
        self.entries = ledger_of(match)
        self.known = {entry.message for entry in of_kind(self.entries, Sent)}

    @property
    def players_without_address(self) -> tuple[str, ...]:
        """The players without an address."""
        return tuple(player for player, seated in self.seats.items() if not seated.address)

    @cached_property
    def observer(self) -> Seated:
        """The seat of the observers."""
        return observer(next(iter(self.seats.values())), self.account.address)

    @cached_property
    def players_to_remind(self) -> tuple[str, ...]:
        """The players to remind now by mail who weren't reminded yet, if the mailbox was read past the deadline."""
        entries, phase = ledger_of(self.match), self.match.phases[-1]
        known = deadline_in_force(entries, phase)
        late = players_to_remind(self.match, self.now)
        if self.unread or known is None or not late or not was_read(self.match, entries, known.due):
            return ()
        return tuple(
            player
            for player in late
            if self.seats[player].address
            and not is_refused(entries, phase, player)
            and not was_reminded(entries, phase, player, known.due)
        )

    @cached_property
    def players_to_warn(self) -> tuple[str, ...]:
        """The players to warn now that all others are in and wait no more, each once in a phase."""
        if self.unread or hold_in_force(self.entries) is not None or self.match.head(self.match.last).over:
            return ()
        entries, mail = ledger_of(self.match), Post(self.match).collect(self.match.last)
        known = {each.player for each in of_kind(standing(entries), Warned, self.match.phases[-1])}
        silent = silent_players(self.match, mail, entries, schedule_in_force(self.match), self.now)
        return tuple(
            player
            for player in silent
            if self.seats[player].address and player not in known and not has_resigned(entries, player)
        )

    def mails(self) -> list[Sent]:
        """All new mails. If a player is told only now when the phase is due, it may be due later."""
        refused = [each.seat.player for each in self.seats.values() if self._is_refused(each)]
        put_off(self.match, self.now, refused)
        self.entries = ledger_of(self.match)
        pending = {one.to for one in unfinished_mails(self.match, self.now) if self.reminds_in_time(one)}
        readers = [seated for seated in self.seats.values() if seated.address]
        readers += [self.observer] if self.account.observers else []
        return [
            *(one for seated in self.seats.values() for one in self._mails_on_replacement(seated)),
            *(one for seated in readers for one in self._mails_of_phase(seated)),
            *(one for seated in readers for one in self._mails_of_closing(seated)),
            *(one for seated in readers for one in self._mails_with_all_messages(seated)),
            *(
                self._keep(late, reminder(self.match, self.account, late, self.now), REMINDER)
                for late in (self.seats[player] for player in self.players_to_remind if player not in pending)
            ),
            *(one for player in self._due_soon() for one in self._soon(self.seats[player])),
            *invitations(self.match, self.account, [*self.seats.values()], self.now),
            *(one for player in self.players_to_warn for one in self._last_call(self.seats[player])),
        ]

    def _due_soon(self) -> tuple[str, ...]:
        late = () if self.unread else players_due_soon(self.match, schedule_in_force(self.match), self.now)
        return tuple(each for each in late if self.seats[each].address)

    def _soon(self, seated: Seated) -> Iterator[Sent]:
        message = soon(self.match, self.account, seated, self.now)
        if str(message["Message-ID"]) not in self.known:
            yield self._keep(seated, message, SOON)

    def _last_call(self, seated: Seated) -> Iterator[Sent]:
        message = last_call(self.match, self.account, seated, self.now)
        if str(message["Message-ID"]) not in self.known:
            yield self._keep(seated, message, LAST_CALL)

    def reminds_in_time(self, entry: Sent) -> bool:
        """Is a mail a reminder that is still right, and names a time of which half a grace at least is left?"""
        known = deadline_in_force(ledger_of(self.match), self.match.phases[-1])
        if not is_of_kind(REMINDER, entry) or entry.phase != self.match.phases[-1] or known is None:
            return False
        left = closes_if_reminded(known, entry.at) - self.now
        return entry.to in self.players_to_remind and left >= known.grace / 2

    def _is_refused(self, seated: Seated) -> bool:
        """Was the mail of the open phase that is for a player now refused for good?"""
        what = identity_of_mail(self.match.phases[-1], files_for(self.match, seated.seat.player))
        number = message_id(seated.seed, seated.seat, what, self.account.host)
        return any(one.of == number for one in of_kind(self.entries, Bounced))

    def _mails_of_phase(self, seated: Seated) -> Iterator[Sent]:
        """The mail of the open phase, or of what was done since the reader got it; none if nothing is new.

        Files that were handed out again, as for a new question, make another mail. A question to somebody else makes
        none, nor does a phase in which nothing is asked of a player: the next mail tells of it. What the GM or players
        have done is told at once.
        """
        match, player, top = self.match, seated.seat.player, self.match.phases[-1]
        files, waits = files_for(match, player), match.opening(match.last).waits
        what = identity_of_mail(top, files)
        number = message_id(seated.seed, seated.seat, what, self.account.host)
        if not files or number in self.known:
            return
        acts = acts_since(self.entries, top, seated)
        if self._is_idle(seated) and not (
            acts if acts is not None else any(map(is_told, self.entries[match.opening(match.last).entries :]))
        ):
            return
        if waits and waits != player and acts == []:
            return
        if acts and is_short(self.entries, top, player, files, acts):
            if is_own(self.entries, player, acts):
                return
            message = notice(match, self.account, seated, what, self.now, acts)
            yield self._keep(seated, message, NOTICE)
            return
        entry = Sent(at=self.now, phase=top, to=player, files=files, message=number, stage="begun")
        add_entries(match, entry)
        yield entry

    def _is_idle(self, seated: Seated) -> bool:
        """Is nothing asked of a player, who has the token already, and doesn't want mails of such phases?"""
        reader = seated.seat.player
        if reader == PUBLIC or WAITING in settings_of(self.match, reader) or asked_of(self.match, reader):
            return False
        mine = (one for one in of_kind(self.entries, Sent) if one.to == reader and not is_kept(one))
        return any(is_to(seated.seed, seated.seat, one.message) for one in mine)

    def _mails_of_closing(self, seated: Seated) -> Iterator[Sent]:
        """The mail that says that the open phase is closed, once for each source of its dice; none if it isn't."""
        closed = open_closing(self.match)
        if closed is not None and number_of_closing(closed, seated, self.account) not in self.known:
            message = closing(self.match, self.account, seated, closed, self.now)
            yield self._keep(seated, message, CLOSING)

    def _mails_with_all_messages(self, seated: Seated) -> Iterator[Sent]:
        """The mail with all that players have written to each other, at the end, if it is shown then."""
        if message_id(seated.seed, seated.seat, ALL_MESSAGES, self.account.host) in self.known:
            return
        message = all_messages(self.match, self.account, seated, self.now)
        if message is not None:
            yield self._keep(seated, message, PRESS)

    def _mails_on_replacement(self, seated: Seated) -> Iterator[Sent]:
        """For a seat that changed hands: a farewell to the player before, a welcome to the new one."""
        match, player, secrets = self.match, seated.seat.player, self.match.secrets()
        before = secrets.before.get(player, ()) if secrets is not None else ()
        replaced = [one for one in of_kind(self.entries, Replaced) if one.player == player]
        for number, (entry, address) in enumerate(zip(replaced, before, strict=False)):
            gone = is_address(address) and address.lower() != seated.address.lower()
            if gone and newcomer_id(seated, number, "farewell", self.account) not in self.known:
                message = farewell(match, self.account, seated, number, address, entry, self.now)
                yield self._keep(seated, message, FAREWELL)
            last = number == len(replaced) - 1 and seated.address
            if last and newcomer_id(seated, number, "welcome", self.account) not in self.known:
                message = welcome(match, self.account, seated, number, entry, self.now)
                yield self._keep(seated, message, WELCOME)

    def _keep(self, seated: Seated, message: EmailMessage, kind: str) -> Sent:
        return keep_mail(self.match, seated.seat.player, message, kind, self.now)


def unfinished_mails(match: Folder, now: datetime) -> list[Sent]:
    """The mails that were begun, but never entered as sent or bounced; and those of the open phase that were refused
    a day ago.
    """
    entries, top = ledger_of(match), match.phases[-1]
    over = {one.message for one in of_kind(entries, Sent) if one.stage == "done"}
    refused = {one.of: one.at for one in of_kind(entries, Bounced)}
    begun = {one.message: one for one in of_kind(entries, Sent) if one.stage == "begun"}
    return [
        entry
        for message, entry in begun.items()
        if message not in over
        and (message not in refused or (entry.phase == top and now - refused[message] >= A_DAY))
    ]


def undelivered(match: Folder) -> Iterator[tuple[str, str]]:
    """Each player to whom a report didn't get through, with the server's words. Raises Faulty.

    A new token or another player of the seat makes another mail; once that is begun, the player is left out here.
    """
    entries = ledger_of(match)
    why = {one.of: one.because for one in of_kind(entries, Bounced) if one.of}
    last = {
        one.to: one.message
        for one in of_kind(entries, Sent)
        if one.phase == match.phases[-1]
        and one.stage == "begun"
        and not any(name.startswith(f"{MAIL}/") for name in one.files)
    }
    for player in match.card.players:
        if (message := last.get(player)) in why:
            yield player, why[message]
