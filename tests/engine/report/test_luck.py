"""The luck of the dice: as many as were thrown, what was to be expected, and how seldom there are so many or so few."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from adjudicator.engine.report.news import News
from adjudicator.engine.report.reader_facts import Throw, luck_of
from adjudicator.engine.table.dice import D6
from tests.engine.report.test_first import RULEBOOK

SKULLS = (1, 1, 0, 0, 0)


def by_counting(throws: list[Throw]) -> tuple[Fraction, Fraction]:
    """The chance of so many or more, and of so few or less: all that could have been thrown, one after the other."""
    thrown = sum(face for face, _ in throws)
    sums = [sum(faces) for faces in product(*(die for _, die in throws))]
    above, below = sum(each >= thrown for each in sums), sum(each <= thrown for each in sums)
    return Fraction(above, len(sums)), Fraction(below, len(sums))


@pytest.mark.parametrize(
    "throws",
    [
        [(6, D6)],
        [(1, D6), (1, D6)],
        [(4, D6), (3, D6), (6, D6), (5, D6)],
        [(1, SKULLS), (0, SKULLS), (0, SKULLS)],
        [(1, SKULLS), (6, D6), (2, (2, 2))],
        [(0, (0,))],
    ],
)
def test_it_is_what_counting_all_throws_gives(throws: list[Throw]) -> None:
    found = luck_of(throws)
    assert (found.above, found.below) == by_counting(throws)
    assert found.dice == len(throws)
    assert found.thrown == sum(face for face, _ in throws)
    assert found.expected == pytest.approx(sum(sum(die) / len(die) for _, die in throws))


def test_it_says_how_seldom_it_is() -> None:
    assert luck_of([(6, D6), (6, D6)]).once_in == 36
    assert luck_of([(1, D6), (2, D6)]).once_in == 12
    assert luck_of([(4, D6)]).once_in == 2
    assert luck_of([(6, D6)] * 400).once_in == 6**400, "as many dice as a long match has"


def test_a_die_shows_one_of_its_faces() -> None:
    news = News(RULEBOOK, None)
    news.luck("venice", 6, D6)
    news.luck("", 6, D6)
    assert news.throws == {"venice": [(6, D6)]}
    with pytest.raises(ValueError, match="can't show 7"):
        news.luck("venice", 7, D6)
