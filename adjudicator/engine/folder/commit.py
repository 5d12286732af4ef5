"""Changing a match folder: a run is put in place whole or not at all, and no two runs work at once.

A run first writes its files under `.run.tmp`. The run counts as done at one point, when that folder is renamed to
`.run`; then its folders are moved to their places. A run killed before that point leaves only `.run.tmp`, which the
next one removes. After it, the next run that writes moves the rest, and readers look there (`unfinished`).

A power cut may lose what wasn't synced, and keep a later change without an earlier one. So each step is synced before
the next one that would do harm without it: the stage before it is renamed, its new name before anything is moved, the
moves of old files before new ones take their names.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Busy, Faulty, problem
from adjudicator.engine.folder.gate import Gate
from adjudicator.engine.folder.names import FOR, REFEREE, is_public
from adjudicator.engine.folder.unfinished_run import (
    DONE,
    MOVES,
    UnfinishedRun,
    unfinished_run_in,
    unfinished_run_of,
)

LOCK = ".lock"
STAGE = ".run.tmp"
OWN_FOLDER, OWN_FILE = 0o700, 0o600
"""Modes of what only the GM may read: positions, sheets, and mails with tokens."""


@contextmanager
def locked(match: Path, gate: Gate | None = None) -> Iterator[None]:
    """Keeps other runs out, and cleans up after a killed one. Raises Faulty when another run is at work."""
    gate = gate or Gate(match)
    for name in (LOCK, STAGE):
        gate.has(name)
    with _lock(match):
        if unfinished := unfinished_run_in(gate):
            unfinished.check()
            try:
                finish(unfinished)
            except OSError as error:
                raise _cannot_finish(match, error) from None
        shutil.rmtree(match / STAGE, ignore_errors=True)
        yield


@contextmanager
def _lock(match: Path) -> Iterator[None]:
    from filelock import (  # imported here because it is slow, and commands without a lock don't need it
        FileLock,
        Timeout,
    )

    lock = FileLock(match / LOCK, timeout=0)
    try:
        # The library takes a file that can't be made for a locked one.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        os.close(os.open(match / LOCK, flags, 0o600))
        lock.acquire()
    except Timeout:
        said = "another run is at work on this match; try again when it has ended"
        raise Busy([problem(match, said)]) from None
    except OSError as error:
        raise _cannot_write(match, error) from None
    try:
        yield
    finally:
        lock.release()


def commit(match: Path, files: Mapping[str, bytes], moves: Sequence[tuple[str, str]] = ()) -> None:
    """Writes files into a locked match, all or none. Names are relative to it; a name that ends in / is a folder.

    `for/` in a phase's folder is replaced whole. Raises Faulty when the disk is full and the like.
    """
    stage, done = match / STAGE, match / DONE
    unfinished = unfinished_run_of(match, STAGE, files, moves)
    listed = {MOVES: "".join(f"{old}\t{new}\n" for old, new in moves).encode()} if moves else {}
    try:
        lay_out(stage, {**files, **listed})
        unfinished.check()
        disk.rename(stage, done)
        disk.sync([match])
    except OSError as error:
        shutil.rmtree(stage, ignore_errors=True)
        raise _cannot_write(match, error) from None
    except Faulty:
        shutil.rmtree(stage, ignore_errors=True)
        raise
    try:
        finish(replace(unfinished, stage=DONE))
    except OSError as error:
        raise _cannot_finish(match, error) from None


def put_referee(match: Path, text: bytes) -> None:
    """Writes `referee.yaml` of a locked match again, for the GM's eyes alone; afterwards the old one is there, or the
    new.

    It doesn't go through `.run` like everything else: what waits there may have come with a stranger's changes, and the
    seed must not be theirs. Raises Faulty when the disk is full and the like.
    """
    stage = match / STAGE
    try:
        disk.mkdir(stage, OWN_FOLDER)
        disk.write(stage / REFEREE, text, OWN_FILE)
        disk.sync([stage / REFEREE, stage])
        disk.rename(stage / REFEREE, match / REFEREE)
        disk.sync([match])
        disk.rmdir(stage)
    except OSError as error:
        shutil.rmtree(stage, ignore_errors=True)
        raise _cannot_write(match, error) from None


def lay_out(top: Path, files: Mapping[str, bytes]) -> None:
    """Writes files into a new folder and syncs them all. Nobody else on the machine can read them, but public ones."""
    disk.mkdir(top, OWN_FOLDER)
    known, written = {top}, []
    for name, text in files.items():
        path = top / name
        home = path if name.endswith("/") else path.parent
        if home not in known:
            for folder in reversed([home, *home.parents][: len(home.relative_to(top).parts)]):
                if folder not in known:
                    public = is_public(folder.relative_to(top).as_posix())
                    disk.mkdir(folder, 0o777 if public else OWN_FOLDER)
                    known.add(folder)
        if home is not path:
            disk.write(path, text, 0o666 if is_public(name) else OWN_FILE)
            written.append(path)
    disk.sync([*written, *known])


def finish(unfinished: UnfinishedRun) -> None:
    """Moves what a run has written to its place; can be started again after a kill, any number of times."""
    match, done = unfinished.match, unfinished.match / unfinished.stage
    if (done / MOVES).exists():
        _move_away(match, unfinished.moves)
        disk.unlink(done / MOVES)
        disk.sync([done])  # if the list came back after a crash, it would move the new files away
    changed = [match]
    for folder in sorted(done.iterdir()):
        home = match / folder.name
        if not folder.is_dir() or not home.exists():  # one of the match's own files replaces the old one
            disk.rename(folder, home)
            continue
        for item in sorted(folder.iterdir()):
            _replace(item, home / item.name)
        changed.append(home)
    disk.sync(changed)
    for folder in sorted(done.iterdir()):
        disk.rmdir(folder)
    disk.rmdir(done)


def _move_away(match: Path, moves: Sequence[tuple[str, str]]) -> None:
    changed: list[Path] = []
    for old, new in ((match / old, match / new) for old, new in moves):
        if old.exists():
            above = [folder for folder in new.parents if not folder.exists()]
            for folder in reversed(above):
                disk.mkdir(folder, OWN_FOLDER)
            disk.rename(old, new)
        changed += [old.parent, *(folder for folder in new.parents if folder.is_relative_to(match))]
    disk.sync(folder for folder in changed if folder.exists())


def _replace(item: Path, target: Path) -> None:
    if item.is_dir() and target.is_dir():
        if item.name != FOR:  # what players have put there in the meantime stays
            for new in sorted(item.iterdir()):
                disk.rename(new, target / new.name)
            disk.sync([target])
            disk.rmdir(item)
            return
        disk.rmtree(target)
    disk.rename(item, target)


def _cannot_write(match: Path, error: OSError) -> Faulty:
    said = f"{_why(error)}; nothing was changed, the match is as before"
    return Faulty([problem(match, said)])


def _cannot_finish(match: Path, error: OSError) -> Faulty:
    said = f"{_why(error)}; everything is adjudicated and waits in {DONE}: the next run puts it in place"
    return Faulty([problem(match, said)])


def _why(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "the disk is full"
    return f"can't be written ({error.strerror or error})"
