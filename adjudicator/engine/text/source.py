"""Sources: one YAML file as plain data, with the line and column of every value and key.

PyYAML's C parser gives events, and the data are put together here: its own composer recurses in C, and a file of
brackets crashes the whole process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from msgspec import Struct

from adjudicator.engine.text.problem import Slip
from adjudicator.engine.text.syntax import shortened, slip_of

if TYPE_CHECKING:
    from yaml.error import Mark as ParserMark

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
"""What a YAML file may hold: JSON's values."""
Path: TypeAlias = tuple[str | int, ...]
"""The path to a value: keys, and numbers (from 0) of list entries; `()` is the whole file."""

MOST_BYTES = 65536
MOST_LEVELS = 32
TOO_DEEP = "exceeded maximum nesting depth"
"""What the parser says of lists in lists far beyond MOST_LEVELS."""
MOST_VALUES = 10_000
"""The most scalars, lists and mappings in a file of limited size, not counting keys."""
OWN_BYTES, OWN_VALUES = 2**20, 100_000
"""The same limits for files that the program writes itself. No such file comes near them; but a stranger may have
written one that looks like it."""
MOST_DIGITS = 18

_Places: TypeAlias = Any
"""The parser's mark of a scalar; for a list (mark, [places]); for a mapping (mark, {key: (mark, places)}).

A tree shaped like the data costs almost nothing; a dict by path would cost more than the parsing.
"""

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_BEGIN_NUMBERS = frozenset("+-.0123456789")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_BASED = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BREAK = re.compile(r"\r\n|\r|\n")


class Mark(Struct, frozen=True):
    """A place in a file: line and column, both from 1; 0 when there is none. Columns count characters."""

    line: int
    column: int


NOWHERE = Mark(0, 0)


class Source(Struct, frozen=True):
    """A file that was read: its name as shown to users, its data, and the place of each value.

    `over_lines` has the last line of each text without quotes that stands on several, by its line and column.
    """

    name: str
    plain: Plain
    places: _Places = None
    over_lines: Mapping[tuple[int, int], int] = {}

    def last_line(self, path: Path) -> int:
        """The last line of the text at `path`, if it stands on several lines without quotes; else 0."""
        at = self.mark(path)
        return self.over_lines.get((at.line, at.column), 0)

    def place(self, path: Path, *, key: bool = False) -> str:
        """The place of what stands at `path`, with file, line and column: `sheets/venice.yaml:7:5`."""
        mark = self.mark(path, key=key)
        return f"{self.name}:{mark.line}:{mark.column}"

    def mark(self, path: Path, *, key: bool = False) -> Mark:
        """Return where the value at `path` begins, or with `key` the key that leads to it.

        For what isn't in the file, return the beginning of the nearest value around it.
        """
        places = self.places
        if places is None:
            return NOWHERE
        at = None
        for step in path:
            inner = places[1] if type(places) is tuple else None
            at = None
            if type(inner) is dict and step in inner:
                at, places = inner[step]
            elif type(inner) is list and type(step) is int and 0 <= step < len(inner):
                places = inner[step]
            else:
                break
        if at is None or not key:
            at = places[0] if type(places) is tuple else places
        return NOWHERE if at is None else Mark(at.line + 1, at.column + 1)


class Unread(Struct, frozen=True):
    """A file that can't be read: its name as shown to users, and the first slip in it. `texts.problem_of` says it in a
    language.
    """

    name: str
    slip: Slip


def read(text: bytes, name: str, most: int | None = MOST_BYTES) -> Source | Unread:
    """Read the one YAML document of a file of at most `most` bytes (None: as large as the program's own may be).

    Unquoted scalars are read by the core schema of YAML 1.2, except numbers with needless zeros (`012`) and infinities,
    which stay text; keys are always text. An empty file holds None. A file of more than MOST_VALUES, or OWN_VALUES,
    isn't read.
    """
    most, values = (OWN_BYTES, OWN_VALUES) if most is None else (most, MOST_VALUES)
    if len(text) > most:
        return Unread(name, Slip(0, 0, "too-large", {"most": most}))
    body = text.removeprefix(b"\xef\xbb\xbf")
    try:
        decoded = body.decode()
    except UnicodeDecodeError as error:
        return Unread(name, _not_utf8(body, error.start))
    odd = _not_printable(decoded)
    if odd:
        at = _mark_of(decoded, odd.start())
        return Unread(name, Slip(at.line, at.column, "unseen", {"character": f"U+{ord(odd[0]):04X}"}))

    import yaml

    try:
        document = _Document(body, yaml, values)
        return Source(name, *document.document(), document.over_lines)
    except _Refused as refused:
        return Unread(name, refused.slip)
    except yaml.YAMLError as error:
        marked = error if isinstance(error, yaml.MarkedYAMLError) else None
        if (
            marked and marked.problem == TOO_DEEP and marked.problem_mark
        ):  # newer parsers look ahead: before we can
            return read(decoded[: marked.problem_mark.index].encode(), name, most)
        return Unread(name, slip_of(error, decoded))


