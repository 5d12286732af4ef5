"""The sheet among the lines of a mail: YAML between greetings, remarks and signatures.

What mail programs do to characters is mended first: other spaces, typographic quotes and dashes, invisible characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.door.submission import CONTENT, KEYS, keys_with_content, plain_in, source_in
from adjudicator.engine.text.problem import nearest
from adjudicator.engine.text.source import Source
from adjudicator.mail.limits import MOST_BODY_LINES

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
_TOP = re.compile(r"([ ]*)[\"']?([A-Za-z]{2,20})[\"']?[ ]?:(?:[ ]|$)")
_FIELD = re.compile(r"[ ]*[\"']?[\w.-]{1,60}[\"']?[ ]?:(?:[ ]|$)")
_ITEM = re.compile(r"[ ]*-(?:[ ]+(?:[\"']?[\w.-]{1,60}[\"']?[ ]?:(?:[ ]|$)|[{\[])|[ ]*$)")
_ENTRY = re.compile(r"[ ]*(?:-(?:[ ]|$)|[\[{])")
_FENCE = re.compile(r"[ ]*(?:```[a-z]*|~~~[a-z]*|---|\.\.\.)[ ]*")
_TEXT = {'"': re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"'), "'": re.compile(r"'[^']*'")}
_SCALAR = re.compile(r"([ ]*(?:-[ ]+)*)[\"']?[\w.-]{1,60}[\"']?[ ]?:[ ]+[|>][-+1-9]{0,2}(?:[ ]+#.*)?$")
"""A key whose text stands in the lines below it."""
_SIGN = re.compile(r"[\[\]{}\"']|(?:^|(?<=[ ]))#")
LONG = 60
"""Characters: only a line at least this long is taken as broken by a mail program."""
MOST_GUESSES = 50
"""How many unknown keys are compared with those of a sheet."""


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


class Block(Struct, frozen=True):
    """A sheet found among lines: its text, what was changed in which of its lines (from 1), and lines left out.

    `filled`: it isn't only the empty form. `readable`: it is YAML, and a sheet. `others` are all lines around and
    within it that don't belong to it, except orders. If there are such orders, it is `torn`: they belong to a key that
    isn't among these lines.
    """

    text: str
    changes: dict[str, tuple[int, ...]]
    left: tuple[str, ...]
    filled: bool
    readable: bool
    others: tuple[str, ...] = ()
    torn: bool = False


class Mistyped(Struct, frozen=True):
    """A key that is almost one of a sheet's: the file in which it stands (empty: the mail's text), its line in the
    file from 1, as it is `written`, and the `key` that was probably meant.
    """

    name: str
    line: int
    written: str
    key: str


def mistyped_in(lines: Sequence[MendedLine], name: str = "") -> Mistyped | None:
    """The first key among lines that is almost `orders` or its like, with something below or behind it."""
    guesses = 0
    for index, line in enumerate(lines[:MOST_BODY_LINES]):
        found = _TOP.match(line.text)
        if not found or found[2] in KEYS or len(found[2]) <= 3 or guesses >= MOST_GUESSES:
            continue
        guesses += 1
        rest = line.text[found.end() :].strip() or next(
            (text for one in lines[index + 1 : index + 4] if (text := one.text.strip()) and text[0] != "#"),
            "",
        )
        key = nearest(found[2], CONTENT)
        if key is not None and _ENTRY.match(rest):
            return Mistyped(name, index + 1, found[2], key)
    return None


def block_in(lines: Sequence[MendedLine]) -> Block | None:
    """The sheet among lines; None if no line begins with a key under which a sheet could hold orders."""
    lines = lines[:MOST_BODY_LINES]
    tops = [found for line in lines if (found := _TOP.match(line.text)) and found[2] in KEYS]
    if not any(found[2] in CONTENT for found in tops):
        return None
    reader = _Lines(len(tops[0][1]))
    for line in lines:
        reader.take(line)
    return reader.block()


class _Lines:
    """Takes lines one by one, and keeps those of the sheet; `base` is the indentation of the whole sheet."""

    def __init__(self, base: int) -> None:
        self.base = base
        self.kept: list[list[str]] = []
        self.changes: dict[str, list[int]] = {}
        self.left: list[str] = []
        self.torn = False
        self.since: list[str] = []
        self.others: list[str] = []
        self.inside = False
        self.open = 0
        self.scalar: int | None = None
        self.long = 0
        self.guesses = 0
        self.item = False

    def take(self, line: MendedLine) -> None:  # noqa: PLR0912 - one branch for each kind of line
        """Keeps a line, or leaves it out."""
        text = line.text.rstrip()
        indent = len(text) - len(text.lstrip(" "))
        if self.scalar is not None and text and indent <= self.scalar:
            self.scalar = None
        if not text:
            if self.kept:
                self.kept.append([""])
            self.item, self.long = False, 0
        elif self.scalar is not None or (self.open > 0 and self.goes_on_as_it_is(text, indent)):
            self.keep(text, line, indent)
        elif self.open > 0:
            self.go_on(line, text)
        elif _FENCE.fullmatch(text):
            pass
        elif text.lstrip().startswith("#"):
            if self.kept:
                self.keep(text, line, indent)
        elif self.is_top(text, indent):
            self.inside = True
            self.keep(text, line, indent)
        elif not self.kept:
            self.leave(text, greeting=not self.since)
        elif self.inside and indent > self.base and not self.is_remark(text):
            self.keep(text, line, indent)
            self.item = self.item and bool(_FIELD.match(text))
        elif indent == self.base and (self.inside or self.kept) and _ITEM.match(text):
            self.inside = self.item = True
            self.keep(text, line, indent)
        elif self.inside and self.item and indent == self.base and _FIELD.match(text):
            self.note("indented")
            self.keep(f"  {text}", line, indent)
        elif self.inside and self.long >= LONG:
            self.go_on(line, text)
        else:
            self.inside = self.item = False
            self.leave(text)

    def is_top(self, text: str, indent: int) -> bool:
        """Does a sheet's key begin here, correct or mistyped?"""
        found = _TOP.match(text)
        if not found or indent != self.base:
            return False
        key = found[2]
        if key in KEYS:
            self.item = False
            return True
        if not self.inside or self.item or len(key) <= 3 or self.guesses >= MOST_GUESSES:
            return False
        self.guesses += 1
        return nearest(key, KEYS) is not None

    def goes_on_as_it_is(self, text: str, indent: int) -> bool:
        """Is a line within brackets fit to stay a line? Joined to one with a comment, it would become a comment."""
        return indent > self.base or "#" in text or "#" in self.kept[-1][-1]

    def is_remark(self, text: str) -> bool:
        """Is an indented line no part of a sheet? After an empty line, one that is neither a field nor an entry of a
        list is a remark or a signature.
        """
        return self.kept[-1] == [""] and not (_FIELD.match(text) or _ENTRY.match(text))

    def keep(self, text: str, line: MendedLine, indent: int) -> None:
        """Keeps a line of the sheet, without the sheet's own indentation."""
        self.left += self.since
        self.since = []
        for change in line.changes:
            self.note(change)
        self.kept.append([text[min(indent, self.base) :]])
        self.long = len(text)
        if self.scalar is None:
            self.count(text)
            found = None if self.open else _SCALAR.fullmatch(text)
            self.scalar = len(found[1]) if found else None

    def leave(self, text: str, *, greeting: bool = False) -> None:
        """Leaves out a line that isn't of the sheet. If it is an order's, the sheet is torn."""
        torn = bool(_ITEM.match(text))
        if not torn and not (self.torn and _FIELD.match(text)):
            self.others.append(text)
        if torn or not greeting:
            self.since.append(text.strip()[:200])
        self.torn = self.torn or torn

    def go_on(self, line: MendedLine, text: str) -> None:
        """Joins a line to the one before, from which a mail program broke it; drops it if that is a comment."""
        self.long = len(text)
        begins = self.kept[-1][0]
        if begins.lstrip().startswith("#") or not begins:
            return
        self.changes.setdefault("broken", []).append(len(self.kept))
        for change in line.changes:
            self.changes.setdefault(change, []).append(len(self.kept))
        self.kept[-1].append(text.strip())
        self.count(text)

    def note(self, change: str) -> None:
        self.changes.setdefault(change, []).append(len(self.kept) + 1)

    def count(self, text: str) -> None:
        """Counts open brackets, except in quotes and comments."""
        self.open = max(0, self.open + open_brackets(text))

    def block(self) -> Block:
        while self.kept and self.kept[-1] == [""]:
            self.kept.pop()
        text = "\n".join(" ".join(parts) for parts in self.kept) + "\n"
        filled, readable = filled_and_readable(text.encode())
        changes = {name: tuple(dict.fromkeys(lines)) for name, lines in sorted(self.changes.items())}
        left = (*self.left, *(self.since if self.torn else ()))
        return Block(text, changes, left, filled, readable, tuple(self.others), self.torn)


