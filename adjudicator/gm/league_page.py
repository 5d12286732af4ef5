"""A league as a page: one file that needs no network and no script."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudicator.engine.report.template import shared
from adjudicator.gm.league import BEGIN, SPREAD, STEP, League, Places

MARK = "adjudicator league"
BEGINS = f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="{MARK}">'
"""The beginning of each of these pages. A file that begins so is ours and may be replaced."""


def league_page(found: League, title: str, sites: Mapping[str, str] | None = None) -> str:
    """The page with the tables, the matches, everybody's history, and how the ratings are worked out.

    `sites` are addresses of matches' sites, by the name of a match's folder.
    """
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
            numbered=numbered_places,
            sites=sites or {},
            folder_of=lambda each: Path(each.folder).name,
        )
    )
    return str(text).lstrip("\n").rstrip("\n") + "\n"


def numbered_places(places: Places) -> list[tuple[int, tuple[str, ...]]]:
    """Places with their numbers: if two share the first place, the third comes next."""
    found: list[tuple[int, tuple[str, ...]]] = []
    number = 1
    for place in places:
        found.append((number, place))
        number += len(place)
    return found
