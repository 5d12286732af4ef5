"""Maps as a browser draws them, with the fonts that it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.showing import mapped
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import GAMES

DRAW = """(svg) => {
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
    document.replaceChild(document.adoptNode(drawn.documentElement), document.documentElement);
    return document.querySelectorAll("text").length;
}"""
"""Another map in the place of the one that is open, as if its file had been; returns how many texts are in it."""
CROSSING = """() => {
    const all = [...document.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
    const names = all.filter(([text]) => text.classList.contains("name"));
    const crossing = ([one, a], [other, b]) => one !== other
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
    return names.flatMap((name) => all.filter((other) => crossing(name, other))
        .map(([other]) => `${name[0].textContent} and ${other.textContent}`));
}"""
OUTSIDE = """() => {
    const frame = document.documentElement.getBoundingClientRect();
    const within = (a) => a.left >= 0 && a.top >= 0 && a.right <= frame.right && a.bottom <= frame.bottom;
    return [...document.querySelectorAll("text")]
        .filter((text) => !within(text.getBoundingClientRect())).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("game", GAMES)
def test_no_text_lies_on_a_name_or_leaves_the_map(
    visit: Visit, matches: Matches, tmp_path: Path, game: str
) -> None:
    folder, file = open_match(matches(game).path), tmp_path / "map.svg"
    maps = [mapped(folder, number, None).svg for number in range(1, folder.last + 1)]
    file.write_text(maps[0], encoding="utf-8")
    with visit(file) as page:
        for svg in maps:
            assert page.evaluate(DRAW, svg) == svg.count("<text")
            assert page.evaluate(CROSSING) == []
            assert page.evaluate(OUTSIDE) == []
