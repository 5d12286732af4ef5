"""What stands in a file that a player sent, before anybody asks whether it can count."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.source import Source, read

CONTENT = ("orders", "standing", "later", "answers")
KEYS = ("player", "match", "phase", *CONTENT, "salt", "ready")
"""The keys of a sheet and of a file of answers."""
Kind = Literal["sheets", "answers"]
"""What a file is, by the folder for it."""


@lru_cache(maxsize=8)
def source_in(data: bytes) -> Source | Problem:
    """A text read as YAML; the last few are kept."""
    return read(data, "sheet")


def plain_in(data: bytes) -> Mapping[str, Any]:
    """A text's content as plain data; empty if it can't be read, or isn't a mapping."""
    source = source_in(data)
    return source.plain if isinstance(source, Source) and isinstance(source.plain, dict) else {}


def kind_of(data: bytes) -> Kind:
    """Is it a sheet, or a file of answers: one that has answers and no orders?"""
    if isinstance(source_in(data), Source):
        plain = plain_in(data)
        answers = "answers" in plain and "orders" not in plain
    else:
        answers = any(line.startswith(b"answers:") for line in data.splitlines())
    return "answers" if answers else "sheets"


def keys_with_content(plain: Mapping[str, Any]) -> set[str]:
    """The keys of a sheet or of a file of answers that have content."""
    later = plain.get("later")
    ahead = later.values() if isinstance(later, dict) else () if later is None else (later,)
    said = {key for key in CONTENT if key != "later" and plain.get(key) is not None}
    filled = any((one.get("orders") if isinstance(one, dict) else one) is not None for one in ahead)
    return said | ({"later"} if filled else set())


def without_content(data: bytes) -> Literal["", "nothing", "blank"]:
    """Is the file empty (`nothing`), or a form in which nothing was filled in (`blank`)?"""
    source = source_in(data)
    if not isinstance(source, Source):
        return ""
    plain = source.plain
    if plain is None:
        return "nothing"
    unfilled = isinstance(plain, dict) and plain.keys() <= {*KEYS} and not keys_with_content(plain)
    return "blank" if unfilled else ""


def with_player(data: bytes, player: str) -> bytes:
    """A file with its player's name, if it has none and can be read. The name goes to the end, to keep line numbers.

    A file to which nothing can be appended, such as one in braces, stays as it was.
    """
    source, plain = source_in(data), plain_in(data)
    if not isinstance(source, Source) or not plain or "player" in plain:
        return data
    column = min(source.mark((key,), key=True).column for key in plain)
    end = b"" if data.endswith(b"\n") else b"\n"
    text = data + end + b" " * (column - 1) + f"player: {player}\n".encode()
    return text if isinstance(source_in(text), Source) else data
