"""Views: a position or events as one player, or the public (None), may know them.
Everything that leaves passes through here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.library.caches import OfMatch
from adjudicator.engine.table.event import Event, Player, owner_of
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import view


def position_for(rulebook: Rulebook[Any], state: Any, who: Player | None) -> Any:
    """The position as `who` may know it; no view has the chain, which is a fingerprint of secrets."""
    seen = view(state, rulebook.sees(state, who))
    return replace(seen, chain="")


def events_for(
    rulebook: Rulebook[Any], state: Any, events: Iterable[Event[Any]], who: Player | None
) -> list[Event[Any]]:
    """The events as `who` may know them: without those meant for others, and with sheets' lines only for their owners.

    `state` is the position after the events; the place of an event's secret follows from the event alone.
    """
    found: list[Event[Any]] = []
    sees = rulebook.sees(state, who)
    for event in events:
        if event.to and who not in event.to:
            continue
        own = event if not event.by or owner_of(event.by) == who else without_source(event)
        found.append(view(own, sees, (event,)))
    return found


MOST_KEPT = 512
_UNSIGNED: OfMatch[int, tuple[Event[Any], Event[Any]]] = OfMatch(MOST_KEPT)
"""Unsigned events by the event's identity; the event itself is kept, so that no other gets its identity."""


def without_source(event: Event[Any]) -> Event[Any]:
    """The event without the line of its sheet; always the same object for one event, whoever reads it."""
    if id(event) not in _UNSIGNED:
        _UNSIGNED.keep(id(event), (event, replace(event, by="")))
    return _UNSIGNED[id(event)][1]
