"""A device that has the page gets each new version of it, and keeps one that works: with packs of a few bytes."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from adjudicator.page.site import write_page
from tests.browser.visiting import ASK, served

PYTHON = """export async function loadPyodide() {
  for (const name of ["pyodide.asm.wasm", "python_stdlib.zip"]) await (await fetch(name)).arrayBuffer();
  const call = (name) => JSON.stringify(name === "link" ? { why: "link-version" } : BUILD);
  return { registerJsModule() {}, unpackArchive() {}, runPython() {}, pyimport: () => ({ call }) };
}"""
"""In the place of Python: a program that answers with the name of its build, and knows no link."""
PARTS = {
    "program.zip": b"",
    "python_stdlib.zip": b"",
    "pyodide.asm.wasm": b"",
    "pyodide.asm.mjs": b"export default 0",
    "libyaml.wasm": b"\0asm\1\0\0\0",
}
SERVICE_OF_0_2_0 = """
const CACHE = new URL(self.location.href).searchParams.get("of");
self.addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((kept) => kept.addAll(["./"]))));
self.addEventListener("fetch", (event) => {
  const asked = { ignoreSearch: event.request.mode === "navigate" };
  const found = caches.open(CACHE).then((kept) => kept.match(event.request, asked));
  event.respondWith(found.then((known) => known ?? fetch(event.request)));
});
"""
PAGE_OF_0_2_0 = """<p id="version">adjudicator 0.2.0</p>
<script>navigator.serviceWorker.register("service.js?of=adjudicator 0.2.0");</script>
"""
FOUND_AGAIN = "() => document.dispatchEvent(new Event('visibilitychange'))"
LOOKED_FOR = """async () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => { window.freed = true; });
    await (await navigator.serviceWorker.ready).update();
}"""
WHOLE = """async () => {
    const { of } = JSON.parse(document.getElementById("about").textContent);
    const here = await caches.open(`adjudicator ${of}`);
    return Boolean(await here.match("./") && await here.match(`${of}/complete`));
}"""
"""Is all of the page's version on the device?"""
ALONE = "async () => (await caches.keys()).length === 1"
FREED = "async () => Boolean(window.freed)"


def wait(page: Page, until: str) -> None:
    """Until a function that is asked in the page again and again says so; a promise is waited for each time."""
    page.evaluate(
        f"async () => {{ while (!await ({until})()) await new Promise((next) => requestAnimationFrame(next)); }}"
    )


class Host:
    """A folder on a web server that can be down; what is put into it is the page of a build."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.running, self.address = folder, ExitStack(), ""
        folder.mkdir()

    def put(self, build: str) -> None:
        pack = self.folder.parent / f"{build}.zip"
        with zipfile.ZipFile(pack, "w") as archive:
            archive.writestr("pyodide.mjs", PYTHON.replace("BUILD", json.dumps(build)))
            archive.writestr("pyodide-lock.json", "{}")
            for name, data in PARTS.items():
                archive.writestr(f"{name}.packed", gzip.compress(data + b"\n" * (name == "program.zip")))
        list(write_page(pack, self.folder / "page", build))

    def start(self) -> None:
        port = int(self.address.rstrip("/").rpartition(":")[2]) if self.address else 0
        self.address = self.running.enter_context(served(self.folder / "page", port=port))

    def stop(self) -> None:
        self.running.close()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    found = Host(tmp_path / "club")
    yield found
    found.stop()


@pytest.fixture
def device(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(10_000)
    yield context
    context.close()


def build_on(page: Page) -> str:
    """The build of the page and of the program behind it, which are the same."""
    page.wait_for_selector("#loading", state="hidden")
    (found,) = page.evaluate(ASK, [{"call": "build", "values": {}}])
    expect(page.locator("#version")).to_contain_text(f"adjudicator {found} (")
    return str(found)


def visited(host: Host, device: BrowserContext, build: str) -> Page:
    """A page of a build, all of which is on the device now."""
    host.put(build)
    host.start()
    page = device.new_page()
    page.goto(host.address)
    assert build_on(page) == build
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    wait(page, WHOLE)
    return page


def test_a_device_that_was_here_gets_the_new_version_and_keeps_it(host: Host, device: BrowserContext) -> None:
    page = visited(host, device, "1.0.0")
    host.put("2.0.0")
    page.reload()
    assert build_on(page) == "2.0.0"
    wait(page, WHOLE)
    host.stop()
    page.reload()
    assert build_on(page) == "2.0.0"
    wait(page, ALONE)


def test_a_page_that_stays_open_offers_the_new_version(host: Host, device: BrowserContext) -> None:
    """When its reader comes back to it; it says nothing as long as there is none, or no network."""
    page = visited(host, device, "1.0.0")
    with page.expect_response("**/version.json"):
        page.evaluate(FOUND_AGAIN)
    assert page.locator("#update").count() == 0
    host.put("2.0.0")
    page.evaluate(FOUND_AGAIN)
    expect(page.locator("#update")).to_contain_text("Version 2.0.0 of the program is here")
    page.get_by_role("button", name="Load it").click()
    page.wait_for_function("() => !document.getElementById('update')")
    assert build_on(page) == "2.0.0"


def test_a_new_version_that_did_not_come_wholly_leaves_the_old_one_to_work(
    host: Host, device: BrowserContext
) -> None:
    page = visited(host, device, "1.0.0")
    host.put("2.0.0")
    page.route("**/program.zip.packed", lambda route: route.abort())
    device.route("**/program.zip.packed", lambda route: route.abort())
    page.reload()
    expect(page.locator("#said")).to_contain_text("couldn’t be started")
    device.unroute_all()
    page.unroute_all()
    host.stop()
    page.reload()
    assert build_on(page) == "1.0.0"
    host.start()
    page.reload()
    assert build_on(page) == "2.0.0"


def test_a_device_with_the_first_release_is_freed_of_it(host: Host, device: BrowserContext) -> None:
    """Its worker keeps the first page for good, under an address that names the version."""
    (folder := host.folder / "page").mkdir()
    (folder / "index.html").write_text(PAGE_OF_0_2_0)
    (folder / "service.js").write_text(SERVICE_OF_0_2_0)
    host.start()
    page = device.new_page()
    page.goto(host.address)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    host.put("1.0.0")
    page.evaluate(LOOKED_FOR)  # what a browser does at each visit
    wait(page, FREED)
    page.reload()
    assert build_on(page) == "1.0.0"


def test_a_link_that_this_version_cannot_open_is_said_with_the_version(
    host: Host, device: BrowserContext
) -> None:
    """Of a later program, or of an earlier one; the page stays, with its version and a way to pick a view."""
    visited(host, device, "1.0.0")
    page = device.new_page()
    page.goto(f"{host.address}#v=9.AAAA")
    expect(page.locator("#said")).to_contain_text("made by another version of the program")
    assert build_on(page) == "1.0.0"
    assert page.locator("#pick").is_visible()
