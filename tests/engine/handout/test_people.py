"""Names of people stand beside their seats: for the players of a match alone, and never as anything but text."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from tests.engine.match_folders import send

NAMES = {"venice": "Anna", "genoa": "<b>Bob</b> \n# *x*"}


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A match whose players have names, in its first auction."""
    path = tmp_path / "lagoon"
    begin("mediterranee", path, ("venice", "genoa"), seed_text="test", names=NAMES)
    for player in NAMES:
        send(path, player)
    run(path)
    return path


def handed(path: Path, who: str, name: str) -> str:
    return (path / Folder(path).phases[-1] / "for" / who / name).read_text()


def test_players_read_who_plays_and_the_public_doesnt(named: Path) -> None:
    for who in ("venice", "genoa"):
        assert "## Who plays\n\n- Venice: Anna\n- Genoa: " in handed(named, who, "report.md")
        for page in ("report.html", "orders.html"):
            assert "Anna" in handed(named, who, page)
    for name in ("report.md", "report.html"):
        assert "Anna" not in handed(named, "public", name) and "Bob" not in handed(named, "public", name)


def test_a_name_is_text_alone(named: Path) -> None:
    for page in ("report.html", "orders.html"):
        assert "<b>Bob" not in handed(named, "venice", page)
    assert "\n# " not in handed(named, "venice", "report.md").split("## Who plays")[1].split("##")[0]
