"""A device that has the page gets each new version of it, and keeps one that works: with packs of a few bytes."""

from __future__ import annotations

import gzip
import json
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from adjudicator.engine.report.page_scripts import LinkContent, packed_link
from adjudicator.page.site import write_page
from tests.browser.visiting import ASK, served

PYTHON = """export async function loadPyodide() {
  for (const name of ["pyodide.asm.wasm", "python_stdlib.zip"]) await (await fetch(name)).arrayBuffer();
  const call = (name) => JSON.stringify(name === "link" ? { why: "link-version" } : BUILD);
  const makeMemorySnapshot = () => new Uint8Array(8);
  return { registerJsModule() {}, unpackArchive() {}, runPython() {}, makeMemorySnapshot, pyimport: () => ({ call }) };
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
FIRST = WHOLE.replace(" && await here.match(`${of}/complete`)", "")
"""Is its first page there?"""
KEPT_AFTER_ALL = """async () => {
    let names;
    for (let turn = 0; turn < 30; turn++) names = await caches.keys();
    return names.length;
}"""
"""How many versions are on the device, after what a program does there once it has started."""
ALONE = "async () => (await caches.keys()).length === 1"
WRITTEN_BY = f"v={packed_link(LinkContent('match: lagoon'))}&by="
"""A link up to the version that wrote it."""
FREED = "async () => Boolean(window.freed)"


def wait(page: Page, until: str) -> None:
    """Until a function that is asked in each of the next 900 frames of the page says so, at once or by a promise."""
    assert page.evaluate(f"""async () => {{
        let found = false;
        for (let frame = 0; !found && frame < 900; frame++) {{
            found = await ({until})();
            await new Promise((next) => requestAnimationFrame(next));
        }}
        return found;
    }}"""), until


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


def listed(host: Host) -> dict[str, str]:
    """The versions that lie there, with the name of each one's folder."""
    found: dict[str, str] = json.loads((host.folder / "page" / "version.json").read_text())["versions"]
    return found


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
    expect(page.locator("#version")).to_contain_text("1.0.0")
    assert page.locator("#pick").is_visible()


def test_a_link_is_opened_by_the_version_that_wrote_it(host: Host, device: BrowserContext) -> None:
    """Which offers no other one, and takes nothing of the newest from the device."""
    visited(host, device, "1.0.0").close()
    host.put("2.0.0")
    page = device.new_page()
    page.goto(host.address)
    wait(page, WHOLE)
    page.goto(f"{host.address}?#{WRITTEN_BY}1.0.0")
    page.wait_for_url(f"**/{listed(host)['1.0.0']}.html*")
    assert build_on(page) == "1.0.0"
    with page.expect_response("**/version.json"):
        page.evaluate(FOUND_AGAIN)
    assert page.locator("#update").count() == 0
    with page.expect_navigation(url=f"**/{listed(host)['2.0.0']}.html*"):
        page.evaluate(f"() => {{ location.hash = '{WRITTEN_BY}2.0.0'; }}")
    assert build_on(page) == "2.0.0"
    host.stop()
    page.goto(f"{host.address}#{WRITTEN_BY}1.0.0")
    assert build_on(page) == "2.0.0"


def test_a_version_that_is_here_for_its_link_takes_nothing_of_the_newest(
    host: Host, device: BrowserContext
) -> None:
    """Even if all of it is on the device still, with its first page, and the newest hasn't come wholly."""
    page = visited(host, device, "1.0.0")
    host.put("2.0.0")
    device.route("**/program.zip.packed", lambda route: route.abort())
    page.reload()
    expect(page.locator("#said")).to_contain_text("couldn’t be started")
    wait(page, FIRST)
    device.unroute_all()
    page.goto(f"{host.address}?#{WRITTEN_BY}1.0.0")
    page.wait_for_url("**/*.html*")
    assert build_on(page) == "1.0.0"
    assert page.evaluate(KEPT_AFTER_ALL) == 2
    page.goto(host.address)
    assert build_on(page) == "2.0.0"
    wait(page, WHOLE)


@pytest.mark.parametrize("by", ["0.9.0", "3.0.0", "constructor"])
def test_a_link_of_a_version_that_is_not_there_stays_with_the_newest(
    host: Host, device: BrowserContext, by: str
) -> None:
    for build in ("1.0.0", "2.0.0"):
        host.put(build)
    host.start()
    page = device.new_page()
    page.goto(f"{host.address}#{WRITTEN_BY}{by}")
    assert build_on(page) == "2.0.0"
    assert page.url == host.address
    expect(page.locator("#said")).to_contain_text("made by another version of the program")


def test_a_version_that_was_taken_off_the_host_is_forgotten(host: Host, device: BrowserContext) -> None:
    """At once by pages, which find it gone, and in the list as soon as the page is written again."""
    for build in ("1.0.0", "2.0.0"):
        host.put(build)
    shutil.rmtree(host.folder / "page" / listed(host)["1.0.0"])
    host.start()
    page = device.new_page()
    page.goto(f"{host.address}#{WRITTEN_BY}1.0.0")
    assert build_on(page) == "2.0.0"
    host.put("2.0.0")
    assert [*listed(host)] == ["2.0.0"]


@pytest.mark.parametrize("text", ["", "[]", '{"of": 1}', '{"of": "aa", "version": "0.2.0"}'])
def test_a_list_of_versions_that_cannot_be_read_is_begun_anew(host: Host, text: str) -> None:
    """An earlier release wrote one without the versions."""
    (host.folder / "page").mkdir()
    (host.folder / "page" / "version.json").write_text(text)
    host.put("1.0.0")
    assert [*listed(host)] == ["1.0.0"]
