"""The program finds a foreign rulebook by its entry point, and every command works with it.

Tests of finding it, and of a rulebook in another folder, run a process of their own; the others run in this one, with
the package on the path as if it were installed.
"""

from __future__ import annotations

import builtins
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import Result

from adjudicator.engine.library import registry
from tests.cli.calling import adjudicator as called
from tests.foreign.installed import install

HERE = Path(__file__).parent
TREE = HERE.parent.parent


@pytest.fixture(scope="module", autouse=True)
def installed() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        yield


def adjudicator(*words: str | Path, at: Path) -> Result:
    """Calls the program in a folder."""
    with chdir(at):
        return called(*words)


def started(
    *words: str | Path, at: Path, module: str = "adjudicator", packages: Path = HERE
) -> subprocess.CompletedProcess[str]:
    """Runs the program as a player would who has the rulebook installed."""
    path = os.pathsep.join((str(TREE), str(packages)))
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, words)],
        env={**os.environ, "PYTHONPATH": path},
        cwd=at,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of three that has just begun, with one sheet in."""
    folder = tmp_path_factory.mktemp("foreign") / "roads"
    words = [
        word for player in ("red", "green", "blue") for word in ("--player", f"{player}={player}@example.org")
    ]
    done = adjudicator("new", "carters", folder, *words, "--seed", "cart", at=folder.parent)
    assert done.exit_code == 0, done.output
    return folder


def test_it_is_among_the_games_and_so_are_its_rules(tmp_path: Path) -> None:
    assert "The Carters" in started("games", at=tmp_path).stdout
    assert "CAR-2.3" in adjudicator("rules", "carters", at=tmp_path).stdout
    explained = adjudicator("explain", "CAR-2.3", at=tmp_path).stdout
    assert "by leave of its owner" in explained and "road.py" in explained


def test_it_is_named_where_a_game_is_not_known(tmp_path: Path) -> None:
    done = adjudicator("demo", "carter", at=tmp_path)
    assert done.exit_code == 2
    assert "did you mean carters" in " ".join(done.stderr.replace("│", " ").split())


def test_a_sheet_is_checked_and_a_phase_is_run(match: Path) -> None:
    phase = match / "0001-t1-market"
    assert "YOUR HAND: " in (phase / "for" / "red" / "sheet.yaml").read_text()
    sheet = phase / "sheets" / "red.yaml"
    sheet.write_text("player: red\norders:\n  - lay: silver\n")
    checked = adjudicator("check", sheet, at=match)
    assert checked.exit_code == 1
    assert "red.yaml:3:10" in checked.stdout + checked.stderr
    sheet.write_text("player: red\norders: []\n")
    assert adjudicator("check", sheet, at=match).exit_code == 0
    assert adjudicator("run", match, at=match).exit_code == 3
    ran = adjudicator("run", match, "--deadline", at=match)
    assert ran.exit_code == 0, ran.stderr
    report = (match / "0002-t1-road" / "for" / "red" / "report.md").read_text()
    assert "- lays " in report and "The roads are " in report
    for words in (("report", match), ("status", match), ("map", match, "--out", "-"), ("verify", match)):
        done = adjudicator(*words, at=match)
        assert done.exit_code == 0, (words, done.stderr)
    assert adjudicator("site", match, match.parent / "site", at=match).exit_code == 0


def test_a_whole_match_is_played_and_verifies_and_its_land_is_drawn(tmp_path: Path) -> None:
    played = adjudicator("demo", "carters", "roads", "--seed", "mud", at=tmp_path)
    assert played.exit_code == 0, played.stderr
    assert (tmp_path / "roads" / "site" / "index.html").is_file()
    assert adjudicator("verify", "roads", at=tmp_path).exit_code == 0
    drawn = adjudicator("map", "roads", "--out", "-", at=tmp_path).stdout
    assert 'data-name="brasov"' in drawn and "blue-cart" in drawn
    assert 'id="m-coast" d="M' in drawn  # which is all around: no coast is there to begin at


def test_it_is_simulated(tmp_path: Path) -> None:
    done = adjudicator("simulate", "carters", "-n", "5", at=tmp_path)
    assert done.exit_code == 0, done.stderr


def test_a_template_that_is_missing_is_named_and_not_the_folder(tmp_path: Path) -> None:
    shutil.copytree(HERE, tmp_path / "packages")
    (tmp_path / "packages" / "carters" / "templates" / "en" / "form.yaml.j2").unlink()
    done = started("demo", "carters", "roads", at=tmp_path, packages=tmp_path / "packages")
    assert done.returncode == 1
    assert done.stderr.startswith("'form.yaml.j2' not found"), done.stderr


def test_its_schemas_are_checked_where_it_is_named(tmp_path: Path) -> None:
    module = "adjudicator.engine.sheets.published"
    assert started("--check", "carters", at=tmp_path, module=module).returncode == 0
    done = started("--check", "chess", at=tmp_path, module=module)
    assert done.returncode == 1 and "carters" in done.stderr


ODD = {
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "SystemExit": "raise SystemExit(3)",
    "RecursionError": "return (lambda again: again(again))(lambda again: again(again))",
    "MemoryError": "raise MemoryError",
    "ZeroDivisionError": "return 1 / 0",
}
"""What a rule may do besides what it should, by the error that comes of it."""


@pytest.fixture
def two_matches(tmp_path: Path) -> list[Path]:
    """A match of ours, and before it one by somebody else's rulebook."""
    games = {"roads": ("carters", "red", "green"), "sea": ("mediterranee", "venice", "genoa")}
    for name, (game, *players) in games.items():
        words = [word for player in players for word in ("--player", player)]
        assert adjudicator("new", game, name, *words, "--seed", "two", at=tmp_path).exit_code == 0
    return [tmp_path / name for name in games]


