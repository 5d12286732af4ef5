"""What the program in a page costs: sizes of its parts and links, and times in a browser beside those here."""

from __future__ import annotations

import json
import tempfile
import time
import zipfile
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from adjudicator import __version__
from adjudicator.engine.library import registry
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.view_links import Letter, link
from adjudicator.page.called import call
from adjudicator.page.site import write_page
from tests.browser.chromium import found, running
from tests.browser.test_in_page import PACK, PHONE, Quiet
from tests.page.corpus import sheets
from tests.page.positions import some_positions

MANY = 60
"""Sheets of each game."""
ASK = """async (asked) => {
  const { ask } = await import("./program.js");
  for (const values of asked) await ask("look", values);
  const begin = performance.now();
  for (const values of asked) await ask("look", values);
  return performance.now() - begin;
}"""


def sizes() -> None:
    """Sizes of what comes over the network once, and of links."""
    with zipfile.ZipFile(PACK) as archive:
        parts = {each.filename: each.file_size for each in archive.infolist()}
    print(f"the program in a page: {sum(parts.values()) / 1e6:.1f} MB once")
    for game in registry.OWN:
        rulebook = registry.rulebook(game)
        views = [
            write_position(position_for(rulebook, state, player))
            for state in some_positions(game)
            for player in state.players
        ]
        longest = max(
            len(link("https://club.example/play/", Letter(view, "Sunday, 20:00"))) for view in views
        )
        print(f"  a link to a view of {game}: at most {longest} characters of {len(views)} views")


def in_a_browser(folder: Path) -> None:
    """From the address to a program that is ready, the first time and the second, and checks beside those here."""
    program = found()
    assert program is not None
    list(write_page(PACK, folder, __version__))
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server,
        running(program) as browser,
    ):
        Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context(viewport=PHONE, has_touch=True)
        page = context.new_page()
        for visit in ("first", "second"):
            begin = time.perf_counter()
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            page.wait_for_selector("#loading", state="hidden", timeout=120_000)
            print(
                f"  {visit} visit, without the network's part: {time.perf_counter() - begin:.1f} s to the program"
            )
        for game in registry.OWN:
            asked = [{"view": view, "text": data.decode()} for view, data in list(sheets(game, 2))[:MANY]]
            there = page.evaluate(ASK, asked) / len(asked)
            begin = time.perf_counter()
            for values in asked:
                call("look", json.dumps(values))
            here = (time.perf_counter() - begin) * 1000 / len(asked)
            print(
                f"  {game}: {there:.1f} ms to look at a sheet in the page, {there / here:.1f} times as long as here"
            )
        server.shutdown()


def main() -> None:
    """All of it, if there is a pack."""
    if not PACK.is_file():
        print(f"no {PACK.name}: make page")
        return
    sizes()
    if found() is not None:
        with tempfile.TemporaryDirectory() as folder:
            in_a_browser(Path(folder))


if __name__ == "__main__":
    main()
