"""Maps: a redacted position, and what has happened since the one before, as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from adjudicator.engine.event import Event, Player
from adjudicator.engine.rulebook import Rulebook


class Picture(Struct, frozen=True):
    """A map: the whole SVG, which needs nothing else, and in words what it shows."""

    svg: str
    text: str


def picture(
    rulebook: Rulebook[Any], who: Player | None, state: Any, told: Iterable[tuple[Event[Any], Any]] = ()
) -> Picture:
    """The map of a position as `who` may know it, with the moves and fights of `told` (`event.followed`)."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1400 700"></svg>'
    return Picture(svg, "The map")
