"""Telling the sender's words from quoted ones: a body's lines with their depth of quotation, without signatures.

An HTML mail is turned into such lines first, as a reader sees them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html.parser import HTMLParser

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.submission import CONTENT, KEYS
from adjudicator.mail.commands import words_for
from adjudicator.mail.letter import Body
from adjudicator.mail.limits import MOST_BODY_LINES

_MARKS = re.compile(r"(?:>[ ]?)+")
_BREAK = re.compile(r"\r\n|\r|\n|\f|\v|\x85|\u2028|\u2029")
_SIGNATURE = re.compile(r"-- ?")
_RULED = re.compile(r"[-_=*]{3,}\s?[^\W\d_][^-_=*]{3,60}[^\W_]\s?[-_=*]{3,}\s*")
"""`-----Original Message-----`, `---------- Forwarded message ---------`, in any language."""
_HEAD = re.compile(r"\*?((?![a-z])[^\W\d_][\w .'-]{0,24}?)\s?[:\uff1a]\*?\s*(.*)")
"""A header as it stands above a quoted mail: at the margin, and never in small letters, as a sheet's keys are."""
_OF_SHEET = re.compile(rf"\s*[\"']?(?:{'|'.join(KEYS)})[\"']?\s?:(?:\s|$)", re.IGNORECASE)
_BEGINS_ORDERS = re.compile(rf"\s*[\"']?(?:{'|'.join(CONTENT)})[\"']?\s?:\s*(?:[\[{{#].*)?", re.IGNORECASE)
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{7,20})-----\s*")
_FROM = (
    "from von de da van från fra od feladó kimden от från lähettäjä expéditeur mittente remitente afsender avsender"
    " saatja no nuo от кого gönderen 差出人 发件人"
)
_FROMS = frozenset(_FROM.split())
_ENDS = re.compile(r"[:\uff1a]\s*$")
_WHEN = re.compile(r"[12][0-9]{3}|[0-9]{1,2}[:.h][0-9]{2}|[^\s<>]@[^\s<>]")
MOST_MARKS = 50
MOST_HEADS = 8
"""Lines that are looked at for the head of a quoted mail."""
LONGEST_INTRODUCTION = 3
"""Lines of `On Sunday, 3 May 2026 at 20:15, GM <gm@example.org> wrote:`."""
_BLOCKS = (
    "address article blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr html li main"
    " ol p pre section table tbody td tr ul"
)
BLOCKS = frozenset(_BLOCKS.split())
UNSEEN = frozenset(("head", "script", "style", "title", "template", "noscript"))
_EMPTY = "area base br col embed hr img input link meta param source track wbr"
EMPTY = frozenset(_EMPTY.split())
QUOTES = (
    "divRplyFwdMsg",
    "yahoo_quoted",
    "reply-intro",
    "mail-editor-reference-message-container",
    "isForwardContent",
)
"""Ids and classes of elements after which everything is quoted, without a `blockquote`."""
_SPACE = re.compile(r"[ \t\r\n\f]+")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NO_TAG = re.compile(r"<(?![^<>]*>)")
"""A `<` that is no tag: Python's parser would search the rest of the text for its end."""
_LONG_TAG = re.compile(r"<(/?[A-Za-z][A-Za-z0-9]{0,20})(?![A-Za-z0-9])[^<>]{5000,}>")
"""A very long tag, such as one with a whole picture. Only its name is kept: attributes take the parser much memory."""
MOST_DEEP = 100


class Line(Struct, frozen=True):
    """A line of a mail, and its depth of quotation; 0 for the sender's own words."""

    text: str
    depth: int = 0


def plain_lines(body: Body, *, joined: bool = True) -> list[Line]:
    """The lines of a plain body; `joined`: soft line breaks are undone, if the body says that it has them."""
    lines = [_line(text, body.flowed) for text in _BREAK.split(body.text, MOST_BODY_LINES)[:MOST_BODY_LINES]]
    return list(_joined_lines(lines, body.joined)) if body.flowed and joined else lines


class Message(Struct, frozen=True):
    """A message for others in a mail: the names after `message to`, as they were written, and the text."""

    to: str
    text: str


class Parted(Struct, frozen=True):
    """A body's lines without marks and signatures: the sender's `own`, the `quoted` ones, and `every` line.

    `about` is what stands above the quotation and at its beginning: there mail programs say whose mail it is. `sure`:
    it has marks or a head, and not only a line above it that reads like an introduction. `messages` to others stand in
    none of these; `above` are the sender's own lines above the first of them.
    """

    own: Sequence[str]
    quoted: Sequence[str]
    every: Sequence[str]
    about: str = ""
    sure: bool = True
    above: Sequence[str] = ()
    messages: Sequence[Message] = ()


