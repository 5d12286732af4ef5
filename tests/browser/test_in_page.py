"""The program in a page says of every sheet what it says on any other machine, to the letter.

Needs the pack that `make page` builds; without one these tests are skipped, but fail where CI has npm.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pyrage import x25519

from adjudicator import __version__
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library import registry
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import asked_now
from adjudicator.engine.play.asking import in_data
from adjudicator.engine.report.page_scripts import LinkContent, SealFacts, link
from adjudicator.git.sealed import Label, unseal as unsealed
from adjudicator.page.called import call
from adjudicator.page.site import write_page
from tests.browser.conftest import Matches
from tests.browser.sheets import sheet_on
from tests.browser.tapping import Thumb
from tests.browser.test_answers import PASSAGE, asked
from tests.browser.test_tapping import CASES
from tests.browser.visiting import ASK, served
from tests.page.corpus import files, sheets

TOP = Path(__file__).parents[2]
PACK = TOP / "dist" / f"adjudicator-page-{__version__}.zip"
SHORT, LONG = 30, 3
"""Of so many phases one is tried: in `make test-all`, and in `make soak`."""
PATIENCE = 60_000
"""Milliseconds until the program has started; a limit for what hangs, not a measure."""
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page on a server of this machine."""
    if not PACK.is_file():
        (pytest.fail if os.environ.get("CI") and shutil.which("npm") else pytest.skip)(
            f"no {PACK}: make page"
        )
    folder = tmp_path_factory.mktemp("page")
    list(write_page(PACK, folder, __version__))
    with served(folder) as found:
        yield found


@pytest.fixture(scope="module")
def opened(address: str, browser: Browser) -> Iterator[Page]:
    """The page, with the program started and nothing open."""
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#loading", state="hidden", timeout=PATIENCE)
    yield page
    context.close()


def same_in_the_page(page: Page, given: Iterator[tuple[str, bytes]]) -> int:
    """How many sheets were asked about; each has the same answer in the page as here."""
    texts = [(view, data.decode("utf-8")) for view, data in given if is_text(data)]
    values = [{"view": view, "text": text} for view, text in texts]
    calls = [each for given in values for each in calls_about(given)]
    found = page.evaluate(ASK, calls)
    for each, answer in zip(calls, found, strict=True):
        assert answer == json.loads(call(each["call"], json.dumps(each["values"]))), each["values"]["text"]
    return len(values)


