"""Lists with a limit for each value, kinds of which only one is possible, and examples that name players."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.sheets.offering import with_own_names
from adjudicator.engine.table.domain import Either, Limit, Many, OneOf
from adjudicator.engine.table.reason import Refused

HELD = {"oil": 2, "wine": 1, "gems": 3}
HAND = Many(
    OneOf(tuple(HELD)), 3, 3, limits={card: Limit(count, "X-1", "too-often") for card, count in HELD.items()}
)
SEATS = ("caesar", "crassus", "pompey")


@pytest.mark.parametrize("seed", range(20))
def test_a_list_at_random_keeps_to_what_there_is_of_each(seed: int) -> None:
    cards = HAND.sample(SeededChance(str(seed)))
    assert HAND.read(cards) == tuple(cards)
    assert Counter(cards) <= Counter(HELD)


def test_one_too_many_is_refused_at_its_place_by_its_own_rule() -> None:
    with pytest.raises(Refused) as refused:
        HAND.read(["wine", "oil", "wine"])
    assert (refused.value.path, refused.value.reason.rule, refused.value.reason.key) == (
        (2,),
        "X-1",
        "too-often",
    )
    assert refused.value.reason.facts == {"value": "wine", "most": 1}


def test_where_one_kind_is_impossible_another_is_found() -> None:
    nothing, numbers = OneOf[str](()), OneOf((1, 2))
    for options in ((nothing, numbers), (numbers, nothing)):
        for seed in range(8):
            assert Either(options).sample(SeededChance(str(seed))) in (1, 2)
    with pytest.raises(Refused):
        Either((nothing, nothing)).sample(SeededChance("none"))


@pytest.mark.parametrize("me", SEATS)
def test_an_example_names_no_player_twice(me: str) -> None:
    seated = (*(player for player in SEATS if player != me), me)
    text = with_own_names("{building: [pompey, caesar, crassus]}", SEATS, seated)
    assert sorted(text.removeprefix("{building: [").removesuffix("]}").split(", ")) == sorted(SEATS)


def test_in_an_example_another_stands_for_oneself() -> None:
    assert (
        with_own_names("[{wine: pompey}, grain]", SEATS, ("caesar", "crassus", "pompey"))
        == "[{wine: caesar}, grain]"
    )


@pytest.mark.parametrize(
    ("given", "offered"),
    [
        (["oil", "salt"], ["oil", "wine", "gems"]),
        (["wine", "salt", "oil"], ["oil", "gems"]),
        (["salt", "oil", "oil"], ["wine", "gems"]),
    ],
)
def test_what_a_list_holds_already_isnt_offered_again(given: list[str], offered: list[str]) -> None:
    """As often as it can hold it; where nothing can come twice, not at all."""
    hand = Many(HAND.each, limits=HAND.limits)
    with pytest.raises(Refused) as refused:
        hand.read(given)
    assert refused.value.reason.facts["possible"] == offered
    with pytest.raises(Refused) as refused:
        Many(HAND.each, distinct=True).read(given)
    assert refused.value.reason.facts["possible"] == [name for name in HELD if name not in given]