def scalar(text: str) -> bool | int | float | str | None:
    """Return what an unquoted scalar means; raise OverflowError for a number that is too large."""
    if text[:1] not in _BEGIN_NUMBERS:
        return _WORDS.get(text, text)
    if _INTEGER.fullmatch(text):
        if len(text.lstrip("+-")) > MOST_DIGITS:
            raise OverflowError
        return int(text)
    if _BASED.fullmatch(text):
        value = int(text, 0)
        if value >= 10**MOST_DIGITS:
            raise OverflowError
        return value
    if _FLOAT.fullmatch(text):
        number = float(text)
        if number in (float("inf"), float("-inf")):
            raise OverflowError
        return number
    return text


def reads_as_text(word: str) -> bool:
    """Does YAML read the word as text even without quotes? A number that is too large to read isn't text."""
    try:
        return isinstance(scalar(word), str)
    except OverflowError:
        return False


class _Refused(Exception):
    """YAML that we don't allow; raised from the events, and caught in `read`."""

    def __init__(self, slip: Slip) -> None:
        super().__init__(slip)
        self.slip = slip


class _Document:
    """Builds plain data and places from the parser's events. Its depth is limited by MOST_LEVELS."""

    def __init__(self, body: bytes, yaml: Any, most: int) -> None:
        self.left = self.most = most
        self.over_lines: dict[tuple[int, int], int] = {}
        self.next = yaml.cyaml.CParser(body).get_event
        self.scalar = yaml.ScalarEvent
        self.list = yaml.SequenceStartEvent
        self.list_end = yaml.SequenceEndEvent
        self.mapping_end = yaml.MappingEndEvent
        self.alias = yaml.AliasEvent
        self.stream_end = yaml.StreamEndEvent

    def document(self) -> tuple[Plain, _Places]:
        self.next()
        event = self.next()
        if type(event) is self.stream_end:
            return None, event.start_mark
        if event.tags:
            _refuse(event, "tags")
        result = self.value(self.next(), 1)
        self.next()
        after = self.next()
        if type(after) is not self.stream_end:
            _refuse(after, "second-document")
        return result

    def value(self, event: Any, level: int, *, entry: bool = False) -> tuple[Plain, _Places]:
        """The value that an event begins, and its place; `entry`: it stands in a list."""
        if event.anchor is not None or event.tag is not None:
            self.refuse_sign(event)
        self.left -= 1
        if self.left < 0:
            _refuse(event, "too-many-values", most=self.most)
        kind = type(event)
        if kind is self.scalar:
            if event.style:
                return event.value, event.start_mark
            begin, end = event.start_mark, event.end_mark
            if end.line > begin.line:
                self.over_lines[begin.line + 1, begin.column + 1] = end.line + 1
            try:
                return scalar(event.value), begin
            except OverflowError:
                _refuse(event, "large-number", number=shortened(event.value))
        if level > MOST_LEVELS:
            _refuse(event, "too-deep", most=MOST_LEVELS)
        return self.entries(event, level) if kind is self.list else self.fields(event, level, entry=entry)

    def refuse_sign(self, event: Any) -> NoReturn:
        _refuse(
            event, "alias" if type(event) is self.alias else "anchor" if event.anchor is not None else "tag"
        )

    def entries(self, start: Any, level: int) -> tuple[Plain, _Places]:
        values: list[Plain] = []
        places: list[_Places] = []
        while type(event := self.next()) is not self.list_end:
            value, place = self.value(event, level + 1, entry=True)
            values.append(value)
            places.append(place)
        return values, (start.start_mark, places)

    def fields(self, start: Any, level: int, *, entry: bool) -> tuple[Plain, _Places]:
        values: dict[str, Plain] = {}
        places: dict[str, tuple[ParserMark, _Places]] = {}
        while type(event := self.next()) is not self.mapping_end:
            if event.anchor is not None or type(event) is not self.scalar or event.tag is not None:
                self.refuse_key(event)
            key = event.value
            if key in values:
                again = entry and key == next(iter(values))  # such as an order's verb
                _refuse(
                    event,
                    "key-of-next-entry" if again else "key-twice",
                    name=shortened(key),
                    first=places[key][0].line + 1,
                )
            values[key], place = self.value(self.next(), level + 1)
            places[key] = event.start_mark, place
        return values, (start.start_mark, places)

    def refuse_key(self, event: Any) -> NoReturn:
        if event.anchor is not None or event.tag is not None:
            self.refuse_sign(event)
        _refuse(event, "no-text-key")


def _refuse(event: Any, key: str, **facts: str | int) -> NoReturn:
    mark = event.start_mark
    raise _Refused(Slip(mark.line + 1, mark.column + 1, key, facts))


def _mark_of(text: str, index: int) -> Mark:
    """The place of the character at an index of the text, counted from 0."""
    line, begins = 1, 0
    for found in _BREAK.finditer(text, 0, index):
        line, begins = line + 1, found.end()
    return Mark(line, index - begins + 1)


def _not_utf8(body: bytes, index: int) -> Slip:
    before = body[:index].decode()
    at = _mark_of(before, len(before))
    return Slip(at.line, at.column, "not-utf8", {"byte": f"0x{body[index]:02X}"})


def _not_printable(text: str) -> re.Match[str] | None:
    """The first unprintable character. What Python calls printable is known without the pattern's two milliseconds."""
    if text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        return None
    return re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\ufeff", text)
