"""JSON for pages in which repeated parts are written once: schemas repeat themselves a lot."""

from __future__ import annotations

import json
from collections.abc import Mapping
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
    whole = found.written(value, found.names[id(value)], whole=True)
    return {"parts": found.parts, "whole": whole}


class Parts:
    """Counts the texts, lists and mappings of a value by content."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.names: dict[int, str] = {}  # of lists and mappings, by identity
        self.times: dict[str, int] = {}
        self.at: dict[str, int] = {}

    def count(self, value: Any) -> str:
        """The content of a value as JSON. Counts the value, and the first time also its contents."""
        if isinstance(value, Mapping):
            inner = [
                f"{json.dumps(key, ensure_ascii=False)}:{self.count(each)}" for key, each in value.items()
            ]
            name = f"{{{','.join(inner)}}}"
        elif isinstance(value, list | tuple):
            name = f"[{','.join(map(self.count, value))}]"
        else:
            return (
                self.counted(json.dumps(value, ensure_ascii=False))
                if isinstance(value, str)
                else json.dumps(value)
            )
        self.names[id(value)] = name
        return self.counted(name)

    def counted(self, name: str) -> str:
        """The value's content as JSON, with its occurrence counted."""
        self.times[name] = self.times.get(name, 0) + 1
        return name

    def written(self, value: Any, name: str, *, whole: bool = False) -> Any:
        """A value with its parts in their places, or a reference if it is a part itself."""
        if not whole and self.times.get(name, 0) > 1 and len(name) >= LEAST:
            if name not in self.at:
                made = self.written(value, name, whole=True)
                self.at[name] = len(self.parts)
                self.parts.append(made)
            return {PART: self.at[name]}
        if isinstance(value, Mapping):
            return {key: self.written(each, self.named(each)) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.written(each, self.named(each)) for each in value]
        return value

    def named(self, value: Any) -> str:
        """The content of a value, if it can be a part."""
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        return self.names.get(id(value), "")
