"""One event of each kind, for each rulebook, with its text in the story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.event import Event, Shuffled
from tests.rulebooks import (
    mediterranee_events,
    oltremare_events,
    rome_carthage_events,
    serenissima_events,
    triumvirat_events,
)

EVERY: Mapping[str, tuple[Event[Any], ...]] = {
    "mediterranee": mediterranee_events.EVENTS,
    "rome-carthage": rome_carthage_events.EVENTS,
    "serenissima": serenissima_events.EVENTS,
    "oltremare": oltremare_events.EVENTS,
    "triumvirat": triumvirat_events.EVENTS,
}
SILENT = {
    *("Opened", "Due", "OrderRefused", "Remarked", "NotSent", "Stood"),
    *mediterranee_events.SILENT,
    *rome_carthage_events.SILENT,
    *serenissima_events.SILENT,
    *oltremare_events.SILENT,
    *triumvirat_events.SILENT,
}
"""What needs no words in the story, or is told elsewhere."""
FOR_ONE = {**mediterranee_events.FOR_ONE, **rome_carthage_events.FOR_ONE, **oltremare_events.FOR_ONE}
"""What only one of the readers is told, by kind."""


def kind_of(event: Event[Any]) -> str:
    """The kind of an event; a shuffle is told or not by what it is for."""
    return f"Shuffled of {event.what[0]}" if isinstance(event, Shuffled) else type(event).__name__
