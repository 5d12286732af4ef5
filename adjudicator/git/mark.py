"""The mark by which the referee knows that nobody else has written into a match's folder in `main`.

On many hosts everybody who may push may write `main`. The mark is an HMAC, under a key that only the referee has, of
all other files of the folder and of the mark before: the next job notices if anybody has written there without it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from msgspec import Struct

from adjudicator.git.layout import MARK

_DIGITS = 64


def mark_of(marking: bytes, match: str, files: Mapping[str, str], before: str) -> str:
    """The mark of a match's folder: `files` are the numbers of its files' contents, as git has them."""
    lines = [f"{number} {name!a}" for name, number in sorted(files.items()) if name != MARK]
    text = "\n".join(("adjudicator mark", match, before, *lines))
    return hmac.digest(marking, text.encode(), "sha256").hex()


def mark_under_old_key(marking: bytes, mark: str) -> str:
    """The referee's word, under the old key for marks, that a mark under a new key is the referee's too."""
    return hmac.digest(marking, f"adjudicator handed over\n{mark}".encode(), "sha256").hex()


class Marks(Struct, frozen=True):
    """The file `mark`: the mark, the one before it, and when the referee's key was changed, `handed_over`."""

    mark: str = ""
    before: str = ""
    handed_over: str = ""

    def text(self) -> bytes:
        """The bytes of the file."""
        return "".join(f"{line}\n" for line in (self.mark, self.before, self.handed_over)).encode()


def marks_in(text: bytes) -> Marks:
    """What a file of marks says; nothing if the text is no such file."""
    lines = text.decode("ascii", "replace").split("\n")
    return Marks(*lines[:3]) if len(lines) == 4 and len(lines[0]) == _DIGITS else Marks()


def number_of(data: bytes, like: str) -> str:
    """The number that git gives to a file with these bytes, in a repository with numbers `like` this one."""
    whole = b"blob %d\0" % len(data) + data
    return (hashlib.sha256 if len(like) == _DIGITS else hashlib.sha1)(
        whole, usedforsecurity=False
    ).hexdigest()
