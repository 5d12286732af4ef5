"""Telling the sender's words from quoted ones: a plain body as lines with their depth of quotation, no signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.mail.letter import Body
from adjudicator.mail.limits import MOST_BODY_LINES

_MARKS = re.compile(r"(?:>[ ]?)+")
_BREAK = re.compile(r"\r\n|\r|\n|\f|\v|\x85|\u2028|\u2029")
_SIGNATURE = re.compile(r"-- ?")
_RULED = re.compile(r"\s*[-_=*]{3,}\s?[^\W\d_][^-_=*]{3,60}[^\W_]\s?[-_=*]{3,}\s*")
"""`-----Original Message-----`, `---------- Forwarded message ---------`, in any language."""
_HEAD = re.compile(r"\s*\*?([^\W\d_][\w .'-]{0,24}?)\s?[:\uff1a]\*?\s*(.*)")
_FROM = (
    "from von de da van från fra od feladó kimden от från lähettäjä expéditeur mittente remitente afsender avsender"
    " saatja no nuo от кого gönderen 差出人 发件人"
)
_FROMS = frozenset(_FROM.split())
_ENDS = re.compile(r"[:\uff1a]\s*$")
_WHEN = re.compile(r"[12][0-9]{3}|[0-9]{1,2}[:.h][0-9]{2}|[^\s<>]@[^\s<>]")
MOST_MARKS = 50
LONGEST_INTRODUCTION = 3
"""Lines of `On Sunday, 3 May 2026 at 20:15, GM <gm@example.org> wrote:`."""


class Line(Struct, frozen=True):
    """A line of a mail, and its depth of quotation; 0 for the sender's own words."""

    text: str
    depth: int = 0


def plain_lines(body: Body, *, joined: bool = True) -> list[Line]:
    """The lines of a plain body; `joined`: soft line breaks are undone, if the body says that it has them."""
    lines = [_line(text, body.flowed) for text in _BREAK.split(body.text, MOST_BODY_LINES)[:MOST_BODY_LINES]]
    return list(_joined_lines(lines, body.joined)) if body.flowed and joined else lines


def own_and_quoted(lines: Sequence[Line]) -> tuple[list[str], list[str]]:
    """The sender's own lines, and all lines, without quotation marks; both without signatures."""
    marked = list(_without_signatures(_quoted_below(lines)))
    return [line.text for line in marked if not line.depth], [line.text for line in marked]


def _line(text: str, flowed: bool) -> Line:
    """A line without its marks. In flowed text, programs add a space after marks and before a space, `>` or `From`."""
    found = _MARKS.match(text)
    if found is None:
        return Line(text[1:] if flowed and text.startswith(" ") else text)
    marks = found[0]
    if flowed:
        marks = text[: len(text) - len(text.lstrip(">"))]
        rest = text[len(marks) :]
        return Line(rest.removeprefix(" "), min(len(marks), MOST_MARKS))
    return Line(text[len(marks) :], min(marks.count(">"), MOST_MARKS))


def _joined_lines(lines: Sequence[Line], joined: bool) -> Iterator[Line]:
    """Joins each line that ends in a space with the next of the same depth, except the `-- ` above a signature."""
    held: Line | None = None
    parts: list[str] = []
    for line in lines:
        if held is not None and held.depth != line.depth:
            yield replace(held, text="".join(parts))
            held, parts = None, []
        soft = line.text.endswith(" ") and line.text != "-- "
        parts.append(line.text[:-1] if soft and joined else line.text)
        if soft:
            held = held or line
            continue
        yield Line("".join(parts), line.depth)
        held, parts = None, []
    if held is not None:
        yield replace(held, text="".join(parts))


def _quoted_below(lines: Sequence[Line]) -> list[Line]:
    """Lines with their depth, for programs that put no marks but a heading above the quotation."""
    for index, line in enumerate(lines):
        if not line.depth and _begins_quotation(lines, index):
            return [*lines[:index], *(replace(below, depth=below.depth + 1) for below in lines[index:])]
    return list(lines)


def _begins_quotation(lines: Sequence[Line], index: int) -> bool:
    text = lines[index].text
    if not text.strip():
        return False
    if _RULED.fullmatch(text):
        return not _marks_below(lines, index)
    if _is_heads(lines[index : index + 6]):
        return True
    return _introduces(lines, index) and not _marks_below(lines, index)


def _is_heads(lines: Sequence[Line]) -> bool:
    """Do the lines begin with `From: ...` and at least two more headers, as above a quoted mail?"""
    found = _HEAD.fullmatch(lines[0].text[:300])
    if not found or found[1].lower() not in _FROMS or not found[2]:
        return False
    heads = 0
    for line in [one for one in lines if one.text.strip()]:
        if not _HEAD.fullmatch(line.text[:300]):
            break
        heads += 1
    return heads >= 3


def _introduces(lines: Sequence[Line], index: int) -> bool:
    """Does an introduction to a quotation begin here, with no text directly above it?"""
    if lines[index].text.lstrip().startswith(("#", "- ")) or (index and lines[index - 1].text.strip()):
        return False
    return _introduction(lines[index : index + LONGEST_INTRODUCTION]) > 0


def _introduction(lines: Sequence[Line]) -> int:
    """How many lines are an `On ... wrote:` in any language: one to three that end in a colon, with a time and a name.

    0 if they aren't one.
    """
    text = ""
    for number, line in enumerate(lines, start=1):
        if not line.text.strip() or line.depth != lines[0].depth:
            return 0
        text += f"{line.text[:300]} "
        if _ENDS.search(line.text[:300]):
            named = len(text) > 20 and len(_WHEN.findall(text)) >= 2 and not text.startswith(" ")
            return number if named else 0
    return 0


def without_introductions(lines: Sequence[str]) -> list[str]:
    """Lines without the introductions that programs put above a quotation."""
    found, left = list[str](), 0
    for index, line in enumerate(lines):
        left = left or _introduction([Line(one) for one in lines[index : index + LONGEST_INTRODUCTION]])
        if left:
            left -= 1
        else:
            found.append(line)
    return found


def _marks_below(lines: Sequence[Line], index: int) -> bool:
    """Does a quotation with marks follow within a few lines? Then the marks say where it ends."""
    return any(line.depth > lines[index].depth for line in lines[index + 1 : index + 6])


def _without_signatures(lines: Sequence[Line]) -> Iterator[Line]:
    """Drops signatures: from `-- ` on, all lines of the same depth."""
    signed: int | None = None
    for line in lines:
        if _SIGNATURE.fullmatch(line.text):
            signed = line.depth
        elif signed is not None and line.depth != signed:
            signed = None
        if signed is None:
            yield line
