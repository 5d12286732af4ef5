"""`status` says why a sheet counts as not sent, next to the player's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, send


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "phase: 0007-t9-market\norders: []",
            "this sheet is for the phase 0007-t9-market, but the phase that",
        ),
        ("phase: movement\norders: []", "this sheet is for the phase movement, but"),
        ("match: alps\norders: []", "this sheet is for the match alps, but the match here is lagoon"),
        ("orders: [", ""),
    ],
    ids=["its folder", "its name", "another match", "no YAML"],
)
def test_why_a_sheet_counts_as_not_sent(tmp_path: Path, text: str, said: str) -> None:
    match = begun(tmp_path / "lagoon")
    send(match, "venice", text)
    lines = adjudicator("status", str(match)).output.splitlines()
    (line,) = [line for line in lines if line.startswith("  venice: ")]
    assert line.startswith(f"  venice: a sheet is in, but counts as not sent: {said}")
    assert "can't be read" not in line


def test_a_mistyped_key_in_a_sheet_without_orders_is_told(tmp_path: Path) -> None:
    """Else it would seem that nothing is there, until the deadline passes the player."""
    match = begun(tmp_path / "lagoon")
    send(match, "venice", "oders: [{place: 4}]")
    for command in ("status", "due", "run"):
        said = " ".join(adjudicator(command, str(match)).output.split())
        assert "venice.yaml:" in said, command
        assert 'there is no "oders" here (did you mean orders?)' in said, command


def test_what_becomes_of_the_orders_is_counted(tmp_path: Path) -> None:
    """With their `else`; an empty list leaves nothing open."""
    match = begun(tmp_path / "lagoon")
    there = "{place: 1, to: venice-1}, {place: 1, to: genoa-1, else: [{place: 2, to: venice-1}]}, {place: 1, to: x}"
    send(match, "venice", f"orders: [{there}]")
    send(match, "genoa", "orders: []")
    said = adjudicator("status", str(match)).output
    assert "venice: the sheet is in, with 2 faults (2 done, 1 nothing); 1 of 1 still to decide\n" in said
    assert "genoa: the sheet is in, and good\n" in said


def test_run_names_a_sheet_with_faults_while_others_are_missing(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send(match, "venice", "orders: [{place: 99, to: venice-1}]")
    said = adjudicator("run", str(match)).output
    assert "No sheet yet from genoa." in said
    assert "With faults, which can still be corrected: the sheet of venice" in said
    send(match, "venice", "orders: [{place: 1, to: venice-1}]")
    assert "With faults" not in adjudicator("run", str(match)).output


def test_another_players_sheet_is_named_as_that(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send(match, "venice", "player: genoa\norders: []", head=False)
    assert (
        "counts as not sent: this sheet is genoa's, but venice's is expected"
        in adjudicator("status", str(match)).output
    )


STRAYS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "another name": ("{open}/sheets/Venice.yml", Path.touch),
    "a folder": ("{open}/sheets/venice.yaml", Path.mkdir),
    "a link": ("{open}/sheets/venice.yaml", lambda path: path.symlink_to("/etc/passwd")),
    "beside the folder": ("{open}/venice.yaml", Path.touch),
    "beside the match's card": ("venice.yaml", Path.touch),
    "no folder": ("{open}/sheets", Path.touch),
    "answers of nobody": ("{open}/answers/genua.yaml", Path.touch),
}


@pytest.mark.parametrize("stray", STRAYS)
@pytest.mark.parametrize("command", [["status"], ["due"], ["run"], ["run", "--if-due"]])
def test_a_file_that_no_run_would_read_is_told_by_every_command_that_looks(
    command: list[str], stray: str, tmp_path: Path
) -> None:
    """Somebody's orders under a wrong name, or in a wrong folder, are overlooked otherwise."""
    match = begun(tmp_path / "lagoon")
    (name, put), top = STRAYS[stray], "0001-t1-setup"
    file = match / name.format(open=top)
    if file.name == "sheets":
        file.rmdir()
    file.parent.mkdir(exist_ok=True)
    put(file)
    told = adjudicator(*command, match).output
    assert f"{file}: " in told
