"""Small functions that rulebooks share: taking things and cards out, players clockwise, lists that are too short."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec import Struct

from adjudicator.engine.table.domain import Many, OneOf
from adjudicator.engine.table.event import removed
from adjudicator.engine.table.players import clockwise
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.secret import Secret, face_down, hand_without, without_secrets


class Carts(Struct, frozen=True):
    """A position with things by name."""

    carts: Mapping[str, int]
    wind: str = "west"


def test_things_are_taken_out_by_name_and_what_is_not_there_is_no_matter() -> None:
    before = Carts({"red": 1, "blue": 2, "green": 3})
    assert removed(before, "carts", "blue", "black") == Carts({"red": 1, "green": 3})
    assert list(before.carts) == ["red", "blue", "green"]


def test_cards_leave_a_hand_whether_the_reader_sees_them_or_not() -> None:
    hand, unseen = face_down(["ace", "king", "ace"]), (Secret[str].hidden(),) * 3
    assert hand_without(hand, ["ace"]) == face_down(["king", "ace"])
    assert without_secrets(hand, face_down(["ace", "ace"])) == face_down(["king"])
    assert len(without_secrets(unseen, face_down(["ace"]))) == 2, (
        "somebody else's hand, a card that was shown"
    )
    assert len(without_secrets(unseen, unseen[:2])) == 1, "somebody else's hand, cards that weren't"
    with pytest.raises(ValueError, match="not in"):
        without_secrets(hand, face_down(["queen"]))


def test_clockwise_begins_with_the_first() -> None:
    seats = ("red", "blue", "green")
    assert [clockwise(seats, first)[1:] for first in seats] == [
        ("blue", "green"),
        ("green", "red"),
        ("red", "blue"),
    ]


def test_a_list_that_is_too_short_is_refused_by_its_own_reason_with_what_is_missing() -> None:
    names = OneOf(("ace", "king", "queen"))
    few = Reason("CAR-1", "few", {"why": "law"})
    for least, plain, missing in ((2, [], 2), (3, ["ace", "king"], 1)):
        with pytest.raises(Refused) as refused:
            Many(names, least, 3, under=few).read(plain)
        facts = {"least": least, "missing": missing, "why": "law"}
        assert (refused.value.reason, refused.value.path) == (Reason("CAR-1", "few", facts), ())
    with pytest.raises(Refused) as refused:
        Many(names, 2).read(["ace"])
    assert refused.value.reason == Reason("", "too-short", {"least": 2})
