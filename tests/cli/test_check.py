"""`check`: what a player learns about a sheet before sending it."""

import json
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.library import registry
from adjudicator.engine.match.run import run
from adjudicator.engine.play.view import position_for
from adjudicator.engine.text.writing import write
from tests.cli.calling import BAD, FAULTY, adjudicator, everything, lay_out, position
from tests.engine.match_folders import begun, send_all

GOOD = "player: venice\norders:\n  - dismiss: 1\n    from: venice-1\n    at: venezia\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_out(tmp_path, position("market"))


def sheet(folder: Path, text: str | bytes, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_good_sheet_is_told_as_understood(folder: Path) -> None:
    result = adjudicator("check", sheet(folder, GOOD))
    assert (result.exit_code, result.output) == (
        0,
        f"{folder}/mine.yaml:3:5: done: {{dismiss: 1, from: venice-1, at: venezia}}\n",
    )


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_counts_as_not_sent(folder: Path, name: str) -> None:
    path = sheet(folder, BAD[name])
    before = everything(folder)
    result = adjudicator("check", path)
    assert result.exit_code == 1
    assert result.output.startswith(f"{path}:")
    assert everything(folder) == before


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_said_at_its_place(folder: Path, name: str) -> None:
    text, said = FAULTY[name]
    result = adjudicator("check", sheet(folder, text))
    assert result.exit_code == 1
    assert said in result.output


def test_a_bid_above_the_treasury(tmp_path: Path) -> None:
    path = sheet(lay_out(tmp_path, position("auction")), "player: venice\norders:\n  - bid: 99000\n")
    result = adjudicator("check", path)
    assert result.exit_code == 1
    assert f"{path}:3:10: MED-1.1 the treasury holds 2000 ducats, less than 99000" in result.output


def test_a_galley_moved_twice(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("movement"))
    move = "  - move: venice-1\n    via: [ragusa]\n"
    result = adjudicator("check", sheet(folder, f"player: venice\norders:\n{move}{move}"))
    assert result.exit_code == 1
    assert f"{tmp_path}/mine.yaml:5:11: MED-3.1 venice-1 has moved this turn already" in result.output


def test_check_refuses_another_players_sheet(folder: Path) -> None:
    result = adjudicator("check", sheet(folder, "player: genoa\norders: []\n"))
    assert result.exit_code == 1
    assert "SHEET this sheet is genoa's, but venice's is expected here" in result.output


def test_what_is_not_there_or_no_file(folder: Path) -> None:
    (folder / "deep").mkdir()
    result = adjudicator("check", folder / "nothing.yaml", folder / "deep", folder / "a\0b")
    assert result.exit_code == 1
    assert "nothing.yaml: FILE there is no such file" in result.output
    assert "deep: FILE this is a folder" in result.output


def test_check_without_a_view_says_where_to_put_the_sheet(tmp_path: Path) -> None:
    result = adjudicator("check", sheet(tmp_path, GOOD))
    assert result.exit_code == 1
    assert "put the sheet beside yours, or name that with --view" in result.output


def test_the_view_lies_in_the_folder_of_the_phase(tmp_path: Path) -> None:
    lay_out(tmp_path / "0003-t1-market" / "for" / "venice", position("market"))
    path = sheet(tmp_path / "0003-t1-market" / "sheets", "player: venice\norders: []\n", "venice.yaml")
    result = adjudicator("check", path)
    assert (result.exit_code, result.output) == (0, f"{path}: no orders: venice does nothing in this phase\n")


def test_a_misnamed_file_among_the_sheets_is_told_which_names_there_are(tmp_path: Path) -> None:
    for player in ("venice", "genoa"):
        lay_out(tmp_path / "0003-t1-market" / "for" / player, position("market"))
    path = sheet(tmp_path / "0003-t1-market" / "sheets", GOOD, "Venise.yml")
    result = adjudicator("check", path)
    assert result.exit_code == 1
    assert (
        result.output == f"{path}: FILE nobody's sheets have this name; possible: genoa.yaml, venice.yaml\n"
    )


def test_a_view_that_is_named(folder: Path, tmp_path: Path) -> None:
    path = sheet(tmp_path / "far", "player: venice\norders: []\n")
    assert adjudicator("check", "--view", folder / "view.yaml", path).exit_code == 0
    assert "no such file" in adjudicator("check", "--view", folder / "vieww.yaml", path).output


def test_check_refuses_another_players_view(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("market", treasury="open"), "genoa")
    result = adjudicator("check", sheet(folder, "player: venice\norders: []\n"))
    assert result.exit_code == 1
    public = position_for(registry.rulebook("mediterranee"), position("market"), None)
    lay_out(tmp_path, public)
    result = adjudicator("check", sheet(folder, "player: venice\norders: []\n"))
    assert "this is not venice's view" in result.output


def test_check_reads_a_sheet_from_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"player: venice\norders: []\n"
    result = adjudicator("check", "--view", folder / "view.yaml", "-", given=text)
    assert (result.exit_code, result.output) == (0, "-: no orders: venice does nothing in this phase\n")
    monkeypatch.chdir(folder)
    assert adjudicator("check", "-", given=text).exit_code == 0
    monkeypatch.chdir(folder.parent)
    assert "none is in this folder" in adjudicator("check", "-", given=text).output


def test_a_gms_own_position_gives_the_same(folder: Path) -> None:
    path = sheet(folder, FAULTY["another's galley"][0])
    with_view = adjudicator("check", path)
    with_state = adjudicator("check", "--view", folder / "state.yaml", path)
    assert with_state.output == with_view.output


@pytest.mark.parametrize(
    "text", ["", "- a\n", "rulebook: mediteranee\n", "rulebook: mediterranee\n", "[" * 99]
)
def test_check_names_a_faulty_view(folder: Path, text: str) -> None:
    (folder / "view.yaml").write_text(text)
    result = adjudicator("check", sheet(folder, GOOD))
    assert result.exit_code == 1
    assert "view.yaml" in result.output


def test_drafts_and_forms_are_no_sheets_yet(folder: Path) -> None:
    result = adjudicator("check", sheet(folder, "player: venice\norders:\n"))
    assert result.exit_code == 1
    assert result.output.startswith(
        f"{folder}/mine.yaml:2:1: warning: SHEET no `orders` yet, so the match still waits for venice: write"
    )
    result = adjudicator("check", sheet(folder, "player: venice\nready: false\norders: []\n"))
    assert "a draft" in result.output


def test_a_phase_without_orders(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("start"))
    result = adjudicator("check", sheet(folder, GOOD))
    assert result.exit_code == 1
    assert "in the phase start there are no orders to give" in result.output


def test_check_understands_answers(folder: Path) -> None:
    good = {"player": "venice", "answers": [{"price": "wine", "for": "genoa", "at": "creta", "ask": 300}]}
    result = adjudicator("check", sheet(folder, write(good)))
    assert (result.exit_code, result.output) == (
        0,
        f"{folder}/mine.yaml:3:5: understood: {{price: wine, for: genoa, at: creta, ask: 300}}\n",
    )
    result = adjudicator("check", sheet(folder, "player: venice\nanswers:\n  - pric: wine\n"))
    assert result.exit_code == 1
    assert f"{folder}/mine.yaml:3:5: SCHEMA" in result.output
    (folder / "answer.yaml").write_text("- passage: genoa-1\n  in: corfu\n  grant: true\n")
    result = adjudicator("check", folder / "answer.yaml")
    assert (result.exit_code, result.output.count("understood")) == (0, 1)


def test_check_writes_problems_for_programs(folder: Path) -> None:
    path = sheet(folder, FAULTY["unknown key"][0])
    result = adjudicator("check", path, "--format", "json")
    (problem,) = json.loads(result.output)
    assert (result.exit_code, problem["file"], problem["line"]) == (1, str(path), 2)
    result = adjudicator("check", path, "--format", "github")
    assert result.output.startswith("::error ")
    path = sheet(folder, "player: venice\norders: []\n")
    assert adjudicator("check", path, "--format", "json").output == "[]\n"


def test_wrong_use_of_check_has_status_2() -> None:
    assert adjudicator("check").exit_code == 2
    assert adjudicator("check", "--format", "xml", "a.yaml").exit_code == 2


def test_standing_instructions_of_a_player_who_is_not_due_are_a_sheet(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", pacing="live")
    for _ in range(2):
        send_all(match)
        run(match)
    folder = match / Folder(match).phases[-1]
    (due,) = Folder(match).state(3).phase.due
    (other,) = {"venice", "genoa"} - {due}
    path = folder / "for" / other / "standing.yaml"
    path.write_text(f"player: {other}\nstanding: {{passage: [{{grant: true}}]}}\n")
    result = adjudicator("check", path)
    assert result.exit_code == 0, result.output
    assert f"standing instructions alone; no orders are asked of {other} now" in result.output
    assert "isn't a sheet" not in result.output


def test_what_is_wrong_with_an_order_stands_below_it(folder: Path) -> None:
    text = (
        "player: venice\norders:\n  - dismiss: 9\n    from: venice-1\n  - {dismiss: 1, from: venice-1}\n"
        "  - dismiss: 1\n    form: venice-1\n    at: corfou\nauction: []\n"
    )
    said = adjudicator("check", sheet(folder, text)).output.splitlines()
    places = [line.removeprefix(f"{folder}/mine.yaml:").partition(" ")[0] for line in said]
    assert places == ["3:5:", "3:14:", "5:5:", "6:5:", "6:5:", "7:5:", "8:9:", "9:1:"], said
    verdicts = [at for at, line in enumerate(said) if ": {" in line]
    assert [places[at] for at in verdicts] == ["3:5:", "5:5:", "6:5:"]
    assert verdicts == [0, 2, 3]


@pytest.mark.parametrize(
    "via", ["\n      - ragusa\n        corfu", " [ragusa\n      corfu]", " ragusa\n      corfu"]
)
def test_a_value_that_spans_two_lines_is_told_as_that(folder: Path, via: str) -> None:
    """A dash or a comma was left out: the joined value stands nowhere in the file."""
    lay_out(folder, position("movement"))
    text = f"player: venice\norders:\n  - move: venice-1\n    via:{via}\n"
    told = adjudicator("check", sheet(folder, text)).output
    first = 3 + text.partition("ragusa")[0].count("\n") - 2
    assert f"SCHEMA lines {first} to {first + 1} are read as one value, ragusa corfu: " in told


def test_a_position_is_no_sheet_and_a_sheet_no_position(folder: Path) -> None:
    """What lies beside one another is easily mixed up: what is missing in it is no help."""
    path = sheet(folder, GOOD)
    assert "this is a position, not a sheet" in adjudicator("check", folder / "view.yaml").output
    for words in (("check", "--view", path, path), ("try", path), ("map", path)):
        told = adjudicator(*words)
        assert told.exit_code == 1
        assert f"{path}:1:1: SHEET this isn't a position: " in told.output
