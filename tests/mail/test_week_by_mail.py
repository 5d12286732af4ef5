"""A match of four over real servers, with everything that happens in a club's weeks;
and a turn killed at any moment."""

from __future__ import annotations

import imaplib
import os
import shutil
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.cli import post_office
from adjudicator.cli.post_office import WAYS, PostOffice, answer_to, read
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import (
    Bounced,
    Closed,
    Held,
    PhaseOpened,
    Replaced,
    Sent,
    Taken,
    of_kind,
)
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.gm.deadlines import deadline
from adjudicator.gm.playing import absences, schedule_in_force
from adjudicator.mail import smtp
from tests.cli.calling import adjudicator as call
from tests.mail.servers import Cut, needs_dovecot

HOST = "players.example"
GM = f"gm@{HOST}"
FOUR = ("venice", "genoa", "spain", "turkey")
NEW = f"newcomer@{HOST}"
SCHEDULE = """
zone: Europe/Paris
every: 3 days
grace: 12 hours
absence: {times: 2, days: 14}
missed: {warn: 1, replace: 2}
"""
SUNDAY, MONDAY = "2026-11-22T12:00Z", "2026-11-23T12:00Z"
OVERDUE = "2026-11-26T07:00Z"
"""When the first phase closes: it is due on Wednesday at 19:00, and has twelve hours of grace."""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no Dovecot for Windows")


class Club:
    """A match of four, and a post office with a mailbox for each of them, the GM, and somebody who comes later.

    Without pages: which mail goes when is no matter of what is attached (`test_demo.py` has a match with them).
    """

    def __init__(self, home: Path, office: PostOffice) -> None:
        self.office, self.match = office, home / "lagoon"
        (home / "schedule.yaml").write_text(SCHEDULE)
        players = [word for each in FOUR for word in ("--player", f"{each}={address(each)}")]
        words = (
            "--schedule",
            home / "schedule.yaml",
            "--option",
            "turns=2",
            "--option",
            "pages=off",
            "--seed",
            "club",
            "--at",
            SUNDAY,
        )
        assert call("new", "mediterranee", self.match, *players, "--gm", GM, *words).exit_code == 0
        self.account()

    def account(self, *, imap: int = 0, smtp: int = 0) -> None:
        """Writes mail.yaml; with other ports than the servers'."""
        file = Path(self.office.account(GM).file)
        text = file.read_text()
        for there, other in ((self.office.dovecot.imap, imap), (self.office.smtp, smtp)):
            text = text.replace(f"port: {there},", f"port: {other or there},")
        own = self.match.parent / "mail.yaml"
        own.unlink(missing_ok=True)
        own.write_text(text)
        own.chmod(0o600)

    def turn(self, at: str, status: int = 0) -> str:
        told = call("mail", "turn", self.match, "--at", at)
        assert told.exit_code == status, told.output
        return told.output

    def phase_mail(self, who: str) -> EmailMessage:
        """The last mail with a form that somebody got."""
        return next(
            mail
            for mail in map(read, reversed(self.office.mails(who)))
            if any(part.get_filename() == "sheet.yaml" for part in mail.iter_attachments())
        )

    def answers(self, who: str, player: str, number: int, sheet: str = "orders: []\n") -> EmailMessage:
        """Somebody writes a sheet, in one of the ways in which people do."""
        mail = self.phase_mail(who)
        message = answer_to(mail, who, f"<{number}.{player}@mailer.example>")
        list(WAYS.values())[number % len(WAYS)](message, sheet, mail)
        self.office.send(message)
        return message

    def entries(self, kind):
        return of_kind(ledger_of(open_match(self.match)), kind)


def address(player: str) -> str:
    return f"{player}@{HOST}"


@pytest.fixture
def office():
    needs_dovecot()
    with post_office.open_office([GM, NEW, *map(address, FOUR)]) as opened:
        yield opened


@pytest.fixture
def club(tmp_path, office):
    return Club(tmp_path, office)


def deliver(club: Club, head: dict[str, str], text: str) -> EmailMessage:
    """A mail to the GM from elsewhere, which knows no password of ours."""
    message = EmailMessage()
    for name, value in {"To": GM, **head}.items():
        message[name] = value
    message.set_content(text)
    club.office.dovecot.deliver(message.as_bytes(), [GM])
    return message


