"""Mending what mail programs do to characters: other spaces, typographic quotes and dashes, invisible characters."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
_DOUBLE = re.compile("[\u201c-\u201f\u00ab\u00bb\uff02\u2033]")
_SINGLE = re.compile("[\u2018-\u201b\u2039\u203a\u2032\uff07]")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_BULLET = re.compile(
    r"([ ]*)(?:[\u2022\u00b7\u25e6\u25aa\u2043\u2219\uf0b7\u25cf\u2013\u2014]|o(?=  )|\*(?= ))[ ]*(?=\S)"
)
_TABS = re.compile(r"[ ]*\t[ \t]*")
_COLON = re.compile("\uff1a[ ]?")
_KEY = re.compile(r"([ ]*(?:- )*)([A-Z][a-z]+)(?=\s*:(?:\s|$))")
TAB = "  "


class MendedLine(Struct, frozen=True):
    """A mended line, and what was changed in it: keys into the texts, such as `quotes`."""

    text: str
    changes: tuple[str, ...] = ()


def mended_lines(lines: Iterable[str]) -> list[MendedLine]:
    """Each line with plain characters. Changes in a comment aren't told, because comments aren't read."""
    return [_mended_line(line) for line in lines]


def _mended_line(line: str) -> MendedLine:
    if line.isascii() and line.isprintable() and not _KEY.match(line) and not _BULLET.match(line):
        return MendedLine(line)
    changes: list[str] = []

    def replace_all(change: str, found: re.Pattern[str], by: str) -> None:
        nonlocal line
        other = found.sub(by, line)
        if other != line and change not in changes:
            changes.append(change)
        line = other

    replace_all("unseen", _UNSEEN, "")
    replace_all("spaces", _SPACES, " ")
    if line.lstrip().startswith("#"):
        return MendedLine(line.replace("\t", TAB))
    if "\t" in line:
        indented = _TABS.match(line)
        if indented:
            line = indented[0].replace("\t", TAB) + line[indented.end() :]
        line = line.replace("\t", " ")
        changes.append("tabs")
    if found := _BULLET.match(line):
        line = f"{found[1]}- {line[found.end() :]}"
        changes.append("bullets")
    replace_all("quotes", _DOUBLE, '"')
    replace_all("quotes", _SINGLE, "'")
    replace_all("dashes", _DASHES, "-")
    replace_all("colons", _COLON, ": ")
    if (capital := _KEY.match(line)) and not capital[2].isupper():
        line = capital[1] + capital[2].lower() + line[capital.end() :]
        changes.append("capitals")
    return MendedLine(line, tuple(changes))
