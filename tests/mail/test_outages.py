"""Weeks with outages of the way out, the way in, one mailbox, and the machine: no clock runs for who wasn't told."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Bounced, Closed, Held, PutOff, Reminded, Sent, Taken, of_kind
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import deadline_in_force, ledger_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.gm.situation import Now, situation
from adjudicator.mail import boxes
from adjudicator.mail.account import Account
from tests.cli.calling import adjudicator as call
from tests.engine.match_folders import TWO
from tests.gm.weeks import WEEK, utc, week
from tests.mail.local_post import GM, LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
BEGUN = utc("2026-11-22 13:00")
HOUR = timedelta(hours=1)
SETUP = "0001-t1-setup"
ADDRESS = {player: f"{player}@example.org" for player in TWO}
OUTAGES = (
    "no way out",
    "mails refused for now",
    "one mailbox full",
    "no way in",
    "off",
    "off",
    "neither way",
)
DAILY = {"zone": "Europe/Paris", "at": "20:00", "every": "1 day", "grace": "6 hours"}
"""Phases come so often that three weeks see many."""


class Machine:
    """A GM's machine with one match, at an instant: its servers can be out, and it notes what came to whom when."""

    def __init__(
        self, home: Path, post: LocalPost, patch: pytest.MonkeyPatch, schedule: dict[str, object]
    ) -> None:
        self.post, self.now, self.out, self.number = post, BEGUN, set[str](), 0
        self.match = week(home / "lagoon", schedule, pages="off", turns="6")
        post.account(self.match)
        self.came: dict[str, dict[str, datetime]] = {player: {} for player in TWO}
        self.untimely: list[str] = []
        for name, needed in (("opened_maildir", "no way in"), ("through_command", "no way out")):
            patch.setattr(boxes, name, self.unless_out(getattr(boxes, name), needed))

    def unless_out(self, real: Callable[[Account], Any], needed: str) -> Callable[[Account], Any]:
        def way(account: Account) -> Any:
            if needed in self.out or "neither way" in self.out:
                raise Faulty([problem("mail.yaml", "no route to host")])
            return real(account)

        return way

    def open(self) -> Folder:
        return open_match(self.match)

    def turn(self) -> str:
        """One call by cron, if the machine is on; notes what came, and reminders that nobody could know to be right."""
        if "off" in self.out:
            return ""
        for name, there in (
            ("full", "mails refused for now" in self.out),
            (f"full-{ADDRESS['genoa']}", "one mailbox full" in self.out),
        ):
            (self.post.home / name).unlink(missing_ok=True)
            if there:
                (self.post.home / name).touch()
        told = call("mail", "turn", self.match, "--at", f"{self.now:%Y-%m-%dT%H:%MZ}")
        assert told.exit_code in (0, 1) and "Traceback" not in told.output, told.output
        for player, seen in self.came.items():
            for mail in self.post.mails_to(ADDRESS[player]):
                if str(mail["Message-ID"]) not in seen:
                    seen[str(mail["Message-ID"])] = self.now
                    late = "the deadline is past" in mail["Subject"]
                    self.untimely += [player] if late and self.out & {"no way in", "neither way"} else []
        return told.output

    def writes(self, player: str, text: str = "orders: []\n") -> None:
        """A player answers the last mail with a form; the server has the answer now."""
        mails = [each for each in self.post.mails_to(ADDRESS[player]) if "by " in each["Subject"]]
        self.number += 1
        self.post.deliver(reply(mails[-1], text, sender=ADDRESS[player], number=str(self.number)))
        moment = self.now.timestamp()
        os.utime(self.post.home / GM / "new" / f"x{self.post.count:05d}", (moment, moment))

    def when(
        self, player: str, phase: str, kind: type[Sent] | type[Reminded], until: datetime
    ) -> list[datetime]:
        """When a phase's mails (with the form, and no answers or notices), or its reminders, had come to a player."""
        of = {
            one.message
            for one in of_kind(ledger_of(self.open()), kind, phase)
            if isinstance(one, Reminded) or not any(name.startswith("mail/") for name in one.files)
        }
        return [at for number, at in self.came[player].items() if number in of and at <= until]


@pytest.fixture
def machine(tmp_path: Path, post: LocalPost, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, post, monkeypatch, WEEK)


