"""Changing a match folder: a run is put in place whole or not at all, and no two runs work at once.

A run first writes its files under `.run.tmp`. The run counts as done at one point, when that folder is renamed to
`.run`; then its folders are moved to their places. A run killed before that point leaves only `.run.tmp`, which the
next one removes. After it, the next run that writes moves the rest, and readers look there (`unfinished`).

A power cut may lose what wasn't synced, and keep a later change without an earlier one. So each step is synced before
the next one that would do harm without it: the stage before it is renamed, its new name before anything is moved, the
moves of old files before new ones take their names.

What a killed run left to be put in place: checked before it is trusted, and read as if it were in place.

Commands that only read never finish it: the folder may be a stranger's, or one that they can't write to. They show the
match as the run left it, which is the same at each step of finishing: they read from `.run` what still lies there, and
treat what is to be moved away as gone. Commands that write finish it first.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Busy, Faulty, problem
from adjudicator.engine.folder.gate import Gate, Kind
from adjudicator.engine.folder.names import FOR, REFEREE, is_public, is_taken_back, is_written

DONE = ".run"
MOVES = "moves"
"""In the stage: the match's folders and files to be moved first, one a line, with a tab between old and new name."""


class UnfinishedRun(Struct, frozen=True):
    """The moves, and the files and folders by name, that wait in a stage of `match` to be put in place."""

    match: Path
    stage: str
    moves: tuple[tuple[str, str], ...] = ()
    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()

    def place(self, name: str) -> str | None:
        """Where the file that will have this name lies now; None if there will be none."""
        parts, staged = name.split("/"), f"{self.stage}/{name}"
        gate, inside = Gate(self.match), is_inside(name)
        # A folder that is replaced whole goes in one move; what was in it before no longer counts.
        waits = "/".join(parts[:2]) if inside else name
        if waits in (self.folders if inside else self.files) and gate.has(f"{self.stage}/{waits}"):
            return staged
        ways = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
        if any(old in ways for old, _ in self.moves):
            return None
        return staged if name in self.folders and not gate.has(name) else name

    def names(self, folder: str) -> list[str]:
        """The names that will lie in a folder, besides those that lie there now and stay."""
        top = f"{folder}/" if folder else ""
        below = [name for name in (*self.files, *self.folders) if name.startswith(top)]
        return sorted({name[len(top) :].partition("/")[0] for name in below})

    def check(self) -> None:
        """Checks that nothing leads out of the match or replaces what it must not. Raises Faulty."""
        gate = Gate(self.match)
        for name in sorted(self.folders):
            if not is_inside(name, 3) and gate.has(name) and gate.kind(name) is not Kind.FOLDER:
                raise Faulty([problem(self.match / name, "this is a file, but should be a folder")])
        for name in sorted(self.files):
            if not is_inside(name) and gate.has(name) and gate.kind(name) is not Kind.FILE:
                raise Faulty([problem(self.match / name, "this is a folder, but should be a file")])
        for old, new in self.moves:
            if gate.has(old) and gate.has(new):
                raise Faulty([problem(self.match / new, "this is there already")])


def is_inside(name: str, depth: int = 2) -> bool:
    """Is the name that of a folder of a phase that is replaced whole, or in it; with `depth` 3, only in it?"""
    parts = name.split("/")
    return len(parts) >= depth and parts[1:2] == [FOR]


def unfinished_run_of(match: Path, names: Iterable[str], moves: Iterable[tuple[str, str]]) -> UnfinishedRun:
    """The unfinished run whose stage has files of these names, and folders (their names end in /).

    ValueError for a name that no run writes: after a kill it would not be put in place.
    """
    files = {name for name in names if not name.endswith("/")}
    folders = {name.rstrip("/") for name in names} - files
    for name in [*files, *folders]:
        parts = name.split("/")
        folders |= {"/".join(parts[:end]) for end in range(1, len(parts))}
    odd = {name for name in files if not is_written(name)}
    odd |= {name for name in folders if not is_written(name, folder=True)}
    if odd:
        raise ValueError(f"no run writes {', '.join(sorted(odd))}")
    return UnfinishedRun(match, STAGE, tuple(moves), frozenset(files), frozenset(folders))


def unfinished_run_in(gate: Gate) -> UnfinishedRun | None:
    """The unfinished run in a match; usually None. Raises Faulty for anything that no run leaves."""
    match = gate.top
    if not gate.has(DONE):
        return None
    if gate.kind(DONE) is not Kind.FOLDER:
        raise Faulty([problem(match / DONE, "this is a file, but should be a folder")])
    files, folders = set[str](), set[str]()
    moves: list[tuple[str, str]] = []
    for name, kind in below(gate, DONE):
        short = name.removeprefix(f"{DONE}/")
        if short == MOVES and kind is Kind.FILE:
            moves = list(moves_in(gate, name))
        elif kind in (Kind.FILE, Kind.FOLDER) and is_written(short, folder=kind is Kind.FOLDER):
            (folders if kind is Kind.FOLDER else files).add(short)
        else:
            said = (
                f"no run leaves this here; nothing of {DONE} is put in place: remove it, or ask whose it is"
            )
            raise Faulty([problem(match / name, said)])
    return UnfinishedRun(match, DONE, tuple(moves), frozenset(files), frozenset(folders))


def below(gate: Gate, folder: str) -> Iterator[tuple[str, Kind]]:
    """Everything below a folder, each folder before its contents; what disappears meanwhile is left out."""
    for name in gate.names(folder):
        path = f"{folder}/{name}"
        kind = gate.kind(path)
        if kind is not Kind.NOTHING:
            yield path, kind
        if kind is Kind.FOLDER:
            yield from below(gate, path)


def moves_in(gate: Gate, name: str) -> Iterator[tuple[str, str]]:
    """The moves in a list. Raises Faulty for one that no `undo` makes."""
    for count, line in enumerate(gate.read(name).decode(errors="replace").splitlines(), start=1):
        old, _, new = line.partition("\t")
        if not is_taken_back(old, new):
            said = f"line {count}: no run moves {old!a} to {new!a}; nothing is put in place"
            raise Faulty([problem(gate.top / name, said)])
        yield old, new


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
    unfinished = unfinished_run_of(match, files, moves)
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
