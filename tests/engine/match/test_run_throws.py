"""Throws made by hand, and the seed that makes the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from tests.engine.match_folders import begun, said, send, send_all, tree


def test_throws_by_hand_must_be_as_many_as_needed(tmp_path: Path) -> None:
    match = begun(tmp_path / "m")
    send_all(match)
    before = tree(match)
    with pytest.raises(Faulty) as faulty:
        run(match, throws=[3])
    assert "these throws were not needed: 3" in said(faulty)
    assert tree(match) == before
    run(match, throws=[])
    send(match, "venice", "orders: [{bid: 0}]")
    send(match, "genoa", "orders: [{bid: 0}]")
    before = tree(match)
    with pytest.raises(Faulty) as faulty:
        run(match, throws=[])
    assert said(faulty).startswith("one more throw is needed, for ")
    with pytest.raises(Faulty) as faulty:
        run(match, throws=[7])
    assert said(faulty).startswith("7 can't be thrown for ")
    assert tree(match) == before
    needed = 0
    throws: list[int] = []
    while True:
        throws = [6, 5, 4, 3, 2, 1][: needed + 1]
        try:
            run(match, throws=throws)
            break
        except Faulty:
            needed += 1
            assert needed < 6
    closed = Folder(match).opening(2).closed
    assert closed is not None and closed.dice == tuple(throws)
    assert "made by hand" in (match / "0003-t1-market/for/public/report.md").read_text()


def test_without_the_seed_throws_are_made_by_hand(lagoon: Path) -> None:
    (lagoon / "referee.yaml").unlink()
    send_all(lagoon)
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert "--dice" in said(faulty)
    assert run(lagoon, throws=[]).adjudicated


def test_another_seed_than_the_committed_one_is_a_problem(lagoon: Path) -> None:
    for text in ("seed: 00", "seed: rome"):
        (lagoon / "referee.yaml").write_text(text)
        with pytest.raises(Faulty) as faulty:
            run(lagoon)
        assert "match.yaml" in said(faulty)