def open_brackets(text: str) -> int:
    """How many more brackets a line opens than it closes, outside of quotes and comments.

    A quotation mark that is never closed counts as an ordinary character, and so do all later ones of its kind.
    """
    opened = at = 0
    single = set[str]()
    while found := _SIGN.search(text, at):
        sign, at = found[0], found.end()
        if sign == "#":
            break
        if sign in "[{":
            opened += 1
        elif sign in "]}":
            opened -= 1
        elif sign not in single:
            whole = _TEXT[sign].match(text, found.start())
            at = whole.end() if whole else at
            single |= set() if whole else {sign}
    return opened


def plain_of(block: Block) -> Mapping[str, Any]:
    """A block's content as plain data; empty if it can't be read."""
    return plain_in(block.text.encode("utf-8", "replace"))


def filled_and_readable(text: bytes) -> tuple[bool, bool]:
    """Whether a text is more than an empty form, and whether it can be read as a sheet or a file of answers."""
    source = source_in(text)
    if not isinstance(source, Source):
        return is_filled(text.decode("utf-8", "replace")), False
    plain = source.plain
    if not isinstance(plain, dict):
        return plain is not None, False
    return bool(keys_with_content(plain)), not isinstance(plain.get("orders"), str)


def is_filled(text: str) -> bool:
    """Does a text that isn't YAML hold anything but comments and empty keys?"""
    lines = [line.strip() for line in text.splitlines()]
    return any(
        _ITEM.match(line) or ("{" in line or "[" in line) for line in lines if not line.startswith("#")
    )
