"""JSON for pages in which repeated parts are written once: schemas repeat themselves a lot."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

PART = "="
"""The only key of a reference to a part: `{"=": 3}` is the fourth."""
LEAST = 20
"""The least characters of a part: a shorter one is repeated instead."""


def folded(value: Any) -> str:
    """The JSON of a value as `whole`, with the `parts` that occur in it more than once.

    A part may have parts that come before it.
    """
    found = Parts()
    found.count(value)
    whole = found.unfolded(value)
    return f'{{"parts":{in_a_list(found.parts)},"whole":{whole}}}'


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
            found = in_a_mapping([(key, self.count(each)) for key, each in value.items()])
            self.of[id(value)] = found
        elif isinstance(value, list | tuple):
            found = in_a_list([self.count(each) for each in value])
            self.of[id(value)] = found
        else:
            found = in_json(value)
        self.times[found] = self.times.get(found, 0) + 1
        return found

    def written(self, value: Any) -> str:
        """A value's JSON with its parts in their places, or a reference if it is a part itself."""
        content = self.of.get(id(value)) or in_json(value)
        if len(content) < LEAST:  # and so is all that is in it
            return content
        if self.times[content] == 1:
            return self.unfolded(value)
        if content not in self.at:
            made = self.unfolded(value)
            self.at[content] = len(self.parts)
            self.parts.append(made)
        return f'{{"{PART}":{self.at[content]}}}'

    def unfolded(self, value: Any) -> str:
        """A value's own JSON, with its parts in their places."""
        if isinstance(value, dict):
            return in_a_mapping([(key, self.written(each)) for key, each in value.items()])
        if isinstance(value, list | tuple):
            return in_a_list([self.written(each) for each in value])
        return in_json(value)


def in_a_mapping(inside: list[tuple[str, str]]) -> str:
    """The JSON of a mapping with these keys, and the JSON of their values."""
    return f"{{{','.join([f'{encode_basestring(key)}:{each}' for key, each in inside])}}}"


def in_a_list(inside: list[str]) -> str:
    """The JSON of a list of what has this JSON."""
    return f"[{','.join(inside)}]"


def in_json(value: Any) -> str:
    """A single value in JSON. Most are texts, for which we needn't set up a whole encoder."""
    return encode_basestring(value) if isinstance(value, str) else json.dumps(value)
