"""A killed process stops no other process, and nothing waits for it for ever."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from adjudicator.cli import run
from adjudicator.cli.run import MatchResult, RunOptions, run_many
from adjudicator.cli.workers import KILLED, LostPart, done_by_workers
from adjudicator.engine.folder.folder import open_match
from tests.engine.match_folders import begun
from tests.gm.weeks import utc

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in other ways")
ALWAYS, ONCE = 5, 4


def doubled(seen: Path, part: Sequence[int]) -> list[int]:
    """Twice each number; two of them end the process, one of these each time, one the first time."""
    for number in part:
        if number == ALWAYS or (number == ONCE and not (seen / "once").exists()):
            (seen / "once").touch() if number == ONCE else None
            os.kill(os.getpid(), signal.SIGKILL)
    return [2 * number for number in part]


def test_what_a_killed_process_had_is_done_again_alone(tmp_path: Path) -> None:
    parts = [range(first, first + 3) for first in range(0, 45, 3)]
    found: list[int] = []
    for one in done_by_workers(partial(doubled, tmp_path), parts, 2):
        found += [-number for number in one.part] if isinstance(one, LostPart) else one
    assert found == [-ALWAYS if number == ALWAYS else 2 * number for number in range(45)]


def test_what_must_not_be_done_twice_is_said_to_be_lost(tmp_path: Path) -> None:
    found = list(
        done_by_workers(
            partial(doubled, tmp_path),
            [[1], [ALWAYS], [2], [3], *([] for _ in range(9))],
            2,
            again=lambda number: number != ALWAYS,
        )
    )
    assert found == [[2], LostPart([ALWAYS], KILLED), [4], [6], *([] for _ in range(9))]


def test_a_part_without_items_has_its_result_after_a_kill_too(tmp_path: Path) -> None:
    """One process takes the parts in their order, so the two empty ones are lost with the first for certain."""
    found = list(done_by_workers(partial(doubled, tmp_path), [[ALWAYS], [], []], 1))
    assert found == [LostPart([ALWAYS], KILLED), [], []]


def deadly(folder: Path, options: RunOptions) -> MatchResult:
    """One match of many; that called `bad` ends the process."""
    if folder.name == "bad":
        os.kill(os.getpid(), signal.SIGKILL)
    return run.run_one(folder, options)


def deadly_part(options: RunOptions, folders: Sequence[Path]) -> list[MatchResult]:
    return [deadly(folder, options) for folder in folders]


def played_and_killed(options: RunOptions, folders: Sequence[Path]) -> list[MatchResult]:
    """Matches of which one ends the process when it has been played, once."""
    found = []
    for folder in folders:
        found.append(run.run_one(folder, options))
        if folder.name == "played" and open_match(folder).last < 5:
            os.kill(os.getpid(), signal.SIGKILL)
    return found


def test_by_deadline_a_match_that_was_lost_is_played_unless_it_was_played_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A killed process stops no club by deadline either, and closes no phase twice."""
    monkeypatch.setattr(run, "_part", played_and_killed)
    first = begun(tmp_path / "a")
    folders = [first, *(Path(shutil.copytree(first, tmp_path / name)) for name in ("played", "c", "d"))]
    opened = open_match(first).last
    assert run_many(folders, RunOptions(utc("2026-11-23 12:00"), deadline=True), jobs=2) == run.FAULTY
    said = capsys.readouterr()
    assert f"{tmp_path}/played: {KILLED}" in said.err
    assert "4 matches: " in said.out and " faulty." in said.out  # `a` may be lost with it, played or not
    assert len({open_match(folder).last for folder in folders}) == 1
    assert open_match(first).last > opened


def test_of_many_matches_the_one_that_kills_is_said_and_the_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "_part", deadly_part)
    first = begun(tmp_path / "a")
    folders = [first, *(Path(shutil.copytree(first, tmp_path / name)) for name in ("bad", "c", "d"))]
    assert run_many(folders, RunOptions(utc("2026-11-23 12:00")), jobs=2) == run.FAULTY
    said = capsys.readouterr()
    assert f"{tmp_path}/bad: {KILLED}" in said.err
    assert "4 matches: 3 waiting, 1 faulty." in said.out
    assert open_match(first).last == 1


SCRIPT = (
    "import sys\nfrom adjudicator.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
)
"""What pip installs as the command."""


@pytest.mark.parametrize("start", [["-m", "adjudicator"], ["../adjudicator"]])
@pytest.mark.parametrize(
    "words", ["simulate mediterranee -n 4 --jobs 2 --option turns=1", "run lagoon pond --jobs 2"]
)
def test_nothing_is_imported_from_the_folder_in_which_a_command_is_given(
    start: list[str], words: str, tmp_path: Path
) -> None:
    """It may be a stranger's. Each module that is looked for there would say so. (By `python -m`, Python itself looks
    there for what it needs before the program begins.)
    """
    (tmp_path / "adjudicator").write_text(SCRIPT)
    there = tmp_path / "there"
    for name in ("lagoon", "pond"):
        begun(there / name)
    some = {"jinja2", "msgspec", "multiprocessing", "pathlib", "selectors", "socket", "typer", "yaml"}
    for module in some if start[0] == "-m" else some.union(sys.stdlib_module_names):
        (there / f"{module}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({module!r})\n")
    env = {**os.environ, "PYTHONPATH": str(Path(run.__file__).parents[2])}
    command = [sys.executable, *start, *words.split()]
    done = subprocess.run(command, cwd=there, env=env, capture_output=True, text=True, check=False)
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()
    assert done.returncode in (0, 3), done.stderr
