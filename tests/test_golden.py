"""The matches in `games/`: they verify, and every report, view and form is what the program writes today."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder import opened
from adjudicator.engine.handout import handout
from adjudicator.engine.replay import verify

GAMES = Path(__file__).parent.parent / "games"
MATCHES = sorted(path.parent for path in GAMES.glob("*/*/match.yaml"))


def test_every_rulebook_has_a_match_to_read() -> None:
    assert MATCHES


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_golden_match_verifies(path: Path) -> None:
    found = verify(path)
    assert found.problems == (), "make golden, and say in the commit why it changed"


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_players_got_is_what_they_would_get_now(path: Path) -> None:
    match = opened(path)
    stale = []
    for number, folder in enumerate(match.phases):
        if (path / folder / "for").is_dir():
            for name, text in handout(match, number).items():
                if not name.endswith("schema.json") and (path / name).read_text(encoding="utf-8") != text:
                    stale.append(name)
    assert stale == [], "make golden, and say in the commit why it changed"
