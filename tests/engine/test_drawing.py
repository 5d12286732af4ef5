"""Maps: everything of a position is on them, nothing on top of anything else, and nothing that is secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from adjudicator.contract.matches import steps
from adjudicator.contract.secrets import varied
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.canvas import Box, Canvas, lands, width
from adjudicator.engine.report.map import ground, layers, picture
from adjudicator.engine.report.paths import curve, head, shortened
from adjudicator.engine.report.template import asset, colours, names
from adjudicator.engine.sheets import registry
from adjudicator.engine.table.event import followed
from adjudicator.rulebooks.mediterranee.events import Entered, Landed, Struck
from tests.engine.every import EVERY
from tests.engine.matches import GAMES, MATCHES
from tests.engine.scripted import Match, Step

SVG = "{http://www.w3.org/2000/svg}"


def told(match: Match, step: Step, who: str | None = None) -> tuple[Any, Any]:
    """A position and what led to it, as a reader may know them."""
    rulebook = match.rulebook
    events = events_for(rulebook, step.after, step.events, who)
    return position_for(rulebook, step.after, who), tuple(
        followed(events, position_for(rulebook, step.before, who))
    )


def drawn(match: Match, step: Step) -> ElementTree.Element:
    """The map after a phase."""
    return ElementTree.fromstring(picture(match.rulebook, *told(match, step)).svg)


def crossing(boxes: list[Box]) -> list[tuple[Box, Box]]:
    """Boxes that lie on each other by more than the width of a line."""
    return [
        (one, other)
        for at, one in enumerate(boxes)
        for other in boxes[:at]
        if min(one.x + one.w, other.x + other.w) - max(one.x, other.x) > 1
        and min(one.y + one.h, other.y + other.h) - max(one.y, other.y) > 1
    ]


# -- names and pieces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", registry.OWN)
def test_names_and_pieces_never_lie_on_each_other(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Box] = []
    book, own = Canvas.book, registry.rulebook(game)

    def noted(canvas: Canvas, x: float, y: float, w: float, h: float) -> Box:
        taken.append(Box(x, y, w, h))
        return book(canvas, x, y, w, h)

    monkeypatch.setattr(Canvas, "book", noted)
    ground.cache_clear()
    ground(game)
    fixed = len(taken)
    for seed in ("calm", "gale"):
        for step in list(steps(own, own.tables[max(own.tables)][0], seed, sensible=4))[::3]:
            del taken[fixed:]
            after = step.outcome.state
            layers(own, after, tuple(followed(step.outcome.events, step.before)))
            assert crossing(taken) == []
    ground.cache_clear()
    assert fixed > 50


@pytest.mark.parametrize("match", GAMES)
def test_every_place_has_its_name_and_every_piece_its_sign(match: Match) -> None:
    step = match.steps()[-2]
    picture, after = drawn(match, step), step.after
    texts = {text.text for text in picture.iter(f"{SVG}text")}
    signs = {group.get("data-name") for group in picture.iter(f"{SVG}g")}
    pieces = {**getattr(after, "galleys", {}), **getattr(after, "pieces", {})}
    places = {**getattr(after, "ports", {})}
    assert set(pieces) | set(places) <= signs
    assert {names(match.rulebook.key).get(place) for place in places} <= texts
    assert len(pieces) > 5


@pytest.mark.parametrize("match", GAMES)
def test_colour_is_never_alone(match: Match) -> None:
    """Whatever has a player's colour holds letters or a suit, or a title that says whose it is."""
    for step in match.steps()[1:]:
        for group in drawn(match, step).iter(f"{SVG}g"):
            coloured = any(re.search(r"\bs\d\b", part.get("class", "")) for part in group)
            if coloured:
                assert [
                    part for part in group.iter() if part.tag in (f"{SVG}text", f"{SVG}title") and part.text
                ]


@pytest.mark.parametrize("game", registry.OWN)
def test_every_player_has_a_colour_of_the_style(game: str) -> None:
    for number in colours(game).values():
        assert f".s{number}{{" in asset("colours.css")


# -- what has happened -----------------------------------------------------------------------------------------------


def test_ways_fights_and_landings_are_drawn() -> None:
    match = MATCHES[0]
    seen = set()
    for step in match.steps():
        picture = drawn(match, step)
        ways = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "way"]
        fights = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "fight"]
        gone = {event.galley for event in step.events if isinstance(event, Entered)}
        landed = [event for event in step.events if isinstance(event, Landed)]
        struck = {(event.attacker, event.target) for event in step.events if isinstance(event, Struck)}
        assert (len(ways), len(fights)) == (
            len(gone) + len(landed) + 1,
            len(struck) + 1,
        )  # one each in the signs
        seen |= {kind for kind, some in zip("wlf", (gone, landed, struck), strict=True) if some}
    assert seen == {"w", "l", "f"}


