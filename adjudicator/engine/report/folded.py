"""JSON for pages in which repeated parts are written once: schemas repeat themselves a lot."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any

import msgspec

PART = "="
"""The only key of a reference to a part: `{"=": 3}` is the fourth."""
LEAST = 20
"""The least characters of a part: a shorter one is repeated instead."""
SEVERAL = (list, tuple)


def folded(value: Any) -> str:
    """The JSON of a value as `whole`, with the `parts` that occur in it more than once.

    A part may have parts that come before it.
    """
    found = Parts()
    whole = found.unfolded(value, found.count(value))
    return f'{{"parts":[{",".join(found.parts)}],"whole":{whole}}}'


class Parts:
    """Counts what is in a value by its content: its JSON."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.times: dict[str, int] = {}  # how often a content occurs
        self.of: dict[int, str] = {}  # the contents of lists and mappings, by identity
        self.at: dict[str, int] = {}  # where a content stands among the parts

    def count(self, value: Any) -> str:
        """A value's content. Counts the value, and all that is in it; a mapping's keys are no parts."""
        if isinstance(value, dict):
            inside = [f"{encode_basestring(key)}:{self.count(each)}" for key, each in value.items()]
            found = self.of[id(value)] = f"{{{','.join(inside)}}}"
        elif isinstance(value, SEVERAL):
            inside = [self.count(each) for each in value]
            found = self.of[id(value)] = f"[{','.join(inside)}]"
        else:
            found = in_json(value)
        if len(found) >= LEAST:
            self.times[found] = self.times.get(found, 0) + 1
        return found

    def written(self, value: Any) -> str:
        """A value's JSON with its parts in their places, or a reference if it is a part itself."""
        content = self.of.get(id(value)) or in_json(value)
        if len(content) < LEAST:  # parts within it are shorter still
            return content
        if self.times[content] == 1:
            return self.unfolded(value, content)
        if content not in self.at:
            made = self.unfolded(value, content)
            self.at[content] = len(self.parts)
            self.parts.append(made)
        return f'{{"{PART}":{self.at[content]}}}'

    def unfolded(self, value: Any, content: str) -> str:
        """A value's own JSON, with its parts in their places; `content` is its JSON without any."""
        if isinstance(value, dict):
            inside = [f"{encode_basestring(key)}:{self.written(each)}" for key, each in value.items()]
            return f"{{{','.join(inside)}}}"
        if isinstance(value, SEVERAL):
            return f"[{','.join([self.written(each) for each in value])}]"
        return content


def in_json(value: Any) -> str:
    """A single text, number or word in JSON."""
    return encode_basestring(value) if isinstance(value, str) else msgspec.json.encode(value).decode()
