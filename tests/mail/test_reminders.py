"""In the grace, after the deadline and before the phase closes, missing players are reminded once, and nobody else."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.door.seats import token
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Reminded, Sent, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.gm import acts
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import utc, week
from tests.mail.local_post import LocalPost, reply
from tests.mail.test_turns import Killed, killed_at

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
PHASE = "0001-t1-setup"
BEGUN = "2026-11-22T13:00Z"
BEFORE, GRACE, LATER, CLOSED = (
    "2026-11-25T18:59Z",
    "2026-11-25T19:00Z",
    "2026-11-26T03:00Z",
    "2026-11-26T07:00Z",
)
"""The first phase is due at 19:00 UTC on the 25th, and closes at 7:00 the next morning."""
SHEET = "orders:\n  - place: 4\n    to: venice-1\n"
VENICE, GENOA = "venice@example.org", "genoa@example.org"


@pytest.fixture(scope="module")
def mailed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match that has begun, whose first mails have gone out, and its post office."""
    home = tmp_path_factory.mktemp("mailed")
    LocalPost(home / "post").account(week(home / "lagoon"))
    assert turn(home / "lagoon", BEGUN) == 0
    return home


@pytest.fixture
def match(mailed: Path, tmp_path: Path, post: LocalPost) -> Path:
    for name in ("lagoon", "post"):
        shutil.copytree(mailed / name, tmp_path / name, dirs_exist_ok=True)
    post.account(tmp_path / "lagoon")
    return tmp_path / "lagoon"


def turn(path: Path, at: str, *, word: str = "turn") -> int:
    return call("mail", word, str(path), "--at", at).exit_code


def reminders(post: LocalPost, address: str) -> list[EmailMessage]:
    return [mail for mail in post.mails_to(address) if "the deadline is past" in mail["Subject"]]


def counts(post: LocalPost) -> tuple[int, int]:
    return len(reminders(post, VENICE)), len(reminders(post, GENOA))


def reminded(match: Path) -> list[str]:
    return [entry.player for entry in of_kind(ledger_of(open_match(match)), Reminded)]


def send_of(post: LocalPost, address: str, text: str = SHEET) -> None:
    post.deliver(reply(post.mails_to(address)[0], text, sender=address))


@pytest.mark.parametrize("word", ["turn", "send"])
def test_who_is_missing_is_reminded_once_in_the_grace_alone(match: Path, post: LocalPost, word: str) -> None:
    assert counts(post) == (0, 0)
    send_of(post, VENICE)
    assert turn(match, BEFORE) == 0
    if word == "send":  # the sheet may lie in the mailbox
        assert "reminded" not in call("mail", word, str(match), "--at", GRACE).output
        assert turn(match, GRACE, word="fetch") == 0
    said = call("mail", word, str(match), "--at", GRACE)
    assert said.exit_code == 0, said.output
    assert "reminded genoa" in said.output
    for at in (GRACE, LATER, LATER):
        assert turn(match, at) == 0
    assert counts(post) == (0, 1)
    assert reminded(match) == ["genoa"]
    assert verify(match).good
    assert turn(match, CLOSED) == 0
    assert open_match(match).last > 1
    assert counts(post) == (0, 1)


def test_it_says_until_when_in_the_players_zone_and_brings_the_sheet(match: Path, post: LocalPost) -> None:
    turn(match, GRACE)
    (mail,) = reminders(post, GENOA)
    body = mail.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert "it was Wednesday 2026-11-25 14:00 (America/New_York, UTC-05:00)" in text
    assert "until Thursday 2026-11-26 02:00 (America/New_York, UTC-05:00)" in text
    secret = token(match, "genoa")
    assert secret in mail["Reply-To"] and secret in mail["Subject"] and mail["Reply-To"] in text
    assert mail["In-Reply-To"] == post.mails_to(GENOA)[0]["Message-ID"]
    assert mail["Auto-Submitted"] == "auto-generated"
    assert [part.get_filename() for part in mail.iter_attachments()] == ["sheet.yaml"]
    assert "\norders:" in text
    (other,) = reminders(post, VENICE)
    assert "Wednesday 2026-11-25 20:00 (Europe/Paris, UTC+01:00)" in other.as_string().replace("=\n", "")
    assert secret not in other.as_string()


