"""A league as a page: one file that needs no network and no script."""

from __future__ import annotations

from adjudicator.engine.report.template import shared
from adjudicator.gm.league import BEGIN, SPREAD, STEP, League, Places

MARK = "adjudicator league"
BEGINS = f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="{MARK}">'
"""The beginning of each of these pages. A file that begins so is ours and may be replaced."""


def league_page(found: League, title: str) -> str:
    """The page with the table, the matches, and how the ratings are worked out."""
    text = (
        shared()
        .get_template("league.html.j2")
        .render(
            mark=MARK,
            title=title,
            league=found,
            begin=int(BEGIN),
            spread=int(SPREAD),
            step=int(STEP),
            numbered=numbered,
        )
    )
    return str(text).lstrip("\n").rstrip("\n") + "\n"


def numbered(places: Places) -> list[tuple[int, tuple[str, ...]]]:
    """Places with their numbers: if two share the first place, the third comes next."""
    found: list[tuple[int, tuple[str, ...]]] = []
    number = 1
    for place in places:
        found.append((number, place))
        number += len(place)
    return found
