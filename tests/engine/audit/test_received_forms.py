"""A form as it was handed out, with nothing filled in, isn't a sheet that its player has kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.received import sheet_in
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.library.registry import OWN, rulebook
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run

DEADLINES = 4


@pytest.mark.parametrize("game", sorted(OWN))
def test_a_form_with_nothing_filled_in_is_none(tmp_path: Path, game: str) -> None:
    """Of every phase that comes when nobody sends anything."""
    rules = rulebook(game)
    match = tmp_path / "m"
    begin(game, match, next(iter(rules.tables.values()))[0], options={"pages": "off"}, seed_text="calm")
    for _ in range(DEADLINES):
        folder = Folder(match)
        forms = sorted((match / folder.phases[-1] / "for").glob("*/sheet.yaml"))
        assert forms
        for form in forms:
            assert sheet_in(form.read_bytes(), "sheet.yaml") is None, form
        run(match, deadline=True)


@pytest.mark.parametrize(
    "filled",
    [
        "orders: []",
        "orders:\nlater: {market: {orders: []}}",
        "orders:\nlater: {market: {orders: null}, landing: {orders: [{land: 1}]}}",
        "orders:\nstanding: {phases: {}}",
        "answers: []",
    ],
)
def test_what_is_filled_in_anywhere_is_kept(filled: str) -> None:
    kept = sheet_in(f"player: venice\nphase: 3\n{filled}\n".encode(), "sheet.yaml")
    assert kept is not None
    assert (kept.player, kept.phase) == ("venice", "3")
