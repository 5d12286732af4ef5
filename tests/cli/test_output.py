"""Commands' output: no text can control a terminal, and any encoding works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator import cli
from adjudicator.cli import COMMANDS
from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, send

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202e\u2066"
QUOTED = '"' + "".join(f"\\u{ord(c):04X}" for c in ESCAPES) + '"'
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2066]")


@pytest.fixture
def lagoon(tmp_path: Path) -> Path:
    return begun(tmp_path / "lagoon")


def test_what_a_terminal_would_obey_is_shown(lagoon: Path) -> None:
    card, state = lagoon / "match.yaml", lagoon / "0001-t1-setup/state.yaml"
    for file in (card, state):
        file.write_text(file.read_text().replace("match: lagoon", f"match: {QUOTED}"))
    card = lagoon / "0000-t1-start/state.yaml"
    card.write_text(card.read_text().replace("match: lagoon", f"match: {QUOTED}"))
    open_yaml = lagoon / "0001-t1-setup/open.yaml"
    open_yaml.write_text(open_yaml.read_text() + f"until: {QUOTED}\n")
    report = lagoon / "0001-t1-setup/for/venice/report.md"
    report.write_text(report.read_text() + f"{ESCAPES}\n")
    (lagoon / "0001-t1-setup/note.md").write_text(f"{ESCAPES}\n")
    send(lagoon, "venice", f"orders: [{{place: 1, to: {QUOTED}}}]\nmatch: {QUOTED}")
    shown = ""
    for words in (
        ("status", lagoon),
        ("report", lagoon, "--player", "venice"),
        ("report", lagoon),
        ("report", lagoon, "--player", "genoa"),
        ("form", lagoon, "venice"),
        ("form", lagoon, ESCAPES),
        ("map", lagoon, "--out", "-"),
        ("map", lagoon, "--player", ESCAPES),
        ("check", lagoon / "0001-t1-setup/sheets/venice.yaml"),
        ("check", "--format", "github", lagoon / "0001-t1-setup/sheets/venice.yaml"),
        ("verify", lagoon),
        ("run", lagoon, "--deadline"),
    ):
        output = adjudicator(*words).output
        assert not OBEYED.search(output), (words, output)
        shown += output
    assert "\\x1b]0;owned\\x07" in shown


def test_only_one_place_writes() -> None:
    home = Path(cli.__file__).parent
    for file in home.glob("*.py"):
        if file.name != "output.py":
            assert "typer.echo(" not in file.read_text(encoding="utf-8"), (
                f"{file}: use echo, of adjudicator.cli.output"
            )


@pytest.mark.parametrize(
    "encoding",
    ["cp1252", *(pytest.param(each, marks=pytest.mark.soak) for each in ("ascii", "latin-1", "utf-8"))],
)
def test_every_command_goes_out_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    match = begun(tmp_path / "Zürich–日本")
    send(match, "venice", "orders: [{place: 1, to: Ōsaka}]")
    commands = [
        *([name, "--help"] for name in COMMANDS),
        *(["rules", "mediterranee"], ["rules", "日本"], ["games"], ["explain", "MED-3.3", str(match)]),
        *(["status", str(match)], ["status", "日本"], ["form", str(match), "venice"]),
        *(["report", str(match), "--player", "venice"], ["report", str(match), "--phase", "日本"]),
        *(["map", str(match), "--out", "-"], ["map", str(match), "--player", "Ōsaka"]),
        *(["check", str(match / "0001-t1-setup/sheets/venice.yaml")], ["site", str(match), "日本"]),
        *(["run", str(match), "--deadline"], ["verify", str(match)], ["undo", str(match)]),
        ["simulate", "mediterranee", "-n", "1", "--jobs", "1", "--players", "2", "--option", "turns=1"],
    ]
    program = f"""
import sys
from adjudicator.cli import main
for words in {commands!a}:
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as end:
        assert end.code in (0, 1, 2, 3), (words, end.code)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(Path(cli.__file__).parents[2])},
        capture_output=True,
        check=False,
        cwd=tmp_path,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode(encoding, "replace")[-3000:]
    assert b"Traceback" not in done.stderr
    shown = done.stdout.decode(encoding)
    known = {"ascii": "M\\u00e9diterran\\u00e9e", "utf-8": "日本"}.get(encoding, "Méditerranée")
    assert known in shown
    assert "\\u65e5\\u672c" in shown or encoding == "utf-8"
