"""The changes of the disk of which runs are made, and what makes sure that they are there after a power cut.

All that a run changes goes through here, so that a test can stop it, or forget what wasn't made sure of, at any point.
A written file is there after a cut only when it has been synced, and a name (new, moved or gone) when its folder has.
Where a system can't sync folders (Windows), it alone answers for the order of names.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_CANT = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM)
"""What file systems say that have no way to sync a folder."""


def write(path: Path, text: bytes, mode: int = 0o666) -> None:
    """Writes a new file; one that is there already is an OSError, so that nothing is written through a link.

    Of one that can't be written whole, as on a full disk, nothing is left, and the OSError names it.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, mode)
    try:
        try:
            left = memoryview(text)
            while left:
                left = left[os.write(descriptor, left) :]
            _begin_to_send(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def _begin_to_send(descriptor: int) -> None:
    """Asks the system to send a file to the disk, without waiting: all that a run writes then goes there together, and
    `sync` waits for it once, not file by file."""
    if sys.platform == "linux":
        with suppress(OSError):  # advice alone: `sync` does without it
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def mkdir(path: Path, mode: int = 0o777) -> None:
    """Makes a folder; one that is there already is an OSError."""
    path.mkdir(mode)


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
    """Makes sure of what was written to files, or of the names in folders."""
    every = list(dict.fromkeys(paths))
    for path in every:
        sync_one(path)
    for path in every[-1:]:
        _empty_the_drive(path)


def sync_one(path: Path) -> None:
    """Sends one file or folder to the drive."""
    windows = sys.platform == "win32"
    if windows and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if windows else os.O_RDONLY)  # Windows syncs no other
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANT or not path.is_dir():
            raise
    finally:
        os.close(descriptor)


def _empty_the_drive(path: Path) -> None:
    """On a Mac `fsync` leaves all in the drive's own memory, until the drive is told to empty it."""
    if sys.platform == "darwin":
        from fcntl import F_FULLFSYNC, fcntl

        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl(descriptor, F_FULLFSYNC)
        except OSError:  # a share on the network has no such thing
            pass
        finally:
            os.close(descriptor)
