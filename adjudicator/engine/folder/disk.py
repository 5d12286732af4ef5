"""The changes to the disk that runs make, and the syncs that keep them through a power cut.

Every change that a run makes goes through here, so that a test can stop it at any point, or lose what wasn't synced. A
written file survives a power cut only when it has been synced, and a name (new, moved or gone) only when its folder has
been. Where a system can't sync folders (Windows), the order of names is up to the system.

A folder in which something is made whole before it is renamed to its place: `new`'s match, the results of `resolve`.

It is marked, so that we recognise what a killed command left, and never remove anything else.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.gate import Kind, NotPlain, kind_of, read_plain

_CANT = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM)
"""The errors of file systems that can't sync a folder."""
MANY = 8
"""The most files that are synced at once: a journal writes them in one go, while each alone would wait for its own
turn."""


def write(path: Path, text: bytes, mode: int = 0o666) -> None:
    """Writes a new file. An existing file is an OSError, so that nothing is written through a link.

    If it can't be written whole, as on a full disk, nothing of it is left, and the OSError names it.
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
    """Asks the system to start writing a file to the disk, without waiting. So all of a run's files are written
    together, and `sync` waits once, not file by file.
    """
    if sys.platform == "linux":
        with suppress(OSError):  # only a hint: `sync` works without it
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def mkdir(path: Path, mode: int = 0o777) -> None:
    """Makes a folder; an existing folder is an OSError."""
    path.mkdir(mode)


def rename(old: Path, new: Path) -> None:
    """Renames to a free name, or to a file's, which is replaced."""
    old.replace(new)


def unlink(path: Path) -> None:
    """Removes a file."""
    path.unlink()


def rmdir(path: Path) -> None:
    """Removes an empty folder."""
    path.rmdir()


def rmtree(path: Path) -> None:
    """Removes a folder with everything in it; a link in it goes, and its target stays."""
    shutil.rmtree(path)


def sync(paths: Iterable[Path]) -> None:
    """Syncs what was written to files, or the names in folders: in any order, and many together."""
    every = list(dict.fromkeys(paths))
    if len(every) < MANY:
        for path in every:
            sync_one(path)
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(MANY) as threads:
            list(threads.map(sync_one, every))  # which raises the first error
    for path in every[-1:]:
        _empty_the_drive(path)


def sync_one(path: Path) -> None:
    """Syncs one file or folder."""
    windows = sys.platform == "win32"
    if windows and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if windows else os.O_RDONLY)  # Windows syncs only writable files
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANT or not path.is_dir():
            raise
    finally:
        os.close(descriptor)


def _empty_the_drive(path: Path) -> None:
    """Asks a Mac's drive to empty its own memory, where `fsync` leaves everything."""
    if sys.platform == "darwin":
        from fcntl import F_FULLFSYNC, fcntl

        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl(descriptor, F_FULLFSYNC)
        except OSError:  # a network share can't be flushed this way
            pass
        finally:
            os.close(descriptor)


MARK = "adjudicator.txt"
MARKED = (
    b"Something is being made here by adjudicator. If no command is at work, this folder can be removed.\n"
)
MADE = "made"


@contextmanager
def staging(where: Path) -> Iterator[Path]:
    """The path of something to be made, in a new folder that is removed afterwards. Nothing is at the path yet.

    Raises Faulty if something there wasn't left by a killed command; OSError.
    """
    if kind_of(where) is not Kind.NOTHING:
        if not is_ours(where):
            said = "this is in the way, and this program didn't make it: rename or remove it"
            raise Faulty([problem(where, said)])
        clear(where)
    mkdir(where, 0o700)
    try:
        write(where / MARK, MARKED)
        sync([where / MARK, where, where.parent])  # mark it as ours before making anything
        yield where / MADE
    finally:
        clear(where)


def is_ours(where: Path) -> bool:
    """Was the folder made by `staging`? It is marked, or still empty before its mark is written."""
    if kind_of(where) is not Kind.FOLDER:
        return False
    there = {item.name for item in where.iterdir()}
    if MARK not in there:
        return not there
    try:
        # A mark cut short while it was written has at most its beginning.
        return there <= {MARK, MADE} and MARKED.startswith(read_plain(where / MARK, len(MARKED)))
    except (NotPlain, OSError):
        return False


def clear(where: Path) -> None:
    """Removes the folder, its mark just before the folder itself; what can't be removed stays."""
    try:
        if kind_of(where / MADE) is Kind.FOLDER:
            rmtree(where / MADE)
            sync([where])
        if kind_of(where / MARK) is not Kind.NOTHING:
            unlink(where / MARK)
        rmdir(where)
    except OSError:
        pass
