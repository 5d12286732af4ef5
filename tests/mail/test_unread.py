"""In a match by mail the clock closes no phase before the mailbox was read past that time."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Closed, Fetched, Taken
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import open_match
from adjudicator.gm.situation import Now, situation
from adjudicator.mail import boxes
from adjudicator.mail.account import Account
from adjudicator.mail.boxes import Arrived, Mailbox
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, utc, week
from tests.mail.clubs import entries
from tests.mail.local_post import GM, LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
SETUP = "0001-t1-setup"
BEFORE, DUE, CLOSES, AFTER = (
    "2026-11-25T18:50Z",
    "2026-11-25T19:00Z",
    "2026-11-26T07:00Z",
    "2026-11-26T07:10Z",
)
ADDRESSES = {"venice": "venice@example.org", "genoa": "genoa@example.org"}
FIRST = {"venice": ("venice-1", 4), "genoa": ("genoa-1", 4)}


@pytest.fixture
def lagoon(first_week: Path, tmp_path: Path, post: LocalPost) -> Path:
    """A match by mail, with a schedule, whose first phase was sent."""
    return sent(Path(shutil.copytree(first_week, tmp_path / "lagoon")), post)


@pytest.fixture(scope="session")
def first_week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return week(tmp_path_factory.mktemp("week") / "lagoon")


def sent(match: Path, post: LocalPost) -> Path:
    post.account(match)
    assert call("mail", "send", match, "--at", "2026-11-22T13:00Z").exit_code == 0
    return match


def posted(post: LocalPost, player: str, number: str = "1", to: int = 0) -> None:
    """A good sheet comes from a player."""
    galley, place = FIRST[player]
    text = f"orders:\n  - place: {to or place}\n    to: {galley}\n"
    first = post.mails_to(ADDRESSES[player])[0]
    post.deliver(reply(first, text, sender=ADDRESSES[player], number=number))


def unreachable(post: LocalPost) -> None:
    (post.home / GM).rename(post.home / "away")


def reachable(post: LocalPost) -> None:
    if (post.home / GM).exists():  # copies of what went out meanwhile
        shutil.rmtree(post.home / GM)
    (post.home / "away").rename(post.home / GM)


def turn(match: Path, at: str):
    return call("mail", "turn", match, "--at", at)


def test_a_deadline_closes_nothing_while_the_mailbox_cant_be_read(lagoon: Path, post: LocalPost) -> None:
    posted(post, "venice")
    posted(post, "genoa")
    unreachable(post)
    told = turn(lagoon, AFTER)
    assert told.exit_code == 1
    assert "hasn't been read" in told.output
    assert f"adjudicator run {lagoon} --deadline" in " ".join(told.output.split())
    assert not entries(lagoon, Closed)
    for command in ("due", "status"):
        assert f"adjudicator mail turn {lagoon}" in call(command, lagoon, "--at", AFTER).output
    reachable(post)
    assert turn(lagoon, AFTER).exit_code == 0
    assert [(each.by, each.missing) for each in entries(lagoon, Closed)] == [("sheets", ())]
    assert verify(lagoon).good


def test_a_run_that_reads_no_mail_closes_nothing_at_the_deadline(lagoon: Path, post: LocalPost) -> None:
    turn(lagoon, DUE)
    posted(post, "venice")
    ran = call("run", lagoon, "--if-due", "--at", AFTER)
    assert ran.exit_code == 3
    assert "hasn't been read" in ran.output
    assert call("run", lagoon, lagoon, "--if-due", "--at", AFTER).output.count("hasn't been read") == 2
    assert call("mail", "fetch", lagoon, "--at", AFTER).exit_code == 0
    assert [each.until for each in entries(lagoon, Fetched)] == [
        utc("2026-11-25 19:00"),
        utc("2026-11-26 07:10"),
    ]
    assert call("run", lagoon, "--if-due", "--at", "2026-11-26T07:20Z").exit_code == 0
    assert [each.missing for each in entries(lagoon, Closed)] == [("genoa",)]
    assert verify(lagoon).good


def test_a_reading_that_began_before_the_close_closes_nothing(lagoon: Path, post: LocalPost) -> None:
    assert call("mail", "fetch", lagoon, "--at", "2026-11-26T06:59:59Z").exit_code == 0
    posted(post, "venice")
    assert call("run", lagoon, "--if-due", "--at", CLOSES).exit_code == 3
    assert turn(lagoon, CLOSES).exit_code == 0
    assert [each.player for each in entries(lagoon, Taken)] == ["venice"]


def test_a_match_without_early_play_is_not_closed_before_its_mailbox_is_read(
    tmp_path: Path, post: LocalPost
) -> None:
    match = sent(week(tmp_path / "lagoon", {**WEEK, "early": False}), post)
    posted(post, "venice")
    posted(post, "genoa")
    assert turn(match, "2026-11-23T12:00Z").exit_code == 0
    posted(post, "venice", number="2", to=3)
    unreachable(post)
    assert turn(match, DUE).exit_code == 1
    assert not entries(match, Closed)
    reachable(post)
    turn(match, DUE)
    assert entries(match, Closed)
    assert "place: 3" in (match / SETUP / "sheets/venice.yaml").read_text()


def test_a_mail_that_stays_in_the_box_holds_its_own_match_alone(
    lagoon: Path, tmp_path: Path, post: LocalPost
) -> None:
    other = sent(week(tmp_path / "other", name="other"), post)
    for match in (lagoon, other):
        (match / "mail.yaml").unlink()
    post.account(tmp_path)
    call("mail", "turn", lagoon, other, "--at", DUE)
    posted(post, "venice")
    text = (lagoon / "ledger.jsonl").read_bytes()
    (lagoon / "ledger.jsonl").write_bytes(text + b"{}\n")
    told = call("mail", "turn", lagoon, other, "--at", AFTER)
    assert told.exit_code == 1
    assert entries(other, Closed)
    (lagoon / "ledger.jsonl").write_bytes(text)
    assert call("run", lagoon, "--if-due", "--at", AFTER).exit_code == 3


def test_by_hand_it_is_closed_all_the_same(lagoon: Path) -> None:
    assert call("run", lagoon, "--deadline", "--at", AFTER).exit_code == 0
    assert [each.by for each in entries(lagoon, Closed)] == ["deadline"]
    assert verify(lagoon).good


def test_who_has_no_mailbox_waits_for_none(tmp_path: Path, post: LocalPost) -> None:
    match = week(tmp_path / "lagoon")
    assert situation(open_match(match), utc("2026-11-26 07:00")).now is Now.OVERDUE
    post.account(tmp_path)
    assert situation(open_match(match), utc("2026-11-26 07:00")).now is Now.UNREAD
    (match / "referee.yaml").write_text("seed: " + "0" * 64 + "\n")
    assert situation(open_match(match), utc("2026-11-26 07:00")).now is Now.OVERDUE


def test_a_box_that_breaks_in_the_middle_wasnt_read(
    lagoon: Path, post: LocalPost, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted(post, "venice")
    posted(post, "genoa")
    with monkeypatch.context() as patch:
        real = boxes.opened_maildir

        @contextmanager
        def opened(account: Account) -> Iterator[Mailbox]:
            with real(account) as box:
                mails = list(box.new())
                patch.setattr(type(box), "new", lambda _: broken(mails[:1]), raising=True)
                yield box

        patch.setattr(boxes, "opened_maildir", opened)
        told = turn(lagoon, AFTER)
    assert told.exit_code == 1
    assert len(entries(lagoon, Taken)) == 1
    assert not entries(lagoon, Closed)
    assert turn(lagoon, AFTER).exit_code == 0
    assert [each.by for each in entries(lagoon, Closed)] == ["sheets"]


def broken(mails: list[Arrived]) -> Iterator[Arrived]:
    """A box whose server ends the connection after some mails."""
    yield from mails
    raise Faulty([problem("mail.yaml", "it has ended the connection")])


def test_of_two_accounts_the_one_that_is_reached_goes_on(lagoon: Path, tmp_path: Path) -> None:
    far = LocalPost(tmp_path / "far")
    other = sent(week(tmp_path / "other", name="other"), far)
    call("mail", "turn", other, lagoon, "--at", DUE)
    unreachable(far)
    told = call("mail", "turn", other, lagoon, "--at", AFTER)
    assert told.exit_code == 1
    assert [len(entries(match, Closed)) for match in (other, lagoon)] == [0, 1]


def test_a_match_beside_it_that_cant_be_read_keeps_none_with_its_own_account_open(lagoon: Path) -> None:
    turn(lagoon, DUE)
    pond = lagoon.parent / "pond"
    pond.mkdir()
    (pond / "match.yaml").write_text("oops: [")
    told = turn(lagoon, AFTER)
    assert "pond" in told.output
    assert [each.by for each in entries(lagoon, Closed)] == ["deadline"]
