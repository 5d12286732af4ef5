"""A board is data: `board.yaml` beside a rulebook's code, which a group may replace with its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import msgspec

from adjudicator.engine.text.resources import folder_of
from adjudicator.engine.text.source import Source, read

B = TypeVar("B")


def routes(
    start: str, ways: Mapping[str, Collection[str]], most: int = -1, stops: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The places within `most` steps of one (below 0: however many), itself first, the nearest first, each with a
    shortest route; `ways` are the places next to each. No route goes on from one of the `stops`.
    """
    found: dict[str, tuple[str, ...]] = {start: ()}
    rim = [start]
    while rim and most:
        here, rim, most = rim, [], most - 1
        for place in here:
            for there in ways[place]:
                if there not in found:
                    found[there] = (*found[place], there)
                    if there not in stops:
                        rim.append(there)
    return found


class Outlines(msgspec.Struct, frozen=True):
    """Where the lands of a board lie, for drawing alone: `places` by their ids, what lies `beyond` the board by name.

    A land is rings of longitudes and latitudes; neighbours share every point of their border.
    """

    places: Mapping[str, Sequence[Sequence[tuple[float, float]]]]
    beyond: Mapping[str, Sequence[Sequence[tuple[float, float]]]]


def load(package: str | None, kind: type[B]) -> B:
    """The board of a rulebook's package, as a struct of that kind. Raises ValueError for a bad file."""
    source = read((folder_of(package or "") / "board.yaml").read_bytes(), "board.yaml", most=None)
    if not isinstance(source, Source):
        raise ValueError(f"board.yaml can't be read: {source.slip}")
    return msgspec.convert(source.plain, kind, str_keys=True)


def outlines(package: str | None) -> Outlines:
    """The outlines beside a rulebook's board, from its `outlines.json`."""
    return msgspec.json.decode((folder_of(package or "") / "outlines.json").read_bytes(), type=Outlines)
