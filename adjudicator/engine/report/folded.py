"""JSON for pages in which repeated parts are written once: schemas repeat themselves a lot."""

from __future__ import annotations

import json
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
        """The number of a value's content. Counts the value, and all that is in it."""
        if isinstance(value, dict):
            names, inner = [*map(self.key, value)], [*map(self.count, value.values())]
            found = self.counted(("mapping", *names, *inner), names + inner, max(2 * len(inner) + 1, 2))
        elif isinstance(value, list | tuple):
            inner = [*map(self.count, value)]
            found = self.counted(("list", *inner), inner, max(len(inner) + 1, 2))
        else:
            return self.counted((type(value), value))
        self.of[id(value)] = found
        return found

    def key(self, name: str) -> int:
        """The number of a mapping's key, which is no part."""
        found = self.counted((str, name))
        self.times[found] -= 1
        return found

    def counted(self, content: Any, inner: list[int] | None = None, signs: int = 0) -> int:
        """The number of a content, with its occurrence counted; `signs` are the characters around what is in it."""
        if content not in self.numbers:
            self.numbers[content] = len(self.sizes)
            plain = len(json.dumps(content[1], ensure_ascii=False)) if inner is None else 0
            self.sizes.append(plain + signs + sum(self.sizes[each] for each in inner or ()))
            self.times.append(0)
        number = self.numbers[content]
        self.times[number] += 1
        return number

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
