"""What a release publishes: no match that lies in the checkout; man pages of all commands, completion for shells."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from typer.main import get_command

from adjudicator.cli import COMPLETES, app
from adjudicator.engine.folder.names import ACCOUNT, REFEREE
from tests.engine.match_folders import begun
from tests.git.clubs import git

TOP = Path(__file__).resolve().parent.parent
FILE = TOP / ".ci" / "release.py"


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of a few files, in which somebody plays: a match at its top, one in each of its folders."""
    top = tmp_path / "checkout"
    for name in (
        "adjudicator/__init__.py",
        "docs/play.md",
        "games/README.md",
        "templates/x.j2",
        "README.md",
        "LICENSE",
    ):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text('__version__ = "1"\n')
    shutil.copy(TOP / "pyproject.toml", top)
    git(top, "init", "--quiet")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message", "all")
    for place in (".", "docs", "games", "adjudicator", "templates"):
        begun(top / place / "lagoon")
        (top / place / "mail.yaml").touch()
    return top


def test_a_release_is_made_of_what_git_has(release: ModuleType, checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    release.lay_tree(checkout, tmp_path / "tree")
    found = {
        str(path.relative_to(tmp_path / "tree")) for path in (tmp_path / "tree").rglob("*") if path.is_file()
    }
    assert found == set(git(checkout, "ls-files").split())


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_a_package_that_is_built_in_a_checkout_holds_no_match_of_it_and_never_a_seed(
    kind: str, checkout: Path
) -> None:
    builder = pytest.importorskip(f"hatchling.builders.{kind}", reason="part of the extra `dev`")
    packed = [
        Path(each.path).relative_to(checkout)
        for each in getattr(builder, f"{kind.capitalize()}Builder")(str(checkout)).recurse_included_files()
    ]
    assert Path("adjudicator/__init__.py") in packed
    assert not [each for each in packed if each.name in (REFEREE, ACCOUNT) or each.parts[0] == "lagoon"]


@pytest.mark.skipif(not (TOP / ".git").exists(), reason="no checkout")
def test_nothing_that_git_has_is_left_out_of_the_sdist_but_what_makes_releases() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    named = project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    always = {".ci", ".gitignore", "LICENSE", "README.md", "pyproject.toml"}
    assert {name.partition("/")[0] for name in git(TOP, "ls-files").split()} == {*named, *always}


def test_every_command_has_a_man_page_with_all_its_options(release: ModuleType) -> None:
    pages = {
        name: release.man_page(name, command)
        for name, command in release.commands(get_command(app), "adjudicator")
    }
    assert {"adjudicator", "adjudicator run", "adjudicator mail turn"} <= pages.keys()
    for name, command in release.commands(get_command(app), "adjudicator"):
        for param in command.params:
            for option in param.opts:
                if option.startswith("--"):
                    assert option.replace("-", "\\-") in pages[name], f"{name} {option}"
        assert not [line for line in pages[name].splitlines() if line.startswith("'")]


@pytest.mark.parametrize(
    ("words", "at", "found"),
    [
        ("adjudicator re", 1, "replace"),
        ("adjudicator run --d", 2, "--deadline"),
        ("adjudicator mail t", 2, "turn"),
    ],
)
def test_shells_are_told_what_could_come_next(words: str, at: int, found: str) -> None:
    program = "import sys; sys.argv[0] = 'adjudicator'; from adjudicator.cli import main; main()"
    asked = {COMPLETES: "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(at)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found in done.stdout.split(), done.stderr
