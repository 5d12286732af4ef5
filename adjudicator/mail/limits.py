"""How much of a mail is read. Anybody can write one, so its size is checked before its parts are.

A mail beyond a limit is held as it is; if its sender is a player, the answer asks for the sheet alone.
"""

from __future__ import annotations

import re

LARGEST = 4 * 2**20
"""Bytes of a mail that are fetched at most."""
LONGEST_HEAD = 2**16
"""Bytes of a mail's own headers."""
MOST_HEAD_LINES = 2000
LONGEST_HEADER = 2000
"""Bytes of a part's `Content-...` header. Python's parser needs quadratic time for its parameters."""
MOST_LINES = 80_000
"""Lines of a raw mail: 4 MiB in base64 are 55,000."""
MOST_NESTED = 16
"""Parts within parts, such as forwarded mails: the parser compares each line with the boundaries of all outer parts."""
MOST_BOUNDARIES = 1000
"""Lines that may begin a part."""
MOST_PARTS = 100
"""Parts that are read."""
MOST_FILES = 10
"""Attached files that may be sheets."""
MOST_TEXT = 2**19
"""Characters of all bodies together. A whole quoted report is a tenth of that."""
MOST_BODY_LINES = 20_000
"""Lines of a body that are read."""
MOST_IDS = 10
"""Message-IDs of ours that a mail may answer: each must be tried with every player's key."""

_OF_CONTENT = re.compile(rb"^content-[!-9;-~]*:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_NESTING = re.compile(rb"^content-type:[\s\x1c-\x1f]*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(rb"^--", re.MULTILINE)


def head_of(data: bytes) -> bytes:
    """The headers of a mail, up to the limits."""
    return b"".join(_head(data)[0])


def _head(data: bytes) -> tuple[list[bytes], bool]:
    """The lines of the headers, with the empty one at their end, and whether these are all."""
    lines = data[:LONGEST_HEAD].splitlines(keepends=True)[:MOST_HEAD_LINES]
    end = next((number for number, line in enumerate(lines, start=1) if not line.strip(b"\r\n")), 0)
    return lines[: end or None], bool(end) or sum(map(len, lines)) == len(data)


def is_beyond(data: bytes) -> bool:
    """Has a mail more bytes, lines, headers or parts than are read? This takes time in proportion to its size."""
    if len(data) > LARGEST or not _head(data)[1]:
        return True
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return (
        data.count(b"\n") > MOST_LINES
        or any(len(found[0]) > LONGEST_HEADER for found in _OF_CONTENT.finditer(data))
        or _more_than(MOST_NESTED, _NESTING, data)
        or _more_than(MOST_BOUNDARIES, _BOUNDARY, data)
    )


def _more_than(most: int, pattern: re.Pattern[bytes], data: bytes) -> bool:
    return any(number >= most for number, _ in enumerate(pattern.finditer(data)))
