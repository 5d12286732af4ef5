"""Changing a match folder: all of a run is put in place, or nothing; and no two runs at once.

What a run writes is first laid out under `.run.tmp`. Renaming that to `.run` is the one point at which the run counts
as done; then its folders are moved to where they belong. A run that is killed before that point leaves nothing but
`.run.tmp`, which the next one removes; after it the next command moves the rest.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, problem

LOCK = ".lock"
STAGE = ".run.tmp"
DONE = ".run"
REPLACED = "for"
"""The folder inside a phase's that is replaced whole."""
MOVES = "moves"
"""In the stage: folders and files of the match to be moved first, a line each, from and to with a tab between."""


@contextmanager
def locked(match: Path) -> Iterator[None]:
    """Keeps other runs out, and clears up after one that was killed. Raises Faulty when another one is at work."""
    with _lock(match):
        if (match / DONE).is_dir():
            finish(match)
        shutil.rmtree(match / STAGE, ignore_errors=True)
        yield


def settle(match: Path) -> None:
    """Puts in place what a killed run had done, before the match is read. Does nothing in most cases."""
    if (match / DONE).is_dir():
        with locked(match):
            pass


@contextmanager
def _lock(match: Path) -> Iterator[None]:
    try:
        descriptor = os.open(match / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise _unwritten(match, error) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = "another run is at work on this match; try again when it has ended"
            raise Faulty([problem(match, said)]) from None
        yield
    finally:
        os.close(descriptor)


def commit(match: Path, files: Mapping[str, bytes], moves: Sequence[tuple[str, str]] = ()) -> None:
    """Writes files into a locked match, all or none; names are relative to it, one that ends in / is a folder.

    `for/` in a phase's folder is replaced whole. Raises Faulty when the disk is full and the like.
    """
    stage = match / STAGE
    try:
        lay_out(stage, files)
        if moves:
            _write(stage / MOVES, "".join(f"{old}\t{new}\n" for old, new in moves).encode())
        stage.rename(match / DONE)
    except OSError as error:
        shutil.rmtree(stage, ignore_errors=True)
        raise _unwritten(match, error) from None
    try:
        finish(match)
    except OSError as error:
        said = f"{_why(error)}; all is adjudicated and stands in {DONE}: the next command puts it in place"
        raise Faulty([problem(match, said)]) from None


def lay_out(top: Path, files: Mapping[str, bytes]) -> None:
    """Writes files into a new folder."""
    top.mkdir()
    known = {top}
    for name, text in files.items():
        path = top / name
        home = path if name.endswith("/") else path.parent
        if home not in known:
            home.mkdir(parents=True, exist_ok=True)
            known.add(home)
        if home is not path:
            _write(path, text)


def finish(match: Path) -> None:
    """Moves what a run has laid out to its place; may be begun again after a kill, any number of times."""
    done = match / DONE
    moves = done / MOVES
    if moves.is_file():
        for line in moves.read_text(encoding="utf-8").splitlines():
            old, new = (match / name for name in line.split("\t"))
            if old.exists():
                new.parent.mkdir(parents=True, exist_ok=True)
                old.rename(new)
        moves.unlink()
    for folder in sorted(done.iterdir()):
        home = match / folder.name
        if not home.exists():
            folder.rename(home)
            continue
        for item in sorted(folder.iterdir()):
            _replace(item, home / item.name)
        folder.rmdir()
    done.rmdir()


def _replace(item: Path, target: Path) -> None:
    if item.is_dir() and target.is_dir():
        if item.name != REPLACED:  # what players have put there in the meantime stays
            item.rmdir()
            return
        shutil.rmtree(target)
    item.replace(target)


def _write(path: Path, text: bytes) -> None:
    path.write_bytes(text)


def _unwritten(match: Path, error: OSError) -> Faulty:
    said = f"{_why(error)}; nothing was changed, the match stands as before"
    return Faulty([problem(match, said)])


def _why(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "the disk is full"
    return f"can't be written ({error.strerror or error})"
