"""What all readers are told alike, said once: most of what happens is for everybody, and a report has many readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjudicator.engine.library.kept import OfMatch
from adjudicator.engine.library.texts import Texts, kept
from adjudicator.engine.table.event import Event, Player

MOST_KEPT = 1024
"""How much is kept of each kind: more than one match needs at a time."""


class SharedLines:
    """What texts say of events whoever reads them.

    Events are told apart by identity, so they are kept as long as what is said of them.
    """

    def __init__(self) -> None:
        self._of: OfMatch[tuple[str, int], tuple[Event[Any], str]] = OfMatch(MOST_KEPT)
        self._lines: OfMatch[tuple[Any, ...], tuple[Sequence[Event[Any]], str]] = OfMatch(MOST_KEPT)

    def of(self, event: Event[Any], macro: Callable[..., Any]) -> str:
        """What a macro says of an event by itself: of which thread it is, or whose doing."""
        key = (macro.name, id(event))  # type: ignore[attr-defined]
        if key not in self._of:
            self._of.keep(key, (event, str(macro(event, type(event).__name__)).strip()))
        return self._of[key][1]

    def line(self, run: Sequence[Event[Any]], actor: Player) -> str | None:
        """The line that tells these events among somebody's doings; None if it hasn't been told, or to each his own."""
        found = self._lines.get((actor, *map(id, run)))
        return None if found is None else found[1]

    def keep(self, run: Sequence[Event[Any]], actor: Player, text: str) -> None:
        """The line for all who will be told these events."""
        self._lines.keep((actor, *map(id, run)), (run, text))


@kept
def shared_lines(texts: Texts) -> SharedLines:
    """What the readers of a game's reports are told alike in these texts."""
    return SharedLines()
