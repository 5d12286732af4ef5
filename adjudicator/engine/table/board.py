"""A board is data: `board.yaml` beside a rulebook's code, which a group may replace with its own."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeVar

import msgspec

from adjudicator.engine.text.source import Source, read

B = TypeVar("B")


def load(package: str | None, kind: type[B]) -> B:
    """The board of a rulebook's package, as a struct of that kind. Raises ValueError for a bad file."""
    source = read(files(package or "").joinpath("board.yaml").read_bytes(), "board.yaml", most=None)
    if not isinstance(source, Source):
        raise ValueError(f"board.yaml:{source.line}: {source.text}")
    return msgspec.convert(source.plain, kind, str_keys=True)
