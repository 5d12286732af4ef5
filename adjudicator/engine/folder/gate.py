"""The gate through which all of a match is read: only plain files and folders, following no link and waiting for
nothing.

A match may come from anybody: from a zip, a clone, a pull request. A link in it could lead to any of the reader's own
files, and a FIFO or a device would make a command wait for ever. Both are refused by name. The match folder itself may
be reached by a link: that is the reader's own choice.
"""

from __future__ import annotations

import os
import re
import stat
from enum import Enum
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, problem

MOST_READ = 16 * 2**20
"""Bytes. No file of a match is nearly as large; a larger one isn't read."""
AT_LEAST = 2**16
"""How many bytes are read at once."""
JUNCTION = 0xA0000003
"""The reparse tag of Windows' other kind of link to a folder."""
_BETWEEN = re.compile(r"[/\\]")
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Some systems lack some of these flags; so the kind of file is checked before it is opened, too."""


class Kind(Enum):
    """What a name stands for on the disk."""

    NOTHING = ""
    FILE = "a file"
    FOLDER = "a folder"
    LINK = "a link"
    OTHER = "neither a file nor a folder"


class NotPlain(Exception):
    """Not a plain file. The text is a sentence that says so about `this`."""


def kind_of(path: Path | str) -> Kind:
    """What lies at a path; a link in its last part isn't followed. Raises OSError."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL byte in the name
        return Kind.NOTHING
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == JUNCTION:
        return Kind.LINK
    if stat.S_ISDIR(found.st_mode):
        return Kind.FOLDER
    return Kind.FILE if stat.S_ISREG(found.st_mode) else Kind.OTHER


def read_plain(path: Path | str, most: int = MOST_READ, *, kind: Kind | None = None) -> bytes:
    """The bytes of a plain file; of a file longer than `most`, the first `most` + 1.

    `kind` is what was seen there, if known. Raises NotPlain and OSError.
    """
    kind = kind_of(path) if kind is None else kind
    if kind not in (Kind.FILE, Kind.NOTHING):  # merely opening a device may make it act
        raise NotPlain(why_unreadable(kind))
    descriptor = os.open(path, _FLAGS)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise NotPlain(why_unreadable(Kind.OTHER))
        # We don't allocate `most`, far more than most files have; a growing file may report size 0.
        text, size = b"", max(found.st_size + 1, AT_LEAST)
        while len(text) <= most and (more := os.read(descriptor, min(size, most + 1 - len(text)))):
            text += more
        return text
    finally:
        os.close(descriptor)


def why_unreadable(kind: Kind) -> str:
    """Why something can't be read."""
    if kind is Kind.LINK:
        return "this is a link, and links aren't followed here"
    return f"this is {kind.value}" + ("" if kind is Kind.FOLDER else ", and isn't read")


class Gate:
    """One folder that nothing leads out of; names are relative to it, with `/` between their parts.

    A folder below it, once checked, isn't checked again.
    """

    def __init__(self, top: Path) -> None:
        self.top, self._top = top, str(top)
        self._folders: set[str] = set()

    def kind(self, name: str) -> Kind:
        """The kind of what lies at a name in the match. The last part of the name may be a link, the way to it may not.

        Raises Faulty, also if the name leads out of the match.
        """
        if ".." in name and ".." in _BETWEEN.split(name):
            raise self._faulty("", f"a file of this match names {name!a}, which isn't in the match")
        try:
            name = name.rstrip("/")  # `lstat` of `link/` would follow it
            if (home := name.rpartition("/")[0]) and home not in self._folders and not self._is_way(home):
                return Kind.NOTHING
            return kind_of(f"{self._top}/{name}" if name else self._top)
        except OSError as error:
            raise self._faulty(name, _why_unread(error)) from None

    def _is_way(self, name: str) -> bool:
        """Is the name a folder, with nothing but folders above it? Raises Faulty for a link, OSError."""
        parts = name.split("/")
        for end in range(1, len(parts) + 1):
            folder = "/".join(parts[:end])
            kind = kind_of(f"{self._top}/{folder}")
            if kind in (Kind.LINK, Kind.OTHER):
                raise self._faulty(folder, why_unreadable(kind))
            if kind is not Kind.FOLDER:
                return False
            self._folders.add(folder)
        return True

    def has(self, name: str) -> bool:
        """Does a file or folder of that name exist? Raises Faulty for anything else of that name."""
        return self.checked_kind(name) is not Kind.NOTHING

    def checked_kind(self, name: str) -> Kind:
        """A file, a folder, or nothing. Raises Faulty for anything else of that name."""
        kind = self.kind(name)
        if kind in (Kind.LINK, Kind.OTHER):
            raise self._faulty(name, why_unreadable(kind))
        return kind

    def read(self, name: str, missing: str = "this file of the match is missing") -> bytes:
        """The bytes of a file. Raises Faulty."""
        if (kind := self.kind(name)) is Kind.NOTHING:
            raise self._faulty(name, missing)
        try:
            text = read_plain(f"{self._top}/{name}", kind=kind)
        except NotPlain as odd:
            raise self._faulty(name, str(odd)) from None
        except OSError as error:
            raise self._faulty(name, _why_unread(error)) from None
        if len(text) > MOST_READ:
            most = f"more than {MOST_READ >> 20} MiB"
            raise self._faulty(name, f"this is larger than any file of a match: {most}")
        return text

    def names(self, folder: str = "") -> list[str]:
        """The names of everything in a folder, sorted; none if it doesn't exist. Raises Faulty."""
        if folder and self.kind(folder) is not Kind.FOLDER:
            self.has(folder)
            return []
        try:
            return sorted(item.name for item in (self.top / folder).iterdir())
        except OSError as error:
            raise self._faulty(folder, _why_unread(error)) from None

    def _faulty(self, name: str, said: str) -> Faulty:
        return Faulty([problem(self.top / name, said)])


def _why_unread(error: OSError) -> str:
    return f"can't be read ({error.strerror})"


def home_of(path: Path) -> Path | None:
    """The match or clone that a file lies in: the nearest such folder above it; None if there is none."""
    for folder in path.parents:
        if os.path.lexists(folder / "match.yaml") or os.path.lexists(folder / ".git"):
            return folder
    return None


def read_named(path: Path, most: int = MOST_READ) -> bytes:
    """The bytes of a file that a user names; of a file longer than `most`, the first `most` + 1. Raises NotPlain,
    OSError, Faulty.

    In a match or a clone, which may be a stranger's, no part of the way to the file may be a link either.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100  `..` is taken away, and links stay
    if (home := home_of(path)) is not None:
        Gate(home).kind(path.relative_to(home).as_posix())
    return read_plain(path, most)
