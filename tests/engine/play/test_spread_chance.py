"""Tries that are spread: together they take what single ones would leave to luck."""

from __future__ import annotations

import pytest

from adjudicator.engine.play.attempts import DiceByChance, SpreadChance
from adjudicator.engine.table.dice import D6

TRIES = 7


def tries() -> list[SpreadChance]:
    return [SpreadChance("seed", number, TRIES) for number in range(TRIES)]


@pytest.mark.parametrize("below", range(1, TRIES + 1))
def test_each_of_a_few_values_comes_up_in_each_pick(below: int) -> None:
    for picks in zip(*([chance(below) for _ in range(20)] for chance in tries()), strict=True):
        assert {*picks} == {*range(below)}


@pytest.mark.parametrize("below", [8, 50, 1000])
def test_of_many_values_each_try_has_another_part(below: int) -> None:
    for picks in zip(*([chance(below) for _ in range(20)] for chance in tries()), strict=True):
        assert [pick * TRIES // below for pick in sorted(picks)] == pytest.approx([*range(TRIES)], abs=1)
        assert max(picks) < below


def test_dice_fall_by_it() -> None:
    dice = [DiceByChance(chance) for chance in tries()]
    assert {each.throw(D6, ("a",)) for each in dice} == {*D6}
    assert {"".join(sorted(each.shuffle("abc", ("b",)))) for each in dice} == {"abc"}
