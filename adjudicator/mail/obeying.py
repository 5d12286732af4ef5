"""Carrying out the commands of a player's mail, on a locked match: what the answer says of each, and what changes.

What can't be undone is asked back: the answer goes to the address on file and brings a code, and the command counts
when it comes again with that code. Who has only seen a token, such as in a forwarded mail, can't do it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from adjudicator.door.seats import DAY, Seated
from adjudicator.engine.folder.entries import Agreed, Asked, Resigned, Sent, of_kind
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import add_entries, ledger_of, now_in
from adjudicator.engine.folder.names import FOR
from adjudicator.engine.handout.times import calendar_of, due_text, is_told
from adjudicator.engine.library.rules import NoSuchRule, chapters_of, paragraphs_named
from adjudicator.engine.match.showing import hand_out_again, map_of
from adjudicator.engine.report.template import clock_text
from adjudicator.gm.absences import absence, days_in, why_not_absent
from adjudicator.gm.by_mail import CONFIRM
from adjudicator.gm.by_players import (
    agreement,
    change_address,
    change_settings,
    is_agreed_upon,
    is_light,
    light_is_usual,
    settings_of,
    vote,
    voters,
)
from adjudicator.gm.missed import has_resigned
from adjudicator.gm.people import is_address
from adjudicator.gm.playing import schedule_in_force
from adjudicator.gm.schedule import ALL, Schedule
from adjudicator.mail.account import Account
from adjudicator.mail.answer import DEADLINES, message_without_text
from adjudicator.mail.calendars import link_of
from adjudicator.mail.commands import Command, Reply, settings_in, without_regent, words_for
from adjudicator.mail.notices import write_text
from adjudicator.mail.parcel import REPORT, is_of_kind, keep_mail, subject_of
from adjudicator.mail.press import SENT, VERB

LONGEST_SHOWN = 200_000
"""Characters of reports that an answer brings."""
MOST_ADDRESSES = 3
"""New addresses that are written to for a player within a day: they may be anybody's."""
MAP = "map.svg"