def test_a_match_of_four_with_all_that_comes_up(club, tmp_path):
    call("mail", "send", club.match, "--at", SUNDAY)
    first = club.phase_mail(address("turkey"))
    what_comes_in(club, first)
    who_is_away_and_who_is_missing(club)
    somebody_else_plays(club, first)
    for number, day in enumerate(("2026-12-06", "2026-12-07"), start=4):
        for player in FOUR:
            club.answers(
                NEW if player == "turkey" else address(player), player, 10 * number + FOUR.index(player)
            )
        club.turn(f"{day}T08:00Z")
    assert open_match(club.match).head(open_match(club.match).last).over
    assert not club.turn("2026-12-08T08:00Z")
    every_mail_is_accounted_for(club)
    the_ledger_says_the_same_elsewhere(club, tmp_path / "elsewhere" / "lagoon")


def what_comes_in(club: Club, first: EmailMessage) -> None:
    """Three write sheets, and there is more in the box; the server stops in the middle of it."""
    for number, player in enumerate(FOUR[:3]):
        last = club.answers(address(player), player, number)
    club.office.send(last)  # a mail program that sends twice
    away = {"From": address("genoa"), "Auto-Submitted": "auto-replied", "Message-ID": "<away@mailer.example>"}
    genoa = club.phase_mail(address("genoa"))
    deliver(club, {**away, "In-Reply-To": str(genoa["Message-ID"])}, "I am on holiday.\n")
    forged = deliver(
        club,
        {"From": address("venice"), "Subject": "my sheet", "Message-ID": "<forged@mailer.example>"},
        "player: venice\norders: [{place: 4, to: venice-1}]\n",
    )
    deliver(
        club, {"From": "x@elsewhere.example", "Message-ID": "<stranger@mailer.example>"}, "Who are you?\n"
    )
    ours = str(first["Message-ID"])
    dead = {"From": "MAILER-DAEMON@players.example", "Message-ID": "<bounce@mailer.example>"}
    deliver(
        club,
        {**dead, "Return-Path": "<>", "X-Failed-Recipients": address("turkey")},
        f"Returned to you:\n\n{ours}\n",
    )
    with Cut(club.office.dovecot.imap, 9_000) as cut:
        club.account(imap=cut.port)
        club.turn(MONDAY, status=1)
    club.account()
    club.turn(MONDAY)
    assert sorted(entry.player for entry in club.entries(Taken)) == ["genoa", "spain", "venice"]
    assert sorted((entry.player, entry.because) for entry in club.entries(Held)) == [
        ("genoa", "robot"), ("venice", "address-alone"),
    ]  # fmt: skip
    assert [(entry.player, entry.of) for entry in club.entries(Bounced)] == [("turkey", ours)]
    told = [read(data) for data in club.office.mails(address("venice"))]
    assert [mail["In-Reply-To"] for mail in told].count(forged["Message-ID"]) == 1


def who_is_away_and_who_is_missing(club: Club) -> None:
    """A vacation moves the next deadline; what is overdue closes, and the way out breaks while it is mailed."""
    assert call("absent", club.match, "genoa", "2026-11-28..2026-12-02", "--at", MONDAY).exit_code == 0
    club.turn(MONDAY)
    assert "reminded turkey" in club.turn("2026-11-25T19:00Z")
    with Cut(club.office.smtp, 350) as cut:
        club.account(smtp=cut.port)
        club.turn(OVERDUE, status=1)
    club.account()
    club.turn(OVERDUE)
    assert [entry.missing for entry in club.entries(Closed) if entry.missing] == [("turkey",)]
    opened = club.entries(PhaseOpened)[-1]
    assert (f"{opened.due:%Y-%m-%d %H:%M}", opened.moved) == ("2026-12-03 19:00", ("absence",))


def somebody_else_plays(club: Club, first: EmailMessage) -> None:
    """The same one is missing again, and replaced; who played before is heard of after all, and counts no more."""
    for number, player in enumerate(FOUR[:3], start=11):
        club.answers(address(player), player, number)
    club.turn("2026-11-27T12:00Z")
    assert len(club.entries(Taken)) == 6
    club.turn("2026-12-03T19:00Z")
    club.turn("2026-12-04T07:00Z")
    at = ("--at", "2026-12-04T08:00Z")
    assert (
        "Missed: turkey, 2 sheets in a row; somebody else may take the seat"
        in call("due", club.match, *at).output
    )
    told = call("replace", club.match, f"turkey={NEW}", "--why", "two sheets missed", *at)
    assert told.exit_code == 0, told.output
    club.turn("2026-12-04T08:00Z")
    welcomes = ["welcome" in str(read(data)["Subject"]) for data in club.office.mails(NEW)]
    assert welcomes == [True, False]
    assert len(club.entries(Replaced)) == 1
    old = answer_to(first, address("turkey"), "<late@mailer.example>")
    old.set_content("orders: []\n")
    club.office.send(old)
    for number, player in enumerate(FOUR, start=22):
        club.answers(NEW if player == "turkey" else address(player), player, number)
    club.turn("2026-12-05T08:00Z")
    assert [(entry.player, entry.because) for entry in club.entries(Held)][2:] == [("turkey", "expired")]


