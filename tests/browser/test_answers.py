"""Pages for an answer in live pacing: filled in, downloaded, checked, and taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Visit
from tests.browser.filling_forms import Hand
from tests.browser.matches import GM
from tests.browser.sheets import plain
from tests.browser.visiting import assert_fits, in_all_lights
from tests.cli.calling import adjudicator

ORDERS = {
    ("setup", "venice"): "{place: 3, to: venice-1}",
    ("setup", "turkey"): "{place: 3, to: turkey-1}",
    ("auction", "venice"): "{bid: 100}",
    ("movement", "venice"): "{move: venice-1, via: [ragusa, corfu, modon]}",
    ("movement", "turkey"): "{move: turkey-1, via: [salonica, modon, corfu]}",
}
MOST_RUNS = 30
"""More than it takes to be asked."""
SEAT = {"seat": 1}
PASSAGE = {"passage": "turkey-1", "in": "modon", "grant": True}
CASES = [pytest.param("auction", SEAT, id="seat"), pytest.param("movement", PASSAGE, id="passage")]


def asked(path: Path, phase: str) -> Path:
    """A match that waits for Venice's answer in a phase: what Venice got. Everybody not named above passes."""
    players = ("venice", "genoa", "spain", "turkey")
    options = {"pacing": "live", "pages": "off", "stops": "all"}
    ran = begin("mediterranee", path, players, options=options, seed_text="live", gm=GM)
    for _ in range(MOST_RUNS):
        if ran.waiting and ran.open.endswith(phase):
            break
        match = open_match(path)
        folder, name = path / match.phases[-1], match.state(match.last).phase.name
        if ran.waiting:
            put(folder / "answers", ran.waiting, "answers", "{seat: 1}")
        for player in () if ran.waiting else ran.missing:
            put(folder / "sheets", player, "orders", ORDERS.get((name, player), ""))
        ran = run(path)
    assert ran.waiting == "venice"
    assert ran.open.endswith(phase)
    write_again(path, pages=True)
    return path / ran.open / "for" / "venice"


def put(folder: Path, player: str, key: str, entry: str) -> None:
    """A sheet, or answers, with one entry or none."""
    folder.mkdir(exist_ok=True)
    text = f"player: {player}\n{key}: [{entry}]\n"
    (folder / f"{player}.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("phase", "answer"), CASES)
def test_an_answer_is_clicked_together(
    visit: Visit, tmp_path: Path, phase: str, answer: dict[str, Any]
) -> None:
    mine = asked(tmp_path / "live", phase)
    with visit(mine / "orders.html") as page:
        hand, form = Hand(page), page.locator("#board form")
        assert "You are asked:" in page.locator("#question").inner_text()
        fixed = " ".join(form.locator(".fixed").all_inner_texts())
        hand.fill(form, {name: value for name, value in answer.items() if f"{name}:" not in fixed})
        for yes in page.locator("#question [data-key=yes]").all():
            page.locator("#question [data-key=no]").click()
            assert '"grant": false' in json.dumps(
                plain(page.locator("#sheet").input_value().encode())["answers"]
            )
            yes.click()
        text = hand.download(tmp_path)
        assert_accessible(page)
        for _ in in_all_lights(page):
            assert_fits(page)
    assert plain(text)["answers"] == [answer]
    answers = mine.parents[1] / "answers"
    answers.mkdir(exist_ok=True)
    (answers / "venice.yaml").write_bytes(text)
    checked = adjudicator("check", answers / "venice.yaml")
    assert checked.exit_code == 0, checked.output
    ran = run(tmp_path / "live")
    assert mine.parents[1].name in ran.adjudicated
    assert not ran.problems
