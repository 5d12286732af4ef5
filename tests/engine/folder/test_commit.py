"""A match folder is changed whole or not at all, by one run at a time."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.folder import commit, disk
from adjudicator.engine.folder.commit import UnfinishedRun, unfinished_run_in
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.gate import Gate
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from tests.engine.match_folders import begun_anew, send_all, tree


class Killed(BaseException):
    """The process is no more."""


class Killer:
    """From its nth change of the disk on, nothing is changed any more; a file being written is cut short."""

    CHANGES = ("rename", "replace", "mkdir", "unlink", "rmdir")

    def __init__(self, patch: pytest.MonkeyPatch, moment: int) -> None:
        self.left = moment
        for name in self.CHANGES:
            patch.setattr(os, name, self.deadly(getattr(os, name)))
        patch.setattr(disk, "write", self.written)

    def tick(self) -> bool:
        self.left -= 1
        return self.left < 0

    def deadly(self, change: Any) -> Any:
        def changed(*args: Any, **keys: Any) -> Any:
            if self.tick():
                raise Killed
            return change(*args, **keys)

        return changed

    def written(self, path: Path, text: bytes, mode: int = 0o666) -> None:
        dead = self.tick()
        with path.open("xb") as file:
            file.write(text[: len(text) // 2] if dead else text)
        if dead:
            raise Killed


@pytest.mark.usefixtures("reports_made_once")
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("action", [run, undo])
def test_killed_at_any_moment_it_goes_on_as_if_not_begun_or_as_if_done(
    lagoon: Path, monkeypatch: pytest.MonkeyPatch, action: Any, every: int
) -> None:
    """At every third change of the disk, of the two actions others; in `soak` at each."""
    send_all(lagoon)
    if action is undo:
        run(lagoon)
    before, kept, done = tree(lagoon), lagoon.parent / "kept", lagoon.parent / "done"
    shutil.copytree(lagoon, kept)
    shutil.copytree(lagoon, done)
    action(done)
    after, moment, reached = tree(done), (action is undo) % every, set()
    seen_before, seen_after = seen(lagoon), seen(done)
    while True:
        shutil.rmtree(lagoon)
        shutil.copytree(kept, lagoon)
        with monkeypatch.context() as patch:
            Killer(patch, moment)
            try:
                action(lagoon)
            except Killed:
                pass
            else:
                break
        left, read = tree(lagoon), seen(lagoon)
        assert tree(lagoon) == left, "reading changed it"
        with commit.locked(lagoon):
            found = tree(lagoon)
        assert read == (seen_after if found == after else seen_before)
        reached.add(found == after)
        assert found in (before, after)
        if found == before:
            action(lagoon)
            assert tree(lagoon) == after
        moment += every
    assert reached == {True, False}
    assert moment > 20


def seen(match: Path) -> list[Any]:
    """All that commands read of a match: its phases, positions, events and reports."""
    folder = open_match(match)
    found: list[Any] = list(folder.phases)
    for number, name in enumerate(folder.phases):
        found += [folder.state(number), folder.opening(number), folder.names(name)]
        found += [folder.names(f"{name}/sheets"), folder.names(f"{name}/for/venice")]
        found += [folder.read(f"{name}/for/{who}/report.md") for who in folder.names(f"{name}/for")]
        found += [folder.read(f"{name}/{file}") for file in ("events.jsonl",) if folder.has(f"{name}/{file}")]
    return found


@pytest.mark.usefixtures("reports_made_once")
def test_a_beginning_that_is_killed_leaves_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in range(0, 40, 3):
        with monkeypatch.context() as patch:
            Killer(patch, moment)
            with pytest.raises(Killed):
                begun_anew(tmp_path / "lagoon")
        assert not (tmp_path / "lagoon").exists()
    begun_anew(tmp_path / "lagoon")
    assert [path.name for path in tmp_path.iterdir()] == ["lagoon"]


def test_a_full_disk_is_said_and_changes_nothing(lagoon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    send_all(lagoon)
    before = tree(lagoon)

    def full(path: Path, text: bytes, mode: int = 0o666) -> None:
        if path.name == "events.jsonl":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        path.write_bytes(text)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "write", full)
        with pytest.raises(Faulty) as faulty:
            run(lagoon)
    assert "the disk is full; nothing was changed" in faulty.value.problems[0].text
    assert tree(lagoon) == before
    assert run(lagoon).adjudicated


@pytest.mark.usefixtures("reports_made_once")
def test_what_is_found_in_a_stage_after_a_kill_is_what_the_run_meant_to_put_in_place(
    lagoon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_all(lagoon)
    meant = []
    finish = commit.finish

    def noted(pending: UnfinishedRun) -> None:
        meant.append((pending, unfinished_run_in(Gate(lagoon))))
        finish(pending)

    monkeypatch.setattr(commit, "finish", noted)
    run(lagoon)
    undo(lagoon)
    assert [one.moves != () for one, _ in meant] == [False, True]
    for one, found in meant:
        assert found is not None
        assert (one.files, one.folders, one.moves) == (found.files, found.folders, found.moves)


@pytest.mark.parametrize("name", ["notes.txt", "0001-t1-setup/more/"])
def test_nothing_is_written_that_would_not_be_put_in_place_after_a_kill(lagoon: Path, name: str) -> None:
    before = tree(lagoon)
    with pytest.raises(ValueError, match="no run writes"), commit.locked(lagoon):
        commit.commit(lagoon, {name: b""})
    assert tree(lagoon) == before


def test_two_runs_keep_apart(lagoon: Path) -> None:
    send_all(lagoon)
    before = tree(lagoon)
    with commit.locked(lagoon), pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert "another run is at work" in faulty.value.problems[0].text
    assert tree(lagoon) == before
    assert run(lagoon).adjudicated


def test_a_lock_that_cannot_be_made_is_not_called_held(lagoon: Path) -> None:
    send_all(lagoon)
    (lagoon / ".lock").unlink(missing_ok=True)
    (lagoon / ".lock").mkdir()
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert "can't be written" in faulty.value.problems[0].text
    (lagoon / ".lock").rmdir()
    assert run(lagoon).adjudicated


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is permitted to root")
def test_a_match_that_cannot_be_written_to_is_not_called_held(lagoon: Path) -> None:
    send_all(lagoon)
    (lagoon / ".lock").unlink(missing_ok=True)
    lagoon.chmod(0o555)
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    lagoon.chmod(0o755)
    assert "can't be written" in faulty.value.problems[0].text


def test_earlier_phases_are_never_written_again(lagoon: Path) -> None:
    past: dict[str, bytes] = {}
    for _ in range(6):
        send_all(lagoon)
        before = tree(lagoon)
        run(lagoon)
        after = tree(lagoon)
        assert {name: after[name] for name in past} == past
        last = Folder(lagoon).phases[-1]
        past = {name: text for name, text in after.items() if not name.startswith(last)}
        changed = {name for name in before if before[name] != after[name]}
        assert {Path(name).name for name in changed} <= {"open.yaml"}
