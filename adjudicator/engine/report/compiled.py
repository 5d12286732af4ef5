"""Templates compiled by earlier commands, in a place that nobody but the user can write to.

What is read there is run, so it is believed only where nobody else can have put it: in a folder of the user's own that
others can't write to, on the user's own disk. Each entry bears a checksum bound to program, Jinja, Python, template and
its text; one that was damaged, or is of another version, is made anew.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from adjudicator import __version__

ENVIRONMENT = "2"
"""Rises when templates are compiled otherwise than before: with other filters, or other options."""
DIGEST = hashlib.sha256().digest_size
OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""The modes by which others than the owner may write."""


def compiled_before() -> BytecodeCache | None:
    """The cache; None where there is no private place for it: templates are compiled anew then."""
    try:
        place = caches() / "adjudicator"
        for folder in (place, place / "templates"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not private(folder, stat.S_ISDIR):
                return None
    except (OSError, RuntimeError):  # RuntimeError: nobody knows the user's home
        return None
    return Compiled(place / "templates")


def caches() -> Path:
    """Where this system has its users' caches."""
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home() / ".cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".cache"  # noqa: PTH117  as the name is given


def private(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Is it of that kind (no link), the user's own, and nobody else's to write to? Raises OSError."""
    found = os.lstat(path)
    if not is_kind(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: a user's local data are that user's
        return True
    return found.st_uid == os.getuid() and not found.st_mode & OTHERS


class Compiled(BytecodeCache):
    """Compiled templates, a file each. What can't be read or written is compiled anew, every time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fills the bucket if there is an entry that is ours and whole."""
        path = self._path(bucket)
        try:
            if not private(path, stat.S_ISREG):
                return
            entry = path.read_bytes()
        except OSError:
            return
        digest, code = entry[:DIGEST], entry[DIGEST:]
        if digest == digest_of(bucket, code):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps what was compiled; the entry appears whole."""
        code, path = bucket.bytecode_to_string(), self._path(bucket)
        fresh = path.with_suffix(f".{os.getpid()}")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(fresh, flags, 0o600), "wb") as file:
                file.write(digest_of(bucket, code) + code)
            fresh.replace(path)
        except OSError:
            return

    def _path(self, bucket: Bucket) -> Path:
        return self.folder / f"{bucket.key}.jinja"


def digest_of(bucket: Bucket, code: bytes) -> bytes:
    """The SHA-256 of a compiled template and all that it was compiled from and by."""
    versions = (__version__, ENVIRONMENT, jinja2.__version__, sys.version, bucket.key, bucket.checksum)
    return hashlib.sha256("\n".join(versions).encode() + b"\n" + code).digest()
