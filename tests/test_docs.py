"""The scripts in `docs/` do what the program does: run as they are, with a match's seed filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from tests.engine.match_folders import FOUR, begun, play, send_all

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def lagoon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of four to its end, in whose auction all bid the same, so that lots are thrown."""
    match = begun(tmp_path_factory.mktemp("docs") / "lagoon", FOUR, turns="1")
    send_all(match)
    run(match)
    send_all(match, "orders: [{bid: 100}]")
    run(match)
    assert play(match, 30).over
    return match


def script(page: str, match: Path) -> str:
    """The page's script, with what it leaves open: the seed, and its SHA-256."""
    (found,) = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    folder = Folder(match)
    secrets = folder.secrets()
    assert secrets is not None
    assert found.count('"..."') == 2
    return str(found.replace('"..."', f'"{secrets.seed}"', 1).replace('"..."', f'"{folder.card.seed}"', 1))


def test_the_dice_are_as_their_page_says(lagoon: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(script("dice.md", lagoon), {})
    events = (lagoon / "0002-t1-auction/events.jsonl").read_text().splitlines()
    thrown = next(event for event in map(json.loads, events) if event["type"] == "Thrown")
    assert thrown["what"] == ["seat", "venice"]
    assert capsys.readouterr().out == f"{thrown['face']}\n"


def test_marks_and_seals_are_as_their_page_says(
    lagoon: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    end = Folder(lagoon).phases[-1]
    monkeypatch.chdir(lagoon / end / "for/venice")
    exec(script("receipts.md", lagoon), {})
    printed = capsys.readouterr().out
    told = 0
    for path in lagoon.glob("*/for/public/receipts.json"):
        here = json.loads(path.read_text())
        for phase, mark in here["marks"].items():
            assert f"mark of {phase} {mark}\n" in printed
        for player, seal in here["seals"].items():
            assert f"seal of {here['told']} {player} {seal}\n" in printed
            told += 1
    assert told >= 4 * 5
