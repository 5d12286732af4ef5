"""`site`: a match's pages in a folder, and the folders that are refused."""

import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.cli.calling import GAME, adjudicator, everything


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("site") / "lagoon"
    result = adjudicator(
        "new", GAME, path, "--player", "venice", "--player", "genoa", "--option", "pages=off"
    )
    assert result.exit_code == 0, result.output
    return path


def opened(said: str) -> Path:
    """The file that the last line names."""
    found = re.fullmatch(r"Open (file:///.*)", said.splitlines()[-1])
    assert found
    return Path(unquote(urlsplit(found[1]).path))


def test_a_site_of_a_match_that_has_just_begun(match: Path, tmp_path: Path) -> None:
    out = tmp_path / "on the web" / "lagoon"
    result = adjudicator("site", match, out)
    assert result.exit_code == 0
    assert opened(result.output) == out / "index.html"
    assert sorted(everything(out)) == ["0001-t1-setup.html", "index.html"]


def test_a_site_is_written_again(match: Path, tmp_path: Path) -> None:
    adjudicator("site", match, tmp_path / "out")
    before = everything(tmp_path / "out")
    (tmp_path / "out" / "index.html").write_text((tmp_path / "out" / "index.html").read_text() + "old")
    assert adjudicator("site", match, tmp_path / "out").exit_code == 0
    assert everything(tmp_path / "out") == before


def test_a_match_isnt_changed_by_it(match: Path, tmp_path: Path) -> None:
    before = everything(match)
    adjudicator("site", match, tmp_path / "out")
    assert everything(match) == before


def test_of_a_match_that_is_broken_nothing_is_written(match: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(match, broken)
    (broken / "0001-t1-setup" / "state.yaml").write_text("match: lagoon\n")
    result = adjudicator("site", broken, tmp_path / "out")
    assert result.exit_code == 1
    assert "0001-t1-setup/state.yaml" in result.output
    assert not (tmp_path / "out").exists()


def test_folders_that_are_refused(match: Path, tmp_path: Path) -> None:
    full, file = tmp_path / "full", tmp_path / "file"
    full.mkdir()
    (full / "notes.txt").write_text("mine")
    file.write_text("mine")
    for words, said in (
        ((match, full), "isn't empty"),
        ((match, match), "isn't empty"),
        ((match, file), "is a file"),
        ((full, tmp_path / "out"), "isn't a match folder"),
        ((tmp_path / "no", tmp_path / "out"), "no such folder"),
        ((file, tmp_path / "out"), "is a file"),
    ):
        result = adjudicator("site", *words)
        assert result.exit_code == 1, result.output
        assert said in result.output
    assert everything(tmp_path) == {"full/notes.txt": b"mine", "file": b"mine"}
    assert adjudicator("site", match).exit_code == 2


def test_the_help_has_an_example() -> None:
    assert "Example: adjudicator site lagoon" in adjudicator("site", "--help").output
