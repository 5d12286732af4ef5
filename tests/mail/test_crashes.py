"""A mail that the program fails on is held and answered, told to the GM, and read again by the next version."""

from __future__ import annotations

import os
from typing import Any

import pytest

from adjudicator.door import seats, submission, submitting
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Held, Taken
from adjudicator.mail import fetching, settling
from tests.cli.calling import adjudicator as call
from tests.mail.clubs import GOOD, VENICE, Club, body, turn, words
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
MODULES = (seats, submission, settling)


def failing(patch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """From now on that function divides by zero."""

    def fails(*given: Any, **more: Any) -> Any:
        return 1 // 0

    patch.setattr(module, name, fails)


@pytest.mark.parametrize(
    ("module", "name"), [(submitting, "looked_at"), (fetching, "found_in")], ids=["in a sheet", "in a mail"]
)
def test_it_is_held_answered_and_told_once_and_the_next_version_takes_it(
    club: Club, post: LocalPost, module: Any, name: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        failing(patch, module, name)
        told = words(club.write(GOOD))
        assert "held of venice (crashed)" in told
        assert "the program fails on it: a fault of the program, please report it: ZeroDivisionError" in told
        assert "lagoon/0001-t1-setup/mail/" in told
        said = words(body(post.mails_to(VENICE)[-1]))
        assert said.startswith("Held, and not taken")
        assert "the program failed on it. The GM knows" in said
        assert "ZeroDivisionError" not in said
        assert [one.because for one in club.entries(Held)] == ["crashed"]
        assert not turn(club.match)
    assert not turn(club.match)  # the same version: nothing is tried again
    assert verify(club.match).good
    with pytest.MonkeyPatch.context() as patch:
        for each in MODULES:
            patch.setattr(each, "__version__", "9.9.9")
        told = turn(club.match)
        assert "taken of venice" in told
        assert not turn(club.match)
    assert [one.file for one in club.entries(Taken)] == ["sheets/venice.yaml"]
    assert body(post.mails_to(VENICE)[-1]).startswith("Taken: your sheet for Venice")
    assert verify(club.match).good


def test_a_mail_that_crashes_the_next_version_too_is_held_again_and_a_newer_one_counts(
    club: Club, post: LocalPost
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        failing(patch, submitting, "looked_at")
        club.write(GOOD)
        for each in MODULES:
            patch.setattr(each, "__version__", "9.9.9")
        assert "held of venice (crashed)" in turn(club.match)
        assert not turn(club.match)
    club.write("orders: []\n")
    with pytest.MonkeyPatch.context() as patch:
        for each in MODULES:
            patch.setattr(each, "__version__", "9.9.10")
        assert "held of venice (older)" in turn(club.match)
    assert [one.because for one in club.entries(Held)] == ["crashed", "crashed", "older"]
    assert (club.match / "0001-t1-setup/sheets/venice.yaml").read_text().startswith("orders: []")


def test_other_ways_in_hold_it_too(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, submitting, "looked_at")
    sheet = club.match.parent / "venice.yaml"
    sheet.write_text(f"player: venice\n{GOOD}")
    told = call("submit", club.match, sheet)
    assert told.exit_code == 1
    assert "the program failed on it" in told.output
