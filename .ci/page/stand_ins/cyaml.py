"""PyYAML's fast parser in a page: libyaml's events, from its own WebAssembly (`libyaml/events.c`), in PyYAML's types.

Only what `adjudicator/engine/text/source.py` uses of it. Same library, so the same faults in the same words.
"""

from struct import unpack_from
from typing import NoReturn

from adjudicator_libyaml import events_of
from yaml.error import Mark
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from yaml.parser import ParserError
from yaml.reader import ReaderError
from yaml.scanner import ScannerError

NOTHING = 0xFFFFFFFF
"""Stands for a missing text; as the kind of an event, for an error."""
READER_ERROR, SCANNER_ERROR = 2, 3
STYLES = (None, "", "'", '"', "|", ">")


class CParser:
    """The events of one text, one after the other."""

    def __init__(self, body: bytes) -> None:
        self.found: bytes = events_of(body).to_bytes()
        self.at = 0

    def number(self) -> int:
        """The next number."""
        (value,) = unpack_from("<I", self.found, self.at)
        self.at += 4
        return value

    def text(self) -> str | None:
        """The next text; None if there is none."""
        size = self.number()
        if size == NOTHING:
            return None
        self.at += size
        return self.found[self.at - size : self.at].decode()

    def mark(self) -> Mark:
        """The next place."""
        return Mark("<byte string>", self.number(), self.number(), self.number(), None, None)

    def get_event(self) -> Event:
        """The next event. Raises YAMLError where the text isn't YAML."""
        kind = self.number()
        if kind == NOTHING:
            self.fail()
        return EVENTS[kind](self, self.mark())

    def fail(self) -> NoReturn:
        """The error that ended the parsing."""
        kind, problem, at = self.number(), self.text(), self.mark()
        context, begins = self.text(), self.mark()
        if kind == READER_ERROR:
            raise ReaderError("<byte string>", self.number(), self.number(), "?", problem)
        error = ScannerError if kind == SCANNER_ERROR else ParserError
        raise error(context, None if context is None else begins, problem, None if problem is None else at)


EVENTS = {
    1: lambda found, at: StreamStartEvent(at, at),
    2: lambda found, at: StreamEndEvent(at, at),
    3: lambda found, at: DocumentStartEvent(at, at, tags={"": ""} if found.number() else None),
    4: lambda found, at: DocumentEndEvent(at, at),
    5: lambda found, at: AliasEvent(found.text(), at, at),
    6: lambda found, at: ScalarEvent(
        found.text(), found.text(), (True, True), found.text(), at, at, STYLES[found.number()]
    ),
    7: lambda found, at: SequenceStartEvent(found.text(), found.text(), True, at, at),
    8: lambda found, at: SequenceEndEvent(at, at),
    9: lambda found, at: MappingStartEvent(found.text(), found.text(), True, at, at),
    10: lambda found, at: MappingEndEvent(at, at),
}
