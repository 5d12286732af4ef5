"""A loose route: every list of places is admitted, those from neighbour to neighbour are offered."""

from __future__ import annotations

import pytest

from adjudicator.engine.table.domain import Walk
from adjudicator.engine.table.reason import Refused

BORDERS = {"a": ("b",), "b": ("a", "c"), "c": ("b",)}


def test_it_admits_what_may_be_possible_later_but_no_unknown_place_and_no_way_to_nowhere() -> None:
    walk = Walk("a", BORDERS, 1, loose=True)
    assert walk.read(["c", "b", "a"]) == ("c", "b", "a")
    for wrong in (["d"], [], "b"):
        with pytest.raises(Refused):
            walk.read(wrong)


def test_it_offers_the_ways_that_are_possible_now_and_lists_none() -> None:
    walk = Walk("a", BORDERS, 1, loose=True)
    assert walk.schema()["items"] == {"enum": ["b"]} and not walk.listed
    assert walk.sample(lambda below: 0) == ["b"]
