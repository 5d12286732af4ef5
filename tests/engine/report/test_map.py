"""Maps: they show everything of a position, nothing on top of anything else, and nothing secret."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from adjudicator.contract.matches import steps
from adjudicator.contract.secrets import varied
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import forget_texts, game_texts, texts_of
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.canvas import Canvas
from adjudicator.engine.report.map import ground, layers, picture
from adjudicator.engine.report.room import Box
from adjudicator.engine.report.template import asset, colours, names
from adjudicator.engine.table.event import with_positions_before
from adjudicator.engine.table.reason import Refused
from tests.engine.report.test_canvas import crossing
from tests.engine.written_match import Match, Step
from tests.rulebooks.every_event import EVERY
from tests.rulebooks.every_match import GAMES, MATCHES

SVG = "{http://www.w3.org/2000/svg}"


def told(match: Match, step: Step, who: str | None = None) -> tuple[Any, Any]:
    """A position and what led to it, as a reader may know them."""
    rulebook = match.rulebook
    events = events_for(rulebook, step.after, step.events, who)
    return position_for(rulebook, step.after, who), tuple(
        with_positions_before(events, position_for(rulebook, step.before, who))
    )


def drawn(match: Match, step: Step) -> ElementTree.Element:
    """The map after a phase."""
    return ElementTree.fromstring(picture(match.rulebook, *told(match, step)).svg)


# -- names and pieces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["calm", pytest.param("gale", marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", registry.OWN)
def test_names_and_pieces_never_lie_on_each_other(
    game: str, seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Box] = []
    book, own = Canvas.book, registry.rulebook(game)

    def noted(canvas: Canvas, x: float, y: float, w: float, h: float) -> Box:
        taken.append(Box(x, y, w, h))
        return book(canvas, x, y, w, h)

    monkeypatch.setattr(Canvas, "book", noted)
    monkeypatch.setattr("adjudicator.engine.report.map.cached_on_disk", lambda kind, texts, make: make(texts))
    forget_texts()
    ground(game_texts(game))
    fixed = len(taken)
    for step in list(steps(own, own.tables[max(own.tables)][0], seed, sensible=4))[::3]:
        del taken[fixed:]
        after = step.outcome.state
        layers(own, after, tuple(with_positions_before(step.outcome.events, step.before)))
        assert crossing(taken) == []
    forget_texts()
    assert fixed > 25


@pytest.mark.parametrize("match", GAMES)
def test_every_place_has_its_name_and_every_piece_its_sign(match: Match) -> None:
    step = match.steps()[-2]
    picture, after = drawn(match, step), step.after
    texts = {str(text.text).casefold() for text in picture.iter(f"{SVG}text")}
    signs = {group.get("data-name") for group in picture.iter(f"{SVG}g")}
    pieces = {**getattr(after, "galleys", {}), **getattr(after, "pieces", {})}
    ships = {name for name, seat in after.players.items() if getattr(seat, "ship", "")}
    places = {
        **getattr(after, "ports", {}),
        **getattr(after, "markers", {}),
        **getattr(after, "provinces", {}),
    }
    assert set(pieces) | ships | set(places) <= signs
    assert {names(texts_of(match.rulebook)).get(place).casefold() for place in places} <= texts
    assert len(pieces) > 5 or len(ships) == len(after.players) or len(places) > 30


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
        assert len(svg.encode()) < 75_000
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"<(script|image|foreignObject)|href=\"(?!#)|@import|url\((?!#)", svg)


@pytest.mark.parametrize("match", GAMES)
def test_a_map_says_in_words_what_it_shows(match: Match) -> None:
    shown = picture(match.rulebook, *told(match, match.steps()[-2]))
    assert ElementTree.fromstring(shown.svg).get("aria-label") == shown.text
    for player in match.players:
        assert names(texts_of(match.rulebook)).get(player) in shown.text


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


@pytest.mark.parametrize("game", registry.OWN)
def test_a_legend_names_the_powers_of_the_match_and_no_others(game: str) -> None:
    rulebook, called = registry.rulebook(game), names(game_texts(game))
    every = {player for tables in rulebook.tables.values() for table in tables for player in table}
    for tables in rulebook.tables.values():
        for table in tables:
            try:
                state = rulebook.start("legend", rulebook.Options(), table)
            except Refused:
                continue
            svg = ElementTree.fromstring(picture(rulebook, position_for(rulebook, state, None)).svg)
            texts = {text.text for text in svg[-1].iter(f"{SVG}text")}
            # A player of Rome et Carthage may play two states, each with its colour.
            played = {
                each for name, seat in state.players.items() for each in getattr(seat, "states", (name,))
            }
            assert {player for player in every if called.get(player) in texts} == played
