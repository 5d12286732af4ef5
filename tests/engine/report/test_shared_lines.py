"""A line is shared by all readers only if it depends neither on the reader nor on what the reader knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from jinja2 import DictLoader

from adjudicator.engine.report import narrator
from adjudicator.engine.report.narrator import MOST_KEPT, Narrator, SharedLines
from adjudicator.engine.report.template import SyncEnvironment
from adjudicator.engine.table.event import Event
from tests.engine.small_card_game import DUEL

TEXTS = """
{% macro thread(e, kind) %}{% endmacro %}
{% macro actor(e, kind) %}{{ e.player }}{% endmacro %}
{% macro Waved(run, scene) %}{{ scene.actor }} waves to {{ scene.who if run[0].count else "all" }}{% endmacro %}
{% macro Counted(run, scene) %}{{ run[0].count }} of {{ scene.here if run[0].count > 1 else "few" }}{% endmacro %}
{% macro Passed(run, scene) %}{{ run[0].count }} by {{ scene.actor }}{% endmacro %}
"""


class Waved(Event[int], frozen=True):
    player: str = ""
    count: int = 0

    def apply(self, state: int) -> int:
        return state


class Counted(Waved, frozen=True):
    pass


class Passed(Waved, frozen=True):
    pass


@pytest.fixture(autouse=True)
def _told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SyncEnvironment(loader=DictLoader({"events": TEXTS})).get_template("events").module
    told = SharedLines()
    monkeypatch.setattr(narrator, "macros", lambda *_: module)
    monkeypatch.setattr(narrator, "shared_lines", lambda _: told)


def lines(who: str, here: int, events: Sequence[Event[Any]]) -> list[str]:
    return [line for _, line in Narrator(DUEL, who, here).lines(events)]


def test_who_reads_and_what_is_known_is_told_to_each() -> None:
    events = [
        Waved(rule="R-1", count=1),
        Counted(rule="R-1", count=2),
        Counted(rule="R-1", count=1),
        Waved(rule="R-1"),
    ]
    for who, here in (("red", 7), ("blue", 8), ("red", 7)):
        assert lines(who, here, events) == [
            f"waves to {who} (R-1)",
            f"2 of {here} (R-1)",
            "1 of few (R-1)",
            "waves to all (R-1)",
        ]


def test_the_same_event_among_anothers_doings_is_told_anew() -> None:
    passed = Passed(rule="R-1", count=3)
    for first, second in (("red", "blue"), ("blue", "red")):
        assert lines("red", 0, [Waved(rule="R-1", player=first), passed])[1] == f"3 by {first} (R-1)"
        assert lines("red", 0, [Waved(rule="R-1", player=second), passed])[1] == f"3 by {second} (R-1)"


def test_events_that_are_gone_are_nobody_elses() -> None:
    """Their places in memory are taken by others at once."""
    for count in range(2 * MOST_KEPT + 9):
        assert lines("red", 0, [Passed(rule="R-1", player=f"p{count}", count=count)]) == [
            f"{count} by p{count} (R-1)"
        ]
