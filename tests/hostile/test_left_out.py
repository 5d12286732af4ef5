"""Data left out of all `receipts.json` alike are missed, by comparison with the start of the match,
or said to be unchecked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.audit.comparing import ComparisonResult, check_received
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from tests.engine.match_folders import begun, play, send_all

READER = "venice"


@pytest.fixture(scope="module")
def received(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a player got of a match, from the first phase to the end."""
    home = tmp_path_factory.mktemp("received")
    match = begun(home / "lagoon", turns="1")
    for orders in ("orders: []", "orders: [{bid: 100}]"):  # the same bids: a lot is thrown
        send_all(match, orders)
        run(match)
    assert play(match, 40).over
    for phase in Folder(match).phases:
        if (match / phase / "for").is_dir():
            shutil.copytree(match / phase / "for" / READER, home / "got" / phase)
            sheet = match / phase / "sheets" / f"{READER}.yaml"
            if sheet.exists():
                shutil.copy(sheet, home / "got" / phase / "mine.yaml")
    return home / "got"


def ways(folder: Path) -> Iterator[tuple[str, ...]]:
    """What may be left out: each kind of entry whole, and of seals those of each player."""
    kinds = json.loads((folder / "receipts.json").read_text())
    yield from ((kind,) for kind in kinds)
    yield from (("seals", player) for player in kinds["seals"])
    yield from (("used", "one"), ("marks", "one"), ("thrown", "one"))


def without(receipts: dict[str, Any], way: tuple[str, ...]) -> None:
    kind = way[0]
    if len(way) == 1:
        receipts.pop(kind)
    elif way[1] != "one":
        receipts[kind].pop(way[1], None)
    elif isinstance(receipts[kind], dict):
        receipts[kind] = dict(list(receipts[kind].items())[1:])
    else:
        receipts[kind] = receipts[kind][1:]


def test_a_received_folder_with_nothing_left_out_holds(received: Path) -> None:
    found = verified(received)
    assert (found.problems, found.unchecked) == ((), ())
    assert found.throws


@pytest.mark.parametrize("published", [True, False], ids=["published", "secret"])
def test_nothing_is_left_out_unnoticed(received: Path, tmp_path: Path, published: bool) -> None:
    for number, way in enumerate(ways(max(received.iterdir()))):
        copy = Path(shutil.copytree(received, tmp_path / str(number)))
        if not published:  # a match that isn't over yet
            shutil.rmtree(max(copy.iterdir()))
        for file in copy.glob("*/receipts.json"):
            receipts = json.loads(file.read_text())
            without(receipts, way)
            file.write_text(json.dumps(receipts))
        try:
            found = verified(copy)
        except Faulty:
            continue
        missed = found.problems or (published and found.unchecked)
        assert missed or (not published and way[0] == "thrown"), way  # which only the seed can tell


def verified(home: Path) -> ComparisonResult:
    return check_received(sorted(home.iterdir()), [], [])
