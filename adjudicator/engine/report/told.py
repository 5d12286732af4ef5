"""What a reader is told of a match, as one value that reports, maps and pages are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.engine.table.event import Event, Player

if TYPE_CHECKING:
    from adjudicator.engine.report.chart import Chart

Link = tuple[str, str]
"""Another page: its address as seen from this one, and its title."""


class Told(Struct, frozen=True):
    """What a report tells its reader: the events since the last one, the position before them, and that after them."""

    who: Player | None
    before: Any
    events: Sequence[Event[Any]]
    after: Any


class Extras(Struct, frozen=True):
    """What goes into a reader's texts besides: the deadline in free words, the folder with the sheet in which the
    orders for this phase have come in already, the GM's address, the chart, and the marks of the chain by folder, of
    this phase last."""

    due_text: str = ""
    ahead: str = ""
    gm: str = ""
    chart: Chart | None = None
    marks: Mapping[str, str] = {}
