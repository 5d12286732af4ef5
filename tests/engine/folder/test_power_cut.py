"""A power cut loses what wasn't synced, and may keep a later change without an earlier one:
the match is changed whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.folder import commit, disk
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from adjudicator.engine.play.attempts import SeededChance
from tests.engine.match_folders import begun, begun_anew, send_all, tree

pytestmark = pytest.mark.usefixtures("reports_made_once")
Step = tuple[str, tuple[Any, ...]]


class Recorder:
    """Writes down every change of the disk, and every sync."""

    KINDS = ("write", "mkdir", "rename", "unlink", "rmdir", "rmtree", "sync_one")

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.steps: list[Step] = []
        for kind in self.KINDS:
            patch.setattr(disk, kind, self.noted(kind, getattr(disk, kind)))

    def noted(self, kind: str, change: Callable[..., None]) -> Callable[..., None]:
        def changed(*args: Any) -> None:
            change(*args)
            self.steps.append((kind, args))

        return changed


class Disk:
    """A disk in memory: what each step has done to it, if the step wasn't lost. Every file and folder is a node."""

    def __init__(self, top: Path) -> None:
        self.names: dict[Path, int] = {}
        self.texts: dict[int, bytes | None] = {}
        self.fresh = count()
        for path in sorted(top.rglob("*")):
            self.put(path, path.read_bytes() if path.is_file() else None)

    def put(self, path: Path, text: bytes | None) -> None:
        self.names[path] = next(self.fresh)
        self.texts[self.names[path]] = text

    def below(self, path: Path) -> list[Path]:
        return [name for name in self.names if name.is_relative_to(path)]

    def do(self, kind: str, args: tuple[Any, ...], top: Path, kept_text: bool) -> None:
        """One step; of one that can't be done, since an earlier one was lost, nothing is left either."""
        path = args[0]
        there = path.parent == top or self.texts.get(self.names.get(path.parent, -1), b"") is None
        if kind in ("write", "mkdir") and there and path not in self.names:
            self.put(path, None if kind == "mkdir" else args[1] if kept_text else b"")
        elif kind == "rename" and path in self.names:
            new = args[1]
            home = new.parent == top or self.texts.get(self.names.get(new.parent, -1), b"") is None
            if home and not [name for name in self.below(new) if name != new]:
                moved = {new / name.relative_to(path): self.names[name] for name in self.below(path)}
                for name in (*self.below(path), new):
                    self.names.pop(name, None)
                self.names |= moved
        elif kind == "rmtree" or (kind in ("unlink", "rmdir") and self.below(path) == [path]):
            for name in self.below(path):
                del self.names[name]

    def lay_out(self, top: Path) -> None:
        if top.exists():
            shutil.rmtree(top)
        top.mkdir(parents=True)
        for path in sorted(self.names):
            text = self.texts[self.names[path]]
            path.mkdir() if text is None else path.write_bytes(text)

    def key(self) -> tuple[tuple[Path, bytes | None], ...]:
        return tuple((path, self.texts[self.names[path]]) for path in sorted(self.names))


def cuts(before: Disk, top: Path, steps: list[Step], lost: Callable[[Step], bool]) -> Disk:
    """The disk after a cut: a step whose text or name was synced after it is there; of the others `lost` are not.

    A rename is kept or lost whole, as on every file system with a journal.
    """
    found = Disk(Path("/nowhere"))
    found.names, found.texts, found.fresh = dict(before.names), dict(before.texts), count(10**6)
    for at, (kind, args) in enumerate(steps):
        if kind == "sync_one":
            continue
        later = [step[1][0] for step in steps[at + 1 :] if step[0] == "sync_one"]
        homes = [args[0].parent, *([args[1].parent] if kind == "rename" else [])]
        sure = any(home in later for home in homes) or not any(h.is_relative_to(top) for h in homes)
        if sure or not lost((kind, args)):
            found.do(kind, args, top, kept_text=args[0] in later or not lost(("text", args)))
    return found


def ways_to_lose(seed: str) -> Iterator[Callable[[Step], bool]]:
    """All that can be lost is; texts alone; new names alone; renames alone; what is removed alone; any of it."""
    yield lambda step: True
    for kinds in (("text",), ("write", "mkdir"), ("rename",), ("unlink", "rmdir", "rmtree")):
        yield lambda step, kinds=kinds: step[0] in kinds  # type: ignore[misc]
    chance = SeededChance(seed)
    for _ in range(3):
        yield lambda step: chance(2) == 0


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("action", [run, undo])
def test_after_a_power_cut_the_match_is_as_before_or_as_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: Any, every: int
) -> None:
    match, kept = begun(tmp_path / "lagoon"), tmp_path / "kept"
    send_all(match)
    if action is undo:
        run(match)
    shutil.copytree(match, kept)
    before, disk_before = tree(match), Disk(match)
    with monkeypatch.context() as patch:
        steps = Recorder(patch).steps
        action(match)
    after, seen, reached = tree(match), set(), set()
    for end in [*range(0, len(steps), every), len(steps)]:
        for lost in ways_to_lose(f"cut {end}"):
            cut = cuts(disk_before, match, steps[:end], lost)
            if cut.key() in seen:
                continue
            seen.add(cut.key())
            cut.lay_out(match)
            open_match(match).state(0)
            with commit.locked(match):
                found = tree(match)
            assert found in (before, after), (end, steps[:end][-3:])
            reached.add(found == after)
    assert reached == {True, False}
    assert len(seen) > 20
    # What is done when the command ends is there whatever is cut then.
    cuts(disk_before, match, steps, lambda step: True).lay_out(match)
    with commit.locked(match):
        assert tree(match) == after


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("empty", [False, True])
def test_after_a_power_cut_a_beginning_is_nothing_or_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty: bool, every: int
) -> None:
    top = tmp_path / "top"
    (top / "lagoon").mkdir(parents=True) if empty else top.mkdir()
    disk_before = Disk(top)
    with monkeypatch.context() as patch:
        steps = Recorder(patch).steps
        begun_anew(top / "lagoon")
    after, seen, reached = tree(top), set(), set()
    # Some of the steps, others for each way to begin; the end, at which all is written, among them.
    for end in [*range((1 + empty) % every, len(steps), every), len(steps)]:
        for lost in ways_to_lose(f"cut {end}"):
            cut = cuts(disk_before, top, steps[:end], lost)
            if cut.key() in seen:
                continue
            seen.add(cut.key())
            cut.lay_out(top)
            begins = (top / "lagoon" / "match.yaml").exists()
            reached.add(begins)
            if begins:
                open_match(top / "lagoon")
            else:
                begun_anew(top / "lagoon")
            left = {
                name: text for name, text in tree(top).items() if ".new/" not in name and ".tmp/" not in name
            }
            assert left == after, (end, steps[:end][-3:])
    assert reached == {True, False}


def test_each_file_is_synced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun(tmp_path / "lagoon")
    send_all(match)
    with monkeypatch.context() as patch:
        steps = Recorder(patch).steps
        run(match)
    written = [args[0] for kind, args in steps if kind == "write"]
    synced = [args[0] for kind, args in steps if kind == "sync_one"]
    assert all(synced.count(path) == 1 for path in written)
    assert max(synced.count(path) for path in synced) <= 2


@pytest.mark.parametrize("many", [4, 6])
def test_what_cant_be_synced_is_an_error_among_few_and_among_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(disk, "MANY", many)
    every = [tmp_path / str(number) for number in range(5)]
    for path in every:
        disk.write(path, b"")
    disk.sync(every)
    every[2].unlink()
    with pytest.raises(FileNotFoundError):
        disk.sync(every)
