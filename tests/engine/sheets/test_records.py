"""Records of which some part must be named: how they are read, and their examples."""

from __future__ import annotations

import pytest

from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.table.domain import Counts, Either, Limit, OneOf, Part, Record, Whole
from adjudicator.engine.table.reason import Refused

WINE = Counts({"wine": Whole(0, [Limit(2, "CAR-1.1", "room")])})
SIDE = Record(dict, {"goods": Part(WINE), "coins": Part(Whole(0))}, least=1)


def first(below: int) -> int:
    """The first of all choices, which leaves out what can be left out."""
    return 0


def test_a_record_of_which_a_part_must_be_named_takes_any_of_them() -> None:
    assert SIDE.read({"coins": 2}) == {"goods": None, "coins": 2}
    with pytest.raises(Refused) as refused:
        SIDE.read({})
    assert (refused.value.reason.key, refused.value.reason.facts["least"]) == ("too-few-parts", 1)


def test_its_first_part_is_the_example() -> None:
    assert SIDE.sample(first) == {"goods": {"wine": 1}}


def test_where_nothing_of_it_is_possible_the_next_is() -> None:
    side = Record(dict, {"goods": Part(OneOf(())), "coins": Part(Whole(0))}, least=1)
    assert side.sample(first) == {"coins": 0}


def test_where_nothing_is_possible_there_is_no_example() -> None:
    with pytest.raises(Refused):
        Record(dict, {"goods": Part(OneOf(()))}, least=1).sample(first)


def test_a_choice_of_no_type_has_no_example() -> None:
    """As where a full galley can take nothing from an empty garrison: nothing could be exchanged one for one."""
    with pytest.raises(Refused):
        Either(()).sample(SeededChance("none"))
