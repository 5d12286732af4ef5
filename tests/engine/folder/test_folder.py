"""Messages about a match folder that isn't whole, or isn't a match folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from tests.engine.match_folders import send_all


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("match.yaml", "this isn't a match folder"),
        ("0001-t1-setup/state.yaml", "this file of the match is missing"),
        ("0001-t1-setup/open.yaml", "this file of the match is missing"),
    ],
)
def test_a_missing_file_is_named(lagoon: Path, name: str, said: str) -> None:
    send_all(lagoon)
    (lagoon / name).unlink()
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert faulty.value.problems[0].file == str(lagoon / name)
    assert faulty.value.problems[0].text == said


def test_missing_and_double_phases(lagoon: Path) -> None:
    send_all(lagoon)
    run(lagoon)
    shutil.move(lagoon / "0001-t1-setup", lagoon / "0002-t1-setup")
    with pytest.raises(Faulty) as faulty:
        open_match(lagoon)
    assert "the folder of phase 1 is missing" in faulty.value.problems[0].text
    shutil.copytree(lagoon / "0002-t1-setup", lagoon / "0001-t1-setup")
    with pytest.raises(Faulty) as faulty:
        open_match(lagoon)
    assert "has the same number" in faulty.value.problems[0].text


def test_a_folder_without_a_match_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, said in (
        (tmp_path / "no", "no such folder"),
        (tmp_path / "file", "a file"),
        (tmp_path, "match folder"),
    ):
        with pytest.raises(Faulty) as faulty:
            run(path)
        assert said in faulty.value.problems[0].text


@pytest.mark.parametrize("text", ["", "[", "match: [1]", "players: 3\nmatch: a", "x: " + "[" * 40])
def test_papers_that_cannot_be_read(lagoon: Path, text: str) -> None:
    for name in ("match.yaml", "0001-t1-setup/open.yaml", "referee.yaml"):
        good = (lagoon / name).read_bytes()
        (lagoon / name).write_text(text)
        if text or name != "0001-t1-setup/open.yaml":
            with pytest.raises(Faulty) as faulty:
                run(lagoon)
            assert faulty.value.problems[0].file == str(lagoon / name)
        (lagoon / name).write_bytes(good)


@pytest.mark.parametrize("text", ["", "match: [", "match: a\nother: b"])
def test_in_a_folder_whose_card_is_no_matchs_nothing_is_left(tmp_path: Path, text: str) -> None:
    (tmp_path / "match.yaml").write_text(text)
    with pytest.raises(Faulty):
        run(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["match.yaml"]
