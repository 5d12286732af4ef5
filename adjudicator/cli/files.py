"""Files that commands read: their bytes, or in a line what is the matter with them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudicator.engine.text.problem import Problem

STANDING_INPUT = "-"
MOST_READ = 16 * 2**20
"""Bytes: more isn't read of any file."""


def content(name: str, most: int = MOST_READ) -> bytes | Problem:
    """The bytes of a file (`-`: of standard input), one more than `most` of a longer one; or why not."""
    try:
        if name == STANDING_INPUT:
            return sys.stdin.buffer.read(most + 1)
        with Path(name).open("rb") as file:
            return file.read(most + 1)
    except FileNotFoundError:
        return unreadable(name, "there is no such file")
    except IsADirectoryError:
        return unreadable(name, "this is a folder; name a file in it")
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        return unreadable(name, f"can't be read ({getattr(error, 'strerror', None) or error})")


def unreadable(name: str, text: str) -> Problem:
    """A problem of a file as a whole."""
    from adjudicator.engine.text.problem import Problem

    return Problem(name, 0, 0, "FILE", text)
