"""The mails that a match should send now: the open phase, what the GM has done, reminders, welcomes and farewells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property

from adjudicator.engine.folder.entries import Reminded, Replaced, Sent, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, ledger_of
from adjudicator.gm.addresses import is_address
from adjudicator.gm.reminders import players_to_remind, was_reminded
from adjudicator.mail.account import Account
from adjudicator.mail.closings import closing, open_closing
from adjudicator.mail.closings import message_id_of as number_of_closing
from adjudicator.mail.kept_mails import CLOSING, FAREWELL, NOTICE, REMINDER, WELCOME, keep_mail
from adjudicator.mail.matches import seats_of
from adjudicator.mail.newcomers import farewell, message_id_of, welcome
from adjudicator.mail.notices import acts_since, is_short, notice
from adjudicator.mail.parcel import files_for, identity_of_mail
from adjudicator.mail.reminding import reminder
from adjudicator.mail.sender import Seated, observer
from adjudicator.mail.tokens import message_id


class MailsToSend:
    """The mails that a locked match should send. Each is entered as begun; the next commit writes the entries."""

    def __init__(self, match: Folder, account: Account, now: datetime) -> None:
        self.match, self.account, self.now = match, account, now
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
        """The players to remind now who have an address."""
        return tuple(
            player for player in players_to_remind(self.match, self.now) if self.seats[player].address
        )

    def mails(self) -> list[Sent]:
        """All new mails."""
        readers = [seated for seated in self.seats.values() if seated.address]
        readers += [self.observer] if self.account.observers else []
        return [
            *(one for seated in self.seats.values() for one in self._mails_on_replacement(seated)),
            *(one for seated in readers for one in self._mails_of_phase(seated)),
            *(one for seated in readers for one in self._mails_of_closing(seated)),
            *(
                self._reminder(player)
                for player in self.players_to_remind
                if not was_reminded(self.match, player)
            ),
        ]

    def _mails_of_phase(self, seated: Seated) -> Iterator[Sent]:
        """The mail of the open phase, or of what was done since the reader got it; none if nothing is new.

        Files that were handed out again, as for a new question, make another mail. A question to somebody else makes
        none: the next mail tells of it.
        """
        match, player, top = self.match, seated.seat.player, self.match.phases[-1]
        files, waits = files_for(match, player), match.opening(match.last).waits
        what = identity_of_mail(top, files)
        number = message_id(seated.seed, seated.seat, what, self.account.host)
        if not files or number in self.known:
            return
        acts = acts_since(self.entries, top, seated)
        if waits and waits != player and acts == []:
            return
        if acts and is_short(self.entries, top, player, files, acts):
            message = notice(match, self.account, seated, what, self.now, acts)
            yield keep_mail(match, player, message, NOTICE, self.now)
            return
        entry = Sent(at=self.now, phase=top, to=player, files=files, message=number, stage="begun")
        add_entries(match, entry)
        yield entry

    def _mails_of_closing(self, seated: Seated) -> Iterator[Sent]:
        """The mail that says that the open phase is closed, once for each source of its dice; none if it isn't."""
        closed = open_closing(self.match)
        if closed is not None and number_of_closing(closed, seated, self.account) not in self.known:
            message = closing(self.match, self.account, seated, closed, self.now)
            yield keep_mail(self.match, seated.seat.player, message, CLOSING, self.now)

    def _mails_on_replacement(self, seated: Seated) -> Iterator[Sent]:
        """For a seat that changed hands: a farewell to the player before, a welcome to the new one."""
        match, player, secrets = self.match, seated.seat.player, self.match.secrets()
        before = secrets.before.get(player, ()) if secrets is not None else ()
        replaced = [one for one in of_kind(self.entries, Replaced) if one.player == player]
        for number, (entry, address) in enumerate(zip(replaced, before, strict=False)):
            gone = is_address(address) and address.lower() != seated.address.lower()
            if gone and message_id_of(seated, number, "farewell", self.account) not in self.known:
                yield keep_mail(
                    match,
                    player,
                    farewell(match, self.account, seated, number, address, entry, self.now),
                    FAREWELL,
                    self.now,
                )
            last = number == len(replaced) - 1 and seated.address
            if last and message_id_of(seated, number, "welcome", self.account) not in self.known:
                message = welcome(match, self.account, seated, number, entry, self.now)
                yield keep_mail(match, player, message, WELCOME, self.now)

    def _reminder(self, player: str) -> Sent:
        message = reminder(self.match, self.account, self.seats[player], self.now)
        number, top = str(message["Message-ID"]), self.match.phases[-1]
        add_entries(self.match, Reminded(at=self.now, phase=top, player=player, message=number))
        return keep_mail(self.match, player, message, REMINDER, self.now)