def test_it_can_be_answered_and_the_phase_is_played(match: Path, post: LocalPost) -> None:
    turn(match, GRACE)
    for address, player in ((VENICE, "venice"), (GENOA, "genoa")):
        (mail,) = reminders(post, address)
        post.deliver(reply(mail, SHEET.replace("venice", player), sender=address))
    turn(match, LATER)
    assert open_match(match).last > 1
    assert verify(match).good


def test_a_draft_is_reminded_and_told_what_becomes_of_it(match: Path, post: LocalPost) -> None:
    send_of(post, VENICE, f"ready: false\n{SHEET}")
    turn(match, GRACE)
    (mail,) = reminders(post, VENICE)
    body = mail.get_body(("plain",))
    assert body is not None and "the draft is carried out as it is" in body.get_content()
    (own,) = mail.iter_attachments()
    draft = own.get_content().decode()
    assert "ready: false" in draft and all(line in draft for line in SHEET.splitlines())
    assert draft.strip() in body.get_content()
    (other,) = reminders(post, GENOA)
    body = other.get_body(("plain",))
    assert body is not None and "is missing" in body.get_content()


def test_nobody_is_reminded_while_the_match_is_on_hold(match: Path, post: LocalPost) -> None:
    acts.hold(match, utc("2026-11-25 18:00"), why="ill")
    turn(match, GRACE)
    turn(match, LATER)
    assert counts(post) == (0, 0)
    acts.resume(match, utc("2026-11-26 04:00"), why="well")
    turn(match, "2026-11-26T04:00Z")
    assert counts(post) == (0, 0)
    turn(match, "2026-11-26T19:00Z")
    assert counts(post) == (1, 1)


def test_who_is_away_is_left_in_peace(match: Path, post: LocalPost) -> None:
    acts.absent(match, "venice", "2026-11-26", utc("2026-11-25 20:00"))
    turn(match, LATER)
    assert counts(post) == (0, 1)


def test_without_a_grace_there_is_none(tmp_path: Path, post: LocalPost) -> None:
    path = week(tmp_path / "lagoon", {"zone": "Europe/Paris", "every": "3 days"})
    post.account(path)
    turn(path, BEGUN)
    turn(path, GRACE)
    assert counts(post) == (0, 0)


def test_a_phase_that_is_open_again_is_reminded_of_again(match: Path, post: LocalPost) -> None:
    turn(match, GRACE)
    turn(match, CLOSED)
    acts.undo(match, utc("2026-11-26 08:00"), why="a slip")
    turn(match, "2026-11-26T08:00Z")
    assert counts(post) == (1, 1)
    turn(match, "2026-11-29T19:00Z")
    assert reminded(match) == ["venice", "genoa", "venice", "genoa"]
    assert counts(post) == (2, 2)
    assert verify(match).good


def test_who_is_late_again_after_a_deadline_that_was_put_off_is_reminded_again(
    match: Path, post: LocalPost
) -> None:
    turn(match, GRACE)
    call("extend", match, "--to", "2026-11-29T19:00Z", "--why", "snow", "--at", LATER)
    for at in (LATER, CLOSED):
        assert turn(match, at) == 0
    assert counts(post) == (1, 1)
    for at in ("2026-11-29T19:00Z", "2026-11-29T20:00Z"):
        assert turn(match, at) == 0
    assert counts(post) == (2, 2)
    assert verify(match).good


def test_who_plays_instead_is_reminded_too(match: Path, post: LocalPost) -> None:
    turn(match, GRACE)
    acts.replace(match, "venice", "new@example.org", utc("2026-11-25 20:00"), why="gone")
    turn(match, LATER)
    turn(match, LATER)
    assert len(reminders(post, "new@example.org")) == 1
    assert counts(post) == (1, 1)


def test_whose_answer_is_missing_is_reminded_of_that(tmp_path: Path, post: LocalPost) -> None:
    path = week(tmp_path / "lagoon", pacing="live")
    post.account(path)
    for at in (BEGUN, GRACE, CLOSED):
        turn(path, at)
    for player, bid in (("venice", 200), ("genoa", 100)):
        sheet = path / "0002-t1-auction" / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders:\n  - bid: {bid}\n")
    turn(path, "2026-11-26T08:00Z")
    turn(path, "2026-11-29T19:00Z")
    *_, mail = reminders(post, VENICE)
    assert "waits for your answer" in mail.as_string()
    assert [part.get_filename() for part in mail.iter_attachments()] == ["answer.yaml"]
    assert counts(post) == (2, 1)
    assert verify(path).good


