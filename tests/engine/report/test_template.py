"""The functions that templates can use: tables, also those of points."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.report.filters import points_table, table
from adjudicator.engine.table.points import Line


def test_a_table_is_aligned() -> None:
    assert table(["Port", ">men"], [["Venezia", 3], ["Pisa", 12]]) == (
        "| Port    | men |\n|---------|----:|\n| Venezia |   3 |\n| Pisa    |  12 |"
    )


def test_points_of_one_line_have_no_total() -> None:
    texts: dict[str, Any] = {"names": {}, "points": {"what": "points", "total": "total"}}
    one = {"rome": (Line("ROM-5.2", "pieces", 7, 7),)}
    two = {"rome": (*one["rome"], Line("ROM-5.1", "capitals", 1, None))}
    assert "total" not in points_table(one, texts)
    assert "| total    |   7+ |" in points_table(two, texts)
