"""Lazy reasons: they are worked out when one is needed, once, and work like any mapping."""

from __future__ import annotations

import pytest

from adjudicator.engine.table.domain import OneOf
from adjudicator.engine.table.reason import LazyReasons, Reason, Refused, when_named

asked: list[str] = []


@when_named
def lost(where: str) -> dict[str, Reason]:
    asked.append(where)
    return {"genoa-1": Reason("", "was-sunk", {"zone": where})}


def test_nothing_is_worked_out_for_what_is_possible() -> None:
    asked.clear()
    domain = OneOf(("venice-1",), but=lost("ionio") | {"genoa-2": Reason("", "not-yours")})
    assert domain.read("venice-1") == "venice-1"
    assert not asked
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            domain.read("genoa-1")
        assert refused.value.reason.key == "was-sunk"
    assert asked == ["ionio"]


def test_they_are_a_mapping_like_any_other() -> None:
    plain = {"genoa-1": Reason("", "was-sunk", {"zone": "ionio"})}
    other = {"genoa-1": Reason("", "not-yours")}
    assert lost("ionio") == plain
    assert lost("ionio") != lost("creta")
    assert lost("ionio") | other == plain | other
    assert other | lost("ionio") == other | plain
    assert isinstance(other | lost("ionio"), LazyReasons)
    assert (len(lost("ionio")), list(lost("ionio"))) == (1, ["genoa-1"])
