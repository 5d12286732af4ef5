"""`demo` and `form`: a whole match with real files, and a form in a file of the player's."""

import re
from pathlib import Path

import pytest

from tests.cli.calling import GAME, adjudicator, everything, lay_out, position


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("demo") / "lagoon"
    result = adjudicator("demo", GAME, path, "--seed", "calm", "--players", 2, "--option", "turns=1")
    assert result.exit_code == 0, result.output
    return path, result.output


def test_a_demo_is_a_match(match: tuple[Path, str]) -> None:
    path, said = match
    assert adjudicator("verify", path).exit_code == 0
    assert (path / "0001-t1-setup" / "sheets" / "genoa.yaml").is_file()
    assert re.match(
        r"The match is over: [\w ]+ (wins|share the victory) with \d+ points \(MED-7.2\)\.\nPoints: ", said
    )
    assert f"Open {(path / 'site' / 'index.html').as_uri()}" in said.splitlines()
    yours = path.with_name("lagoon-yours")
    assert (yours / "0001-t1-setup" / "for" / "venice" / "orders.html").as_uri() in said
    assert [each.stem for each in (yours / "0001-t1-setup" / "sheets").iterdir()] == ["genoa"]
    assert said.splitlines()[-1].endswith(f"adjudicator play {yours}")
    assert (path / "site" / "index.html").is_file()


def test_a_demo_counts_the_rounds_of_mail(match: tuple[Path, str]) -> None:
    path, said = match
    waited = [phase for phase in path.glob("*-t1-*") if list(phase.glob("sheets/*.yaml"))]
    assert f"rounds of mail: {len(waited)}; without orders sent ahead" in said
    assert "2 with stops=auction,movement, 1 with stops=auction\n" in said


def test_the_same_seed_plays_the_same_match(match: tuple[Path, str], tmp_path: Path) -> None:
    path, _ = match
    adjudicator("demo", GAME, tmp_path / "other", "--seed", "calm", "--players", 2, "--option", "turns=1")
    assert everything(tmp_path / "other") == everything(path)


def test_sheets_of_a_demo_pass_their_own_check(match: tuple[Path, str]) -> None:
    path, _ = match
    for sheet in path.glob("*/sheets/*.yaml"):
        result = adjudicator("check", sheet)
        assert ": nothing" not in result.output, (sheet, result.output)


def test_a_folder_that_is_there_is_refused(match: tuple[Path, str]) -> None:
    path, _ = match
    before = everything(path)
    result = adjudicator("demo", GAME, path)
    assert result.exit_code == 2
    assert everything(path) == before
    assert adjudicator("demo", "mediteranee").exit_code == 2
    assert adjudicator("demo", GAME, path.parent / "x", "--players", 7).exit_code == 2
    assert adjudicator("demo", GAME, path.parent / "x", "--option", "turns").exit_code == 2
    assert not (path.parent / "x").exists()


def test_a_form_finds_its_schema(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "for" / "venice", position("market"))
    file = tmp_path / "orders" / "mine.yaml"
    assert adjudicator("form", folder, "venice", "--into", file).exit_code == 0
    first = file.read_text().splitlines()[0]
    assert first == "# yaml-language-server: $schema=../for/venice/schema.json"
    before = file.read_bytes()
    assert adjudicator("form", folder / "view.yaml", "venice", "--into", file).exit_code == 2
    assert file.read_bytes() == before
    assert "player: venice" in adjudicator("form", tmp_path, "venice").output


def test_forms_that_there_are_not(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "for" / "venice", position("market"))
    assert adjudicator("form", folder, "spain").exit_code == 2
    assert adjudicator("form", tmp_path / "no", "venice").exit_code == 1
    result = adjudicator("form", folder, "genoa")
    assert result.exit_code == 1, result.output
    assert "not genoa's view" in result.output
    (folder / "view.yaml").write_bytes(b"\xff")
    assert adjudicator("form", folder, "venice").exit_code == 1
