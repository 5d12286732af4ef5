"""The files of a match on disk, together with what a run is about to add."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.folder import commit
from adjudicator.engine.folder.commit import UnfinishedRun, unfinished_run_in
from adjudicator.engine.folder.errors import Busy, Faulty, problem
from adjudicator.engine.folder.gate import Gate, Kind
from adjudicator.engine.text.source import MOST_BYTES


def digest_of(text: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    return hashlib.sha256(text).hexdigest()


class SteadyReading:
    """A `with` block that reads a match, which no run may change meanwhile: what is faulty in it only because one does
    is told so.
    """

    def __init__(self, path: Path, gate: Gate) -> None:
        self.path, self.gate = path, gate
        try:
            self.before = self._names_now()
        except Faulty as faulty:
            if self._still(faulty):
                raise
            raise self._busy() from None

    @property
    def unfinished(self) -> UnfinishedRun | None:
        """What a run has left to be put in place."""
        return self.before[0]

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, raised: object, traceback: object) -> None:
        if isinstance(raised, Faulty) and not isinstance(raised, Busy) and not self._same():
            raise self._busy() from None

    def _names_now(self) -> tuple[UnfinishedRun | None, list[str]]:
        """What is to be put in place, and the names that lie in the match."""
        return unfinished_run_in(self.gate), self.gate.names()

    def _same(self) -> bool:
        try:
            return self._names_now() == self.before
        except Faulty:
            return False

    def _still(self, faulty: Faulty) -> bool:
        try:
            self._names_now()
        except Faulty as again:
            return again.problems == faulty.problems
        return False

    def _busy(self) -> Busy:
        return Busy([problem(self.path, "a run is at work on this match; try again when it has ended")])


class FileSent(Struct, frozen=True):
    """A file that came in: its SHA-256 and its bytes; of a file too long for a sheet, one byte more than a sheet may
    have.
    """

    text: bytes
    digest: str

    @classmethod
    def of(cls, text: bytes) -> FileSent:
        """A file with the given bytes."""
        return cls(text[: MOST_BYTES + 1], digest_of(text))


class Files:
    """The files in a match's folder, by name relative to the match.

    `fresh` are files to be written. Reads look there first, then in what a killed run left to be put in place. If
    something is missing because a run is putting its results in place meanwhile, they raise Busy. The files that lie in
    no phase's folder, such as the ledger, are read once.
    """

    def __init__(self, path: Path, gate: Gate | None = None) -> None:
        self.path = path
        self.fresh: dict[str, bytes] = {}
        self.gate = gate or Gate(path)
        self.steady = SteadyReading(path, self.gate)
        self.unfinished = self.steady.unfinished
        self._filed: dict[str, FileSent] = {}
        self._at_top: dict[str, bytes] = {}

    def read(self, name: str, missing: str = "this file of the match is missing") -> bytes:
        """The bytes of a file. Raises Faulty."""
        if name in self.fresh or name in self._at_top:
            return self.fresh[name] if name in self.fresh else self._at_top[name]
        with self.steady:
            if (place := self._place(name)) is None:
                raise Faulty([problem(self.path / name, missing)])
            text = self.gate.read(place, missing)
        if "/" not in name:
            self._at_top[name] = text
        return text

    def has(self, name: str) -> bool:
        """Does a file or folder of that name exist? Raises Faulty for a link and the like."""
        if name in self.fresh or any(key.startswith(f"{name}/") for key in self.fresh):
            return True
        return self.checked_kind(name) is not Kind.NOTHING

    def checked_kind(self, name: str) -> Kind:
        """What that name is on the disk. Raises Faulty for a link and the like."""
        with self.steady:
            place = self._place(name)
            return Kind.NOTHING if place is None else self.gate.checked_kind(place)

    def kind(self, name: str) -> Kind:
        """What that name is on the disk. Raises Faulty unless the way to it goes through folders only."""
        with self.steady:
            place = self._place(name)
            return Kind.NOTHING if place is None else self.gate.kind(place)

    def names(self, folder: str = "") -> list[str]:
        """The names of everything in a folder on the disk, sorted; none if it doesn't exist. Raises Faulty."""
        found = self.gate.names(folder)
        if self.unfinished is None:
            return found
        top = f"{folder}/" if folder else ""
        return sorted({*(n for n in found if self._place(top + n)), *self.unfinished.names(folder)})

    def below(self, folder: str = "", *, without: Callable[[str], bool]) -> Iterator[str]:
        """Everything below a folder on the disk that isn't a folder itself, except `without`. Raises Faulty, also for a
        link and the like.
        """
        for name in self.names(folder):
            path = f"{folder}/{name}" if folder else name
            if without(path):
                continue
            if self.checked_kind(path) is Kind.FOLDER:
                yield from self.below(path, without=without)
            else:
                yield path

    def _place(self, name: str) -> str | None:
        return name if self.unfinished is None else self.unfinished.place(name)

    def file_sent(self, name: str) -> FileSent:
        """A file that a player sent, read once, whatever happens to it later; a long one isn't kept whole. Raises
        Faulty.
        """
        if name in self.fresh:
            return FileSent.of(self.fresh[name])
        if name not in self._filed:
            self._filed[name] = FileSent.of(self.read(name))
        return self._filed[name]

    def add(self, name: str, text: bytes) -> None:
        """Adds a file to be written, by its name in the match."""
        self.fresh[name] = text
        self._filed.pop(name, None)

    def commit(self, moves: list[tuple[str, str]] | None = None) -> None:
        """Writes everything that was added. Raises Faulty, and then nothing was written."""
        commit.commit(self.path, self.fresh, moves or ())
        self.fresh, self._at_top = {}, {}

    def put_referee(self, text: bytes) -> None:
        """Writes `referee.yaml` again (`commit.put_referee`). Raises Faulty."""
        commit.put_referee(self.path, text)
        self._at_top = {}
