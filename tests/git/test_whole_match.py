"""Whole matches in a repository: four clones, hidden hands; then opened, verified, and verified from a clone alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.comparing import check_received
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from tests.git.clubs import joined

TABLES = {
    "oltremare": (("contarini", "dandolo", "grimani", "loredan"), {}),
    "mediterranee": (("venice", "genoa", "spain", "turkey"), {"turns": "1"}),
}


@pytest.mark.parametrize("game", [pytest.param("oltremare", marks=pytest.mark.soak), "mediterranee"])
def test_a_match_in_a_repository_is_played_to_its_end_and_verified(game: str, tmp_path: Path) -> None:
    players, options = TABLES[game]
    club = joined(tmp_path, players, game=game, **options)
    club.play()
    opened = club.opened()
    found = verify(opened)
    assert [each.text for each in found.problems] == []
    assert found.seed
    assert open_match(opened).head(open_match(opened).last).over
    for player in players:
        news = club.read(player)
        assert news.odd == []
        assert verify(club.home / player / "whole").good
        folders = sorted(each.parent for each in (club.home / player).glob("0*/receipts.json"))
        received = check_received(folders, [], [])
        assert [each.text for each in received.problems] == []
        assert received.sheets > 0
        assert received.as_handed > 0
