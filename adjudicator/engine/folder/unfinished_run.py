"""What a killed run left to be put in place: checked before it is trusted, and read as if it were in place.

Commands that only read never finish it: the folder may be a stranger's, or one that they can't write to. They show the
match as the run left it, which is the same at each step of finishing: they read from `.run` what still lies there, and
treat what is to be moved away as gone. Commands that write finish it first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.gate import Gate, Kind
from adjudicator.engine.folder.names import FOR, is_taken_back, is_written

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


def unfinished_run_of(
    match: Path, stage: str, names: Iterable[str], moves: Iterable[tuple[str, str]]
) -> UnfinishedRun:
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
    return UnfinishedRun(match, stage, tuple(moves), frozenset(files), frozenset(folders))


def unfinished_run_in(gate: Gate, stage: str = DONE) -> UnfinishedRun | None:
    """The unfinished run in a match; usually None. Raises Faulty for anything that no run leaves."""
    match = gate.top
    if not gate.has(stage):
        return None
    if gate.kind(stage) is not Kind.FOLDER:
        raise Faulty([problem(match / stage, "this is a file, but should be a folder")])
    files, folders = set[str](), set[str]()
    moves: list[tuple[str, str]] = []
    for name, kind in below(gate, stage):
        short = name.removeprefix(f"{stage}/")
        if short == MOVES and kind is Kind.FILE:
            moves = list(moves_in(gate, name))
        elif kind in (Kind.FILE, Kind.FOLDER) and is_written(short, folder=kind is Kind.FOLDER):
            (folders if kind is Kind.FOLDER else files).add(short)
        else:
            said = (
                f"no run leaves this here; nothing of {stage} is put in place: remove it, or ask whose it is"
            )
            raise Faulty([problem(match / name, said)])
    return UnfinishedRun(match, stage, tuple(moves), frozenset(files), frozenset(folders))


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
