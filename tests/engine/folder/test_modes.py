"""Nobody else on the machine can read a match: no positions, sheets, mails or reports; public files stay readable."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.door.seats import make_anew
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import is_public
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from tests.cli.calling import adjudicator
from tests.engine.match_folders import PHASE_BY_PHASE, TWO, begun_anew, send_all
from tests.games import PATHS

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="this system has other ways to say who may read a file"
)


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def others_may(top: Path) -> list[str]:
    """All that others on the machine may read, by name."""
    return [
        path.relative_to(top).as_posix() or "."
        for path in [top, *sorted(top.rglob("*"))]
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]


@pytest.mark.parametrize("empty", [False, True], ids=["new", "empty"])
def test_what_a_run_writes_is_for_the_gm_alone(tmp_path: Path, empty: bool) -> None:
    match = tmp_path / "lagoon"
    if empty:
        match.mkdir()
    begun_anew(match)
    send_all(match)
    for file in match.glob("*/sheets/*"):
        file.chmod(0o600)
    run(match)
    undo(match)
    run(match)
    make_anew(match, "venice")
    assert adjudicator("hold", match, "--why", "storm", "--at", "2026-11-22T12:00:00Z").exit_code == 0
    found = others_may(match)
    assert found and all(is_public(name) for name in found)
    assert f"{Folder(match).phases[-1]}/for/public/report.md" in found
    assert "Others on this machine" not in adjudicator("status", match).output


def test_status_says_it_of_a_match_that_is_open_to_others(tmp_path: Path) -> None:
    match = begun_anew(tmp_path / "lagoon")
    match.chmod(0o755)
    said = " ".join(adjudicator("status", match).output.split())
    assert f"Others on this machine can read this match, secrets too: chmod -R go-rwx {match}" in said


def test_status_doesnt_say_it_of_a_match_that_was_handed_out_when_it_was_over(tmp_path: Path) -> None:
    """Its seed is published and its GM's papers aren't in it: nothing in it is secret any more."""
    match = tmp_path / PATHS[0].name
    shutil.copytree(PATHS[0], match)
    match.chmod(0o755)
    said = adjudicator("status", match).output
    assert "The match is over" in said
    assert "Others on this machine" not in said


def test_what_resolve_writes_is_for_the_gm_alone_too(tmp_path: Path) -> None:
    match = begun_anew(tmp_path / "lagoon")
    position = next(match.glob("0001*/state.yaml"))
    done = adjudicator("resolve", position, "--seed", "x", "--out", tmp_path / "next")
    assert done.exit_code in (0, 1), done.output
    assert all(is_public(name) for name in others_may(tmp_path / "next"))


def test_a_site_is_for_everybody(tmp_path: Path) -> None:
    begin("mediterranee", tmp_path / "lagoon", TWO, options={**PHASE_BY_PHASE, "pages": "on"}, seed_text="x")
    assert adjudicator("site", tmp_path / "lagoon", tmp_path / "web").exit_code == 0
    assert {"index.html", "."} <= {*others_may(tmp_path / "web")}
