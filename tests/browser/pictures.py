"""`make pictures`: the pictures of README and games/. With a folder: pictures of all kinds of pages, to look at."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library import registry
from adjudicator.engine.match.showing import map_of, number_of_phase, shown_page
from adjudicator.engine.match.site import INDEX, write_site
from tests.browser import chromium
from tests.browser.matches import play
from tests.browser.moving import moving
from tests.browser.tapping import Thumb
from tests.browser.visiting import PHONE, in_all_lights, visited, window
from tests.games import PATHS

ROOT = Path(__file__).parents[2]
MATCH = ROOT / "games/mediterranee/lagoon"
WAYS, FIGHTS, READER = "0029-t5-combat", "0032-t6-auction", "venice"
"""The phases whose map and report are shown: one after much sailing, one after fights."""
SIZE = {"width": 880, "height": 1020}
TAPS, SHOWN = ("venice-1", "corfu", "venice-2", "ragusa"), 1400
"""What is tapped in the moving picture, and how many milliseconds each step is shown."""
ON_A_PHONE = "movement"
"""The phase whose page for orders is shown on a phone."""
ZOOM = 0.8
"""As wide as README is on the web, with as much in it as on a desk."""
MOST = 2_000_000
"""All pictures of the README together, in bytes."""


def for_readme(page: Page, docs: Path) -> None:
    """A map as it is, and as a browser shows them the beginning of a report and, on a phone, of a page for orders."""
    match = open_match(MATCH)
    drawn = docs / "map.svg"
    drawn.write_text(map_of(match, number_of_phase(match, WAYS), None).svg, encoding="utf-8", newline="\n")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_text(shown_page(match, READER, FIGHTS), encoding="utf-8")
        with visited(page, file, width=SIZE["width"]) as report:
            report.set_viewport_size(SIZE)
            report.evaluate(f"document.documentElement.style.zoom = {ZOOM}")
            report.screenshot(path=docs / "report.png")
        played = play("mediterranee", Path(folder) / "match")
        file = played.folder(ON_A_PHONE, played.due(ON_A_PHONE)[0]) / "orders.html"
        (docs / "orders-phone.png").write_bytes(ordering(page, file))
    pictures = (drawn, docs / "report.png", docs / "orders-phone.png")
    sizes = {path.name: path.stat().st_size for path in pictures}
    print(", ".join(f"docs/{name}: {size:,} bytes" for name, size in sizes.items()))
    if sum(sizes.values()) > MOST:
        raise SystemExit(f"together more than {MOST:,} bytes: make the window smaller")


def ordering(page: Page, file: Path) -> bytes:
    """Two galleys sent on a phone, tap by tap, as a moving picture."""
    with visited(page, file, width=PHONE, form=False) as orders:
        frames = [orders.screenshot()]
        thumb = Thumb(orders)
        for tap in TAPS:
            thumb.tap(tap)
            frames.append(orders.screenshot())
    return moving(frames, [SHOWN] * len(TAPS) + [2 * SHOWN])


def for_games(page: Page) -> None:
    """Beside each match to read a map, and a report on a phone, both from two thirds of the way to its end."""
    for path in PATHS:
        match = open_match(path)
        told = [number for number in range(match.last + 1) if match.handed_out(number)]
        at = told[len(told) * 2 // 3]
        drawn = path.parent / "map.svg"
        drawn.write_text(map_of(match, at, None).svg, encoding="utf-8", newline="\n")
        with TemporaryDirectory() as folder:
            file = Path(folder) / "report.html"
            file.write_text(shown_page(match, match.card.players[0], match.phases[at]), encoding="utf-8")
            with visited(page, file, width=PHONE) as report:
                report.screenshot(path=path.parent / "report.png")
        print(f"games/{path.parent.name}: map.svg and report.png of {match.phases[at]}")


def of_everything(page: Page, to: Path) -> None:
    """Every kind of page of all games, on a phone and on a desk, light and dark, whole."""
    with TemporaryDirectory() as folder:
        for game in registry.OWN:
            match = play(game, Path(folder) / game / "match")
            list(write_site(open_match(match.path), match.path.with_name("site")))
            pages = {
                f"{kind}-{what}": match.folder(kind, match.due(kind)[0]) / f"{what}.html"
                for kind in match.kinds
                for what in ("report", "orders")
            }
            for name, at in {**pages, "site": match.path.with_name("site") / INDEX}.items():
                with visited(page, at):
                    for light in in_all_lights(page):
                        file = to / game / f"{name}-{light.replace(' ', '-')}.png"
                        page.screenshot(path=file, full_page=True)
                        print(file)


def main(folder: str = "") -> None:
    """Makes them."""
    with chromium.running(chromium.needed()) as browser:
        if folder:
            of_everything(window(browser), Path(folder))
        else:
            for_readme(window(browser), ROOT / "docs")
            for_games(window(browser))


if __name__ == "__main__":
    main(*sys.argv[1:])
