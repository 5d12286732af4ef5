"""Mistakes in `referee.yaml`: messages give file, line and what is possible; the rest works."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from adjudicator.engine.folder.folder import open_match
from adjudicator.gm.people import problems_of_addresses
from tests.cli.calling import adjudicator
from tests.gm.weeks import week
from tests.mail.local_post import LocalPost, in_this_process

SEED = "seed: {}\n"


def referee(match: Path, text: str) -> None:
    """Writes `referee.yaml` anew, with the seed it had on the first line."""
    seed = yaml.safe_load((match / "referee.yaml").read_text())["seed"]
    (match / "referee.yaml").write_text(f"seed: {seed}\n{text}")


GOOD = "addresses:\n  venice: one@example.org\n  genoa: two@example.org\n"
MISTYPED: list[tuple[str, str, str]] = [
    (
        GOOD.replace("venice", "venise"),
        "3:3: MATCH",
        "no player venise, did you mean venice?; there are venice, genoa",
    ),
    (GOOD + "zones: {geona: Europe/Rome}\n", "5:9: MATCH", "did you mean genoa?"),
    (GOOD + "tokens: {spain: 1}\n", "5:10: MATCH", "there is no player spain; there are venice, genoa"),
    (GOOD + "zones: {genoa: Europe/Rom}\n", "5:16: MATCH", "did you mean Europe/Rome?"),
    (GOOD + "gm: gm.example.org\n", "5:5: MATCH", "isn't a mail address"),
    (GOOD.replace("two@", "two @"), "4:10: MATCH", "genoa gets no mail"),
    (GOOD.replace("two@example.org", "two@"), "4:10: MATCH", "genoa gets no mail"),
    (GOOD.replace("two@", "two."), "4:10: warning: MATCH", "genoa gets no mail"),
    (GOOD.replace("two@", "One@"), "4:10: warning: MATCH", "venice and genoa have one address"),
]


@pytest.mark.parametrize(("text", "place", "said"), MISTYPED, ids=[each[2][:30] for each in MISTYPED])
def test_status_and_mail_say_it_and_send_what_can_go(
    lagoon: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, place: str, said: str
) -> None:
    in_this_process(monkeypatch)
    post = LocalPost(tmp_path / "post")
    post.account(lagoon)
    referee(lagoon, text)
    at = ("--at", "2026-11-23T12:00Z")
    status = adjudicator("status", str(lagoon))
    sent = adjudicator("mail", "send", str(lagoon), *at)
    for told in (status, sent):
        (line,) = [line for line in told.output.splitlines() if "referee.yaml" in line]
        assert line.startswith(f"{lagoon / 'referee.yaml'}:{place}") and said in line
    wrong = "warning" not in place
    assert (status.exit_code, sent.exit_code) == (0, int(wrong))
    turn = adjudicator("mail", "turn", str(lagoon), *at)
    assert (turn.exit_code, "referee.yaml" in turn.output) == (int(wrong), wrong)
    assert len(post.mails_to("one@example.org") + post.mails_to("two@example.org")) >= 1


def test_nothing_is_said_of_a_good_one(lagoon: Path) -> None:
    assert not problems_of_addresses(open_match(lagoon))
    referee(lagoon, "addresses: {venice: '', genoa: two@example.org}\n")
    assert not problems_of_addresses(open_match(lagoon))


def test_a_player_who_is_replaced_gets_an_address_that_mail_can_go_to(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon")
    for bad in ("x", "a b@example.org", "@example.org", "a@"):
        told = adjudicator("replace", str(match), f"venice={bad}", "--why", "x", "--at", "2026-11-23T12:00Z")
        assert told.exit_code == 2
