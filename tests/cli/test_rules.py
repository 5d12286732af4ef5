"""`rules`, `explain`, `games`: the program's knowledge of games, in words."""

from pathlib import Path

import pytest

from adjudicator.cli import COMMANDS
from adjudicator.engine.library import registry
from tests.cli.calling import GAME, adjudicator


def test_all_rules() -> None:
    result = adjudicator("rules", GAME)
    assert result.exit_code == 0
    assert "MED-0.1" in result.output
    assert "MED-7.1" in result.output


@pytest.mark.parametrize("number", ["MED-3.3", "med-3.3", "3.3"])
def test_one_rule(number: str) -> None:
    result = adjudicator("rules", GAME, number)
    assert result.output.startswith("MED-3 Movement (phase 3)\n\nMED-3.3 To go on from a zone")


def test_the_nearest_is_named() -> None:
    assert "did you mean mediterranee?" in adjudicator("rules", "mediteranee").output
    result = adjudicator("rules", GAME, "MED-3.33")
    assert result.exit_code == 2
    assert "did you mean MED-3.3?" in result.output
    assert adjudicator("explain", "MAD-3.3").exit_code == 2
    assert adjudicator("explain", "").exit_code == 2


def test_a_rule_explained() -> None:
    result = adjudicator("explain", "MED-3.3")
    assert result.exit_code == 0
    assert "MED-3.3 To go on from a zone" in result.output
    assert "adjudicator/rulebooks/mediterranee/movement.py:" in result.output


def test_what_a_rule_refused_in_a_match(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    adjudicator("new", GAME, match, "--player", "venice", "--player", "genoa", "--seed", "calm")
    phase = match / "0001-t1-setup" / "sheets"
    (phase / "venice.yaml").write_text("player: venice\norders:\n  - place: 4\n    to: genoa-1\n")
    assert adjudicator("run", match, "--deadline").exit_code == 0
    result = adjudicator("explain", "MED-0.3", match)
    assert "Orders it refused in" in result.output
    assert "0001-t1-setup/sheets/venice.yaml:4:9: place: 4: genoa-1" in result.output
    assert "none" in adjudicator("explain", "MED-3.3", match).output.splitlines()[-1]
    assert adjudicator("explain", "MED-3.3", tmp_path).exit_code == 1


def test_games(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "chess"

        def load(self) -> None:
            raise ImportError("no module named board")

    monkeypatch.setattr(registry, "_foreign", lambda: [Broken()])
    result = adjudicator("games")
    assert result.exit_code == 0
    assert "Méditerranée" in result.output and "2, 3, 4 players " in result.output
    assert f"version {registry.rulebook('mediterranee').version}\n" in result.output
    assert "chess: can't be loaded: ImportError: no module named board" in result.output
    assert "can't be loaded" in adjudicator("rules", "chess").output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str) -> None:
    result = adjudicator(command, "--help")
    assert result.exit_code == 0
    assert f"Example: adjudicator {command}" in result.output
