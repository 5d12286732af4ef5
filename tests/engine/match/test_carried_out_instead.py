"""If a player sent nothing for a phase itself, the report says which orders were carried out:
sent ahead, or standing."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.match.run import run
from tests.engine.match_folders import begun, report_of, send

AUCTION = "0002-t1-auction"
MARKET = "0003-t1-market"
AHEAD = "orders: []\nlater: {auction: {orders: [{bid: 100}]}}"
STANDING = "orders: []\nstanding: {phases: {auction: [{bid: 100}]}}"
NOTHING = "**Nothing came from you** for Auction, turn 1"
BY_AHEAD = "our orders sent ahead (with your sheet of 0001-t1-setup) were carried out"
BY_STANDING = "our standing orders were carried out"


@pytest.mark.parametrize(
    ("first", "then", "told", "untold"),
    [
        (AHEAD, "", [f"{NOTHING} itself; y{BY_AHEAD}\n"], [f"{NOTHING}\n"]),
        (STANDING, "", [f"{NOTHING} itself; y{BY_STANDING}\n"], [f"{NOTHING}\n"]),
        ("orders: []", "", [f"{NOTHING}\n"], ["were carried out there"]),
        (
            AHEAD,
            "orders: []",
            [f"Used from what you sent for {AUCTION}"],
            [NOTHING, "were carried out there"],
        ),
        (
            AHEAD,
            "standing: {leave: []}",
            [f"Used from what you sent for {AUCTION}", f"Y{BY_AHEAD} there."],
            [NOTHING],
        ),
        (AHEAD, "orders: [", [f"Used from what you sent for {AUCTION}", f"Y{BY_AHEAD} there."], [NOTHING]),
    ],
)
def test_what_was_carried_out_is_told(
    tmp_path: Path, first: str, then: str, told: list[str], untold: list[str]
) -> None:
    lagoon = begun(tmp_path / "lagoon")
    send(lagoon, "venice", first)
    send(lagoon, "genoa")
    assert run(lagoon).open == AUCTION
    if then:
        send(lagoon, "venice", then)
    send(lagoon, "genoa")
    if run(lagoon).missing:
        run(lagoon, deadline=True)
    own = report_of(lagoon, MARKET, "venice")
    assert [each for each in told if each not in own] == []
    assert [each for each in untold if each in own] == []
    assert NOTHING not in own or own.index(NOTHING) < own.index("**Decide: your")
    for other in ("genoa", "public"):
        assert "were carried out there" not in report_of(lagoon, MARKET, other)
    assert verify(lagoon).good
