"""Chance for bots: the same seed gives the same numbers, and all of them come up."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.engine.play.attempts import SeededChance


def test_the_same_seed_gives_the_same_numbers_on_every_machine():
    chance = SeededChance("a")
    assert [chance(6) for _ in range(12)] == [3, 4, 2, 5, 3, 0, 2, 3, 0, 5, 5, 0]


def test_every_number_below_comes_up_about_as_often():
    chance = SeededChance("even")
    counts = Counter(chance(7) for _ in range(14000))
    assert sorted(counts) == list(range(7))
    assert all(1800 < count < 2200 for count in counts.values())


def test_below_one_there_is_no_number():
    with pytest.raises(ValueError, match="0"):
        SeededChance("none")(0)
