"""Where each file of a match lies in `main`, below the match's folder: as it is, or in a sealed archive.

```
match.yaml  keys.yaml  open  mark            as they are; `mark` shows the referee that nobody else has written here
pages/...                                    what stands in all pages, and is left out of archives
<phase>/public/...   <phase>/beacon.yaml     what everybody gets of a phase
closed/<phase>.yaml                          what was in when a phase was closed
<phase>/<player>.age   reply/<player>.age    sealed to that player, and to the referee
referee/now.age                              the seed, the ledger, the open phase
referee/<phase>.age    referee/undone-0001.age   phases that are over, and those that were taken back
whole/...                                    once the match is over: all of it, for anybody to verify
```

The mark by which the referee knows that nobody else has written into a match's folder in `main`.

On many hosts everybody who may push may write `main`. The mark is an HMAC, under a key that only the referee has, of
all other files of the folder and of the mark before: the next job notices if anybody has written there without it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping

from msgspec import Struct

from adjudicator.engine.folder.names import (
    BEACON,
    CARD,
    CLOSED,
    FOR,
    KEYS,
    LEDGER,
    NOTE,
    PUBLIC,
    REFEREE,
    UNDONE,
    head_of,
    is_written,
)

MARK, OPEN_NOW = "mark", "open"
REPLY, WHOLE, PAGES = "reply", "whole", "pages"
NOW = "referee/now.age"
AGE = ".age"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""The name of a match's folder in a repository: it stands in branches' names too."""
_OURS = re.compile(r"[^\W_][^/\\:\x00-\x1f]*")
_OF_A_GM = (REFEREE, LEDGER, ".gitignore", ".gitattributes")


class Place(Struct, frozen=True):
    """A file in `main`; sealed to the referee, and if it has a `reader`, to that player."""

    file: str
    sealed: bool = False
    reader: str = ""
    phase: str = ""


def place_of(name: str, open_phase: str) -> Place | None:
    """Where a file of a match lies in `main`; None for one that doesn't belong to the match."""
    parts = name.split("/")
    if name in (CARD, KEYS):
        return Place(name)
    if name in _OF_A_GM:
        return Place(NOW, sealed=True)
    if parts[0] == REPLY and len(parts) == 2 and name.endswith(".yaml") and _OURS.fullmatch(parts[1]):
        player = parts[1].removesuffix(".yaml")
        return Place(f"{REPLY}/{player}{AGE}", sealed=True, reader=player)
    if parts[0] == UNDONE and len(parts) > 2 and re.fullmatch(r"[0-9]{4,}", parts[1]):
        within = "/".join(parts[2:])
        return Place(f"referee/{UNDONE}-{parts[1]}{AGE}", sealed=True) if _is_of_a_phase(within) else None
    if head_of(parts[0]) is None or not _is_of_a_phase(name):
        return None
    phase = parts[0]
    if name == f"{phase}/{CLOSED}":
        return Place(f"closed/{phase}.yaml")
    if name == f"{phase}/{BEACON}":
        return Place(name)
    if parts[1] == FOR and parts[2] == PUBLIC:
        return Place("/".join([phase, PUBLIC, *parts[3:]]))
    if parts[1] == FOR:
        return Place(f"{phase}/{parts[2]}{AGE}", sealed=True, reader=parts[2], phase=phase)
    return Place(NOW if phase == open_phase else f"referee/{phase}{AGE}", sealed=True)


def _is_of_a_phase(name: str) -> bool:
    return is_written(name) or (name.count("/") == 1 and name.endswith(f"/{NOTE}"))


def plain_name(file: str) -> str:
    """The name in the match of a file that lies in `main` as it is; empty if it is no such file."""
    parts = file.split("/")
    if len(parts) == 2 and parts[0] == "closed" and file.endswith(".yaml"):
        return f"{parts[1].removesuffix('.yaml')}/{CLOSED}"
    if len(parts) == 3 and parts[1] == PUBLIC:
        return f"{parts[0]}/{FOR}/{PUBLIC}/{parts[2]}"
    return file if file in (CARD, KEYS) or file.endswith(f"/{BEACON}") else ""


def is_open_beside(name: str, file: str) -> bool:
    """May lines of a file in `main` be left out of an archive, since whoever has the one has the other?"""
    return name.startswith((f"{PAGES}/", f"{file.partition('/')[0]}/{PUBLIC}/"))


MOST_BESIDE = 3


def names_of(branch: str) -> tuple[str, ...]:
    """A branch, and the names that take its place: the last of them that is there counts.

    Git can't make `box/lagoon/venice` where there is a branch `box/lagoon` or `box/lagoon/venice/x`, and anybody may
    have pushed one. The other names lie in no folder, so fewer can stand in their way.
    """
    plain = branch.removeprefix("refs/heads/").replace("/", ".")
    return (branch, *(f"refs/heads/{plain}.{number}" for number in range(2, 2 + MOST_BESIDE)))


def box_of(match: str, player: str) -> str:
    """The branch that a player writes."""
    return f"refs/heads/box/{match}/{player}"


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
