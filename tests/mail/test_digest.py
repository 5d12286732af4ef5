"""Where phases were played between two mails, the next mail tells of all that its reader hasn't been told."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost
from tests.mail.test_acts_told import FRIEND, VENICE, body, lagoon, turn

__all__ = ["lagoon"]


def test_a_mail_tells_of_every_phase_since_the_last_one(lagoon: Path, post: LocalPost) -> None:
    for at in ("2026-11-26T07:00Z", "2026-11-30T07:00Z"):
        assert call("run", str(lagoon), "--deadline", "--at", at, "--why", "all agree").exit_code == 0
    assert len(post.mails_to(VENICE)) == 1
    turn(lagoon, "2026-11-30T08:00Z")
    for who, whose in ((VENICE, "your"), (FRIEND, "the")):
        told = body(post.mails_to(who)[-1])
        assert f"Since {whose} last report: turn 1, Set-up, to Auction." in told
        assert "### Set-up, turn 1" in told
        assert "### Auction, turn 1" in told
    assert call("run", str(lagoon), "--deadline", "--at", "2026-12-04T07:00Z", "--why", "so").exit_code == 0
    turn(lagoon, "2026-12-04T08:00Z")
    assert "### Auction, turn 1" not in body(post.mails_to(VENICE)[-1])
