"""Limits how many problems of a file are told: the first ones, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.text.source import Source

MOST_TOLD = 50
"""How many problems of a file are told, by place; of the rest only the number."""
MORE = "more-problems"


def number_of_problems(reason: Reason) -> int:
    """How many problems the reason counts for: one, unless it says how many more there are."""
    return int(reason.facts["count"]) if reason.key == MORE else 1


def first_flaws(source: Source, flaws: Sequence[Flaw]) -> list[Flaw]:
    """The first MOST_TOLD flaws by place, and after them how many more there are."""
    if len(flaws) <= MOST_TOLD:
        return list(flaws)

    def spot(flaw: Flaw) -> tuple[int, int]:
        mark = source.mark(flaw.path, key=flaw.key)
        return mark.line, mark.column

    found = sorted(flaws, key=spot)
    more = Reason("SHEET", MORE, {"count": len(flaws) - MOST_TOLD})
    after = found[MOST_TOLD]
    return [*found[:MOST_TOLD], Flaw(more, after.path, key=after.key)]
