"""Who opens a match while a run puts its results in place sees it before or after, or is told that a run is at work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.folder import disk, gate
from adjudicator.engine.folder.errors import Busy
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from tests.engine.match_folders import begun_anew, send_all

Change = Callable[[], Any]
CHANGES = ("rename", "replace", "mkdir", "unlink", "rmdir")
LOOKS = ("kind_of", "read_plain")
"""How a reader learns of the disk."""


@contextmanager
def recorded() -> Iterator[list[Change]]:
    """All changes of the disk in this block, to be made once more."""
    made: list[Change] = []

    def recording(change: Any) -> Any:
        def changed(*args: Any, **keys: Any) -> Any:
            count = len(made)
            found = change(*args, **keys)
            made[count:] = [partial(change, *args, **keys)]  # a whole folder's removal is one change
            return found

        return changed

    def written(path: Path, text: bytes, mode: int = 0o666) -> None:
        made.append(partial(path.write_bytes, text))
        path.write_bytes(text)

    with pytest.MonkeyPatch.context() as patch:
        for name in CHANGES:
            patch.setattr(os, name, recording(getattr(os, name)))
        patch.setattr(disk, "write", written)
        patch.setattr(disk, "rmtree", recording(shutil.rmtree))
        yield made


def looked_at(match: Folder) -> int:
    """Reads what a status or a page shows of the match; how many phases it has."""
    for number in range(match.last + 1):
        match.state(number)
        match.opening(number)
        if number < match.last:
            match.events(number)
    return match.last


def read_while(changes: list[Change], path: Path) -> int | str:
    """The match as it is read while one change is made before each look; or why it can't be read."""

    def meanwhile(look: Any) -> Any:
        def looked(*args: Any, **keys: Any) -> Any:
            if changes:
                made = changes.pop(0)
                try:
                    made()
                except OSError as error:
                    raise AssertionError(made) from error
            return look(*args, **keys)

        return looked

    with pytest.MonkeyPatch.context() as patch:
        for name in LOOKS:
            patch.setattr(gate, name, meanwhile(getattr(gate, name)))
        try:
            return looked_at(open_match(path))
        except Busy as busy:
            return busy.problems[0].text


@pytest.mark.usefixtures("nobody_reads")
@pytest.mark.parametrize("action", [run, undo])
def test_whenever_it_is_opened_it_is_whole_or_said_to_be_in_work(tmp_path: Path, action: Any) -> None:
    path, kept = begun_anew(tmp_path / "lagoon"), tmp_path / "kept"
    send_all(path)
    if action is undo:
        run(path)
    before = open_match(path).last
    shutil.copytree(path, kept)
    with recorded() as changes:
        action(path)
    after = open_match(path).last
    seen = set()
    for begun in range(len(changes) + 1):
        shutil.rmtree(path)
        shutil.copytree(kept, path)
        for change in changes[:begun]:
            change()
        seen.add(read_while(changes[begun:], path))
    assert after in seen
    assert seen <= {before, after, "a run is at work on this match; try again when it has ended"}
