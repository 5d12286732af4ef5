"""A stranger's match: links, FIFOs, folders and huge files in place of any of its files, and a `.run` that lies.

No command that only reads follows a link, waits, or writes; messages name what is in the way.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adjudicator import cli
from adjudicator.engine.match.run import run
from tests.cli.calling import adjudicator, everything
from tests.engine.match_folders import begun, send, send_all

SECRET = "the key of the treasury"
DISGUISED = f"match: {SECRET}\nplayer: venice\nsalt: {SECRET}\norders: [{{{SECRET}: 1}}]\n# {SECRET}\n"
POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
pytestmark = POSIX


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with a phase behind it, and sheets in the open one."""
    match = begun(tmp_path_factory.mktemp("played") / "lagoon")
    send_all(match)
    (match / "0001-t1-setup/note.md").write_text("A calm day.\n")
    run(match)
    for player in ("venice", "genoa"):
        send(match, player, "orders: [{bid: 0}]")
    return match


@pytest.fixture
def stranger(played: Path, tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text(DISGUISED)
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/report.md").write_text(DISGUISED)
    (tmp_path / "vault/view.yaml").write_text(DISGUISED)
    (tmp_path / "vault/venice.yaml").write_text(DISGUISED)
    (tmp_path / "vault/state.yaml").write_text(DISGUISED)
    shutil.copytree(played, tmp_path / "lagoon")
    return tmp_path / "lagoon"


def reading(match: Path) -> list[tuple[str, ...]]:
    """Every command that reads a match or a file of it, and writes nothing into it."""
    top, phase = str(match), f"{match}/0002-t1-auction"
    aside = str(match.parent / "out")
    return [
        ("status", top),
        ("verify", top),
        ("report", top, "--player", "venice"),
        ("report", top, "--phase", "1"),
        ("report", top, "--player", "venice", "--html"),
        ("map", top, "--out", "-"),
        ("map", f"{phase}/for/venice/view.yaml", "--out", "-"),
        ("site", top, f"{aside}/site"),
        ("explain", "MED-3.3", top),
        ("form", top, "venice"),
        ("check", f"{phase}/sheets/venice.yaml"),
        ("check", f"{phase}/for/venice/sheet.yaml"),
        ("check", "--view", f"{phase}/for/venice/view.yaml", f"{phase}/sheets/venice.yaml"),
        (
            "resolve",
            f"{phase}/state.yaml",
            f"{phase}/sheets/venice.yaml",
            "--seed",
            "x",
            "--out",
            f"{aside}/next",
        ),
    ]


def snapshot(top: Path) -> dict[str, Any]:
    """Every name below a folder, with what it is, without following a link or waiting for a FIFO."""
    found: dict[str, Any] = {}
    for home, folders, files in os.walk(top):
        for name in (*folders, *files):
            path = Path(home, name)
            plain = path.is_file() and not path.is_symlink() and path.stat().st_size < 2**24
            link = str(path.readlink()) if path.is_symlink() else ""
            found[str(path.relative_to(top))] = (
                os.lstat(path).st_mode,
                link,
                path.read_bytes() if plain else b"",
            )
    return found


FILES = [
    "match.yaml",
    "referee.yaml",
    "0000-t1-start/state.yaml",
    "0001-t1-setup/state.yaml",
    "0001-t1-setup/events.jsonl",
    "0001-t1-setup/open.yaml",
    "0001-t1-setup/sheets/venice.yaml",
    "0001-t1-setup/for/public/report.md",
    "0002-t1-auction/state.yaml",
    "0002-t1-auction/open.yaml",
    "0002-t1-auction/sheets/venice.yaml",
    "0002-t1-auction/for/venice/report.md",
    "0002-t1-auction/for/venice/view.yaml",
    "0002-t1-auction/for/venice/sheet.yaml",
]
FOLDERS = [
    "0001-t1-setup",
    "0002-t1-auction",
    "0002-t1-auction/sheets",
    "0002-t1-auction/for",
    "0002-t1-auction/for/venice",
]


def link(path: Path) -> None:
    path.symlink_to(path.parents[len(path.parts) - 1 - path.parts.index("lagoon")] / "secret")


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**40)


ODD = (fifo, device, folder, huge)
ODD_FILES = [
    pytest.param(name, odd, marks=() if odd is (link, *ODD)[number % 5] else pytest.mark.soak)
    for number, name in enumerate(FILES)
    for odd in (link, *ODD)
]
"""Every file as one thing, another for each; as the rest, which meets the same gate, in `soak`."""


