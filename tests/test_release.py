"""The extra files of a release: man pages of all commands, completion for shells."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from typer.main import get_command

from adjudicator.cli import COMPLETES, app

FILE = Path(__file__).parent.parent / ".ci" / "release.py"


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
