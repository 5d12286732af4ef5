"""Rulebooks from elsewhere: found by entry point, with their own templates and schemas; broken ones are listed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import forget_texts, game_texts, say
from adjudicator.engine.table.reason import Reason
from tests.cli.calling import adjudicator
from tests.engine.small_card_game import DUEL


class Entry:
    def __init__(self, name: str, found: Any) -> None:
        self.name, self.found, self.value = name, found, f"{name}:RULEBOOK"

    def load(self) -> Any:
        if isinstance(self.found, BaseException):
            raise self.found
        return self.found


def test_a_foreign_rulebook_brings_its_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "foreign_duel"
    (package / "templates" / "en").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "templates" / "en" / "words.yaml").write_text('reasons: {not-now: "{city} has to wait"}\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_foreign", lambda: [Entry("duel", replace(DUEL, package="foreign_duel"))])
    forget_texts()
    try:
        assert say(Reason("DUE-2.1", "not-now", {"city": "roma"}), game_texts("duel")) == "roma has to wait"
        assert registry.home("duel", "schemas") == package / "schemas"
    finally:
        forget_texts()
        sys.modules.pop("foreign_duel", None)


def test_a_broken_foreign_rulebook_is_listed_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_foreign", lambda: [Entry("chess", ImportError("no board"))])
    found = registry.all_rulebooks()
    assert set(registry.OWN) < set(found)
    broken = found["chess"]
    assert isinstance(broken, registry.NoSuchGame) and broken.why == "ImportError: no board"


OLD = replace(DUEL, key="chess", version="1.5")
"""A rulebook whose version is no number, as before release 0.3."""


@pytest.mark.parametrize(
    "found", [None, "a text", object(), {"key": "chess"}, registry, DUEL, OLD, SystemExit(3)]
)
@pytest.mark.ci
def test_what_is_no_rulebook_of_that_name_breaks_no_list(monkeypatch: pytest.MonkeyPatch, found: Any) -> None:
    monkeypatch.setattr(registry, "_foreign", lambda: [Entry("chess", found)])
    assert isinstance(registry.all_rulebooks()["chess"], registry.NoSuchGame)
    for command in (["games"], ["new", "--help"]):
        assert adjudicator(*command).exit_code == 0
    assert "chess: can't be loaded" in adjudicator("games").output
