"""A folder in which something is made whole before it is renamed to its place: `new`'s match, the results of `resolve`.

It is marked, so that we recognise what a killed command left, and never remove anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.gate import Kind, NotPlain, kind_of, read_plain

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
    disk.mkdir(where, 0o700)
    try:
        disk.write(where / MARK, MARKED)
        disk.sync([where / MARK, where, where.parent])  # mark it as ours before making anything
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
            disk.rmtree(where / MADE)
            disk.sync([where])
        if kind_of(where / MARK) is not Kind.NOTHING:
            disk.unlink(where / MARK)
        disk.rmdir(where)
    except OSError:
        pass