@pytest.mark.parametrize(("name", "odd"), ODD_FILES)
def test_nothing_but_plain_files_is_read(stranger: Path, name: str, odd: Any) -> None:
    (stranger / name).unlink()
    odd(stranger / name)
    before, said = snapshot(stranger.parent), ""
    for command in reading(stranger):
        result = adjudicator(*command)
        said += result.output
        assert SECRET not in result.output, command
        assert result.exit_code in (0, 1, 2, 3)
        if name in " ".join(command) and command[0] != "resolve":
            assert result.exit_code == 1, command
        shutil.rmtree(stranger.parent / "out", ignore_errors=True)
    assert snapshot(stranger.parent) == before
    # A sheet that is too long is called as it is in a match, whatever its file is called.
    assert (name if odd is not huge else name[-10:]) in " ".join(said.split()), said


@pytest.mark.parametrize("name", FOLDERS)
def test_no_folder_is_entered_by_a_link(stranger: Path, name: str) -> None:
    shutil.rmtree(stranger / name)
    (stranger / name).symlink_to(stranger.parent / "vault")
    before, said = snapshot(stranger.parent), ""
    before.pop("lagoon/.lock")
    for commands, changed in (
        (reading(stranger), ()),
        ([(word, str(stranger)) for word in ("run", "undo", "report")], ("lagoon/",)),
    ):
        for command in commands:
            result = adjudicator(*command)
            said += result.output
            assert SECRET not in result.output, command
            shutil.rmtree(stranger.parent / "out", ignore_errors=True)
        left = snapshot(stranger.parent)
        left.pop("lagoon/.lock", None)
        assert {n: v for n, v in left.items() if not n.startswith(changed)} == {
            n: v for n, v in before.items() if not n.startswith(changed)
        }
    assert name in " ".join(said.split())


LIES = {
    "an absolute path": "0001-t1-setup\t{secret}\n",
    "out of the match": "../secret\tundone/0001/0001-t1-setup\n",
    "up and out": "0001-t1-setup\tundone/../../vault/x\n",
    "another file's place": "0002-t1-auction/state.yaml\tmatch.yaml\n",
    "not to its own place": "0002-t1-auction\tundone/0001/0001-t1-setup\n",
    "a sheet": "0002-t1-auction/sheets/venice.yaml\tundone/0001/0002-t1-auction/sheets/venice.yaml\n",
    "no tab": "0001-t1-setup\n",
    "two tabs": "0001-t1-setup\tundone/0001/0001-t1-setup\t\n",
    "no text": "\xff\x00\t\n",
}


@pytest.mark.parametrize("moves", LIES.values(), ids=list(LIES))
def test_moves_that_no_run_makes_are_refused(stranger: Path, moves: str) -> None:
    (stranger / ".run").mkdir()
    (stranger / ".run/moves").write_bytes(moves.format(secret=stranger.parent / "secret").encode("latin-1"))
    refused(stranger, ".run/moves")


@pytest.mark.parametrize(
    "name",
    [
        "match.yaml",
        "mail.yaml",
        "site/index.html",
        "0002-t1-auction/sheets/venice.txt",
        "0002-t1-auction/mail/x.html",
        "0002-t1-auction/note.md",
        "0002-t1-auction/for/report.md",
        "0002-t1-auction/for/venice/deep/report.md",
        "0002-t1-auction/for/venice/.profile",
        "undone/0001/x",
        "moves/x",
    ],
)
def test_files_that_no_run_writes_are_refused(stranger: Path, name: str) -> None:
    path = stranger / ".run" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine now")
    refused(stranger, ".run/")


@pytest.mark.parametrize("odd", [link, fifo, device])
def test_odd_things_among_what_a_run_has_left_are_refused(stranger: Path, odd: Any) -> None:
    (stranger / ".run/0002-t1-auction").mkdir(parents=True)
    odd(stranger / ".run/0002-t1-auction/open.yaml")
    refused(stranger, "open.yaml")


@pytest.mark.parametrize("odd", [link, fifo, device, folder, huge])
def test_a_note_is_read_like_the_rest(stranger: Path, odd: Any) -> None:
    odd(stranger / "0002-t1-auction/note.md")
    result = adjudicator("report", stranger)
    assert result.exit_code == 1, result.output
    assert "note.md" in result.output
    assert SECRET not in str(everything(stranger / "0002-t1-auction/for"))


@pytest.mark.parametrize("name", [".run", ".run.tmp", ".lock", "undone"])
def test_nothing_is_written_through_a_link(stranger: Path, name: str) -> None:
    (stranger / name).unlink(missing_ok=True)
    (stranger / name).symlink_to(stranger.parent / "vault")
    before = snapshot(stranger.parent / "vault")
    command = "undo" if name == "undone" else "run"
    result = adjudicator(command, stranger)
    assert result.exit_code == 1, result.output
    assert name in result.output
    assert snapshot(stranger.parent / "vault") == before


