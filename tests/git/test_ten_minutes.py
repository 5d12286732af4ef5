"""`docs/git.md`: its ten minutes are played as they are written, and its tables hold."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from adjudicator.door.seats import token
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.resources import how_to_install
from adjudicator.git import sealed
from tests.cli.calling import adjudicator
from tests.git.clubs import git

PAGE = (Path(__file__).parent.parent.parent / "docs/git.md").read_text(encoding="utf-8")


def blocks(chapter: str) -> list[list[str]]:
    """The commands in the blocks of a chapter, without their first word."""
    text = PAGE.split(f"## {chapter}\n")[1].split("\n## ")[0]
    found = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    return [
        [line.strip().removeprefix("adjudicator ") for line in block.strip().splitlines()] for block in found
    ]


@pytest.mark.ci
def test_the_ten_minutes_are_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begin, join, play = blocks("A match in ten minutes")
    for line in begin:
        done = adjudicator(*line.split())
        assert done.exit_code == 0, done.output
    (Path("club.git") / "hooks/post-receive").unlink()  # the referee is called here instead, in this process
    for player in ("venice", "genoa"):
        (line,) = (
            each.replace("venice", player).replace("k7q2m9x4ptzc", token(Path("lagoon"), player))
            for each in join
        )
        assert line in done.output  # as it was printed for this player
        assert adjudicator(*line.split()).exit_code == 0
    assert adjudicator("git", "turn", "lagoon-referee").exit_code == 0
    for player in ("venice", "genoa"):
        monkeypatch.chdir(tmp_path / player)
        read, send = play
        told = adjudicator(*read.split())
        assert told.exit_code == 0
        assert f"Then: adjudicator {send}" in told.output
        sheet = Path(send.split()[-1])
        sheet.write_text(sheet.read_text().replace("\norders:\n", "\norders: []\n", 1))
        done = adjudicator(*send.split())
        assert done.exit_code == 0, done.output
        assert "Receipt: " in done.output
    monkeypatch.chdir(tmp_path)
    assert "played 0001-t1-setup" in adjudicator("git", "turn", "lagoon-referee").output
    (by_hand,) = blocks("When something comes up")
    for line in by_hand:
        done = adjudicator(
            *re.findall(r'"[^"]*"|\S+', line.replace('"a sheet was overlooked"', "overlooked"))
        )
        assert done.exit_code == 0, done.output
    assert git(Path("club.git"), "log", "-1", "--format=%s", "main") == "lagoon: overlooked\n"


def test_the_page_names_all_that_lies_in_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        adjudicator("new", "mediterranee", "lagoon", "--player", "venice", "--player", "genoa").exit_code == 0
    )
    assert adjudicator("git", "init", "lagoon", "club.git").exit_code == 0
    assert adjudicator("git", "turn", "lagoon-referee").exit_code == 0
    listed = git(Path("club.git"), "ls-tree", "-r", "--name-only", "main", "lagoon").split()
    tops = {name.split("/")[1] for name in listed} - {"0001-t1-setup"}
    assert not {name for name in tops if name not in PAGE}
    assert git(Path("club.git"), "branch", "--format=%(refname:short)").split() == ["looked", "main"]


def test_without_the_library_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyrage", None)
    with pytest.raises(Faulty) as faulty:
        sealed.new_identity()
    assert how_to_install("git") in faulty.value.problems[0].text