def calls_about(values: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What a page asks about a sheet: what the rules say of it, and what can be chosen for two things."""
    yield {"call": "look", "values": values}
    left = json.loads(call("look", json.dumps(values))).get("left", [])
    for each in [*left[:1], *left[1:][-1:]]:
        thing = {key: each[key] for key in ("phase", "subject", "verbs")}
        yield {"call": "choices", "values": {**values, **thing}}


def is_text(data: bytes) -> bool:
    """Can a page hand it to the program as a text?"""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("game", registry.OWN)
def test_the_page_says_of_every_sheet_what_check_says(opened: Page, game: str) -> None:
    assert same_in_the_page(opened, sheets(game, SHORT)) > 0


@pytest.mark.soak
@pytest.mark.parametrize("game", registry.OWN)
def test_the_page_says_of_more_sheets_what_check_says(opened: Page, game: str) -> None:
    assert same_in_the_page(opened, sheets(game, LONG)) > 0


def test_the_page_says_of_files_that_are_no_sheets_what_check_says(opened: Page) -> None:
    assert same_in_the_page(opened, files()) > 0


def test_a_link_opens_the_page_for_orders_also_without_a_network(address: str, browser: Browser) -> None:
    view, _ = next(sheets("mediterranee", SHORT))
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(link(address, LinkContent(view, "Sunday, 20:00")))
    page.wait_for_selector("#map svg", timeout=PATIENCE)
    assert "Sunday, 20:00" in page.inner_text("body")
    page.evaluate(
        "() => { const box = document.getElementById('pasted');"
        " box.value = 'player: venice\\norders: [{bild: galley}]\\n'; box.dispatchEvent(new Event('input')); }"
    )
    expect(page.locator("#pasted + ol")).to_contain_text("2:11 SCHEMA")
    page.locator("#try > summary").click()
    page.locator("#try button").first.click()
    page.wait_for_selector("#tried svg", timeout=PATIENCE)
    assert page.inner_text("#tried").lstrip().startswith("Only a guess")
    assert page.evaluate("document.querySelector('#tried').firstElementChild.matches('blockquote')")
    page.evaluate(
        "document.getElementById('sheet').value = 'player: venice\\norders: [{bild: galley}, {mov: genoa-1}]'"
    )
    page.locator("#try button").first.click()
    expect(page.locator("#try > .told")).to_have_text(re.compile(r"^Played\. .*guess\. .*bild.*; .*mov"))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    page.goto(address)  # the last position, from this device
    page.wait_for_selector("#map svg", timeout=PATIENCE)
    assert wrong == []
    context.close()


def test_a_view_of_a_game_that_is_not_there_is_said_as_anywhere(opened: Page) -> None:
    """Looking for other people's rulebooks needs more of Python's library than our own games do."""
    values = {"text": "rulebook: chess\n"}
    (found,) = opened.evaluate(ASK, [{"call": "view", "values": values}])
    assert found == in_a_process_of_its_own("view", values)


def in_a_process_of_its_own(function: str, values: dict[str, str]) -> Any:
    """What the program answers natively; here other tests may have found a foreign rulebook beside ours."""
    script = "import sys; from adjudicator.page.called import call; print(call(*sys.argv[1:]))"
    words = [sys.executable, "-c", script, function, json.dumps(values)]
    return json.loads(subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=True).stdout)


ANSWERED = """async () => {
    for (let asked = 0; asked < 2; asked++) await window.adjudicator.engine.look(null, {});
}"""
"""Until the program has answered all that was asked before: what the rules say of the sheet, then what can be chosen.
It answers one question after the other."""


@pytest.fixture
def linked(address: str, browser: Browser, matches: Matches) -> Iterator[Page]:
    """The page of a link to Venice's movement, on a phone."""
    view = (matches("mediterranee").folder("movement", "venice") / "view.yaml").read_text(encoding="utf-8")
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(link(address, LinkContent(view)))
    page.wait_for_selector("#try", state="attached", timeout=PATIENCE)
    page.evaluate(ANSWERED)
    yield page
    context.close()


def test_an_order_that_stands_is_changed_on_the_map(linked: Page) -> None:
    """What it uses up is free for itself: the choices are those without it."""
    for tap in ("@venice-1", "@corfu", "edit-movement-0", "edit-movement-0", "@ragusa"):
        Thumb(linked).does([tap])
        linked.evaluate(ANSWERED)
    assert sheet_on(linked)["orders"] == [{"move": "venice-1", "via": ["ragusa"]}]


NOTED = """() => {
    const { engine } = window.adjudicator;
    window.noted = [];
    for (const [name, asks] of Object.entries(engine)) {
        engine[name] = (...given) => { window.noted.push(name); return asks(...given); };
    }
}"""


def test_the_program_is_asked_only_what_the_page_does_not_know(linked: Page) -> None:
    """Nothing while the sheet stays as it is; its choices only when other orders than the open one have changed."""
    linked.evaluate(NOTED)
    asked = {}
    for tap in ("@venice-1", "@corfu", "@ragusa", "done", "undo"):
        if tap == "undo":
            linked.locator("#undo").click()
        else:
            Thumb(linked).does([tap])
        found = linked.evaluate("() => window.noted.splice(0)")
        asked[tap] = [each for each in found if each != "foresee"]  # it follows the answer, sooner or later
        linked.evaluate(ANSWERED)
        linked.evaluate("() => window.noted.splice(0)")
    assert asked == {
        "@venice-1": ["choices"],
        "@corfu": ["look"],
        "@ragusa": ["look"],
        "done": ["advise"],
        "undo": [],
    }


def test_a_program_that_fails_is_told_and_asked_again(linked: Page) -> None:
    """What it said before isn't left standing as if it were about the sheet as it is now."""
    linked.evaluate(
        """() => {
        const { engine } = window.adjudicator, { look } = engine;
        engine.look = () => Promise.reject(new Error("out of memory"));
        window.mend = () => { engine.look = look; };
    }"""
    )
    Thumb(linked).does(["@venice-1", "@corfu"])
    expect(linked.locator("#brief.wrong")).to_contain_text("couldn’t check this sheet (out of memory)")
    linked.evaluate("() => window.mend()")
    Thumb(linked).does(["@ragusa"])
    expect(linked.locator(".card .brings")).to_contain_text("Ragusa")
    expect(linked.locator("#brief")).not_to_contain_text("couldn’t")


def test_an_order_that_the_program_calls_good_is_nowhere_called_doubtful(linked: Page) -> None:
    """What is used up by the orders of a sheet isn't held against them, on its card or in the form."""
    thumb = Thumb(linked)
    for tap in ("@venice-1", "@corfu", "done"):
        thumb.does([tap])
        linked.evaluate(ANSWERED)
    assert sheet_on(linked)["orders"] == [{"move": "venice-1", "via": ["ragusa", "corfu"]}]
    linked.locator("#form > summary").click()
    linked.wait_for_selector("#orders li")
    assert linked.locator("#orders .doubtful, .card .warn").count() == 0
    twice = "player: venice\norders: [{move: venice-1, via: [ragusa]}, {move: venice-1, via: [ragusa]}]\n"
    linked.locator("#paste-fold > summary").click()
    linked.locator("#pasted").fill(twice)
    linked.locator("#load").click()
    linked.evaluate(ANSWERED)
    assert [line.locator(".doubtful").count() for line in linked.locator("#orders > li").all()] == [0, 1]
    assert "possible only if" in (linked.locator("#state").text_content() or "")


def test_a_link_to_a_question_opens_the_form_for_the_answer(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    waiting = asked(tmp_path / "live", "movement").parents[2]
    found = asked_now(open_match(waiting), "venice")
    assert found is not None
    letter = LinkContent(found.view, "Sunday, 20:00", "gm@example.org", question=in_data(found.question))
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(link(address, letter))
    page.locator("#question [data-key=yes]").click(timeout=PATIENCE)
    page.evaluate(f"({ASK})([])")
    assert sheet_on(page)["answers"] == [PASSAGE]
    expect(page.locator("#state")).to_contain_text("An answer")
    assert "gm@example.org" in (page.locator("#mail").get_attribute("href") or "")
    (answers := waiting / open_match(waiting).phases[-1] / "answers").mkdir(exist_ok=True)
    (answers / "venice.yaml").write_text(page.locator("#sheet").input_value(), encoding="utf-8")
    assert run(waiting).adjudicated
    context.close()


def test_a_link_of_a_match_in_a_repository_seals_the_sheet(address: str, browser: Browser) -> None:
    """By the scripts of the attached page, which its own tests try."""
    view, _ = next(sheets("mediterranee", SHORT))
    key = x25519.Identity.generate()
    seal = SealFacts((str(key.to_public()),), "lagoon", "0002-t1-market", "venice", "tok", "a.age", "box/v")
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(link(address, LinkContent(view, seal=seal)))
    page.locator("#seal summary").click(timeout=PATIENCE)
    page.locator("#seal-do").click()
    page.wait_for_selector("#seal-after:not([hidden])")
    label, content = unsealed(page.locator("#seal-text").input_value().encode(), [key])
    assert label == Label("sheet", "lagoon", "0002-t1-market", "venice", "tok")
    assert content.decode() == page.locator("#sheet").input_value()
    context.close()


@pytest.mark.parametrize("game", registry.OWN)
def test_a_phase_is_ordered_by_taps_with_the_program_s_own_answers(
    address: str, browser: Browser, matches: Matches, game: str
) -> None:
    """The same taps as on an attached page, the same orders, and the program finds nothing wrong.

    Where it knows that only one thing is left for the last tap, that order stands too.
    """
    case = next(each for each in CASES if each.game == game)
    match = matches(game)
    view = (match.folder(case.phase, match.due(case.phase)[0]) / "view.yaml").read_text(encoding="utf-8")
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(link(address, LinkContent(view)))
    page.wait_for_selector("#try", state="attached", timeout=PATIENCE)
    thumb = Thumb(page)
    for tap in case.taps:
        thumb.does([tap])
        page.evaluate(ANSWERED)
    assert sheet_on(page)["orders"][: len(case.orders)] == list(case.orders)
    assert page.locator(".card .wrong").all_inner_texts() == []
    assert page.locator("#stage").is_visible() or not any(tap.startswith("@") for tap in case.taps)
    assert "nothing to order" not in thumb.asked
    context.close()


@pytest.mark.parametrize("program", ["0.1.0", "99.0.0"])
def test_a_link_of_another_version_opens_and_one_of_a_later_version_says_so(
    address: str, browser: Browser, program: str
) -> None:
    view, _ = next(sheets("mediterranee", SHORT))
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(link(address, LinkContent(view, program=program)))
    page.wait_for_selector("#try", state="attached", timeout=PATIENCE)
    told = page.locator("#newer").all_inner_texts()
    assert [f"Version {program} of the program wrote" in each for each in told] == [True] * (
        program != "0.1.0"
    )
    context.close()


@pytest.mark.parametrize("code", ["2.AAAA", "1.x", "2", "2.~", f"2.{'A' * 20_000}"])
def test_a_broken_link_is_said_before_anything_loads(address: str, browser: Browser, code: str) -> None:
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    loaded: list[str] = []
    context.on("request", lambda asked: loaded.append(asked.url))
    page.goto(f"{address}#v={code}")
    page.wait_for_selector("#said.wrong", timeout=PATIENCE)
    assert "link" in page.inner_text("#said")
    assert page.is_visible("#pick")
    assert [url for url in loaded if url.endswith(".packed")] == []
    context.close()


TOLD = {"whose": "Venice", "moment": "Turn 1, Movement", "language": "fr", "gm": "gm@club.example"}


def test_a_link_says_whose_it_is_before_the_program_is_there_and_leaves_the_address(
    address: str, browser: Browser
) -> None:
    view, _ = next(sheets("mediterranee", SHORT))
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.route("**/worker.js", lambda route: route.abort())
    page.goto(link(address, LinkContent(view, "Sunday", **TOLD)))
    expect(page.locator("#moment")).to_have_text("Venice · Turn 1, Movement · jusqu’au Sunday")
    expect(page.locator("#whose")).to_contain_text("pour Venice")
    assert page.evaluate("() => document.getElementById('ground').decode().then(() => true)")
    assert page.url == address
    page.reload()
    expect(page.locator("#moment")).to_contain_text("Venice")
    context.close()


def test_a_later_visit_draws_the_page_of_its_own_link_before_the_program_is_there(
    address: str, browser: Browser
) -> None:
    view, _ = next(sheets("mediterranee", SHORT))
    mine, other = (link(address, LinkContent(view, due)) for due in ("Sunday", "Monday"))
    context = browser.new_context(viewport=PHONE, service_workers="block")
    page = context.new_page()
    page.goto(mine)
    page.wait_for_selector("#try", state="attached", timeout=PATIENCE)
    context.route("**/worker.js", lambda route: route.abort())
    for opened, drawn in ((mine, 1), (other, 0)):
        page.goto("about:blank")
        page.goto(opened)
        page.wait_for_selector(".wrong, #wrong", state="attached")  # the program doesn't start
        assert page.locator("#map svg").count() == drawn
        assert page.locator("#prompt").count() == drawn
    context.close()


MAILED = """() => {
    const event = new MouseEvent("click", { cancelable: true }), mail = document.getElementById("mail");
    const note = (sent) => { window.asked = sent.defaultPrevented; sent.preventDefault(); };
    mail.addEventListener("click", note, { once: true });
    mail.dispatchEvent(event);
    return window.asked;
}"""
"""A tap on the button that mails the sheet: did the page keep it back?"""


def test_the_first_mail_to_an_address_is_asked_about(address: str, browser: Browser) -> None:
    view, _ = next(sheets("mediterranee", SHORT))
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    asked = []
    for gm in ("gm@club.example", "gm@club.example", "thief@club.example"):
        page.goto("about:blank")
        page.goto(link(address, LinkContent(view, gm=gm)))
        page.wait_for_selector("#try", state="attached", timeout=PATIENCE)
        kept = page.evaluate(MAILED)
        assert (gm in page.inner_text("#send")) == kept
        asked.append([kept, page.evaluate(MAILED)])
    assert asked == [[True, False], [False, False], [True, False]]
    context.close()