@pytest.mark.parametrize("error", ODD)
def test_a_rulebook_that_ends_in_any_error_is_named_and_stops_no_other_match(
    two_matches: list[Path], monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    market = import_module("carters.market")
    exec(f"def odd(t):\n    {ODD[error]}", market.__dict__, (made := dict[str, Any]()))
    book = import_module("carters").RULEBOOK
    phases = [replace(phase, closes=made["odd"]) for phase in book.phases]
    monkeypatch.setattr(import_module("carters"), "RULEBOOK", replace(book, phases=tuple(phases)))
    said = f"a fault of the rulebook carters, please tell its author: {error}"
    roads, sea = two_matches
    alone = adjudicator("run", roads, "--deadline", at=roads)
    assert (alone.exit_code, alone.stderr.partition(":")[0]) == (1, said.partition(":")[0])
    both = adjudicator("run", roads, sea, "--deadline", at=roads)
    assert said in both.stderr
    assert f"{sea}: 3 adjudicated" in both.stdout
    assert both.exit_code == 1


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "SystemExit", "RecursionError", "MemoryError"])
def test_a_rulebook_that_ends_in_any_error_when_it_is_loaded_is_named_and_stops_no_other_match(
    two_matches: list[Path], monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    class Entry:
        name, value = "carters", "carters:RULEBOOK"

        def load(self) -> None:
            raise getattr(builtins, error)("at its end")

    monkeypatch.setattr(registry, "_foreign", lambda: [Entry()])
    roads, sea = two_matches
    both = adjudicator("run", roads, sea, "--deadline", at=roads)
    assert f"the rulebook carters can't be loaded: {error}: at its end" in both.stderr
    assert f"{sea}: 3 adjudicated" in both.stdout
    view = next(roads.glob("*/for/red/view.yaml"))
    checked = adjudicator("check", "--view", view, view, at=roads)
    assert f"the rulebook carters can't be loaded: {error}: at its end" in checked.output
