"""An order that is left out of a sheet: the page doesn't call all decided, glows for it, and takes it by taps. So does
a page that has come with a mail, and one that the program answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Page, expect

from adjudicator.engine.report.page_scripts import PROGRAM, scripts
from adjudicator.page.called import PageCalls
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import Played
from tests.browser.sheets import paste, sheet_on
from tests.browser.tapping import Thumb
from tests.browser.test_tapping import CASES
from tests.browser.visiting import PHONE

SCRIPTS = re.compile(r"<script(?! type).*?</script>", re.DOTALL)
"""What the page of the program doesn't run of the page that it shows."""
ANSWERED = """([view, question]) => {
    const text = JSON.stringify;
    const look = (_, plain) => ask("look", text({ view, text: text(plain), question })).then(JSON.parse);
    const choices = (plain, thing) => ask("choices", text({ view, text: text(plain), ...thing })).then(JSON.parse);
    window.adjudicator = { engine: { look, choices } };
}"""
"""The program behind a page, as `hosted/showing.js` puts it there."""
GLOWS = """(name) => {
    const at = [...document.querySelectorAll("#map [data-name]")].filter((each) => each.dataset.name === name).at(-1);
    const { x, y } = at.getBoundingClientRect(), near = (each) => Math.hypot(each.x - x, each.y - y) < 60;
    return [...document.querySelectorAll("#map .own .glow")].some((each) => near(each.getBoundingClientRect()));
}"""
DECIDED = re.compile("All is decided")


class LeftOut(Struct, frozen=True):
    """The order of a phase (`CASES` of `test_tapping.py`) that is left out, by its number, and the taps that bring it
    back. `open`: it must be decided.
    """

    game: str
    phase: str
    order: int
    taps: Sequence[str]
    open: bool = True


LEFT_OUT = (
    LeftOut("mediterranee", "setup", 2, ("@venezia", "f-place+", "f-place+")),
    LeftOut("mediterranee", "market", 1, ("@venice-1", "verb-dismiss"), open=False),
    LeftOut("mediterranee", "movement", 0, ("@venice-1", "@corfu")),
    LeftOut("rome-carthage", "placement", 0, ("@aquileia", "f-place=rome-elephant")),
    LeftOut("rome-carthage", "turn", 1, ("@rome-cavalry", "@carthago_nova"), open=False),
    LeftOut("serenissima", "round", 0, ("@2", "@sardegna", "more-sell", "f-sell.sardegna=stone")),
    LeftOut("oltremare", "commerce", 0, ("own-accept=morosini-1",)),
    LeftOut("triumvirat", "trade", 0, ("f-offer=grain", "f-offer=tax")),
)


@contextmanager
def answered(browser: Browser, match: Played, phase: str, who: str) -> Iterator[Page]:
    """The page of a view that the program answers."""
    calls, view = PageCalls(), (match.folder(phase, who) / "view.yaml").read_text(encoding="utf-8")
    found = calls.open_view(view)
    context = browser.new_context(viewport={"width": PHONE, "height": 844}, has_touch=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.expose_function("ask", lambda name, values: answer(calls, name, values))
    page.set_content(SCRIPTS.sub("", found["page"]))
    page.evaluate(ANSWERED, [found["view"], found["question"]])
    page.add_script_tag(content=scripts(PROGRAM))
    yield page
    context.close()
    assert wrong == []


def answer(calls: PageCalls, name: str, values: str) -> str:
    """What the program answers, in JSON."""
    asked: Callable[..., Any] = {"look": calls.look, "choices": calls.choices}[name]
    return msgspec.json.encode(asked(**json.loads(values))).decode()


def takes_it_back(page: Page, who: str, left_out: LeftOut) -> None:
    """The page shows what is left, and the taps make the order again."""
    orders = next(each.orders for each in CASES if (each.game, each.phase) == (left_out.game, left_out.phase))
    wanted = orders[left_out.order]
    rest = [order for order in orders if order is not wanted]
    paste(page, json.dumps({"player": who, "orders": rest}))
    page.locator("#ask").wait_for()
    if left_out.open:
        expect(page.locator("#ask")).not_to_have_text(DECIDED)
    first = left_out.taps[0]
    if first.startswith("@"):
        page.wait_for_function(GLOWS, arg=first.removeprefix("@"))
    else:
        assert page.locator(f"[data-key={first!r}].used").count() == 0
    Thumb(page).does(left_out.taps)
    made = sheet_on(page)["orders"]
    assert sorted(made, key=str) == sorted(orders, key=str)


@pytest.mark.ci
@pytest.mark.parametrize("left_out", LEFT_OUT, ids=lambda each: f"{each.game}-{each.phase}")
def test_the_page_of_a_mail_takes_back_an_order_that_was_left_out(
    visit: Visit, matches: Matches, left_out: LeftOut
) -> None:
    match = matches(left_out.game)
    who = match.due(left_out.phase)[0]
    with visit(match.folder(left_out.phase, who) / "orders.html", width=PHONE, form=False) as page:
        takes_it_back(page, who, left_out)


@pytest.mark.ci
@pytest.mark.parametrize("left_out", LEFT_OUT, ids=lambda each: f"{each.game}-{each.phase}")
def test_the_page_of_the_program_takes_back_an_order_that_was_left_out(
    browser: Browser, matches: Matches, left_out: LeftOut
) -> None:
    match = matches(left_out.game)
    who = match.due(left_out.phase)[0]
    with answered(browser, match, left_out.phase, who) as page:
        takes_it_back(page, who, left_out)
        expect(page.locator("#cards .wrong")).to_have_count(0)
