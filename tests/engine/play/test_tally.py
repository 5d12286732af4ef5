"""Tallies, and names that something hinders: parts with which several games write their rules."""

from __future__ import annotations

import pytest

from adjudicator.engine.table.domain import Limit, unhindered
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.tally import Tally, up_to_all


class Herd(Tally, frozen=True):
    """Two kinds of animals."""

    sheep: int = 0
    goats: int = 0


def test_tallies_are_reckoned_with_kind_by_kind() -> None:
    assert Herd(3, 1) + Herd(0, 2) == Herd(3, 3)
    assert Herd(3, 1) - Herd(1, 2) == Herd(2, -1)
    assert -Herd(3, 1) == Herd(-3, -1)
    assert Herd(3, 1) & Herd(1, 2) == Herd(1, 1)
    assert Herd(3, 1).count == 4


def test_the_first_of_a_tally_are_those_of_the_kinds_named_first() -> None:
    assert Herd(3, 2).first(4) == Herd(3, 1)
    assert Herd(3, 2).first(4, ["goats"]) == Herd(2, 2)
    assert Herd(3, 2).first(9) == Herd(3, 2)


def test_of_each_kind_as_many_as_there_are_within_further_limits() -> None:
    among = up_to_all(Herd(3, 1), "X-1", "not-there", Limit(2, "X-2", "too-many"))
    assert among.read({"sheep": 2, "goats": 1}) == {"sheep": 2, "goats": 1}
    for plain, rule in (({"goats": 2}, "X-1"), ({"sheep": 3}, "X-2")):
        with pytest.raises(Refused) as refused:
            among.read(plain)
        assert refused.value.reason.rule == rule


def test_what_hinders_a_name_is_the_reason_it_is_refused_for() -> None:
    closed = Reason("X-3", "closed")
    among = unhindered(("corfu", "ragusa"), lambda name: closed if name == "ragusa" else None)
    assert list(among.among) == ["corfu"]
    with pytest.raises(Refused) as refused:
        among.read("ragusa")
    assert refused.value.reason.rule == "X-3"
