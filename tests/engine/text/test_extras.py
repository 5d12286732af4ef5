"""What is missing is told with a command that installs it, wherever the program came from."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.text.resources import how_to_install

REGISTRY = "pip install 'adjudicator-games[git]'"
HOST = "https://git.example.org/club/adjudicator"


def installed(monkeypatch: pytest.MonkeyPatch, noted: str | None) -> str:
    class Known:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return noted

    monkeypatch.setattr(metadata, "distribution", lambda name: Known())
    return how_to_install("git")


@pytest.mark.parametrize("editable", [False, True])
def test_from_a_copy_of_the_repository(
    editable: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = tmp_path / "a copy"
    noted = json.dumps({"url": copy.as_uri(), "dir_info": {"editable": True} if editable else {}})
    assert installed(monkeypatch, noted) == REGISTRY  # it is gone
    copy.mkdir()
    (copy / "pyproject.toml").touch()
    flag = "--editable " if editable else ""
    assert installed(monkeypatch, noted) == f"pip install {flag}'{copy}[git]'"


@pytest.mark.parametrize(
    ("noted", "command"),
    [
        (None, REGISTRY),
        ("", REGISTRY),
        ("{", REGISTRY),
        ("[]", REGISTRY),
        ({"url": HOST + "/x.whl", "archive_info": {}}, REGISTRY),
        ({"url": HOST, "vcs_info": {"vcs": "git"}}, f"pip install 'adjudicator-games[git] @ git+{HOST}'"),
    ],
)
def test_an_extra_is_installed_by_the_right_command(
    noted: Any, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = noted if isinstance(noted, str | None) else json.dumps(noted)
    assert installed(monkeypatch, text) == command


def test_where_pip_knows_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", unknown)
    assert how_to_install("git") == REGISTRY