def check_promises(machine: Machine, grace: timedelta) -> None:
    """What holds in any weeks, whatever was out."""
    assert not machine.untimely, "reminded while the way in was out"
    for player in TWO:
        numbers = Counter(str(mail["Message-ID"]) for mail in machine.post.mails_to(ADDRESS[player]))
        assert max(numbers.values()) == 1, "a mail went twice"
    entries = ledger_of(machine.open())
    for closed in of_kind(entries, Closed):
        for player in closed.missing if closed.by == "deadline" else ():
            told = machine.when(player, closed.phase, Sent, closed.at - grace)
            assert told, f"{player} missed a sheet of {closed.phase} and wasn't asked in time"
            reminded = machine.when(player, closed.phase, Reminded, closed.at - grace)
            assert reminded or not grace, (
                f"{player} missed a sheet of {closed.phase} and wasn't reminded in time"
            )
    for held in of_kind(entries, Held):
        if held.because == "late":
            assert held.came is not None
            sent = [one for one in of_kind(entries, Taken, held.phase) if one.player == held.player]
            kind = Reminded if grace else Sent
            in_time = machine.when(held.player, held.phase, kind, held.came - grace)
            assert in_time or sent, "late without a reminder, and without a sheet"
    assert verify(machine.match).good


@pytest.mark.parametrize(
    ("seed", "days", "grace"),
    [
        ("one", 9, 6),
        ("two", 9, 0),
        *(pytest.param(f"{n}", 21, 6 * (n % 3 > 0), marks=pytest.mark.soak) for n in range(12)),
    ],
)
def test_in_weeks_with_outages_nobody_misses_what_nobody_was_asked_for(
    tmp_path: Path, post: LocalPost, monkeypatch: pytest.MonkeyPatch, seed: str, days: int, grace: int
) -> None:
    """Whatever is out, and for how long: see `check_promises`; and once all is back, the match goes on."""
    chance = SeededChance(seed)
    schedule: dict[str, object] = {**DAILY, "grace": f"{grace} hours"} if grace else {**DAILY}
    if not grace:
        del schedule["grace"]
    machine = Machine(tmp_path, post, monkeypatch, schedule)
    machine.turn()
    ends = BEGUN
    for _ in range(days * 12):
        machine.now += 2 * HOUR
        if machine.now >= ends:
            machine.out = {OUTAGES[chance(len(OUTAGES))]} if not machine.out and not chance(3) else set()
            ends = machine.now + (4 + chance(40)) * HOUR
        for player in TWO:
            if machine.came[player] and not chance(14):
                machine.writes(player)
        machine.turn()
    machine.out, before = set(), len(of_kind(ledger_of(machine.open()), Closed))
    for _ in range(3 * 12):
        machine.now += 2 * HOUR
        machine.turn()
    match = machine.open()
    assert match.head(match.last).over or len(of_kind(ledger_of(match), Closed)) > before
    check_promises(machine, timedelta(hours=grace))


def hours(machine: Machine, number: int) -> str:
    """The machine runs on, with a call each hour; returns what the last one printed."""
    told = ""
    for _ in range(number):
        machine.now += HOUR
        told = machine.turn()
    return told


def kinds(machine: Machine, kind: type[Any]) -> list[Any]:
    return of_kind(ledger_of(machine.open()), kind)


def due(machine: Machine) -> datetime:
    known = deadline_in_force(ledger_of(machine.open()), SETUP)
    assert known is not None
    return known.due


@pytest.mark.parametrize("out", ["no way out", "mails refused for now"])
def test_a_phase_that_could_be_mailed_to_nobody_is_due_as_if_it_was_opened_later(
    machine: Machine, out: str
) -> None:
    """Its mail says so; without a connection nothing is written at all."""
    machine.out = {out}
    hours(machine, 5 * 24)
    assert not kinds(machine, Closed)
    assert len(kinds(machine, PutOff)) == (0 if out == "no way out" else 5)
    machine.out = set()
    machine.turn()
    assert due(machine) == utc("2026-11-30 19:00")
    for player in TWO:
        (mail,) = machine.post.mails_to(ADDRESS[player])
        body = mail.get_body(("plain",))
        assert body is not None and "because not everybody" in body.get_content()
    hours(machine, 3 * 24 - 1)
    assert not kinds(machine, Closed)
    hours(machine, 24)
    assert [one.missing for one in kinds(machine, Closed)] == [("venice", "genoa")]
    check_promises(machine, timedelta(hours=12))


