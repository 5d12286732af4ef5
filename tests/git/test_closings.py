"""In a repository a phase is closed and pushed before anything of it is played; each clone is a witness."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from adjudicator.engine.audit.comparing import check_received
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.beacon import quicknet
from adjudicator.engine.folder.names import BEACON, CLOSED
from adjudicator.engine.match.run import RunResult
from adjudicator.git.sealed import Label, with_label
from adjudicator.git.turn import LEAD, turn
from adjudicator.gm.closing import Dice
from adjudicator.gm.playing import run_if_due
from tests.cli.calling import adjudicator
from tests.drand import ROUNDS
from tests.git.clubs import Club, club as begun_club, joined

FIRST, NEXT = 32281667, 32285085


def history(club: Club) -> list[str]:
    """What the last commits of main say, the oldest first."""
    return club.git("log", "--reverse", "--format=%s", "main").splitlines()


def closing_for(number: int) -> datetime:
    """When a job that closes a phase names that round."""
    return quicknet.time_of(number) - LEAD - quicknet.PERIOD / 3


def sheet(player: str, more: str = "") -> bytes:
    return f"player: {player}\norders: []\n{more}\n".encode()


def by_drand(asked: list[int]) -> Callable[[Path, datetime], RunResult]:
    def draw(number: int) -> str:
        asked.append(number)
        return ROUNDS[number]

    return partial(run_if_due, dice=Dice(first=True, draw=draw, lead=LEAD))


def test_the_closing_is_a_commit_of_its_own_before_the_phase_is_played(tmp_path: Path) -> None:
    club = joined(tmp_path)
    for player in ("venice", "genoa"):
        club.send(player, sheet(player))
    club.turn()
    said = history(club)
    closed = said.index("lagoon: 0001-t1-setup closed")
    assert said[closed + 1] == "lagoon: 0001-t1-setup played; 0002-t1-auction is open"
    number = club.git("log", "--format=%H", "main").split()[-1 - closed]
    changed = club.git("show", "--name-only", "--format=", number).split()
    assert "lagoon/closed/0001-t1-setup.yaml" in changed
    assert not [name for name in changed if name.startswith("lagoon/0002")]


def test_with_dice_from_drand_it_is_played_by_a_later_job(tmp_path: Path) -> None:
    asked: list[int] = []
    club = begun_club(tmp_path, dice="drand")
    club.now = closing_for(FIRST)
    club.join("venice", "genoa")

    def job(number: int, *, out: bool) -> None:
        club.now = quicknet.time_of(number) if out else closing_for(number)
        turn(club.referee, "lagoon", club.key, club.now, play=by_drand(asked))

    assert f"drand: {FIRST}" in club.git("show", "main:lagoon/closed/0000-t1-start.yaml")
    job(FIRST, out=True)
    for player in ("venice", "genoa"):
        club.send(player, sheet(player))
    job(NEXT, out=False)
    assert f"drand: {NEXT}" in club.git("show", "main:lagoon/closed/0001-t1-setup.yaml")
    late = club.read("venice")
    told = club.told("venice")
    assert "lagoon, venice: 0001-t1-setup is closed. What is sent for it now doesn't count." in told
    out = f"{quicknet.time_of(NEXT):%A %Y-%m-%d %H:%M} (UTC)"
    assert f"It is played with round {NEXT} of drand, which comes out on {out}." in told
    assert "is open" not in told and "Your form" not in told
    refused = adjudicator("git", "send", late.folder / "sheet.yaml")
    assert refused.exit_code == 1 and "Not sent: 0001-t1-setup is closed" in refused.stderr
    job(NEXT, out=False)
    assert asked == [FIRST]
    club.send("venice", sheet("venice", "salt: other"))
    job(NEXT, out=False)
    assert "The phase is closed" in club.read("venice").reply.text
    job(NEXT, out=True)
    assert asked == [FIRST, NEXT]
    assert ROUNDS[NEXT] in club.git("show", f"main:lagoon/0001-t1-setup/{BEACON}")
    assert late.now.phase == "0001-t1-setup"
    assert [each.text for each in verify(club.opened()).problems] == []


def test_a_players_clone_keeps_what_was_told_and_verify_finds_it_there(tmp_path: Path) -> None:
    club = joined(tmp_path)
    for player in ("venice", "genoa"):
        club.send(player, sheet(player))
    club.turn()
    club.read("venice")
    clone = club.home / "venice"
    kept = clone / "0001-t1-setup" / CLOSED
    folders = sorted(each.parent for each in clone.glob("0*/receipts.json"))
    assert check_received(folders, [], []).problems == ()
    kept.write_text(kept.read_text().replace("genoa: ", "genoa: f"))
    assert any(CLOSED in each.file for each in check_received(folders, [], []).problems)


def test_the_page_that_a_player_reads_seals_to_the_referee_with_the_players_token(tmp_path: Path) -> None:
    club = joined(tmp_path, pages="on")
    news = club.read("venice")
    page = (club.home / "venice" / "0001-t1-setup/orders.html").read_text()
    data = json.loads(page.partition('id="seal-data">')[2].partition("</script>")[0])
    assert data["recipients"] == list(news.keys.referee)
    assert data["file"] == "0001-t1-setup.age"
    assert data["label"]["token"] == news.seat.token == club.begun.tokens["venice"]
    assert "box/lagoon/venice" in page
    sealed = with_label(Label("sheet", "lagoon", "0001-t1-setup", "venice", news.seat.token), b"orders: []\n")
    head = json.loads(sealed.partition(b"\n")[0])
    assert {**data["label"], "bytes": 11} == head
