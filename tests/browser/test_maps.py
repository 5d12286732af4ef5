"""Maps as a browser draws them, with the browser's fonts."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library.languages import known_languages
from adjudicator.engine.library.texts import in_language
from adjudicator.engine.match.showing import map_of
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.map import picture
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import GAMES
from tests.engine.written_match import Match
from tests.rulebooks.every_match import MATCHES

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

APART = """() => {
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = "svg {background: var(--paper)} "
        + "svg > :not(defs, style, .apart) {display: none}";
    const legend = document.documentElement.lastElementChild;
    legend.classList.add("apart");
    legend.removeAttribute("transform");
    legend.replaceChildren(...legend.querySelectorAll(".sign"));
    document.documentElement.append(style);
    document.documentElement.append(legend);
    return [...legend.querySelectorAll(".sign")].map((sign, at) => {
        sign.setAttribute("transform", `translate(${40 + at % 16 * 80} ${40 + Math.floor(at / 16) * 80})`);
        return sign.querySelector("title").textContent;
    });
}"""
"""Nothing stays but the signs of the legend, each in a square of its own; returns what they mean."""
ALIKE = """async ([png, names, most]) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d", {willReadFrequently: true});
    pen.drawImage(picture, 0, 0);
    const grey = names.map((_, at) => {
        const {data} = pen.getImageData(at % 16 * 80, Math.floor(at / 16) * 80, 80, 80);
        return Array.from({length: 6400}, (_, dot) =>
            0.3 * data[4 * dot] + 0.59 * data[4 * dot + 1] + 0.11 * data[4 * dot + 2]);
    });
    const apart = (one, other) => one.filter((light, dot) => Math.abs(light - other[dot]) > 40).length;
    return names.flatMap((name, at) => names.slice(0, at)
        .filter((_, other) => apart(grey[at], grey[other]) < most).map((other) => `${name} and ${other}`));
}"""
"""The signs that differ in fewer dots than that, in grey."""
CLEAR = 24
"""In so many dots, of 80 by 80, two signs differ at least, each by a sixth of what is between black and white."""

SMALL = """() => [...document.querySelectorAll("text")].filter((text) => {
    const {a, b} = text.getScreenCTM() ?? {a: 1, b: 0};
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b) < 10;
}).map((text) => text.textContent)"""
"""The texts that are lower than ten pixels where a unit of the map is a pixel."""

COVERED = """() => {
    const all = [...document.querySelectorAll(".sign, .key")].map((each) => [each, each.getBoundingClientRect()]);
    const over = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return all.flatMap((one, at) => all.slice(at + 1).filter((other) => over(one, other))
        .filter(([key]) => !(one[0].matches(".sign") && one[0].nextElementSibling === key))
        .map(([other]) => `${one[0].textContent} and ${other.textContent}`));
}"""
"""The signs of a legend, and their meanings, that lie on those of another."""


@pytest.mark.parametrize("match", MATCHES, ids=[match.rulebook.key for match in MATCHES])
def test_every_two_signs_of_a_legend_differ_in_each_light_and_in_grey(
    visit: Visit, tmp_path: Path, match: Match
) -> None:
    file, state = tmp_path / "map.svg", match.steps()[0].before
    file.write_text(picture(match.rulebook, position_for(match.rulebook, state, None)).svg, encoding="utf-8")
    with visit(file) as page:
        meanings = page.evaluate(APART)
        for media, scheme in (("screen", "light"), ("screen", "dark"), ("print", "light")):
            page.emulate_media(media=media, color_scheme=scheme)
            drawn = b64encode(page.screenshot()).decode()
            assert page.evaluate(ALIKE, [drawn, meanings, CLEAR]) == [], f"{media}, {scheme}"
    assert len(meanings) > 9


@pytest.mark.parametrize("match", MATCHES, ids=[match.rulebook.key for match in MATCHES])
def test_a_legend_has_room_for_each_meaning_in_each_language(
    visit: Visit, tmp_path: Path, match: Match
) -> None:
    view = position_for(match.rulebook, match.steps()[0].before, None)
    for language in known_languages(match.rulebook.key):
        file = tmp_path / f"{language}.svg"
        file.write_text(picture(in_language(match.rulebook, language), view).svg, encoding="utf-8")
        with visit(file) as page:
            assert page.evaluate(COVERED) == [], language


@pytest.mark.parametrize("game", GAMES)
def test_no_text_lies_on_a_name_or_leaves_the_map_or_is_too_small(
    visit: Visit, matches: Matches, tmp_path: Path, game: str
) -> None:
    folder, file = open_match(matches(game).path), tmp_path / "map.svg"
    maps = [map_of(folder, number, None).svg for number in range(1, folder.last + 1)]
    file.write_text(maps[0], encoding="utf-8")
    with visit(file) as page:
        for svg in maps:
            assert page.evaluate(DRAW, svg) == svg.count("<text")
            assert page.evaluate(CROSSING) == []
            assert page.evaluate(OUTSIDE) == []
            assert page.evaluate(SMALL) == []
