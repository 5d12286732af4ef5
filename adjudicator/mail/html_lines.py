"""HTML mails as lines of text: as a reader sees them, each with its depth of quotation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from html.parser import HTMLParser

from adjudicator.mail.limits import MOST_BODY_LINES
from adjudicator.mail.quoting import Line

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
        self.open: list[tuple[str, bool]] = []
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
        self.open.append((tag, kept))
        self.names[tag] += 1
        self.kept += kept
        self.quoted += tag == "blockquote"
        self.unseen += tag in UNSEEN
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
            name, kept = self.open.pop()
            self.names[name] -= 1
            self.kept -= kept
            self.quoted -= name == "blockquote"
            self.unseen -= name in UNSEEN
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