def parted(lines: Sequence[Line]) -> Parted:
    """The sender's own lines of a body, and the quoted ones."""
    bare = list(_without_armour(lines))
    marked = _quoted_below(bare)
    at = next((index for index, line in enumerate(marked) if line.depth), len(marked))
    introduced = (
        0 if at == len(bare) or bare[at].depth else _introduction(marked[at : at + LONGEST_INTRODUCTION])
    )
    first, last = (at, at + introduced) if introduced else (at - LONGEST_INTRODUCTION - 1, at + MOST_HEADS)
    about = "\n".join(line.text[:300] for line in marked[max(0, first) : last]) if at < len(marked) else ""
    marked, messages, above = _without_messages(list(_without_signatures(marked)))
    own = [line.text for line in marked if not line.depth]
    return Parted(
        own,
        [line.text for line in marked if line.depth],
        [line.text for line in marked],
        about,
        sure=not introduced,
        above=own[:above],
        messages=messages,
    )


def _without_armour(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines without what PGP puts around a signed text, and before its lines that begin with a dash (RFC 4880, 7)."""
    inside = ""
    for line in lines:
        if found := _ARMOUR.fullmatch(line.text):
            inside = "" if found[1] == "END" else "head" if found[2] == "SIGNED MESSAGE" else found[2]
        elif inside == "head":
            inside = "head" if line.text.strip() else "text"
        elif inside == "text":
            yield replace(line, text=line.text.removeprefix("- "))
        elif not inside:
            yield line


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
        return len(_heads(lines[index + 1 : index + 1 + MOST_HEADS])) >= 2 and not _marks_below(lines, index)
    found = _HEAD.fullmatch(text[:300])
    if found and found[1].lower() in _FROMS and found[2]:
        heads = _heads(lines[index : index + MOST_HEADS])
        return len(heads) >= 3 and any(_WHEN.search(head) for head in heads)
    return _introduces(lines, index) and not _marks_below(lines, index)


def _heads(lines: Sequence[Line]) -> list[str]:
    """The headers that these lines begin with, as they stand above a quoted mail."""
    heads = list[str]()
    for text in [line.text[:300] for line in lines if line.text.strip()]:
        if not _HEAD.fullmatch(text) or _OF_SHEET.match(text):
            break
        heads.append(text)
    return heads


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
        if not line.text.strip() or line.depth != lines[0].depth or _OF_SHEET.match(line.text):
            return 0
        text += f"{line.text[:300]} "
        if _ENDS.search(line.text[:300]):
            named = len(text) > 20 and len(_WHEN.findall(text)) >= 2 and not text.startswith(" ")
            return number if named else 0
    return 0


def without_introductions(lines: Sequence[str]) -> list[str]:
    """Lines without the introductions that programs put above a quotation."""
    found, left = list[str](), 0
    ends = [line[:300].rstrip().endswith((":", "\uff1a")) for line in lines]
    begin = [
        _introduction([Line(one) for one in lines[at : at + LONGEST_INTRODUCTION]])
        if any(ends[at : at + LONGEST_INTRODUCTION])
        else 0
        for at in range(len(lines))
    ]
    for index, line in enumerate(lines):
        own = begin[index] > 1 and begin[index + 1] > 0  # words directly above an introduction
        left = left or (0 if own else begin[index])
        if left:
            left -= 1
        else:
            found.append(line)
    return found


def _marks_below(lines: Sequence[Line], index: int) -> bool:
    """Does a quotation with marks follow within a few lines? Then the marks say where it ends."""
    return any(line.depth > lines[index].depth for line in lines[index + 1 : index + 6])


def _without_signatures(lines: Sequence[Line]) -> Iterator[Line]:
    """Drops signatures: from `-- ` on, all lines of the same depth. Above a sheet such a line only rules it off."""
    above = list[bool]()  # from the last line to the first: does a sheet follow, in lines of the same depth?
    for index in range(len(lines) - 1, -1, -1):
        same = index + 1 < len(lines) and lines[index + 1].depth == lines[index].depth
        above.append((same and above[-1]) or bool(_BEGINS_ORDERS.fullmatch(lines[index].text)))
    signed: int | None = None
    for line, rules_off in zip(lines, reversed(above), strict=True):
        if _SIGNATURE.fullmatch(line.text) and not rules_off:
            signed = line.depth
        elif signed is not None and line.depth != signed:
            signed = None
        if signed is None:
            yield line


def _without_messages(lines: Sequence[Line]) -> tuple[list[Line], list[Message], int]:
    """Lines without messages to others, these messages, and how many of the sender's own lines are above the first.

    A message goes on to the next one, to a line `end`, or to the end of the mail; what is quoted in between isn't its.
    """
    begins = re.compile(
        rf"\s*(?:{_words_that('begin')})\s+([^:\uff1a]{{1,200}}?)\s*[:\uff1a](.*)", re.IGNORECASE
    )
    ends = re.compile(rf"\s*(?:{_words_that('end')})[.\s]*", re.IGNORECASE)
    rest, found, inside, above = list[Line](), list[tuple[str, list[str]]](), False, 0
    for line in lines:
        if not line.depth and (head := begins.fullmatch(line.text)):
            inside = True
            found.append((head[1], [head[2].strip()]))
        elif line.depth or not inside:
            rest.append(line)
            above += not (line.depth or found)
        elif ends.fullmatch(line.text):
            inside = False
        else:
            found[-1][1].append(line.text.rstrip())
    return rest, [Message(to, "\n".join(text).strip()) for to, text in found], above


def _words_that(what: str) -> str:
    """The words that begin or end a message, in every language, as a pattern."""
    return "|".join(re.escape(word) for word, meant in words_for("messages").items() if meant == what)


@lru_cache(maxsize=2)
def html_lines(text: str) -> Sequence[Line]:
    """The lines that an HTML body shows. It may be cut short or broken in any way."""
    reader = _Reader()
    try:
        reader.feed(_LONG_TAG.sub(r"<\1>", _NO_TAG.sub("&lt;", _COMMENT.sub("", text))))
        reader.close()
    except (AssertionError, ValueError):  # Python's parser raises these on some broken declarations
        pass
    return reader.all_lines()


class _Reader(HTMLParser):
    """Makes the lines. An element that is never closed ends with the element around it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[Line] = []
        self.line: list[str] = []
        self.open: list[tuple[str, bool, bool]] = []
        self.names = Counter[str]()
        self.quoted = self.lists = self.unseen = self.kept = self.below = 0
        self.mark = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.end_line()
        if tag == "br":
            self.end_line(always=True)
        given = {name: value or "" for name, value in attrs}
        if given and any(mark in f"{given.get('id', '')} {given.get('class', '')}" for mark in QUOTES):
            self.below = 1
        if tag in EMPTY or len(self.open) > MOST_DEEP:
            return
        style = given["style"].replace(" ", "").lower() if "style" in given else ""
        kept = tag in ("pre", "textarea") or "white-space:pre" in style or "white-space:break-spaces" in style
        unseen = tag in UNSEEN or "display:none" in style
        self.open.append((tag, kept, unseen))
        self.names[tag] += 1
        self.kept += kept
        self.quoted += tag == "blockquote"
        self.unseen += unseen
        self.lists += tag in ("ul", "ol")
        if tag == "li":
            self.mark = "- "

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY and self.open and self.open[-1][0] == tag:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line()
        if not self.names[tag]:
            return
        while self.open:
            name, kept, unseen = self.open.pop()
            self.names[name] -= 1
            self.kept -= kept
            self.quoted -= name == "blockquote"
            self.unseen -= unseen
            self.lists -= name in ("ul", "ol")
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.unseen:
            return
        if self.kept:
            first, *others = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.line += [first] if first else []
            for other in others[:MOST_BODY_LINES]:
                self.end_line(always=True)
                self.line += [other] if other else []
            return
        data = _SPACE.sub(" ", data)
        begun = "".join(self.line[-1:])
        if data := data.lstrip(" ") if not begun or begun.endswith(" ") else data:
            self.line.append(data)

    def end_line(self, *, always: bool = False) -> None:
        """Ends the current line; an empty line counts only if `always`."""
        text, self.line = "".join(self.line).rstrip(" "), []
        if (not text and not always) or len(self.lines) >= MOST_BODY_LINES:
            return
        if self.lists:
            text = "  " * (self.lists - 1) + (self.mark or "  ") + text if text else ""
            self.mark = ""
        self.lines.append(Line(text, self.quoted + self.below))

    def all_lines(self) -> list[Line]:
        """All lines."""
        self.end_line()
        return self.lines
