"""A match folder is changed whole or not at all, by one run at a time."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.folder import commit
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from tests.engine.postbox import TWO, begun, send_all, tree


class Killed(BaseException):
    """The process is no more."""


class Killer:
    """From its nth change of the disk on, nothing is changed any more; a file being written is cut short."""

    CHANGES = ("rename", "replace", "mkdir", "unlink", "rmdir")

    def __init__(self, patch: pytest.MonkeyPatch, moment: int) -> None:
        self.left = moment
        for name in self.CHANGES:
            patch.setattr(os, name, self.deadly(getattr(os, name)))
        patch.setattr(Path, "write_bytes", lambda path, text: self.written(path, text))  # noqa: PLW0108  bound to the path

    def tick(self) -> bool:
        self.left -= 1
        return self.left < 0

    def deadly(self, change: Any) -> Any:
        def changed(*args: Any, **keys: Any) -> Any:
            if self.tick():
                raise Killed
            return change(*args, **keys)

        return changed

    def written(self, path: Path, text: bytes) -> int:
        dead = self.tick()
        with path.open("wb") as file:
            file.write(text[: len(text) // 2] if dead else text)
        if dead:
            raise Killed
        return len(text)


@pytest.fixture
def lagoon(tmp_path: Path) -> Path:
    return begun(tmp_path / "lagoon")


@pytest.mark.parametrize("action", [run, undo])
def test_killed_at_any_moment_it_goes_on_as_if_not_begun_or_as_if_done(
    lagoon: Path, monkeypatch: pytest.MonkeyPatch, action: Any
) -> None:
    send_all(lagoon)
    if action is undo:
        run(lagoon)
    before = tree(lagoon)
    done = lagoon.parent / "done"
    shutil.copytree(lagoon, done)
    action(done)
    after, moment, reached = tree(done), 0, set()
    while True:
        restore(lagoon, before)
        with monkeypatch.context() as patch:
            Killer(patch, moment)
            try:
                action(lagoon)
            except Killed:
                pass
            else:
                break
        open_match(lagoon)
        with commit.locked(lagoon):
            found = tree(lagoon)
        reached.add(found == after)
        assert found in (before, after)
        if found == before:
            action(lagoon)
            assert tree(lagoon) == after
        moment += 1
    assert reached == {True, False}
    assert moment > 20


def restore(match: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(match)
    for name, text in files.items():
        (match / name).parent.mkdir(parents=True, exist_ok=True)
        (match / name).write_bytes(text)


def test_a_beginning_that_is_killed_leaves_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in range(0, 40, 3):
        with monkeypatch.context() as patch:
            Killer(patch, moment)
            with pytest.raises(Killed):
                begun(tmp_path / "lagoon")
        assert not (tmp_path / "lagoon").exists()
    begun(tmp_path / "lagoon")
    assert [path.name for path in tmp_path.iterdir()] == ["lagoon"]


def test_a_full_disk_is_said_and_changes_nothing(lagoon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    send_all(lagoon)
    before = tree(lagoon)

    def full(path: Path, text: bytes) -> int:
        if path.name == "events.jsonl":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        with path.open("wb") as file:
            return file.write(text)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(Faulty) as faulty:
            run(lagoon)
    assert "the disk is full; nothing was changed" in faulty.value.problems[0].text
    assert tree(lagoon) == before
    assert run(lagoon).adjudicated


def test_two_runs_keep_apart(lagoon: Path) -> None:
    send_all(lagoon)
    before = tree(lagoon)
    with commit.locked(lagoon), pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert "another run is at work" in faulty.value.problems[0].text
    assert tree(lagoon) == before
    assert run(lagoon).adjudicated


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


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("match.yaml", "this isn't a match folder"),
        ("0001-t1-setup/state.yaml", "this file of the match is missing"),
        ("0001-t1-setup/open.yaml", "this file of the match is missing"),
    ],
)
def test_missing_files(lagoon: Path, name: str, said: str) -> None:
    send_all(lagoon)
    (lagoon / name).unlink()
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert faulty.value.problems[0].file == str(lagoon / name)
    assert faulty.value.problems[0].text == said


def test_missing_and_double_phases(lagoon: Path) -> None:
    send_all(lagoon)
    run(lagoon)
    shutil.move(lagoon / "0001-t1-setup", lagoon / "0002-t1-setup")
    with pytest.raises(Faulty, match="faulty") as faulty:
        open_match(lagoon)
    assert "the folder of phase 1 is missing" in faulty.value.problems[0].text
    shutil.copytree(lagoon / "0002-t1-setup", lagoon / "0001-t1-setup")
    with pytest.raises(Faulty) as faulty:
        open_match(lagoon)
    assert "has the same number" in faulty.value.problems[0].text


def test_no_match_here(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, said in (
        (tmp_path / "no", "no such folder"),
        (tmp_path / "file", "a file"),
        (tmp_path, "match folder"),
    ):
        with pytest.raises(Faulty) as faulty:
            run(path)
        assert said in faulty.value.problems[0].text


@pytest.mark.parametrize("text", ["", "[", "match: [1]", "players: 3\nmatch: a", "x: " + "[" * 40])
def test_papers_that_cannot_be_read(lagoon: Path, text: str) -> None:
    for name in ("match.yaml", "0001-t1-setup/open.yaml", "referee.yaml"):
        good = (lagoon / name).read_bytes()
        (lagoon / name).write_text(text)
        if text or name != "0001-t1-setup/open.yaml":
            with pytest.raises(Faulty) as faulty:
                run(lagoon)
            assert faulty.value.problems[0].file == str(lagoon / name)
        (lagoon / name).write_bytes(good)


def test_a_match_begins_in_a_new_or_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    begin("mediterranee", tmp_path / "empty", TWO, seed_text="x")
    assert (tmp_path / "empty" / "referee.yaml").stat().st_mode & 0o777 == 0o600
    assert "referee.yaml" in (tmp_path / "empty" / ".gitignore").read_text()
    with pytest.raises(Faulty) as faulty:
        begin("mediterranee", tmp_path / "empty", TWO)
    assert "new or empty folder" in faulty.value.problems[0].text
    begin("mediterranee", tmp_path / "deep" / "er", TWO)
    assert open_match(tmp_path / "deep" / "er").card.match == "er"


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (
            ("venice",),
            {},
            " make no table of Méditerranée; tables: venice, genoa; spain, turkey; ",
        ),
        ((), {}, "no players are named"),
        (("venice", "genua"), {}, "there is no genua, did you mean genoa?"),
        (("venice", "venice"), {}, "venice is named twice"),
        (TWO, {"turn": "8"}, "there is no option turn, did you mean turns?; there are pacing"),
        (TWO, {"turns": "many"}, "turns: many won't do, it is a whole number"),
        (TWO, {"treasury": "no"}, "treasury: no won't do, it is one of "),
        (TWO, {"powers": "spain-turkey"}, "powers: spain-turkey doesn't go with the players venice, genoa"),
    ],
)
def test_what_a_match_cannot_begin_with(
    tmp_path: Path, players: tuple[str, ...], options: dict[str, str], said: str
) -> None:
    with pytest.raises(Faulty) as faulty:
        begin("mediterranee", tmp_path / "m", players, options=options)
    assert said in faulty.value.problems[0].text
    assert list(tmp_path.iterdir()) == []
