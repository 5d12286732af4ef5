"""Players' colours: by their order; but players named after a colour have that colour."""

from __future__ import annotations

import re

from adjudicator.engine.library import registry
from adjudicator.engine.report.template import colours
from adjudicator.engine.text.resources import folder

CSS = (folder("templates") / "pages" / "colours.css").read_text(encoding="utf-8")


def test_players_have_colours_by_their_order_unless_the_rulebook_says_which() -> None:
    assert colours("mediterranee") == {"venice": 0, "genoa": 1, "spain": 2, "turkey": 3}
    assert colours("serenissima") == {"blue": 0, "red": 5, "orange": 1, "black": 6}


def test_every_colour_is_drawn_and_no_two_players_share_one() -> None:
    for game in registry.OWN:
        numbers = list(colours(game).values())
        assert len(set(numbers)) == len(numbers), game
        for number in numbers:
            assert re.search(rf"\.s{number}\{{fill:#[0-9a-f]{{6}}", CSS), f"{game}: {number}"


def test_the_chart_has_a_sign_for_each() -> None:
    chart = (folder("templates") / "en" / "chart.svg.j2").read_text(encoding="utf-8")
    shapes = chart.partition("set shapes = [")[2].partition("] %}")[0].count('"M')
    assert shapes == len(set(re.findall(r"text\.t\d", CSS)))
    dashes = chart.partition("set dashes = [")[2].partition("] %}")[0].count('"') // 2
    assert dashes == shapes
