"""Once a day one mail says what all matches of an address ask, to who wants it."""

from __future__ import annotations

import os
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, week
from tests.mail.clubs import GENOA, GOOD, VENICE, Club, body
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


@pytest.fixture
def matches(tmp_path: Path, post: LocalPost) -> list[Path]:
    """Two matches of the same two players, both mailed; Venice wants a digest, said in the second."""
    (tmp_path / "club").mkdir()
    found = [week(tmp_path / "club" / name, {**WEEK, "remind": 0}, name=name) for name in ("alps", "lagoon")]
    post.account(tmp_path / "club", page="https://club.example/play/")
    turns(found, "2026-11-22T13:00Z")
    mine = next(each for each in post.mails_to(VENICE) if "lagoon" in each["Subject"])
    post.deliver(reply(mine, "settings: digest\n", sender=VENICE))
    turns(found, "2026-11-22T14:00Z")
    return found


def turns(matches: list[Path], at: str) -> str:
    told = call("mail", "turn", *matches, "--at", at)
    assert told.exit_code == 0, told.output
    return told.output


def digests(post: LocalPost, who: str = VENICE) -> list[EmailMessage]:
    return [each for each in post.mails_to(who) if " for you" in each["Subject"]]


def test_it_comes_once_a_day_in_the_morning(matches: list[Path], post: LocalPost) -> None:
    assert len(digests(post)) == 1
    turns(matches, "2026-11-23T04:00Z")  # five o'clock in Paris
    assert len(digests(post)) == 1
    assert "mailed what all matches ask to venice" in turns(matches, "2026-11-23T06:00Z")
    turns(matches, "2026-11-23T07:00Z")
    first, second = digests(post)
    assert first["Subject"].startswith("2 matches wait for you (")
    assert not digests(post, GENOA)
    text = body(second)
    assert text.index("* alps 1: your set-up") < text.index("* lagoon 1: your set-up")
    assert text.count("https://club.example/play/#v=") == 2
    (calendar,) = second.iter_attachments()
    assert calendar.get_filename() == "deadlines.ics"
    lines = calendar.get_payload(decode=True).decode().splitlines()
    assert [line.partition(":")[2][:4] for line in lines if line.startswith("SUMMARY")] == ["lago", "alps"]
    assert all(verify(match).good for match in matches)


def test_an_answer_to_it_may_have_commands_and_end_it(matches: list[Path], post: LocalPost) -> None:
    post.deliver(reply(digests(post)[0], "settings: no digest\n", sender=VENICE, number="2"))
    turns(matches, "2026-11-22T15:00Z")
    turns(matches, "2026-11-23T08:00Z")
    assert len(digests(post)) == 1


def test_nothing_comes_if_there_is_nothing_to_say(matches: list[Path], post: LocalPost) -> None:
    for match in matches:
        club = Club(match, post)
        mine = next(each for each in post.mails_to(VENICE) if match.name in each["Subject"])
        post.deliver(reply(mine, GOOD, sender=VENICE, number=f"{match.name}{club.count}"))
    turns(matches, "2026-11-22T15:00Z")
    turns(matches, "2026-11-24T08:00Z")
    assert len(digests(post)) == 1


def test_a_match_that_cant_be_read_keeps_none_back(matches: list[Path], post: LocalPost) -> None:
    (matches[0] / "0001-t1-setup/state.yaml").write_text("[\n")
    assert call("mail", "turn", *matches, "--at", "2026-11-23T06:00Z").exit_code == 1
    assert "1 match waits for you" in str(digests(post)[-1]["Subject"])


def test_it_comes_once_a_day_even_if_two_matches_were_told_so(matches: list[Path], post: LocalPost) -> None:
    first = next(each for each in post.mails_to(VENICE) if "alps" in each["Subject"])
    post.deliver(reply(first, "settings: digest\n", sender=VENICE, number="2"))
    turns(matches, "2026-11-22T15:00Z")
    assert len(digests(post)) == 1
    turns(matches, "2026-11-23T06:00Z")
    post.deliver(reply(first, "settings: no digest\n", sender=VENICE, number="3"))
    turns(matches, "2026-11-23T07:00Z")
    assert len(digests(post)) == 2


def test_a_match_on_hold_waits_for_nobody(matches: list[Path], post: LocalPost) -> None:
    for match in matches:
        assert call("hold", match, "--why", "ill", "--at", "2026-11-22T15:00Z").exit_code == 0
    turns(matches, "2026-11-24T08:00Z")
    assert len(digests(post)) == 1
    assert call("resume", matches[0], "--why", "well", "--at", "2026-11-24T09:00Z").exit_code == 0
    turns(matches, "2026-11-25T08:00Z")
    assert "1 match waits for you" in str(digests(post)[-1]["Subject"])


def test_the_last_word_in_any_match_counts_for_all(matches: list[Path], post: LocalPost) -> None:
    first = next(each for each in post.mails_to(VENICE) if "alps" in each["Subject"])
    post.deliver(reply(first, "settings: no digest\n", sender=VENICE, number="2"))
    turns(matches, "2026-11-22T15:00Z")
    turns(matches, "2026-11-23T08:00Z")
    assert len(digests(post)) == 1
    mine = next(each for each in post.mails_to(VENICE) if "lagoon" in each["Subject"])
    post.deliver(reply(mine, "settings: digest\n", sender=VENICE, number="3"))
    turns(matches, "2026-11-23T09:00Z")
    assert len(digests(post)) == 2


def test_it_goes_on_when_the_match_that_was_told_is_over(matches: list[Path], post: LocalPost) -> None:
    lagoon = matches[1]
    while not (match := open_match(lagoon)).head(match.last).over:
        assert call("run", lagoon, "--deadline", "--why", "x", "--at", "2026-11-22T15:00Z").exit_code == 0
    turns(matches, "2026-11-23T08:00Z")
    last = digests(post)[-1]
    assert len(digests(post)) == 2 and "alps" in str(last["Reply-To"])
    post.deliver(reply(last, "settings: no digest\n", sender=VENICE, number="2"))
    turns(matches, "2026-11-23T09:00Z")
    turns(matches, "2026-11-24T09:00Z")
    assert len(digests(post)) == 2


def test_one_that_waited_for_a_day_gives_way_to_the_next(matches: list[Path], post: LocalPost) -> None:
    (post.home / "full").touch()
    call("mail", "turn", *matches, "--at", "2026-11-23T06:00Z")
    (post.home / "full").unlink()
    turns(matches, "2026-11-24T06:00Z")
    assert len(digests(post)) == 2
    assert all(verify(match).good for match in matches)
