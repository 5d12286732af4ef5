"""A regent plays an open seat with caution: nothing that its rulebook calls reckless, and always the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.text.source import Source, read
from adjudicator.gm import bots
from adjudicator.gm.playing import entries_of_run, run_by_hand
from adjudicator.gm.regents import let_regents_play, open_seats
from tests.gm.weeks import WEEK, utc

pytestmark = pytest.mark.usefixtures("nobody_reads")
NOW = utc("2026-11-23 12:00")
SILENT = {**WEEK, "missed": {"replace": 1}, "regent": True}


@pytest.mark.parametrize("game", registry.OWN)
def test_each_game_has_one_and_names_verbs_that_it_has(game: str) -> None:
    rulebook = registry.rulebook(game)
    assert bots.has_regent(rulebook)
    verbs = {
        name for phase in rulebook.phases for verb in phase.verbs for name in (verb, f"{phase.name}.{verb}")
    }
    assert {each.partition("/")[0] for each in rulebook.reckless or ()} <= verbs


@pytest.mark.parametrize("game", registry.OWN)
def test_it_plays_a_match_and_orders_nothing_reckless(tmp_path: Path, game: str) -> None:
    rulebook = registry.rulebook(game)
    table = next(iter(rulebook.tables[min(rulebook.tables)]))
    match = tmp_path / "lagoon"
    options = {"pages": "off"}
    names = dict.fromkeys(table, bots.REGENT)
    begin(
        game,
        match,
        list(table),
        options=options,
        seed_text="regent",
        bots=names,
        schedule=SILENT,
        keep=entries_of_run(NOW),
    )
    run_by_hand(match, NOW)
    assert open_match(match).last > 1
    reckless, ordered = {*(rulebook.reckless or ())}, 0
    for sheet in match.glob("*/sheets/*.yaml"):
        phase = sheet.parent.parent.name.partition("-t")[2].partition("-")[2]
        source = read(sheet.read_bytes(), "sheet")
        assert isinstance(source, Source)
        for order in source.plain["orders"]:
            verb = next(iter(order))
            ordered += 1
            assert not {verb, f"{phase}.{verb}", *(f"{verb}/{field}" for field in order)} & reckless
    assert ordered > 3
    assert verify(match).good


def test_it_takes_a_silent_seat_and_the_seat_stays_open(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    begin(
        "mediterranee",
        match,
        ["venice", "genoa"],
        options={"pages": "off"},
        seed_text="regent",
        schedule=SILENT,
        keep=entries_of_run(NOW),
    )
    assert not let_regents_play(match, NOW)
    (match / "0001-t1-setup/sheets/venice.yaml").write_text("player: venice\norders: []\n")
    run_by_hand(match, NOW, deadline=True, why="all agree")
    assert open_seats(open_match(match)) == ["genoa"]
    assert [each.player for each in let_regents_play(match, NOW)] == ["genoa"]
    assert not let_regents_play(match, NOW)
    assert open_seats(open_match(match)) == ["genoa"]
    assert open_match(match).secrets().names["genoa"] == "regent (bot)"
    assert verify(match).good