def every_mail_is_accounted_for(club: Club) -> None:
    """Each mail in the GM's box is ours, or stands in the ledger once; each of ours has come to its reader once."""
    sent = {entry.message: entry.to for entry in club.entries(Sent)}
    got = [str(read(data)["Message-ID"]) for data in club.office.mails(GM)]
    known = [entry.message for kind in (Taken, Held, Bounced) for entry in club.entries(kind)]
    assert len(known) == len(set(known))
    assert {*got} == {*sent, *known, "<stranger@mailer.example>"}
    assert [each for each in got if each in sent] == list(dict.fromkeys(each for each in got if each in sent))
    came = [
        (str(read(data)["Message-ID"]), who)
        for who in (NEW, *map(address, FOUR))
        for data in club.office.mails(who)
    ]
    assert len(came) == len({*came}) == len(sent)
    assert {message for message, _ in came} == {*sent}
    with imaplib.IMAP4("127.0.0.1", club.office.dovecot.imap) as box:
        box.login(GM, club.office.password)
        box.select("INBOX", readonly=True)
        flags = [line for line in box.fetch("1:*", "(FLAGS)")[1] if line]
    assert len(flags) == len(got)
    assert all(b"AdjudicatorDone" in each for each in flags)


def the_ledger_says_the_same_elsewhere(club: Club, copy: Path) -> None:
    """In another folder, from the entries alone: every deadline that was ever said is worked out again."""
    shutil.copytree(club.match, copy)
    assert verify(copy).good
    match = open_match(copy)
    entries, schedule = ledger_of(match), schedule_in_force(match)
    assert schedule is not None
    opened = of_kind(entries, PhaseOpened)
    for entry in opened:
        before = entries[: entries.index(entry)]
        number = match.phases.index(entry.phase)
        away = absences(before, match.opening(number).due)
        again = deadline(schedule, match.head(number).name, entry.at, away=away)
        assert (again.due, again.closes, again.moved) == (entry.due, entry.closes, entry.moved)
    assert len(opened) == 4
    for at in (MONDAY, OVERDUE, "2026-12-05T08:00Z"):
        there, here = (call("due", path, "--at", at).output for path in (copy, club.match))
        assert there == here


# -- killed at any moment ------------------------------------------------------------------------------------------


class Killed(BaseException):
    """What stops a command when a server is spoken to."""


def killed_at(monkeypatch, number: int) -> list[int]:
    """The command stops when a server has answered so many times, before it hears the next answer; counts them."""
    heard = [0]
    for kind, name in ((smtp.Bounded, "getreply"), (imaplib.IMAP4, "_get_response")):
        real = getattr(kind, name)

        def answer(self, *args, real=real, **more):
            heard[0] += 1
            found = real(self, *args, **more) if heard[0] <= number + 1 else None
            if heard[0] > number:
                getattr(self, "shutdown" if isinstance(self, imaplib.IMAP4) else "close")()
                raise Killed
            return found

        monkeypatch.setattr(kind, name, answer)
    return heard


ANSWERS = 160
"""As many answers as a turn hears, at least (see the test of them)."""


@pytest.fixture
def all_answers(tmp_path, office):
    """All have answered."""
    club = Club(tmp_path, office)
    call("mail", "send", club.match, "--at", SUNDAY)
    for number, player in enumerate(FOUR):
        club.answers(address(player), player, number)
    return club


def test_a_turn_hears_no_more_answers_than_it_is_killed_at(all_answers, monkeypatch):
    with monkeypatch.context() as patch:
        heard = killed_at(patch, 10_000)
        all_answers.turn(MONDAY)
    assert ANSWERS - 20 <= heard[0] <= ANSWERS


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[] if n == 57 else [pytest.mark.soak]) for n in range(ANSWERS)]
)
def test_wherever_a_turn_is_killed_nothing_is_lost_or_sent_twice(all_answers, monkeypatch, number):
    club = all_answers
    with monkeypatch.context() as patch:
        killed_at(patch, number)
        with suppress(Killed):
            call("mail", "turn", club.match, "--at", MONDAY)
    for _ in range(2):
        club.turn(MONDAY)
    assert sorted(entry.player for entry in club.entries(Taken)) == sorted(FOUR)
    for player in FOUR:
        ids = [read(data)["Message-ID"] for data in club.office.mails(address(player))]
        assert len(ids) == len(set(ids)) == 3
