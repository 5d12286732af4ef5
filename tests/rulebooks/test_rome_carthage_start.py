"""The start of Rome et Carthage: what its options may name (ROM-0.4, ROM-0.5), and who gets which pack (ROM-6.3)."""

from __future__ import annotations

from itertools import permutations

import pytest

from adjudicator.engine.table.reason import Refused
from adjudicator.rulebooks.rome_carthage import RULEBOOK
from adjudicator.rulebooks.rome_carthage.board import worth
from adjudicator.rulebooks.rome_carthage.turn import half

FOUR = RULEBOOK.tables[4][0]


@pytest.mark.parametrize(
    ("players", "options", "why"),
    [
        (FOUR, {"betrayal": ("rome", "carthage")}, ""),
        (FOUR, {"betrayal": ("rome", "carthage", "sparta")}, "no-betrayer"),
        (("rome", "constantinople", "alexandria"), {"betrayal": ("rome", "carthage")}, "no-betrayer"),
        (("rome", "carthage"), {"betrayal": ("constantinople",)}, "no-betrayer"),
        (FOUR, {"betrayal": ("rome", "alexandria")}, "one-betrayal-each"),
        (FOUR, {"first": "sparta"}, "not-first"),
        (("rome", "carthage"), {"first": "alexandria"}, "not-first"),
    ],
)
def test_options_name_players_of_the_match(
    players: tuple[str, ...], options: dict[str, object], why: str
) -> None:
    try:
        RULEBOOK.start("trial", RULEBOOK.Options(**options), players)
    except Refused as refused:
        assert refused.reason.key == why
    else:
        assert not why


def test_a_pack_is_half_of_the_cards_and_as_near_to_half_of_the_points_as_can_be() -> None:
    for order in permutations(("clubs-ace", "clubs-2", "clubs-4", "clubs-5", "clubs-9")):
        chosen = [order[index] for index in half(order)]
        assert sorted(chosen, key=worth) in (["clubs-ace", "clubs-9"], ["clubs-2", "clubs-9"])
        assert sum(map(worth, chosen)) == 10, "of two sums that are as near the lower"
