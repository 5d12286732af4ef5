"""`status` says why a sheet counts as not sent, next to the player's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, send


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "phase: 0007-t9-market\norders: []",
            "this sheet is for the phase 0007-t9-market, but the phase that",
        ),
        ("phase: movement\norders: []", "this sheet is for the phase movement, but"),
        ("match: alps\norders: []", "this sheet is for the match alps, but the match here is lagoon"),
        ("orders: [", ""),
    ],
    ids=["its folder", "its name", "another match", "no YAML"],
)
def test_why_a_sheet_counts_as_not_sent(tmp_path: Path, text: str, said: str) -> None:
    match = begun(tmp_path / "lagoon")
    send(match, "venice", text)
    lines = adjudicator("status", str(match)).output.splitlines()
    (line,) = [line for line in lines if line.startswith("  venice: ")]
    assert line.startswith(f"  venice: a sheet is in, but counts as not sent: {said}")
    assert "can't be read" not in line


def test_another_players_sheet_is_named_as_that(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send(match, "venice", "player: genoa\norders: []", head=False)
    assert (
        "counts as not sent: this sheet is genoa's, but venice's is expected"
        in adjudicator("status", str(match)).output
    )