@pytest.mark.parametrize("word", ["fetch", "take"])
def test_what_only_takes_mail_reminds_nobody(match: Path, post: LocalPost, word: str) -> None:
    assert call("mail", word, str(match), "--at", GRACE, given=b"From: a@b\n\nx").exit_code == 0
    assert counts(post) == (0, 0)


def test_a_reminder_isnt_one_of_the_answers_of_a_day(match: Path, post: LocalPost) -> None:
    for number in range(9):
        post.deliver(reply(post.mails_to(VENICE)[0], f"no sheet {number}", sender=VENICE, number=str(number)))
    turn(match, GRACE)
    before = len(post.mails_to(VENICE))
    post.deliver(reply(post.mails_to(VENICE)[0], "no sheet", sender=VENICE, number="last"))
    turn(match, LATER)
    assert len(post.mails_to(VENICE)) == before + 1


@pytest.mark.parametrize(
    ("number", "error"),
    [
        pytest.param(n, error, id=f"{n}-{name}", marks=[] if n % 18 == own else pytest.mark.soak)
        for n in range(42)
        for name, error, own in (("killed", Killed(), 0), ("full", OSError(errno.ENOSPC, "No space"), 9))
    ],
)
def test_wherever_it_is_cut_short_each_is_reminded_once(
    match: Path, post: LocalPost, monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException
) -> None:
    with monkeypatch.context() as patch:
        killed_at(patch, number, error)
        with suppress(Killed):
            turn(match, GRACE)
    for at in (GRACE, LATER):
        assert turn(match, at) == 0
    assert counts(post) == (1, 1)
    assert reminded(match) == ["venice", "genoa"]
    assert verify(match).good


def test_one_that_was_begun_and_came_too_late_isnt_sent(match: Path, post: LocalPost) -> None:
    (post.home / "full").touch()
    turn(match, GRACE)
    (post.home / "full").unlink()
    send_of(post, VENICE)
    turn(match, "2026-11-25T21:00Z")
    assert counts(post) == (0, 1)
    (kept,) = [
        one
        for one in of_kind(ledger_of(open_match(match)), Sent)
        if one.why == "a newer mail replaced it, so it wasn't sent"
    ]
    assert kept.to == "venice"


@pytest.mark.parametrize(("at", "shown"), [(BEFORE, False), (GRACE, True), (CLOSED, False)])
def test_without_mail_due_and_status_say_whom_to_remind(match: Path, at: str, shown: bool) -> None:
    wanted = "Remind venice and genoa: a sheet still counts until Thursday 2026-11-26 08:00 (Europe/Paris, UTC+01:00)."
    for word in ("due", "status"):
        assert (wanted in call(word, str(match), "--at", at).output) == shown
    turn(match, GRACE)
    if shown:
        for word in ("due", "status"):
            told = call(word, str(match), "--at", at).output
            assert wanted not in told and "Reminded by mail: venice and genoa;" in told


def test_the_clock_of_status_may_be_any(match: Path) -> None:
    assert datetime.fromisoformat(GRACE).tzinfo is not None
    assert call("status", str(match)).exit_code == 0


def test_what_was_begun_for_one_player_doesnt_go_to_the_next(match: Path, post: LocalPost) -> None:
    (post.home / "full").touch()
    send_of(post, VENICE, "nothing")
    turn(match, GRACE)
    assert len(post.mails_to(VENICE)) == 1
    (post.home / "full").unlink()
    acts.replace(match, "venice", "new@example.org", utc("2026-11-25 20:00"), why="gone")
    turn(match, LATER)
    got = post.mails_to("new@example.org")
    assert {mail["To"] for mail in got} == {"new@example.org"}
    assert not [mail for mail in got if mail["Subject"].startswith("Re:")]
    assert len(reminders(post, "new@example.org")) == 1
    assert verify(match).good


def test_a_missed_sheet_is_told_though_phases_that_wait_for_nobody_were_played_after_it(
    tmp_path: Path, post: LocalPost
) -> None:
    schedule = {"zone": "UTC", "every": "3 days", "missed": {"warn": 1}}
    match = week(tmp_path / "lagoon", schedule, stops="auction,movement")
    post.account(match)
    call("mail", "turn", match, "--at", "2026-11-22T13:00Z")
    said = call("mail", "turn", match, "--at", "2026-11-28T13:00Z").output
    assert "Adjudicated: 0003-t1-market." in said
    assert "Missed: venice, 1 sheet in a row" in said
    assert "Your last sheet was missing" in str(post.mails_to("venice@example.org")[-1])
