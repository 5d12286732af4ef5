"""Commands that write files replace only files that they have written themselves."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from adjudicator.engine.folder.disk import MADE, MARK, MARKED
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.play.position import write_position
from tests.cli.calling import adjudicator, everything, position
from tests.engine.folder.test_commit import Killed, Killer
from tests.engine.match_folders import begun, begun_anew, tree


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state.yaml").write_text(write_position(position("market")), encoding="utf-8")
    return tmp_path


RESOLVE = ("resolve", "state.yaml", "--out", "next")


@pytest.mark.parametrize(
    "name",
    [
        "for/notes.txt",
        "for/venice/sheet.yaml",
        "for/venice/diary/monday.txt",
        "for/public/report.md",
        "events.jsonl",
        "state.yaml",
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_results_replace_earlier_ones_alone(here: Path, name: str, first: bool) -> None:
    """`first`: there are earlier results, among which a file was added or filled in since."""
    if first:
        assert adjudicator(*RESOLVE).exit_code == 0
        assert adjudicator(*RESOLVE).exit_code == 0, "its own are replaced"
    path = here / "next" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine\n")
    before = everything(here)
    result = adjudicator(*RESOLVE)
    assert result.exit_code == 2, result.output
    assert name in " ".join(result.output.split()).replace(" ", "")
    assert everything(here) == before


def test_results_arent_put_through_links(here: Path) -> None:
    (here / "elsewhere").mkdir()
    (here / "next").mkdir()
    for name in ("for", "state.yaml", ".resolved", ".resolve.tmp"):
        (here / "next" / name).symlink_to(here / "elsewhere")
        result = adjudicator(*RESOLVE)
        assert result.exit_code == 2, result.output
        assert list((here / "elsewhere").iterdir()) == []
        (here / "next" / name).unlink()


@pytest.mark.parametrize("stage", [".next.tmp", "next/.resolve.tmp", ".pond.tmp"])
def test_a_folder_in_the_way_stays(here: Path, stage: str) -> None:
    words = (
        ("new", "mediterranee", "pond", "--player", "venice", "--player", "genoa")
        if "pond" in stage
        else RESOLVE
    )
    for name in ("diary.txt", f"{MADE}/diary.txt", MARK):
        (here / stage / name).parent.mkdir(parents=True, exist_ok=True)
        (here / stage / name).write_text("mine\n")
        before = everything(here)
        result = adjudicator(*words)
        assert result.exit_code in (1, 2) and "in the way" in " ".join(result.output.split()), result.output
        assert everything(here) == before
        (here / stage / name).unlink()
    # What a killed command has left goes.
    (here / stage / MADE).mkdir(exist_ok=True)
    (here / stage / MADE / "state.yaml").write_text("half")
    (here / stage / MARK).write_bytes(MARKED)
    assert adjudicator(*words).exit_code == 0
    assert not (here / stage).exists()


def test_a_map_replaces_a_map_alone(here: Path) -> None:
    match = begun(here / "lagoon")
    before = tree(match)
    for file in ("lagoon/match.yaml", "lagoon/0001-t1-setup/state.yaml", "lagoon/referee.yaml"):
        result = adjudicator("map", "lagoon", "--out", file)
        assert result.exit_code == 1, result.output
        assert "this command didn't write it" in result.output
    (here / "other.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>')
    assert adjudicator("map", "lagoon", "--out", "other.svg").exit_code == 1
    (here / "way.svg").symlink_to(here / "lagoon/match.yaml")
    assert adjudicator("map", "lagoon", "--out", "way.svg").exit_code == 1
    (here / "gone.svg").symlink_to(here / "lagoon/new.yaml")
    assert adjudicator("map", "lagoon", "--out", "gone.svg").exit_code == 1
    assert tree(match) == before
    for _ in range(2):
        assert adjudicator("map", "lagoon", "--out", "mine.svg").exit_code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_site_is_written_through_no_link(here: Path) -> None:
    begun(here / "lagoon")
    (here / "precious").write_text("mine")
    assert adjudicator("site", "lagoon", "web").exit_code == 0
    for name in (".index.html.tmp", "0001-t1-setup.html"):
        (here / "web" / name).unlink(missing_ok=True)
        (here / "web" / name).symlink_to(here / "precious")
        assert adjudicator("site", "lagoon", "web").exit_code == 0
    assert (here / "precious").read_text() == "mine"
    assert not (here / "web/0001-t1-setup.html").is_symlink()
    (here / "web/index.html").unlink()
    os.mkfifo(here / "web/index.html")
    assert adjudicator("site", "lagoon", "web").exit_code == 1


@pytest.mark.ci
@pytest.mark.usefixtures("reports_made_once")
def test_a_beginning_in_an_empty_folder_that_was_killed_can_be_repeated(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(here / "whole")
    whole, moment, there = tree(here / "whole"), 0, set()
    while True:
        (here / "pond").mkdir()
        with monkeypatch.context() as patch:
            Killer(patch, moment)
            try:
                begun_anew(here / "pond")
            except Killed:
                pass
            else:
                break
        there.add((here / "pond/match.yaml").exists())
        if not (here / "pond/match.yaml").exists():
            begun_anew(here / "pond")
            assert tree(here / "pond") == whole, moment
        else:
            with pytest.raises(Faulty):
                begun_anew(here / "pond")
            assert adjudicator("status", "pond").exit_code == 0
        shutil.rmtree(here / "pond")
        moment += 1
    assert there == {True, False}


@pytest.mark.parametrize("name", ["diary.txt", "match.yaml", ".new/diary.txt"])
def test_a_folder_with_anything_else_in_it_is_left_alone(here: Path, name: str) -> None:
    (here / "pond/.new").mkdir(parents=True)
    (here / "pond" / name).write_text("mine")
    before = everything(here)
    result = adjudicator("new", "mediterranee", "pond", "--player", "venice", "--player", "genoa")
    assert result.exit_code == 1, result.output
    assert "new or empty folder" in result.output
    assert everything(here) == before