class Obeying:
    """The commands of one player's mail, one after the other.

    `replies` are for the answer, `files` are attached to it, and `news` are lines for the GM. `seated` has another
    address and token after a command that changes these. `seats` are all seats that the mailbox knows.
    """

    def __init__(
        self, match: Folder, account: Account, seated: Seated, now: datetime, seats: Sequence[Seated] = ()
    ) -> None:
        self.match, self.account, self.seated, self.seats = match, account, seated, seats
        self.now, self.player, self.phase = now_in(match, now), seated.seat.player, match.phases[-1]
        self.replies: list[Reply] = []
        self.files: dict[str, bytes] = {}
        self.news: list[str] = []
        self.mails: list[Sent] = []

    def obey(self, commands: Sequence[Command], messages: Sequence[Reply] = ()) -> None:
        """Carries the commands out; what they change is added to the match, except its `referee.yaml`.
        Raises Faulty.
        """
        before = len(ledger_of(self.match))
        ways: Mapping[str, Callable[[Command], Reply]] = {
            "status": self.status,
            "map": self.map,
            "calendar": self.calendar,
            "history": self.history,
            "rules": self.rules,
            "away": self.away,
            "resign": self.resign,
            "vote": self.vote,
            "settings": self.settings,
            "address": self.address,
        }
        for each in commands:
            way = ways.get(each.verb)
            good = way is not None and each.read not in ("wrong", "meant")
            self.replies.append(way(each) if way is not None and good else Reply(each, each.read or "done"))
        self.replies += messages
        if any(is_told(entry) for entry in ledger_of(self.match)[before:]):
            hand_out_again(self.match)

    def entry(self, message: str, came: datetime) -> Asked:
        """The ledger's entry of the mail that had these commands."""
        return Asked(
            at=self.now,
            phase=self.phase,
            message=message,
            player=self.player,
            commands=tuple(each.verb for each in self.replies if each.verb != VERB or each.how in SENT),
            came=came,
        )

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs of the commands, each once."""
        return tuple(dict.fromkeys(each.verb for each in self.replies))

    @property
    def wants_form(self) -> bool:
        """Does the mail ask for the open form?"""
        return any(each.verb == "form" for each in self.replies)

    def status(self, command: Command) -> Reply:
        """A line for each of the person's matches."""
        return Reply(command, "done", {"lines": self._lines_of(self._own_seats())})

    def calendar(self, command: Command) -> Reply:
        """The deadlines of all the person's matches, as one file for a calendar."""
        text = calendar_of(self._own_seats())
        self.files |= {DEADLINES: text.encode()} if text else {}
        facts = {"file": DEADLINES, "link": link_of(self.account, self.seated)}
        return Reply(command, "done" if text else "none", facts)

    def _own_seats(self) -> list[tuple[Folder, str]]:
        """The matches that go on and have the player's address, with its seat; the one that was asked first."""
        others = sorted(
            {
                (each.seat.folder, each.seat.player)
                for each in self.seats
                if not each.over and each.address.lower() == self.seated.address.lower() != ""
            }
            - {(self.seated.seat.folder, self.player)}
        )
        return [(self.match, self.player), *_opened(others)]

    def _lines_of(self, seats: Sequence[tuple[Folder, str]]) -> list[tuple[str, str]]:
        """What each match asks of the player, and until when."""
        return [(subject_of(match, player), due_text(match, match.last, player)) for match, player in seats]

    def map(self, command: Command) -> Reply:
        """The map as the player may see it, attached; some games have none."""
        drawn = map_of(self.match, self.match.last, self.player).svg
        self.files |= {MAP: drawn.encode()} if drawn else {}
        return Reply(command, "done" if drawn else "none", {"file": MAP})

    def history(self, command: Command) -> Reply:
        """The reports that the seat got in a turn; without a number, which turns there are."""
        had = [
            (self.match.head(number).turn, f"{phase}/{FOR}/{self.player}/{REPORT}")
            for number, phase in enumerate(self.match.phases)
        ]
        had = [(turn, name) for turn, name in had if self.match.has(name)]
        turns = sorted({turn for turn, _ in had})
        texts = [
            self.match.read(name).decode(errors="replace") for turn, name in had if str(turn) == command.rest
        ]
        how = "done" if texts else "none"
        return Reply(command, how, {"turns": turns, "text": "\n\n".join(texts)[:LONGEST_SHOWN]})

    def rules(self, command: Command) -> Reply:
        """A chapter of the rules, or some of them; without a number, which chapters there are."""
        rulebook = self.match.rulebook_for(self.player)
        try:
            found = [*paragraphs_named(rulebook, command.rest)] if command.rest else []
        except NoSuchRule:
            found = []
        facts = {"chapters": [*chapters_of(rulebook)], "text": "\n\n".join(found)}
        return Reply(command, "done" if found else "none", facts)

    def away(self, command: Command) -> Reply:
        """Enters an absence, if the schedule allows it, or a regent plays meanwhile."""
        schedule = schedule_in_force(self.match) or Schedule()
        today = self.now.astimezone(schedule.zone_info).date()
        days, regent = without_regent(command.rest)
        try:
            span = days_in(days, today)
        except ValueError:
            return Reply(command, "wrong")
        if (found := why_not_absent(self.match, self.player, span, self.now, regent=regent)) is not None:
            return Reply(command, found.why, {"span": span, "times": found.times, "days": found.days})
        entry = absence(self.match, self.player, span, self.now, regent=regent)
        add_entries(self.match, entry)
        meanwhile = ", and a regent plays" if regent else ""
        self.news.append(f"{self.player} is away from {entry.first} to {entry.last}{meanwhile}")
        return Reply(command, "done", {"span": span, "regent": regent})

    def resign(self, command: Command) -> Reply:
        """Gives the seat up, if the code is right; else asks back."""
        if has_resigned(ledger_of(self.match), self.player):
            return Reply(command, "already")
        code = self._code("resign")
        if command.rest.lower() != code:
            return Reply(command, "ask", {"code": code, "again": bool(command.rest)})
        add_entries(self.match, Resigned(at=self.now, player=self.player))
        self._agree(agreement(self.match, self.now))
        self.news.append(
            f"{self.player} has given up the seat: adjudicator replace {self.match.path} {self.player}=..."
        )
        return Reply(command, "done")

    def vote(self, command: Command) -> Reply:
        """Enters a vote; nobody learns of it before all, or most, have voted for the same."""
        if is_agreed_upon(self.match):
            return Reply(command, "agreed")
        if self.player not in voters(self.match):
            return Reply(command, "uncounted")
        choice = words_for("votes")[command.rest.casefold()]
        entries = vote(self.match, self.player, choice, self.now)
        self._agree(entries)
        schedule = schedule_in_force(self.match)
        most = schedule is not None and schedule.vote != ALL
        return Reply(command, "agreed" if entries else choice, {"most": most})

    def _agree(self, entries: Sequence[Agreed]) -> None:
        add_entries(self.match, *entries)
        self.news += [f"{each.why}; nothing more is played, unless you resume the match" for each in entries]

    def settings(self, command: Command) -> Reply:
        """Changes what mails the player gets of this match; alone it says what is set."""
        if not command.rest:
            found = settings_of(self.match, self.player)
        else:
            given = [words_for("settings")[each] for each in settings_in(command.rest)]
            found = change_settings(self.match, self.player, given)
        usual = is_light(found, usual=light_is_usual(self.match, self.account.page))
        return Reply(command, "done", {"settings": found, "light_with_link": usual})

    def address(self, command: Command) -> Reply:
        """Changes the address, if its code is right; before that it asks back at the old one, then at the new one."""
        new, _, code = command.rest.partition(" ")
        if not is_address(new):
            return Reply(command, "wrong")
        if new.lower() == self.seated.address.lower():
            return Reply(command, "already", {"new": new})
        if code.lower() == code_of_new_address(self.match, self.seated, new):
            change_address(self.match, self.player, new)
            seat = replace(self.seated.seat, number=self.seated.seat.number + 1)
            self.seated = replace(self.seated, address=new, seat=seat)
            self.news.append(f"{self.player} has another address: {new}")
            return Reply(command, "done", {"new": new})
        mine = self._code("address", new)
        if code.lower() != mine:
            return Reply(command, "ask", {"new": new, "code": mine, "again": bool(code)})
        if self._addresses_asked() >= MOST_ADDRESSES:
            return Reply(command, "too-often", {"new": new, "most": MOST_ADDRESSES})
        self.mails.append(self._mail_to_new_address(new))
        return Reply(command, "asked-there", {"new": new})

    def _addresses_asked(self) -> int:
        """How many new addresses the player was asked at within a day."""
        asked = (one for one in of_kind(ledger_of(self.match), Sent) if is_of_kind(CONFIRM, one))
        return len({one.message for one in asked if one.to == self.player and one.at > self.now - DAY})

    def _mail_to_new_address(self, new: str) -> Sent:
        """The mail to a new address with the second code, and no token: it may be somebody else's, by a slip."""
        code, there = code_of_new_address(self.match, self.seated, new), replace(self.seated, address=new)
        subject = clock_text(self.match.rulebook_for(self.player), "new_address", self.match.card.match)
        message = message_without_text(
            self.account, there, f"address {new} {code}", subject, self.now, token=False
        )
        write_text(
            message, self.match, self.player, "mail-address.txt.j2", new=new, code=code, player=self.player
        )
        return keep_mail(self.match, self.player, message, CONFIRM, self.now)

    def _code(self, *what: str) -> str:
        """The code with which what can't be undone is confirmed: it counts in the open phase."""
        return self.seated.code("code", self.phase, *what)


def code_of_new_address(match: Folder, seated: Seated, new: str) -> str:
    """The code that goes to a new address of a player, and shows that the player reads mail there."""
    return seated.code("code", match.phases[-1], "new address", new.lower())


def _opened(seats: Sequence[tuple[str, str]]) -> Iterator[tuple[Folder, str]]:
    """Other matches of a player, without those that can't be read now: the GM is told of these."""
    for folder, player in seats:
        try:
            match = open_match(Path(folder))
            match.state(match.last)
            yield match, player
        except Faulty:
            continue
