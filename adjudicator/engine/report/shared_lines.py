"""Lines that are the same for all readers, worked out once: most events are for everybody, and a report has many
readers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjudicator.engine.library.caches import OfMatch
from adjudicator.engine.library.texts import Texts, cached_in_texts
from adjudicator.engine.table.event import Event, Player

MOST_KEPT = 1024
"""How much of each kind is kept: more than one match needs at a time."""


class SharedLines:
    """The texts about events that don't depend on the reader.

    Events are compared by identity, so they are kept as long as their texts.
    """

    def __init__(self) -> None:
        self._of: OfMatch[tuple[str, int], tuple[Event[Any], str]] = OfMatch(MOST_KEPT)
        self._lines: OfMatch[tuple[Any, ...], tuple[Sequence[Event[Any]], str]] = OfMatch(MOST_KEPT)

    def of(self, event: Event[Any], macro: Callable[..., Any]) -> str:
        """What a macro says of an event by itself: its thread, or its acting player."""
        key = (macro.name, id(event))  # type: ignore[attr-defined]
        if key not in self._of:
            self._of.keep(key, (event, str(macro(event, type(event).__name__)).strip()))
        return self._of[key][1]

    def line(self, run: Sequence[Event[Any]], actor: Player) -> str | None:
        """The line that tells these events among somebody's acts; None if it isn't there yet, or differs by reader."""
        found = self._lines.get((actor, *map(id, run)))
        return None if found is None else found[1]

    def keep(self, run: Sequence[Event[Any]], actor: Player, text: str) -> None:
        """Keeps the line for all readers of these events."""
        self._lines.keep((actor, *map(id, run)), (run, text))


@cached_in_texts
def shared_lines(texts: Texts) -> SharedLines:
    """The lines that a game's reports in one language share between readers."""
    return SharedLines()