@pytest.mark.parametrize("game", registry.OWN)
def test_any_event_may_be_told_with_or_without_a_position(game: str) -> None:
    """Events that were tampered with, or whose beginning isn't known, break no map."""
    state = MATCHES[list(registry.OWN).index(game)].steps()[-1].before
    for event in EVERY[game]:
        for here in (None, state):
            ElementTree.fromstring(picture(registry.rulebook(game), state, ((event, here),)).svg)


# -- the picture as a file -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("match", GAMES)
def test_a_map_needs_nothing_else_and_is_small(match: Match) -> None:
    for step in match.steps():
        svg = picture(match.rulebook, *told(match, step)).svg
        assert len(svg.encode()) < 90_000
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"<(script|image|use|foreignObject)|href|@import|url\(", svg)


@pytest.mark.parametrize("match", GAMES)
def test_a_map_says_in_words_what_it_shows(match: Match) -> None:
    shown = picture(match.rulebook, *told(match, match.steps()[-2]))
    assert ElementTree.fromstring(shown.svg).get("aria-label") == shown.text
    for player in match.players:
        assert names(match.rulebook.key).get(player) in shown.text


@pytest.mark.parametrize("match", GAMES)
def test_a_map_tells_nothing_that_is_hidden(match: Match) -> None:
    for step in match.steps():
        rulebook = match.rulebook
        whole = picture(rulebook, position_for(rulebook, step.after, None)).svg
        assert (
            picture(
                rulebook, position_for(rulebook, varied(rulebook, step.after, step.after, None), None)
            ).svg
            == whole
        )


# -- the canvas ------------------------------------------------------------------------------------------------------


def canvas() -> Canvas:
    return Canvas([(-5.0, 30.0), (35.0, 46.0)])


def test_east_is_right_and_north_is_above() -> None:
    chart = canvas()
    assert chart.at((9, 44))[0] < chart.at((12, 45))[0]
    assert chart.at((9, 44))[1] > chart.at((9, 45))[1]


def test_a_degree_is_as_wide_as_it_is_high_where_it_lies() -> None:
    """Mercator's projection keeps shapes: a degree of longitude shrinks as it does on the earth."""
    chart = canvas()
    across = chart.at((10.5, 40))[0] - chart.at((9.5, 40))[0]
    up = chart.at((10, 39.5))[1] - chart.at((10, 40.5))[1]
    assert across / up == pytest.approx(0.766, abs=0.01)  # the cosine of 40 degrees


def boxes(chart: Canvas) -> Iterator[Box]:
    for _ in range(40):
        yield chart.put((700, 400), 80, 20)


def test_what_is_put_finds_room_near_by() -> None:
    found = list(boxes(canvas()))
    assert crossing(found) == []
    assert not found[0].far
    assert found[-1].far


def test_a_stack_goes_into_rows_where_a_column_has_no_room() -> None:
    chart = canvas()
    column = chart.stack((700, 400), [50, 60, 40], 20, 7)
    assert [box.x for box in column.boxes] == [column.whole.x] * 3
    assert (column.whole.w, column.whole.h) == (60, 64)
    chart.book(0, 0, chart.w, 300)
    chart.book(0, 330, chart.w, 400)
    row = chart.stack((300, 315), [50, 60, 40], 20, 7)
    assert [box.y for box in row.boxes] == [row.whole.y] * 3
    assert crossing([*row.boxes, *column.boxes]) == []


def test_a_copy_keeps_what_is_taken_and_gives_nothing_back() -> None:
    chart = canvas()
    copy = chart.copy()
    copy.put((700, 400), 80, 20)
    copy.found("genova", (9, 44), 10, 10)
    copy.found("pisa", (10, 43), 10, 10)
    copy.join("genova", "pisa")
    copy.along(["genova", "pisa"])
    assert chart.rows != copy.rows
    assert (chart.points, chart.ways, chart.legs) == ({}, {}, {})
    assert chart.put((700, 400), 80, 20) == canvas().put((700, 400), 80, 20)


def test_the_coast_is_rings_of_places() -> None:
    assert len(lands()) == 50
    assert all(len(ring) >= 3 and all(-11 < x < 48 and 27 < y < 50 for x, y in ring) for ring in lands())
    assert canvas().coast().count("M") == canvas().coast().count("z") > 40


def test_a_sign_that_is_drawn_as_text_has_no_width_itself() -> None:
    assert width("♥\ufe0e", 10) == width("♥", 10)
    assert width("Wien", 20) == 2 * width("Wien", 10) > width("ill", 20)


def test_lines_go_through_their_points() -> None:
    assert curve([(0, 0), (10, 0)]) == "M0 0L10 0"
    assert curve([(0, 0), (10, 0), (10, 10)]).endswith("10 10")
    assert shortened([(0, 0), (10, 0)], 4) == [(0, 0), (6, 0)]
    assert head([(0, 0), (10, 0)]).startswith("M10 0L")
