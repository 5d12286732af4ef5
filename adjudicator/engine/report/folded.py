"""JSON for pages in which repeated parts are written once: schemas repeat themselves a lot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import Any

PART = "="
"""The only key of a reference to a part: `{"=": 3}` is the fourth."""
LEAST = 20
"""The least characters of a part: a shorter one is repeated instead."""


def folded(value: Any) -> dict[str, Any]:
    """A value as `whole`, with the `parts` that occur in it more than once.

    A part may have parts that come before it.
    """
    found = Parts()
    found.count(value)
    return {"parts": found.parts, "whole": found.unfolded(value)}


class Parts:
    """Counts the texts, lists and mappings of a value by content. Each content has a number."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.numbers: dict[Any, int] = {}  # by kind and by the numbers of what is inside
        self.sizes: list[int] = []  # of each content, in characters of JSON
        self.times: list[int] = []
        self.of: dict[int, int] = {}  # the numbers of lists and mappings, by identity
        self.at: dict[int, int] = {}  # where a content stands among the parts

    def count(self, value: Any) -> int:
        """The number of a value's content. Counts the value, and all that is in it; a mapping's keys are no parts."""
        if isinstance(value, dict):
            inner = [*map(self.count, value.values())]
            found = self.counted(("mapping", *value, *inner), inner, keys=value)
        elif isinstance(value, list | tuple):
            inner = [*map(self.count, value)]
            found = self.counted(("list", *inner), inner)
        else:
            return self.counted((type(value), value))
        self.of[id(value)] = found
        return found

    def counted(self, content: Any, inner: Sequence[int] | None = None, keys: Iterable[str] = ()) -> int:
        """The number of a content, with its occurrence counted: of a text, number or word, or of what is `inner`."""
        number = self.numbers.get(content)
        if number is None:
            number = self.numbers[content] = len(self.sizes)
            self.sizes.append(len(in_json(content[1])) if inner is None else self.size(inner, keys))
            self.times.append(0)
        self.times[number] += 1
        return number

    def size(self, inner: Sequence[int], keys: Iterable[str]) -> int:
        """How many characters a list takes, or a mapping with these keys."""
        named = [len(in_json(key)) + 1 for key in keys]
        return sum(named) + sum([self.sizes[each] for each in inner]) + max(len(inner) + 1, 2)

    def written(self, value: Any) -> Any:
        """A value with its parts in their places, or a reference if it is a part itself."""
        number = self.numbers[str, value] if isinstance(value, str) else self.of.get(id(value))
        if number is None or self.times[number] < 2 or self.sizes[number] < LEAST:
            return self.unfolded(value)
        if number not in self.at:
            made = self.unfolded(value)
            self.at[number] = len(self.parts)
            self.parts.append(made)
        return {PART: self.at[number]}

    def unfolded(self, value: Any) -> Any:
        """A value itself, with its parts in their places."""
        if isinstance(value, dict):
            return {key: self.written(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.written(each) for each in value]
        return value


def in_json(value: Any) -> str:
    """A single value in JSON. Most are texts, for which we needn't set up a whole encoder."""
    return encode_basestring(value) if isinstance(value, str) else json.dumps(value)
