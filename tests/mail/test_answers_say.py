"""An answer says the deadline, which orders we already have, and whether the phase waits because of faults."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, week
from tests.mail.clubs import sent, turn
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
VENICE = "venice@example.org"
GOOD = "orders:\n  - place: 4\n    to: {}-1\n"
FAULTY = "orders:\n  - place: 9\n    to: {}-1\n"
UNTIL = "Wednesday 2026-11-25 20:00 (Europe/Paris, UTC+01:00)"
WAITS = "Since it has faults, the phase"
IN = {
    "sent ahead": "later: {auction: {orders: [{bid: 100}]}}\n",
    "standing": "standing: {phases: {auction: [{bid: 100}]}}\n",
    "nothing": "",
}


@pytest.fixture
def lagoon(mailed: Path) -> Path:
    return mailed


def answered(
    match: Path, post: LocalPost, text: str, number: str = "1", at: str = "2026-11-23T12:00Z"
) -> str:
    """The answer to a mail of venice's, which answers the last of the phase."""
    post.deliver(reply(post.mails_to(VENICE)[0], text, sender=VENICE, number=number))
    before = len(post.mails_to(VENICE))
    turn(match, at)
    return " ".join(post.mails_to(VENICE)[before].get_content().split())


@pytest.mark.parametrize(
    "text", [GOOD, FAULTY, "hello", "orders: [\n"], ids=["good", "faulty", "none", "broken"]
)
def test_it_names_the_deadline_whatever_came(lagoon: Path, post: LocalPost, text: str) -> None:
    said = answered(lagoon, post, text.format("venice"))
    assert f"The deadline: {UNTIL}." in said
    assert (WAITS in said) == (text == FAULTY)


def test_a_sheet_with_faults_keeps_the_phase_until_its_deadline(lagoon: Path, post: LocalPost) -> None:
    assert f"{WAITS} isn't played before its deadline." in answered(lagoon, post, FAULTY.format("venice"))
    assert "It is played when all sheets are in, at the latest at its deadline." in answered(
        lagoon, post, GOOD.format("venice"), "2"
    )


@pytest.mark.parametrize("pause", [False, True], ids=["at once", "after a pause"])
def test_who_sends_the_last_sheet_hears_that_it_is_played(
    tmp_path: Path, post: LocalPost, pause: bool
) -> None:
    """With the results under way, no answer offers to send another sheet until the phase is played."""
    match = sent(week(tmp_path / "lagoon", {**WEEK, **({"pause": "2 hours"} if pause else {})}), post)
    (match / "0001-t1-setup/sheets/genoa.yaml").write_text("player: genoa\norders: []\n")
    said = answered(match, post, GOOD.format("venice"))
    assert (open_match(match).last == 1) == pause
    assert ("All sheets are in now, and the phase is played next" in said) != pause
    assert ("You may send another one until the phase is played" in said) == pause


def test_or_until_there_is_another_or_the_gm_closes_it(tmp_path: Path, post: LocalPost) -> None:
    match = sent(week(tmp_path / "lagoon", {}), post)
    said = answered(match, post, FAULTY.format("venice"))
    assert f"{WAITS} waits for another one of yours, or until the GM closes it." in said
    assert "deadline" not in said


def test_the_gm_is_told_once_what_waits_for_the_gm(tmp_path: Path, post: LocalPost) -> None:
    match = sent(week(tmp_path / "lagoon", {}), post)
    (match / "0001-t1-setup/sheets/genoa.yaml").write_text("player: genoa\norders: []\n")
    for number, text, told in (("1", FAULTY, True), ("2", FAULTY, False)):
        post.deliver(reply(post.mails_to(VENICE)[0], text.format("venice"), sender=VENICE, number=number))
        turned = call("mail", "turn", match, "--at", "2026-11-23T12:00Z")
        assert turned.exit_code == 0
        assert (f"adjudicator run {match} --deadline" in " ".join(turned.output.split())) == told


def test_nobody_is_told_to_hurry_where_all_wait_for_the_deadline(tmp_path: Path, post: LocalPost) -> None:
    match = sent(week(tmp_path / "lagoon", {**WEEK, "early": False}), post)
    assert "when all sheets are in" not in answered(match, post, GOOD.format("venice"))


@pytest.mark.parametrize("what", IN)
def test_what_is_in_from_before_is_said_where_a_mail_brings_no_sheet(
    lagoon: Path, post: LocalPost, what: str
) -> None:
    (lagoon / "0001-t1-setup/sheets/venice.yaml").write_text(f"player: venice\norders: []\n{IN[what]}")
    (lagoon / "0001-t1-setup/sheets/genoa.yaml").write_text("player: genoa\norders: []\n")
    turn(lagoon, "2026-11-22T14:00Z")
    phase = open_match(lagoon).phases[-1]
    assert phase == "0002-t1-auction"
    said = answered(lagoon, post, "hello")
    assert {
        "sent ahead": f"Your orders for {phase} are in, with your sheet of 0001-t1-setup, and still count.",
        "standing": f"No sheet of yours is in for {phase}; your standing orders apply to it.",
        "nothing": f"No sheet of yours is in for {phase}. ",
    }[what] in said