def test_while_one_mailbox_is_full_nobody_is_closed_out_and_all_hear_the_new_deadline(
    machine: Machine,
) -> None:
    machine.out = {"one mailbox full"}
    hours(machine, 4 * 24)
    assert not kinds(machine, Closed) and not machine.came["genoa"]
    machine.out = set()
    machine.turn()
    assert due(machine) == utc("2026-11-29 19:00")
    notices = [
        mail for mail in machine.post.mails_to(ADDRESS["venice"]) if "a new deadline" in mail["Subject"]
    ]
    assert len(notices) == 4
    assert "not everybody" in notices[-1].as_string()
    check_promises(machine, timedelta(hours=12))


def test_after_the_machine_was_off_a_whole_grace_is_given_and_what_lay_there_counts(machine: Machine) -> None:
    machine.turn()
    machine.out, machine.now = {"off"}, utc("2026-11-26 09:00")
    machine.writes("venice", "orders:\n  - place: 4\n    to: venice-1\n")
    machine.writes("venice", "orders:\n  - place: 3\n    to: venice-1\n")
    machine.out, machine.now = set(), utc("2026-11-26 10:00")
    assert "reminded genoa" in machine.turn()
    assert not [one for one in kinds(machine, Held) if one.because == "late"]
    assert "place: 3" in (machine.match / SETUP / "sheets/venice.yaml").read_text()
    assert "2026-11-26 17:00 (America/New_York" in machine.post.mails_to(ADDRESS["genoa"])[-1].as_string()
    hours(machine, 11)
    assert not kinds(machine, Closed)
    hours(machine, 1)
    assert [one.missing for one in kinds(machine, Closed)] == [("genoa",)]
    check_promises(machine, timedelta(hours=12))


def test_while_the_way_in_is_dead_nobody_is_reminded_even_of_what_was_begun_before(machine: Machine) -> None:
    machine.turn()
    machine.now, machine.out = utc("2026-11-25 19:00"), {"mails refused for now"}
    machine.turn()
    machine.now, machine.out = utc("2026-11-25 21:00"), {"no way in"}
    machine.writes("venice", "orders:\n  - place: 4\n    to: venice-1\n")
    assert "reminded" not in machine.turn()
    status = call("status", machine.match, "--at", f"{machine.now:%Y-%m-%dT%H:%MZ}").output
    assert "Reminded by mail" not in status and "Remind venice and genoa" in status
    machine.now, machine.out = utc("2026-11-25 22:00"), set()
    assert "reminded genoa" in machine.turn()
    assert not kinds(machine, Reminded)[1:]
    check_promises(machine, timedelta(hours=12))


def test_a_refusal_for_good_holds_the_phase_until_the_gm_says_when_it_closes(machine: Machine) -> None:
    """And is tried again each day, because servers err, too."""
    referee = machine.match / "referee.yaml"
    referee.write_text(referee.read_text().replace("genoa@", "nobody@"))
    assert "refused for genoa (no such user)" in machine.turn()
    assert "refused" not in hours(machine, 23)
    assert "refused for genoa (no such user)" in hours(machine, 1)
    told = [hours(machine, 1) for _ in range(5 * 24)]
    assert not kinds(machine, Closed) and not kinds(machine, PutOff)
    said = [
        hour for hour, each in enumerate(told) if "isn't played: the phase's time has come, but mail" in each
    ]
    assert [later - hour for hour, later in pairwise(said)] == [24, 24]
    found = situation(machine.open(), machine.now)
    assert (found.now, found.unsent) == (Now.UNSENT, ("genoa",))
    until = machine.now + 5 * HOUR
    at = ("--at", f"{machine.now:%Y-%m-%dT%H:%MZ}")
    call("extend", machine.match, "--to", f"{until:%Y-%m-%dT%H:%MZ}", "--why", "no word of genoa", *at)
    hours(machine, 18)
    assert [one.missing for one in kinds(machine, Closed)] == [("venice", "genoa")]
    assert verify(machine.match).good


def test_who_was_refused_by_mistake_is_mailed_a_day_later_and_the_match_goes_on(machine: Machine) -> None:
    referee = machine.match / "referee.yaml"
    good = referee.read_text()
    referee.write_text(good.replace("genoa@", "nobody@"))
    machine.turn()
    referee.write_text(good)
    assert "sent to genoa" in hours(machine, 24)
    hours(machine, 3 * 24)
    assert [one.missing for one in kinds(machine, Closed)] == [("venice", "genoa")]
    assert len(kinds(machine, Bounced)) == 1
    check_promises(machine, timedelta(hours=12))
