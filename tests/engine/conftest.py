"""Matches that have just begun, made once for all tests of a process and copied for each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.engine.match.run import run
from tests.engine.match_folders import begun, send, send_all


@pytest.fixture(scope="session")
def just_begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begun(tmp_path_factory.mktemp("begun") / "lagoon")


@pytest.fixture
def lagoon(just_begun: Path, tmp_path: Path) -> Path:
    """A match of two that has just begun."""
    return Path(shutil.copytree(just_begun, tmp_path / "lagoon"))


@pytest.fixture(scope="session")
def about_to_move(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = begun(tmp_path_factory.mktemp("narrows") / "narrows", pacing="live")
    for _ in range(4):
        send_all(match)
        run(match)
    path = match / "0005-t1-movement/state.yaml"
    text = path.read_text()
    for old, new in (
        ("venice-1: {owner: venice, zone: venezia", "venice-1: {owner: venice, zone: marseille"),
        ("venice-2: {owner: venice, zone: venezia", "venice-2: {owner: venice, zone: ponente"),
        (
            "genoa-1: {owner: genoa, zone: genova, sailors: 1",
            "genoa-1: {owner: genoa, zone: genova, sailors: 3",
        ),
    ):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    send(match, "genoa", "orders: [{move: genoa-1, via: [marseille, ponente, barcelona]}]")
    return match


@pytest.fixture
def narrows(about_to_move: Path, tmp_path: Path) -> Path:
    """Genoa is about to move past two galleys of Venice, in live pacing."""
    return Path(shutil.copytree(about_to_move, tmp_path / "narrows"))
