"""Which sheet counts depends on when the server got it, not on when or in which order mails are fetched."""

from __future__ import annotations

import os
from datetime import datetime
from itertools import permutations
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.match.begin import begin
from adjudicator.gm.playing import entries_of_run
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost, reply
from tests.mail.test_told_once import held
from tests.mail.test_who_wrote_it import ONE, last, taken

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
SCHEDULE = {"zone": "UTC", "at": "20:00", "every": "3 days", "grace": "12 hours"}
SENT, LATER = "2026-05-01T10:00:00Z", "2026-05-20T10:00:00Z"


@pytest.fixture
def match(tmp_path: Path, post: LocalPost) -> Path:
    path = tmp_path / "lagoon"
    begin(
        "mediterranee",
        path,
        ["venice", "genoa"],
        options={"pages": "off"},
        seed_text="time",
        addresses={"venice": ONE, "genoa": "two@example.org"},
        schedule=SCHEDULE,
        keep=entries_of_run(datetime.fromisoformat(SENT)),
    )
    post.account(path)
    assert call("mail", "send", str(path), "--at", SENT).exit_code == 0
    return path


def came(post: LocalPost, text: str, at: str) -> None:
    """A sheet of Venice that the server had at that time."""
    post.deliver(reply(post.mails_to(ONE)[0], text, number=at.replace(":", "")))
    moment = datetime.fromisoformat(at).timestamp()
    os.utime(post.home / "gm@example.org" / "new" / f"x{post.count:05d}", (moment, moment))


def reminded(match: Path) -> None:
    """All are reminded at the deadline: from then on the clock closes the phase."""
    assert "reminded venice, genoa" in call("mail", "turn", match, "--at", "2026-05-04T20:00:00Z").output


def fetch(match: Path, at: str) -> str:
    told = call("mail", "fetch", str(match), "--at", at)
    assert told.exit_code == 0, told.output
    return told.output


def sheet(number: int) -> str:
    return f"orders:\n  - place: {number}\n    to: venice-1\n"


TIMES = ("2026-05-02T10:00:00Z", "2026-05-03T10:00:00Z", "2026-05-19T10:00:00Z")
"""Two in time, and one days after the phase was to close."""


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("at_once", [True, False])
def test_the_newest_that_came_before_the_close_counts(
    match: Path, post: LocalPost, order: tuple[int, ...], at_once: bool
) -> None:
    reminded(match)
    for number in order:
        came(post, sheet(number + 1), TIMES[number])
        if not at_once:
            fetch(match, LATER)
    fetch(match, LATER)
    assert "place: 2" in (match / "0001-t1-setup/sheets/venice.yaml").read_text()
    assert "late" in held(match)
    assert len(held(match)) + len(taken(match)) == 3
    assert verify(match).good


def test_who_comes_too_late_is_told_so_and_by_how_much(match: Path, post: LocalPost) -> None:
    reminded(match)
    came(post, sheet(3), TIMES[2])
    assert "held of venice (late)" in fetch(match, LATER)
    said = last(post)
    assert "It came Tuesday 2026-05-19 10:00" in said
    assert "The phase was due to close" in said
    assert "No sheet of yours is in" in said


def test_an_older_mail_is_told_that_a_newer_one_counts(match: Path, post: LocalPost) -> None:
    came(post, sheet(2), TIMES[1])
    fetch(match, LATER)
    came(post, sheet(1), TIMES[0])
    assert "held of venice (older)" in fetch(match, LATER)
    assert "before the one that counts" in last(post)


def test_a_mail_from_before_the_phase_was_opened_isnt_for_it(match: Path, post: LocalPost) -> None:
    mail = reply(post.mails_to(ONE)[0], sheet(1), In_Reply_To="<a@b>")
    post.deliver(mail)
    old = datetime.fromisoformat("2026-04-30T10:00:00Z").timestamp()
    os.utime(post.home / "gm@example.org" / "new" / f"x{post.count:05d}", (old, old))
    assert "held of venice (earlier-phase)" in fetch(match, LATER)
    assert "It came too late: it came Thursday 2026-04-30 10:00" in last(post)


def test_a_server_with_a_clock_of_its_own_makes_no_mail_of_the_future(match: Path, post: LocalPost) -> None:
    """Nor may one date keep all later sheets from counting."""
    came(post, sheet(1), "2100-01-01T10:00:00Z")
    fetch(match, "2026-05-02T10:00:00Z")
    came(post, sheet(2), "2026-05-03T10:00:00Z")
    fetch(match, "2026-05-03T11:00:00Z")
    assert taken(match) == ["venice", "venice"]