def test_what_a_run_has_left_is_said_shown_and_left_there(stranger: Path) -> None:
    (stranger / ".run/0003-t1-market").mkdir(parents=True)
    position = stranger / "0002-t1-auction/state.yaml"
    for name in ("open.yaml", "events.jsonl"):
        path = stranger / f".run/0002-t1-auction/{name}"
        path.parent.mkdir(exist_ok=True)
        path.write_text("" if name[0] == "e" else (stranger / "0002-t1-auction/open.yaml").read_text())
    text = position.read_text().replace("number: 2", "number: 3").replace("name: auction", "name: market")
    (stranger / ".run/0003-t1-market/state.yaml").write_text(text)
    (stranger / ".run/0003-t1-market/open.yaml").write_text("due: [venice, genoa]\n")
    before = snapshot(stranger)
    result = adjudicator("status", stranger)
    assert result.exit_code == 0, result.output
    assert "0003-t1-market" in result.output and "A run was cut short here" in result.output
    assert (adjudicator("form", stranger, "venice").exit_code, snapshot(stranger)) == (1, before)
    assert adjudicator("report", stranger).exit_code == 0
    assert not (stranger / ".run").exists() and (stranger / "0003-t1-market/for/venice/report.md").exists()


def test_what_a_run_has_left_is_not_put_through_a_link(stranger: Path) -> None:
    """The folder that `.run` would fill is a link: refused before anything is moved."""
    (stranger / ".run/0009-t1-market").mkdir(parents=True)
    (stranger / ".run/0009-t1-market/state.yaml").write_text("mine now")
    (stranger / "0009-t1-market").symlink_to(stranger.parent / "vault")
    before = snapshot(stranger.parent)
    for command in ("run", "undo", "report", "status"):
        result = adjudicator(command, stranger)
        assert result.exit_code == 1, result.output
        assert "0009-t1-market" in result.output
        left = snapshot(stranger.parent)
        left.pop("lagoon/.lock", None)
        before.pop("lagoon/.lock", None)
        assert left == before


def refused(match: Path, said: str) -> None:
    """Every command on the match names it, and nothing changes; those on a file of it never look there."""
    before = snapshot(match.parent)
    before.pop("lagoon/.lock", None)
    alone = ("check", "resolve")
    commands = [words for words in reading(match) if words[0] not in alone and words[1].endswith("lagoon")]
    for words in (*commands, *((name, str(match)) for name in ("run", "undo", "report"))):
        result = adjudicator(*words)
        names_it = said in " ".join(result.output.split())
        assert result.exit_code == 1, result.output
        assert names_it, (words, result.output)
        assert SECRET not in result.output
        shutil.rmtree(match.parent / "out", ignore_errors=True)
    left = snapshot(match.parent)
    left.pop("lagoon/.lock", None)
    assert left == before


def test_no_command_hangs_on_a_fifo_as_a_process(stranger: Path) -> None:
    """The same outside this process, with a limit in case: a command that waits is ended."""
    (stranger / "0002-t1-auction/state.yaml").unlink()
    os.mkfifo(stranger / "0002-t1-auction/state.yaml")
    program = [sys.executable, "-m", "adjudicator", "status", str(stranger)]
    env = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])}
    done = subprocess.run(program, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stderr
    assert "neither a file nor a folder" in done.stderr


def test_in_a_clone_no_sheet_is_reached_by_a_link(stranger: Path) -> None:
    """A pull request may make `sheets` a link to any folder of the machine that checks it."""
    clone = stranger.parent / "clone"
    (clone / ".git").mkdir(parents=True)
    shutil.copytree(stranger / "0002-t1-auction/for/venice", clone / "for/venice")
    (clone / "sheets").symlink_to(stranger.parent / "vault")
    result = adjudicator("check", "--view", clone / "for/venice/view.yaml", clone / "sheets/venice.yaml")
    assert result.exit_code == 1, result.output
    assert "sheets: MATCH this is a link" in result.output
    assert SECRET not in result.output
    (clone / "sheets").unlink()
    (clone / "sheets").mkdir()
    (clone / "sheets/venice.yaml").write_text("player: venice\norders: [{bid: 0}]\n")
    assert (
        adjudicator("check", "--view", clone / "for/venice/view.yaml", clone / "sheets/venice.yaml").exit_code
        == 0
    )


def test_the_match_itself_may_be_reached_by_a_link(stranger: Path) -> None:
    (stranger.parent / "way").symlink_to(stranger)
    assert adjudicator("status", stranger.parent / "way").exit_code == 0
    sheet = stranger.parent / "way/0002-t1-auction/sheets/venice.yaml"
    assert adjudicator("check", sheet).exit_code == 0


def test_a_match_that_cannot_be_written_to_is_read(stranger: Path) -> None:
    for home, _, files in os.walk(stranger):
        for name in files:
            Path(home, name).chmod(0o444)
        Path(home).chmod(0o555)
    before = snapshot(stranger)
    for command in reading(stranger):
        unfilled = command[-1].endswith("for/venice/sheet.yaml")
        assert adjudicator(*command).exit_code == int(unfilled), command
    assert snapshot(stranger) == before
    for home, _, _ in os.walk(stranger):
        Path(home).chmod(0o755)
