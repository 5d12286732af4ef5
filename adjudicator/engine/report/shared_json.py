"""JSON for pages in which repeated parts are written once: schemas repeat themselves a lot."""

from __future__ import annotations

from typing import Any

import msgspec

from adjudicator.engine.table.remembered import Answers

PART = "="
"""The only key of a reference to a part: `{"=": 3}` is the fourth."""
LEAST = 20
"""The least characters of a part: a shorter one is repeated instead."""
LONG = frozenset((dict, str, list, tuple))
"""What can be a part: numbers and words of JSON are short."""
scalar_json = msgspec.json.Encoder().encode


def json_with_shared_parts(value: Any) -> str:
    """The JSON of a value as `whole`, with the `parts` that occur in it more than once.

    A part may have parts that come before it.
    """
    found = SharedParts()
    found.count(value)
    whole = found.own_json_of(value)
    return (b'{"parts":[%b],"whole":%b}' % (b",".join(found.parts), whole)).decode()


class SharedParts:
    """Counts what is in a value by its content: its JSON."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.times: dict[bytes, int] = {}  # how often a content occurs
        self.of: dict[int, bytes] = {}  # the contents of what is long enough, by identity
        self.references: dict[bytes, bytes] = {}  # the references to the parts, by content
        self.keys: Answers[str, bytes] = Answers(scalar_json)

    def count(self, value: Any) -> None:
        """Counts a value, and all that is in it if it wasn't met before; a mapping's keys are no parts."""
        content = scalar_json(value)
        if len(content) < LEAST:  # parts within it are shorter still
            return
        self.of[id(value)] = content
        if content in self.times:
            self.times[content] += 1
            return
        self.times[content] = 1
        if type(value) is not str:
            for each in value.values() if type(value) is dict else value:
                if type(each) in LONG:
                    self.count(each)

    def json_of(self, value: Any) -> bytes:
        """A value's JSON with its parts in their places, or a reference if it is a part itself."""
        where = id(value)
        if where not in self.of:
            return scalar_json(value)
        content = self.of[where]
        if self.times[content] == 1:
            return self.own_json_of(value)
        if content not in self.references:
            made = self.own_json_of(value)
            self.references[content] = b'{"%b":%d}' % (PART.encode(), len(self.parts))
            self.parts.append(made)
        return self.references[content]

    def own_json_of(self, value: Any) -> bytes:
        """A value's own JSON, with its parts in their places."""
        if type(value) is dict:
            inside = [
                b"%b:%b" % (self.keys[key], self.json_of(each) if type(each) in LONG else scalar_json(each))
                for key, each in value.items()
            ]
            return b"{%b}" % b",".join(inside)
        if type(value) in (list, tuple):
            return b"[%b]" % b",".join([self.json_of(each) for each in value])
        return scalar_json(value)
