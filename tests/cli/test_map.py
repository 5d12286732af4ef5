"""`map`: of a match, of a phase, of a position file; for the public or a player."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from adjudicator.engine.match.begin import begin
from tests.cli.calling import adjudicator, lay_out, position


@pytest.fixture
def lagoon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    begin("mediterranee", tmp_path / "lagoon", ("venice", "genoa"), seed_text="calm")
    return tmp_path / "lagoon"


def test_the_map_of_a_match_is_a_file_named_after_the_phase(lagoon: Path) -> None:
    result = adjudicator("map", "lagoon")
    assert result.output == "The map is in lagoon-0001-t1-setup.svg.\n"
    ElementTree.parse("lagoon-0001-t1-setup.svg")


def test_a_phase_a_reader_and_a_file_may_be_named(lagoon: Path) -> None:
    for phase in ("0", "0000", "start", "0000-t1-start"):
        assert (
            adjudicator("map", lagoon, "--phase", phase, "--player", "venice", "--out", "x/y.svg").exit_code
            == 0
        )
        ElementTree.parse("x/y.svg")


def test_it_can_be_shown(lagoon: Path) -> None:
    assert adjudicator("map", lagoon, "--out", "-").output.startswith("<svg ")


def test_a_position_has_a_map_too(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("market"))
    for file in ("state.yaml", "view.yaml"):
        assert adjudicator("map", folder / file, "--out", "-").output.startswith("<svg ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "there is no such folder"),
        (("lagoon", "--phase", "99"), "there is no phase 99; there are 0000-t1-start to 0001-t1-setup"),
        (("lagoon", "--player", "venise"), "did you mean venice?"),
        (("lagoon/match.yaml",), "match.yaml"),
    ],
)
def test_what_is_wrong_is_said(lagoon: Path, words: tuple[str, ...], said: str) -> None:
    result = adjudicator("map", *words)
    assert result.exit_code == 1
    assert said in result.output
    assert list(Path().glob("*.svg")) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--player", "spain"), "there is no player spain"),
        (("--phase", "1"), "is a single position; only a match's folder"),
    ],
)
def test_what_a_position_has_not_is_wrong_use(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    folder = lay_out(tmp_path, position("market"))
    result = adjudicator("map", folder / "view.yaml", *words)
    assert result.exit_code == 2
    assert said in re.sub(r"[\s│]+", " ", result.output)
