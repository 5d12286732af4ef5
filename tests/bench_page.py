"""What the program in a page costs: sizes of its parts and links, and times in a browser beside those here."""

from __future__ import annotations

import json
import tempfile
import time
import zipfile
from pathlib import Path
from threading import Lock
from typing import Any

from playwright.sync_api import Browser, CDPSession

from adjudicator import __version__
from adjudicator.engine.library import registry
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.page_scripts import LinkContent, link
from adjudicator.page.called import call
from adjudicator.page.site import write_page
from tests.browser.chromium import found, running
from tests.browser.matches import shared
from tests.browser.tapping import Thumb
from tests.browser.test_in_page import ANSWERED, PACK, PHONE
from tests.browser.test_tapping import CASES
from tests.browser.visiting import ASK, Quiet, served
from tests.page.corpus import sheets
from tests.page.positions import some_positions

MANY = 60
"""Sheets of each game."""
LINE = 10e6 / 8
"""Bytes a second of a slow line: 10 Mbit/s."""
SLOWER = 6
"""How many times slower a phone is than this machine."""
TIMED = f"""async (asked) => {{
  const ask = {ASK};
  await ask(asked);
  const begin = performance.now();
  await ask(asked);
  return performance.now() - begin;
}}"""
HELD = """() => {
  const { engine } = window.adjudicator;
  let held = Promise.resolve();
  window.hold = () => { held = new Promise((resolve) => { window.release = resolve; }); };
  for (const [name, asks] of Object.entries(engine)) {
    engine[name] = async (...given) => { await held; return asks(...given); };
  }
}"""
"""The page's questions to the program wait while they are held, so that what a tap shows is measured alone."""
FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


class Slow(Quiet):
    """Serves files over one slow line, which all of its answers share."""

    line, free = Lock(), 0.0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Sends a file as fast as the line takes it."""
        while piece := source.read(2**14):
            with Slow.line:
                begin = time.perf_counter()
                Slow.free = max(Slow.free, begin) + len(piece) / LINE
                wait = Slow.free - begin
            time.sleep(wait)
            outputfile.write(piece)


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
            len(link("https://club.example/play/", LinkContent(view, "Sunday, 20:00"))) for view in views
        )
        print(f"  a link to a view of {game}: at most {longest} characters of {len(views)} views")


def visits(browser: Browser, address: str) -> None:
    """From a link to a sheet that the program has checked: over a slow line, again, and without a network."""
    view, text = next(sheets("mediterranee", 2))
    context = browser.new_context(viewport=PHONE, has_touch=True)
    for visit in ("first", "second", "offline"):
        context.set_offline(visit == "offline")
        page = context.new_page()
        begin = time.perf_counter()
        page.goto(link(address, LinkContent(view)))
        page.wait_for_selector("#try", state="attached", timeout=120_000)
        page.evaluate(TIMED, [{"call": "look", "values": {"view": view, "text": text.decode()}}])
        print(f"  {visit} visit over 10 Mbit/s: {time.perf_counter() - begin:.1f} s to a checked sheet")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        if visit == "first":
            print(f"  memory of the page: {memory(browser):.0f} MB")
        page.close()
    context.close()


def memory(browser: Browser) -> float:
    """Megabytes of the page's process, with its share of what processes share; for Linux."""
    known = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [Path(f"/proc/{each['id']}/smaps_rollup") for each in known if each["type"] == "renderer"]
    lines = [line for page in pages for line in page.read_text().splitlines() if line.startswith("Pss:")]
    return max(int(line.split()[1]) for line in lines) / 1000


def taps(browser: Browser, address: str, folder: Path) -> None:
    """What the taps of a phase take on a slow phone, times as much as here: until the page shows what was tapped; until
    the program has said what the rules say of the sheet; and until it has worked out what can be chosen next.
    """
    for case in CASES:
        match = shared(case.game, folder / case.game)
        view = (match.folder(case.phase, match.due(case.phase)[0]) / "view.yaml").read_text(encoding="utf-8")
        context = browser.new_context(viewport=PHONE, has_touch=True)
        page = context.new_page()
        page.goto(link(address, LinkContent(view)))
        page.wait_for_selector("#try", state="attached", timeout=120_000)
        page.evaluate(ANSWERED)
        page.evaluate(HELD)
        cdp, thumb, found = context.new_cdp_session(page), Thumb(page), []
        cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        for tap in case.taps:
            page.mouse.move(*thumb.where(tap))
            page.evaluate(FRAME)
            page.evaluate("() => window.hold()")
            before = busy(cdp)
            page.mouse.down()
            page.mouse.up()
            page.evaluate(FRAME)
            shown = busy(cdp) - before
            page.evaluate("() => window.release()")
            page.evaluate(ANSWERED)
            page.evaluate(FRAME)
            answered = busy(cdp) - before
            values = {"view": view, "text": page.locator("#sheet").input_value()}
            left = json.loads(call("look", json.dumps(values)))["left"]
            thing = {key: left[0][key] for key in ("phase", "subject", "verbs")}
            asked = [{"call": "look", "values": values}, {"call": "choices", "values": {**values, **thing}}]
            looked, chosen = (page.evaluate(TIMED, [each]) for each in asked)
            found.append([SLOWER * each for each in (shown, answered, looked, chosen)])
        context.close()
        shown, answered, looked, chosen = (
            sorted(times)[len(found) // 2] for times in zip(*found, strict=True)
        )
        print(
            f"  a tap, {SLOWER} times slower, {case.game} {case.phase}: {shown:.0f} ms shown, "
            f"{looked:.0f} ms checked, {answered - shown:.0f} ms to show that, {chosen:.0f} ms to choices"
        )


def busy(cdp: CDPSession) -> float:
    """Milliseconds that the page's own thread has worked, whatever else the machine did."""
    told = {each["name"]: float(each["value"]) for each in cdp.send("Performance.getMetrics")["metrics"]}
    return 1000 * told["TaskDuration"]


def in_a_browser(folder: Path) -> None:
    """From a link to a checked sheet, what taps take, and checks beside those here."""
    program = found()
    assert program is not None
    list(write_page(PACK, folder / "page", __version__))
    with running(program) as browser:
        with served(folder / "page", Slow) as address:
            visits(browser, address)
        with served(folder / "page", Quiet) as address:
            taps(browser, address, folder)
            page = browser.new_page()
            page.goto(address)
            page.wait_for_selector("#loading", state="hidden", timeout=120_000)
            for game in registry.OWN:
                asked = [{"view": view, "text": data.decode()} for view, data in list(sheets(game, 2))[:MANY]]
                calls = [{"call": "look", "values": values} for values in asked]
                there = page.evaluate(TIMED, calls) / len(asked)
                begin = time.perf_counter()
                for values in asked:
                    call("look", json.dumps(values))
                here = (time.perf_counter() - begin) * 1000 / len(asked)
                times = f"{there / here:.1f} times as long as here"
                print(f"  {game}: {there:.1f} ms to look at a sheet in the page, {times}")


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
