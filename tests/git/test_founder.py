"""Whoever has the key changes nothing unseen: what `close` puts back is told to all with its reason, or refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.git.by_hand import open_by_hand
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, joined

AT = ("--at", "2026-11-22T12:30Z")
OPEN, PAST = "0002-t1-auction", "0001-t1-setup"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A match whose first phase has been played; Venice has sent a sheet for the second."""
    week = {"zone": "Europe/Paris", "at": "20:00", "every": "3 days"}
    club = joined(tmp_path_factory.mktemp("club"), schedule=week, turns="1")
    for player in club.clones:
        club.send(player)
    club.turn()
    club.send("venice", b"orders: [{bid: 0}]\n")
    club.turn()
    return club


@pytest.fixture
def club(played: Club, tmp_path: Path) -> Club:
    found = played.copied(tmp_path)
    open_by_hand(found.referee, "lagoon", tmp_path / "opened", found.key)
    return found


def edited(file: Path, was: str, now: str) -> None:
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, now, 1))


def close(club: Club, *words: str) -> tuple[int, str]:
    done = adjudicator("git", "close", club.home / "opened", *AT, *words)
    return done.exit_code, done.output


TOLD: dict[str, Callable[[Path], object]] = {
    "sheets/venice.yaml": lambda top: edited(top / OPEN / "sheets/venice.yaml", "bid: 0", "bid: 300"),
    "sheets/genoa.yaml": lambda top: (top / OPEN / "sheets/genoa.yaml").write_text(
        "player: genoa\norders: [{bid: 100}]\n"
    ),
    "note.md": lambda top: (top / OPEN / "note.md").write_text("A calm day.\n"),
}


@pytest.mark.parametrize("what", TOLD)
def test_what_the_founder_may_change_is_told_to_everybody(what: str, club: Club) -> None:
    TOLD[what](club.home / "opened")
    assert close(club)[0] == 2, "it needs a reason"
    assert close(club, "--why", "a slip")[0] == 0
    for player in club.clones:
        report = (club.read(player).folder / "report.md").read_text()
        assert f"The GM has changed by hand: {OPEN}/{what}: a slip" in report
    assert verify(club.opened("after")).good
    assert club.turn().ran


def test_a_sheet_that_was_taken_away_is_told(club: Club) -> None:
    (club.home / f"opened/{OPEN}/sheets/venice.yaml").unlink()
    assert close(club, "--why", "a slip")[0] == 0
    assert f"{OPEN}/sheets/venice.yaml" in (club.read("genoa").folder / "report.md").read_text()
    club.send("venice", b"orders: [{bid: 100}]\n")
    club.send("genoa", b"orders: [{bid: 0}]\n")
    assert club.turn().phases_played
    assert verify(club.opened("after")).good


def test_a_sheet_of_the_founders_hand_counts_and_is_verified(club: Club) -> None:
    for what in ("sheets/venice.yaml", "sheets/genoa.yaml"):
        TOLD[what](club.home / "opened")
    assert close(club, "--why", "a slip")[0] == 0
    assert club.turn().phases_played
    assert verify(club.opened("after")).good


def test_a_sheet_that_is_handed_in_for_a_player_is_told_too(club: Club) -> None:
    (club.home / "genoa.yaml").write_text("orders: [{bid: 100}]\n")
    done = adjudicator("submit", club.home / "opened", club.home / "genoa.yaml", *AT)
    assert done.exit_code == 0, done.output
    assert close(club)[0] == 2
    assert close(club, "--why", "by telephone")[0] == 0
    report = (club.read("venice").folder / "report.md").read_text()
    assert f"by hand: {OPEN}/sheets/genoa.yaml: by telephone" in report


def _last_line_cut(top: Path) -> None:
    ledger = top / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))


REFUSED: dict[str, Callable[[Path], object]] = {
    "position": lambda top: edited(top / OPEN / "state.yaml", "treasury: 2000", "treasury: 1900"),
    "impossible position": lambda top: edited(top / OPEN / "state.yaml", "treasury: 2000", "treasury: -1"),
    "past sheet": lambda top: edited(top / PAST / "sheets/venice.yaml", "orders", "#\norders"),
    "past sheet gone": lambda top: (top / PAST / "sheets/venice.yaml").unlink(),
    "word in a report": lambda top: edited(top / OPEN / "for/genoa/report.md", "Genoa", "Venice"),
    "word in a past report": lambda top: edited(top / PAST / "for/genoa/report.md", "Genoa", "Venice"),
    "word in the public report": lambda top: edited(top / OPEN / "for/public/report.md", "Genoa", "Venice"),
    "last ledger line cut": _last_line_cut,
    "seed": lambda top: edited(top / "referee.yaml", "seed: ", "seed: 00"),
    "card": lambda top: edited(top / "match.yaml", "genoa", "spain"),
    "events": lambda top: edited(top / PAST / "events.jsonl", "venice", "genoa"),
    "receipts": lambda top: edited(top / OPEN / "for/genoa/receipts.json", "genoa", "venice"),
    "opening": lambda top: edited(top / OPEN / "open.yaml", "genoa", "venice"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_follow_is_refused_and_nothing_is_pushed(what: str, club: Club) -> None:
    before = club.git("rev-parse", "main")
    REFUSED[what](club.home / "opened")
    status, output = close(club, "--why", "a slip")
    assert status == 1, output
    assert "Traceback" not in output
    assert club.git("rev-parse", "main") == before


def test_a_position_that_the_rules_cannot_reach_is_not_amended(club: Club) -> None:
    REFUSED["impossible position"](club.home / "opened")
    done = adjudicator("amend", club.home / "opened", "--why", "a slip", *AT)
    assert done.exit_code == 1
    assert "isn't a sum of ducats" in done.output


def test_a_clone_says_if_another_sheet_was_used_than_the_one_that_was_taken(club: Club) -> None:
    for player in club.clones:  # Venice's was taken before; so is Genoa's
        club.send(player, b"orders: [{bid: 0}]\n" if player == "venice" else b"orders: [{bid: 100}]\n")
    TOLD["sheets/venice.yaml"](club.home / "opened")
    news = club.read("venice")
    assert news.odd == []
    assert close(club, "--why", "a slip")[0] == 0
    keep = club.read("venice")
    assert keep.seat.taken[f"{OPEN}/sheets"]
    club.git("update-ref", "-d", "refs/heads/box/lagoon/venice")  # the referee doesn't get it again
    assert club.turn().phases_played
    assert any("was used, and not this" in odd for odd in club.read("venice").odd)
    assert club.read("genoa").odd == []
