"""The formats of files: which release's files these are, and how to tell those of a later release."""

from __future__ import annotations

import re

from adjudicator import __version__

FORMAT = "0.3"
"""The release that brought the present format of files. Files that stand alone say it (`format`); in a match,
`match.yaml` and each phase's `open.yaml` name the program that wrote them.
"""
KEY = "format"
_RELEASE = re.compile(r"(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?(?:\.dev\d+|(?:a|b|rc)\d+)?")


def release_of(version: str) -> tuple[int, int]:
    """The release of a version of the program or of files: `0.3.1` is of release `(0, 3)`. Raises ValueError."""
    found = _RELEASE.fullmatch(version)
    if found is None:
        raise ValueError(f"{version!a} isn't a version of the program")
    return int(found[1]), int(found[2])


def is_later(version: str) -> bool:
    """Was something written by a later release than this program, or in the format of one? Raises ValueError."""
    return release_of(version) > release_of(__version__)
