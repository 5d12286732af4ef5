"""The files of a match on disk, together with what a run is about to add."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.folder import commit
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.gate import Gate, Kind
from adjudicator.engine.folder.unfinished_run import unfinished_run_in
from adjudicator.engine.text.source import MOST_BYTES


def digest_of(text: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    return hashlib.sha256(text).hexdigest()


class Filed(Struct, frozen=True):
    """A file that came in: its SHA-256 and its bytes, at most one more than a sheet may have."""

    text: bytes
    digest: str

    @classmethod
    def of(cls, text: bytes) -> Filed:
        """A file with these bytes."""
        return cls(text[: MOST_BYTES + 1], digest_of(text))


class Files:
    """The files in a match's folder, by name relative to the match.

    `fresh` are files to be written. Reads look there first, then in what a killed run left to be put in place.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fresh: dict[str, bytes] = {}
        self.gate, self.unfinished = Gate(path), unfinished_run_in(path)
        self._filed: dict[str, Filed] = {}

    def read(self, name: str, missing: str = "this file of the match is missing") -> bytes:
        """The bytes of a file. Raises Faulty."""
        if name in self.fresh:
            return self.fresh[name]
        if (place := self._place(name)) is None:
            raise Faulty([problem(self.path / name, missing)])
        return self.gate.read(place, missing)

    def has(self, name: str) -> bool:
        """Does a file or folder of that name exist? Raises Faulty for a link and the like."""
        if name in self.fresh or any(key.startswith(f"{name}/") for key in self.fresh):
            return True
        return self.sound(name) is not Kind.NOTHING

    def sound(self, name: str) -> Kind:
        """What that name is on the disk. Raises Faulty for a link and the like."""
        place = self._place(name)
        return Kind.NOTHING if place is None else self.gate.sound(place)

    def kind(self, name: str) -> Kind:
        """What that name is on the disk. Raises Faulty unless the way to it goes through folders only."""
        place = self._place(name)
        return Kind.NOTHING if place is None else self.gate.kind(place)

    def names(self, folder: str = "") -> list[str]:
        """The names of everything in a folder on the disk, sorted; none if it doesn't exist. Raises Faulty."""
        found = self.gate.names(folder)
        if self.unfinished is None:
            return found
        top = f"{folder}/" if folder else ""
        return sorted({*(n for n in found if self._place(top + n)), *self.unfinished.names(folder)})

    def _place(self, name: str) -> str | None:
        return name if self.unfinished is None else self.unfinished.place(name)

    def filed(self, name: str) -> Filed:
        """A file that a player sent, read once, whatever happens to it later; a long one isn't kept whole. Raises
        Faulty.
        """
        if name in self.fresh:
            return Filed.of(self.fresh[name])
        if name not in self._filed:
            self._filed[name] = Filed.of(self.read(name))
        return self._filed[name]

    def add(self, name: str, text: bytes) -> None:
        """Adds a file to be written, by its name in the match."""
        self.fresh[name] = text
        self._filed.pop(name, None)

    def commit(self, moves: list[tuple[str, str]] | None = None) -> None:
        """Writes everything that was added. Raises Faulty, and then nothing was written."""
        commit.commit(self.path, self.fresh, moves or ())
        self.fresh = {}
