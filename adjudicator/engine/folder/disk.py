"""The changes of the disk of which runs are made, and what makes sure that they are there after a power cut.

All that a run changes goes through here, so that a test can stop it, or forget what wasn't made sure of, at any point.
A written file is there after a cut only when it has been synced, and a name (new, moved or gone) when its folder has.
Where a system can't sync folders (Windows), it alone answers for the order of names.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 8
"""Syncs under way: a disk that is given several at once does them together, in a fraction of the time."""
_CANT = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM)
"""What file systems say that have no way to sync a folder."""


def write(path: Path, text: bytes, mode: int = 0o666) -> None:
    """Writes a new file; one that is there already is an OSError, so that nothing is written through a link.

    Of one that can't be written whole, as on a full disk, nothing is left, and the OSError names it.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def mkdir(path: Path) -> None:
    """Makes a folder; one that is there already is an OSError."""
    path.mkdir()


def rename(old: Path, new: Path) -> None:
    """Renames to a name that is free, or a file's, which is replaced."""
    old.replace(new)


def unlink(path: Path) -> None:
    """Removes a file."""
    path.unlink()


def rmdir(path: Path) -> None:
    """Removes an empty folder."""
    path.rmdir()


def rmtree(path: Path) -> None:
    """Removes a folder with all that is in it; a link in it goes, and what it leads to stays."""
    shutil.rmtree(path)


def sync(paths: Iterable[Path]) -> None:
    """Makes sure of what was written to files, or of the names in folders, several at once."""
    every = list(dict.fromkeys(paths))
    shares = [every[first::AT_ONCE] for first in range(min(AT_ONCE, len(every)))]
    if len(shares) < 2:
        _sync_all(every)
        return
    begun = [_pool().submit(_sync_all, share) for share in shares]
    for error in [each.exception() for each in begun]:  # all have ended before anything is said
        if error is not None:
            raise error


@cache
def _pool() -> ThreadPoolExecutor:
    """Those who sync: begun once in a process, since that costs more than a sync takes of the processor."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(AT_ONCE)


def _sync_all(paths: Iterable[Path]) -> None:
    for path in paths:
        sync_one(path)


def sync_one(path: Path) -> None:
    """Makes sure of one file or folder."""
    folder = path.is_dir()
    if folder and os.name == "nt":
        return
    # A file is opened for writing: Windows syncs no other.
    descriptor = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    try:
        flush(descriptor)
    except OSError as error:
        if not folder or error.errno not in _CANT:
            raise
    finally:
        os.close(descriptor)


def flush(descriptor: int) -> None:
    """Sends what is open to the disk itself: on a Mac `fsync` alone leaves it in the drive's own memory."""
    try:
        from fcntl import F_FULLFSYNC, fcntl  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        os.fsync(descriptor)
        return
    try:
        fcntl(descriptor, F_FULLFSYNC)
    except OSError:  # a share on the network has no such thing
        os.fsync(descriptor)
