"""Tables of reasons why an order can't pick certain names."""

from __future__ import annotations

import pytest

from adjudicator.engine.table import Hindrances, Reason, Refused
from adjudicator.engine.table.domain import allowed

STEEP, WET = Reason("X-1", "steep"), Reason("X-2", "wet", {"by": "rain"})
LANDS = {"fen": (False, True), "ridge": (True, True), "plain": (False, False)}


def hindrances(name: str) -> Hindrances:
    steep, wet = LANDS[name]
    yield steep and STEEP
    yield wet and WET


def test_what_nothing_hinders_is_allowed_in_its_order() -> None:
    assert allowed(("plain", "fen", "ridge"), hindrances).among == ["plain"]


@pytest.mark.parametrize(("name", "rule", "key"), [("fen", "X-2", "wet"), ("ridge", "X-1", "steep")])
def test_the_first_hindrance_is_the_reason(name: str, rule: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        allowed(LANDS, hindrances).read(name)
    assert (refused.value.reason.rule, refused.value.reason.key) == (rule, key)


def test_what_was_never_there_has_no_reason_of_its_own() -> None:
    with pytest.raises(Refused) as refused:
        allowed(LANDS, hindrances).read("sea")
    assert refused.value.reason.key == "not-possible"


def test_of_names_only_the_one_that_is_read_is_looked_at() -> None:
    looked: list[str] = []

    def noted(name: str) -> Hindrances:
        looked.append(name)
        yield from hindrances(name)

    assert allowed(LANDS, noted).read("plain") == "plain"
    assert looked == ["plain"]
