"""What happened, step by step: a page's script can draw each step's map from what the page has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.library.texts import in_language
from adjudicator.engine.report.map import frames
from adjudicator.engine.report.reader_texts import map_for
from adjudicator.engine.report.replay import MOST_STEPS, SEAM, TITLE, Step, numbered, replay, steps_of
from adjudicator.engine.table.event import with_positions_before
from tests.engine.report.test_page import page_as_told, told_of
from tests.engine.written_match import Match
from tests.rulebooks.every_match import BY_GAME, GAMES

STEP = re.compile(r'data-step="(\d+)"')


def data_of(match: Match, told: Any, steps: list[Step], room: int = 10**6) -> dict[str, Any]:
    """What the page's script gets of these steps."""
    found: dict[str, Any] = json.loads(
        replay(match.rulebook, told, map_for(match.rulebook, told), steps, room)
    )
    return found


def drawn(data: dict[str, Any], page: list[str]) -> list[list[str]]:
    """The lines of the map in each step, as the script works them out from those of the page."""
    lines = list(page)
    for told in data["lines"]:
        if isinstance(told, str):
            lines.append(told[1:])
            continue
        like, *cuts = told
        halves = lines[like].split(SEAM, 1) if len(cuts) > 3 else [lines[like]]
        parts = [
            half[: cuts[3 * at]] + cuts[3 * at + 1] + half[len(half) - cuts[3 * at + 2] :]
            for at, half in enumerate(halves)
        ]
        lines.append(SEAM.join(parts))
    shown, now = [], list(range(len(page)))
    for *_, edits in data["steps"]:
        for start, count, more in edits:
            now[start : start + count] = more
        shown.append([lines[number] for number in now])
    return shown


def lines_of(*layers: str) -> list[str]:
    """Lines of SVG without their titles, which steps leave out."""
    return [TITLE.sub("", line) for text in layers for line in text.split("\n") if line]


@pytest.mark.ci
@pytest.mark.parametrize("match", GAMES)
def test_every_step_is_drawn_as_the_position_after_it(match: Match) -> None:
    count = 0
    for step in match.steps():
        for who in (None, match.players[0]):
            told = told_of(match, step, who)
            steps = list(steps_of(match.rulebook, told))
            picture = map_for(match.rulebook, told)
            followed = tuple(with_positions_before(told.events, told.before))
            wanted = [
                lines_of(each.under, each.over)
                for each in frames(match.rulebook, followed, [(one.after, one.told) for one in steps])
            ]
            found = drawn(data_of(match, told, steps), lines_of(picture.under, picture.over))
            assert found == wanted
            count += len(found)
    assert count


@pytest.mark.parametrize("match", GAMES)
def test_the_story_has_each_step_at_its_line(match: Match) -> None:
    for step in match.steps():
        who = match.players[0]
        told = told_of(match, step, who)
        steps = list(steps_of(match.rulebook, told))
        assert [*map(int, STEP.findall(page_as_told(match, step, who)))] == [
            *range(min(len(steps), MOST_STEPS))
        ]


def test_steps_without_room_are_left_out_from_the_first() -> None:
    match = BY_GAME["serenissima"]
    told = told_of(match, max(match.steps(), key=lambda step: len(step.events)), match.players[0])
    steps = list(steps_of(match.rulebook, told))
    whole = data_of(match, told, steps)
    room = len(json.dumps(whole)) * 3 // 4
    less = data_of(match, told, steps, room)
    assert 0 < less["first"] < len(steps)
    assert [each[2:4] for each in less["steps"]] == [each[2:4] for each in whole["steps"]][less["first"] :]
    assert data_of(match, told, steps, 0)["steps"] == []


def test_a_line_that_the_story_lacks_is_no_step() -> None:
    match = BY_GAME["serenissima"]
    told = told_of(match, max(match.steps(), key=lambda step: len(step.events)), match.players[0])
    steps = list(steps_of(match.rulebook, told))
    assert len(steps) > 1
    story, found = numbered(Markup("<p>of another time</p>"), steps, rules_of(match.rulebook))
    assert found == []
    assert STEP.findall(story) == []


def test_names_of_a_groups_are_text_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "serenissima/en").mkdir(parents=True)
    (tmp_path / "en").mkdir()
    match = BY_GAME["serenissima"]
    names = "".join(f"  {player}: <i>{player}\n" for player in match.players)
    (tmp_path / "serenissima/en/words.yaml").write_text(f"names:\n{names}")
    (tmp_path / "en/words.yaml").write_text("pages:\n  replay.watch: <i>watch\n")
    told = told_of(match, max(match.steps(), key=lambda step: len(step.events)), match.players[0])
    own = in_language(match.rulebook, "en", str(tmp_path))
    data = json.loads(replay(own, told, map_for(own, told), list(steps_of(own, told)), 10**6))
    assert data["words"]["watch"] == "&lt;i&gt;watch"
    assert data["who"] and all(name.startswith("&lt;i&gt;") for *_, name in data["who"])
