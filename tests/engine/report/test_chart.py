"""The tally: points from turn to turn as a reader may know them, and their chart."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.handout import gathering as counting
from adjudicator.engine.handout.gathering import counts
from adjudicator.engine.library import registry
from adjudicator.engine.report.chart import APART, FIELD, Count, chart, round_numbers, spread
from adjudicator.engine.sheets.schema import players
from adjudicator.engine.table.points import Total
from tests.engine.match_folders import Varied, begun, play
from tests.games import PATHS, of_this_version

RULEBOOK = registry.rulebook("mediterranee")


def count(turn: int, *points: int, more: bool = False, now: bool = False) -> Count:
    players = ("venice", "genoa", "spain", "turkey")
    return Count(
        turn, now, {player: Total(each, more) for player, each in zip(players, points, strict=False)}
    )


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_points_are_counted_at_the_end_of_each_turn_and_now(path: Path) -> None:
    match = of_this_version(path)
    for number in (0, 1, match.last // 2, match.last - 1, match.last):
        found = counts(match, number, match.card.players[0])
        turn = match.head(number).turn
        begins = number > 0 and match.head(number - 1).turn < turn
        assert [each.turn for each in found] == [*range(1, turn), *([] if begins else [turn])]
        assert [each.now for each in found[:-1]] == [False] * (len(found) - 1)
        assert found[-1].now == (number != match.last and not begins)
    ends = match.rulebook.points(match.state(match.last))
    assert {player: total.points for player, total in found[-1].totals.items()} == {
        player: sum(line.points or 0 for line in lines) for player, lines in ends.items()
    }
    assert not any(total.more for total in found[-1].totals.values())


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_the_count_is_a_function_of_what_its_reader_may_know(path: Path) -> None:
    match = of_this_version(path)
    for number in (match.last // 2, match.last - 1):
        for who in (*match.card.players, None):
            assert counts(Varied(path, who), number, who) == counts(match, number, who)


def test_what_a_reader_may_not_know_is_left_out_and_said() -> None:
    match = of_this_version(next(path for path in PATHS if path.name == "lagoon"))
    half = match.last // 2
    own, public = (counts(match, half, who)[0].totals["venice"] for who in ("venice", None))
    assert not own.more
    assert public.more
    assert counts(match, half, "venice")[0].totals["genoa"].more
    assert public.points < own.points
    assert (str(own), str(public)) == (f"{own.points}", f"{public.points}+")


def test_a_position_that_cannot_be_read_any_more_is_passed_over(tmp_path: Path) -> None:
    path = begun(tmp_path / "m", turns="3")
    play(path, 16)
    whole = counts(open_match(path), open_match(path).last, None)
    first = next(path.glob("*-t2-auction"))
    (first / "state.yaml").write_text("from: another time\n")
    assert counts(open_match(path), open_match(path).last, None) == whole[1:]


def test_a_long_match_is_not_counted_at_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_COUNTS", 2)
    match = of_this_version(PATHS[0])
    turns = [each.turn for each in counts(match, match.last, None)]
    assert turns == [1, 4, 6]


def test_there_is_no_chart_of_one_time() -> None:
    assert chart(RULEBOOK, []) is None
    assert chart(RULEBOOK, [count(1, 3, 4)]) is None


def test_a_chart_in_words_and_as_a_table() -> None:
    found = chart(RULEBOOK, [count(1, 9, 11), count(2, 12, 10, more=True, now=True)])
    assert found is not None
    assert found.unsure
    assert found.text == "Points by turn, as a chart. Last: Venice 12+, Genoa 10+."
    assert found.table.splitlines() == [
        "| Turn | Venice | Genoa |",
        "|------|-------:|------:|",
        "| 1    |      9 |    11 |",
        "| now  |    12+ |   10+ |",
    ]


@pytest.mark.parametrize(
    ("game", "title"), [("mediterranee", "turn"), ("rome-carthage", "round"), ("oltremare", "round")]
)
def test_a_chart_counts_in_the_words_of_the_game(game: str, title: str) -> None:
    rulebook = registry.rulebook(game)
    known = {player: Total(3, more=False) for player in players(rulebook)}
    found = chart(rulebook, [Count(turn, False, known) for turn in (1, 2)])
    assert found is not None
    assert found.title == f"Points by {title}"
    assert found.text.startswith(f"{found.title}, ")


def test_a_chart_is_a_picture_that_needs_nothing_else() -> None:
    many = [count(turn, turn, 2 * turn, 40 - turn, 7) for turn in range(1, 31)]
    found = chart(RULEBOOK, many)
    assert found is not None
    root = ElementTree.fromstring(found.svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == found.text
    assert not re.findall(r"(?:href|url|@import|https?:(?!//www\.w3\.org/2000/svg))", found.svg)
    assert len(found.svg) < 40_000
    names = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Venice 30", "Genoa 60", "Spain 10", "Turkey 7"} <= {*names}
    assert chart(RULEBOOK, many) == found


@pytest.mark.parametrize("heights", [[20, 20, 20, 20], [20, 284, 284], [30, 100, 101, 284], [284] * 6, [16]])
def test_names_keep_apart_and_on_the_chart(heights: list[float]) -> None:
    found = spread(heights)
    assert all(later - one >= APART for one, later in pairwise(found))
    assert FIELD.top <= found[0] <= found[-1] <= FIELD.bottom


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        ([0], [0, 1]),
        ([7, 3], [0, 2, 4, 6, 8]),
        ([47], [0, 10, 20, 30, 40, 50]),
        ([50], [0, 10, 20, 30, 40, 50]),
        ([-3, 12], [-5, 0, 5, 10, 15]),
        ([1234], [0, 500, 1000, 1500]),
    ],
)
def test_levels_are_round_numbers(values: list[int], levels: list[int]) -> None:
    assert round_numbers(values) == levels
