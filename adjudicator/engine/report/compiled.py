"""Templates compiled by earlier commands, kept in a place where only the user can write.

Whatever is read there is run, so it is trusted only if nobody else can have put it there: in a folder of the user's own
that others can't write to, on the user's own disk. Each entry has a checksum over program, Jinja, Python, template and
its text; damaged entries and those of another version are made again.
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
"""Rises when templates are compiled differently: with other filters, or other options."""
DIGEST = hashlib.sha256().digest_size
OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""The permission bits that let others than the owner write."""


def compiled_before() -> BytecodeCache | None:
    """The cache; None if there is no private place for it: templates are then compiled each time."""
    try:
        place = caches() / "adjudicator"
        for folder in (place, place / "templates"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not private(folder, stat.S_ISDIR):
                return None
    except (OSError, RuntimeError):  # RuntimeError: the user's home is unknown
        return None
    return Compiled(place / "templates")


def caches() -> Path:
    """Where this system keeps users' caches."""
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home() / ".cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".cache"  # noqa: PTH117  as the name is given


def private(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Is it of that kind (no link), owned by the user, and writable by nobody else? Raises OSError."""
    found = os.lstat(path)
    if not is_kind(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: a user's local data belong to that user
        return True
    return found.st_uid == os.getuid() and not found.st_mode & OTHERS


class Compiled(BytecodeCache):
    """Compiled templates, one file each. Templates whose file can't be read or written are compiled each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fills the bucket if there is an entry that is ours and undamaged."""
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
        """Keeps a compiled template; its file appears whole."""
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
    """The SHA-256 of a compiled template and of everything it was compiled from and with."""
    versions = (__version__, ENVIRONMENT, jinja2.__version__, sys.version, bucket.key, bucket.checksum)
    return hashlib.sha256("\n".join(versions).encode() + b"\n" + code).digest()
