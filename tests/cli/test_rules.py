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


@pytest.mark.parametrize("number", ["MED-3.3", "med-3.3", "3.3", "med 3.3", "Med3.3", " 3.3 "])
def test_one_rule(number: str) -> None:
    result = adjudicator("rules", GAME, number)
    assert result.output.startswith("MED-3 Movement (phase 3)\n\nMED-3.3 To go on from a zone")


@pytest.mark.parametrize("named", [["MED-3.3"], ["med-3"], ["MED-3.3", "to", "3.4"]], ids=" ".join)
def test_a_rules_own_letters_say_which_game_is_meant(named: list[str]) -> None:
    alone = adjudicator("rules", *named)
    assert alone.exit_code == 0
    assert alone.output == adjudicator("rules", GAME, *named).output
    assert "MED-3.3 To go on" in alone.output.replace("*", "")


@pytest.mark.parametrize(
    "chapter", [["MED-3"], ["3"], ["med", "3"], ["Movement"], ["movement (phase"]], ids=" ".join
)
def test_a_chapter(chapter: list[str]) -> None:
    said = adjudicator("rules", GAME, *chapter)
    assert said.exit_code == 0
    assert said.output.startswith("## MED-3 Movement (phase 3)\n\n- **MED-3.1** Each galley")
    assert "**MED-3.4**" in said.output
    assert "MED-4" not in said.output


def test_a_chapter_without_a_number_is_found_by_its_title() -> None:
    assert adjudicator("rules", GAME, "position").output.startswith("## The position")


@pytest.mark.parametrize(
    "several",
    ["3.2-3.4", "MED-3.2 to MED-3.4", "med-3.2 to 4", "3.2..3.4", "MED-3.2 – 3.4", "MED-3.2-MED-3.4"],
)
def test_several_rules(several: str) -> None:
    said = adjudicator("rules", GAME, *several.split())
    numbers = [line.split()[0] for line in said.output.splitlines() if line]
    assert numbers == ["MED-3", "MED-3.2", "MED-3.3", "MED-3.4"]


def test_several_chapters() -> None:
    said = adjudicator("rules", GAME, "3-4").output
    assert [line.split()[1] for line in said.splitlines() if line.startswith("## ")] == ["MED-3", "MED-4"]
    across = adjudicator("rules", GAME, "3.4-4.1").output.splitlines()
    assert [line.split()[0] for line in across if line] == ["MED-3", "MED-3.4", "MED-4", "MED-4.1"]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("MED-9", "has no rule or chapter MED-9; chapters: MED-0 Set-up; MED-1"),
        ("OLT-3", "has no rule or chapter OLT-3; chapters: MED-0"),
        ("OLT-3.1", "has no rule OLT-3.1"),
        ("3-9", "has no rule or chapter MED-9"),
        ("3.1-3.9", "has no rule MED-3.9 (did you mean MED-3.1?); known: MED-3.1, MED-3.2"),
        ("4-3", "MED-3 comes before MED-4"),
        ("3.4-3.1", "MED-3.1 comes before MED-3.4"),
        ("weather", "has no rule or chapter weather; chapters: MED-0 Set-up"),
        ("3.1-3.2-3.3", "has no rule or chapter 3.1-3.2-3.3"),
        ("3.", "has no rule or chapter 3."),
    ],
)
def test_what_isnt_there_is_said_with_what_is(named: str, said: str) -> None:
    result = adjudicator("rules", GAME, named)
    assert result.exit_code == 2
    assert said in " ".join(result.output.replace("│", "").split())


@pytest.mark.parametrize("number", ["med-3.3", "MED 3.3", "med3.3"])
def test_a_rule_is_explained_however_its_number_is_written(number: str) -> None:
    assert adjudicator("explain", number).output == adjudicator("explain", "MED-3.3").output


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
    assert "0001-t1-setup/sheets/venice.yaml:4:9: place: 4, to: genoa-1 (nothing): genoa-1" in result.output
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


def test_the_rules_are_written_as_a_page_over_an_earlier_one_alone(tmp_path: Path) -> None:
    page = tmp_path / "rules.html"
    for language, said in (("fr", "Les règles de Méditerranée"), ("en", "The rules of Méditerranée")):
        assert adjudicator("rules", GAME, "--page", str(page), "--language", language).exit_code == 0
        assert said in page.read_text(encoding="utf-8")
    page.write_text("mine", encoding="utf-8")
    assert adjudicator("rules", GAME, "--page", str(page)).exit_code == 1
    assert page.read_text(encoding="utf-8") == "mine"
    assert "it has en, fr" in adjudicator("rules", GAME, "--page", str(page), "--language", "xx").output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str) -> None:
    result = adjudicator(command, "--help")
    assert result.exit_code == 0
    assert f"Example: adjudicator {command}" in result.output
