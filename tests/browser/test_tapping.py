"""Orders made on the map and in its prompt: in few taps, in words of people, and nothing is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, CDPSession

from adjudicator.engine.bots import sheet_of
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.text.source import Source, read
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Open, Visit
from tests.browser.matches import EVERY, PHASES
from tests.browser.sheets import sheet_on
from tests.browser.tapping import WHERE, Thumb, undone
from tests.browser.test_sealing import MOST_ADDED
from tests.browser.visiting import HEIGHT, NEXT_FRAME, PHONE, READY, again, assert_fits
from tests.foreign.installed import install

PASTED = """(text) => {
    document.getElementById("pasted").value = text;
    document.getElementById("load").click();
}"""
"""A sheet pasted into the page, as its own button takes it."""
LARGEST = 250_000 - MOST_ADDED
"""Bytes of a page for orders, which sealing still makes longer."""
WIDTH = "() => document.querySelector('#map svg').getBoundingClientRect().width"


def touched(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """Fingers that come down, move or go up, as a touch screen tells of them."""
    session.send(
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
    )


class Tapped(Struct, frozen=True):
    """The taps by which a phase is ordered, how many are the most, and the orders."""

    game: str
    phase: str
    most: int
    taps: Sequence[str]
    orders: Sequence[Mapping[str, Any]]


SMALL = ((390, 664), (360, 640))
"""What is left of a phone's screen beside its browser's own bars."""
ROOM = """() => {
    const of = (id) => document.getElementById(id).getBoundingClientRect();
    const bar = document.querySelector(".bar").getBoundingClientRect();
    const [stage, asking, send] = ["stage", "asking", "send"].map(of);
    return {
        gaps: [stage.top - bar.bottom, asking.top - stage.bottom, send.bottom - innerHeight].map(Math.round),
        map: stage.height, prompt: of("prompt").height, send: send.height, choices: send.top - asking.bottom,
    };
}"""
"""How a page for orders shares a phone: the gaps between its parts, and how high they are."""
WISHES = [f"f-want={good}" for good in ("oil", "grain", "cattle")]
CASES = (
    Tapped(
        "mediterranee",
        "setup",
        12,
        (
            "@venice-1",
            "f-place+",
            "f-place+",
            "@venice-2",
            *["f-place+"] * 3,
            "@venezia",
            "f-place+",
            "f-place+",
        ),
        [{"place": 3, "to": "venice-1"}, {"place": 4, "to": "venice-2"}, {"place": 3, "to": "venezia"}],
    ),
    Tapped("mediterranee", "auction", 8, ("own-bid", *["f-bid+"] * 3), [{"bid": 300}]),
    Tapped(
        "mediterranee",
        "market",
        16,
        (
            *("@venice-1", "verb-buy", "more-quantity", "f-quantity+"),
            *("@venice-1", "verb-dismiss"),
        ),
        [
            {"buy": "wine", "quantity": 2, "at": "venezia", "to": "venice-1"},
            {"dismiss": 1, "from": "venice-1"},
        ],
    ),
    Tapped(
        "mediterranee",
        "movement",
        4,
        ("@venice-1", "@corfu", "@venice-2", "@ragusa"),
        [{"move": "venice-1", "via": ["ragusa", "corfu"]}, {"move": "venice-2", "via": ["ragusa"]}],
    ),
    Tapped(
        "rome-carthage",
        "placement",
        14,
        (
            *("@aquileia", "f-place=rome-elephant", "@tarraco", "f-place=rome-cavalry"),
            *("@massilia", "f-place=rome-infantry-1", "@roma", "f-place=rome-infantry-2"),
            *("@syracusae", "f-place=rome-infantry-3", "@aleria", "f-place=rome-ship-1"),
            "@brundisium",
        ),
        [
            {"place": "rome-elephant", "at": "aquileia"},
            {"place": "rome-cavalry", "at": "tarraco"},
            {"place": "rome-infantry-1", "at": "massilia"},
            {"place": "rome-infantry-2", "at": "roma"},
            {"place": "rome-infantry-3", "at": "syracusae"},
            {"place": "rome-ship-1", "at": "aleria"},
        ],
    ),
    Tapped(
        "rome-carthage",
        "turn",
        10,
        (
            *("f-march=hearts-4", "f-march=hearts-6"),
            *("@rome-cavalry", "@carthago_nova", "@rome-ship-1", "@caralis", "own-pass"),
        ),
        [
            {"march": ["hearts-4", "hearts-6"]},
            {"move": "rome-cavalry", "via": ["carthago_nova"]},
            {"move": "rome-ship-1", "via": ["caralis"]},
        ],
    ),
    Tapped(
        "rome-carthage",
        "fight",
        3,
        ("@salona", "f-cards=hearts-2", "f-cards=hearts-jack"),
        [{"fight": "salona", "cards": ["hearts-2", "hearts-jack"]}],
    ),
    Tapped("serenissima", "ports", 2, ("@genova", "f-galley=3"), [{"start": "genova", "galley": 3}]),
    Tapped("serenissima", "galleys", 1, ("own-galley=12",), [{"galley": 12}]),
    Tapped(
        "serenissima",
        "refit",
        4,
        ("@valencia", "f-refit=13", "f-crew+", "f-crew+"),
        [{"refit": 13, "at": "valencia", "crew": 3}],
    ),
    Tapped(
        "serenissima",
        "round",
        12,
        ("@2", "@sardegna", "more-sell", "f-sell.sardegna=stone", "@7", "@sicilia"),
        [
            {"sail": 2, "via": ["sardegna"], "sell": {"sardegna": ["stone"]}},
            {"sail": 7, "via": ["sicilia"]},
        ],
    ),
    Tapped(
        "oltremare",
        "commerce",
        15,
        (
            *("own-accept=morosini-1", "done"),
            *("own-offer=dandolo", "f-give.goods.silk+", "f-give.ducats+", "f-for.goods.olive+", "done"),
            *("own-buy=deck", "more-times", "f-times+"),
        ),
        [
            {"accept": "morosini-1"},
            {"offer": "dandolo", "give": {"goods": {"silk": 1}, "ducats": 1}, "for": {"goods": {"olive": 1}}},
            {"buy": "deck", "times": 2},
        ],
    ),
    Tapped(
        "oltremare",
        "answer",
        2,
        ("own-accept=contarini-1", "own-refuse=contarini-2"),
        [{"accept": "contarini-1"}, {"refuse": "contarini-2"}],
    ),
    Tapped(
        "oltremare",
        "cargo",
        4,
        ("f-load=grain-07", "f-load=olive-02", "f-load=olive-05", "@ragusa"),
        [{"load": ["grain-07", "olive-02", "olive-05"], "via": ["ragusa"]}],
    ),
    Tapped("triumvirat", "italy", 13, WISHES, [{"want": ["oil", "grain", "cattle"]}]),
    Tapped(
        "triumvirat",
        "trade",
        17,
        ("f-offer=grain", "f-offer=tax", "f-want=fish", "f-want=slaves"),
        [{"offer": ["grain", "tax"]}, {"want": ["fish", "slaves"]}],
    ),
    Tapped(
        "triumvirat",
        "war",
        6,
        ("@byzacium", "verb-march", "@carthago"),
        [{"march": {"legions": 2}, "from": "byzacium", "to": "carthago"}],
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.phase}")
def test_a_phase_is_ordered_in_few_taps(visit: Visit, matches: Matches, case: Tapped) -> None:
    match = matches(case.game)
    file = match.folder(case.phase, match.due(case.phase)[0]) / "orders.html"
    assert file.stat().st_size < LARGEST
    with visit(file, width=PHONE, form=False) as page:
        thumb = Thumb(page).does(case.taps)
        assert sheet_on(page)["orders"] == list(case.orders)
        assert thumb.count <= case.most
        assert_fits(page)
        assert_accessible(page)
        undone(page)
        assert "orders" not in sheet_on(page)


LAID_OUT = 4
"""How often a tap may lay the page out: with what its sizes are read for, and in the next frame."""
FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.phase}")
def test_a_tap_lays_the_page_out_few_times(visit: Visit, matches: Matches, case: Tapped) -> None:
    """A slow phone takes longer for the layout of a map with all its names than for anything else."""
    match = matches(case.game)
    file = match.folder(case.phase, match.due(case.phase)[0]) / "orders.html"
    with visit(file, width=PHONE, form=False) as page:
        cdp, thumb, found = page.context.new_cdp_session(page), Thumb(page), list[int]()
        cdp.send("Performance.enable")
        for tap in case.taps:
            page.mouse.move(*thumb.where(tap))
            page.evaluate(FRAME)
            before = layouts(cdp)
            page.mouse.down()
            page.mouse.up()
            page.evaluate(FRAME)
            found.append(layouts(cdp) - before)
        cdp.detach()
    assert max(found) <= LAID_OUT, found


def layouts(cdp: CDPSession) -> int:
    """How often the page was laid out so far."""
    return next(
        int(each["value"])
        for each in cdp.send("Performance.getMetrics")["metrics"]
        if each["name"] == "LayoutCount"
    )


def test_a_way_is_cut_back_by_a_tap_on_a_place_of_it(visit: Visit, matches: Matches) -> None:
    match = matches("mediterranee")
    with visit(match.folder("movement", match.due("movement")[0]) / "orders.html", form=False) as page:
        Thumb(page).does(("@venice-1", "@corfu", "@ragusa"))
        assert sheet_on(page)["orders"] == [{"move": "venice-1", "via": ["ragusa"]}]


@pytest.mark.parametrize("game", EVERY)
def test_what_an_order_can_begin_with_glows(visit: Visit, matches: Matches, game: str) -> None:
    """Whoever opens the page and is told to tap something sees what: on the map, or among chips."""
    match = matches(game)
    for kind in match.kinds:
        who = match.due(kind)[0]
        with visit(match.folder(kind, who) / "orders.html", form=False) as page:
            asked, chips = Thumb(page).asked, page.locator("[data-key^='f-']").count()
            glowing = page.locator(".own .glow").count()
        assert glowing or chips or ": tap " not in asked, f"{kind}, {who}: {asked!r}, and nothing glows"


def test_a_bot_s_orders_stand_after_one_tap(visit: Visit, matches: Matches) -> None:
    """Each of the phases that come once; what is proposed is refused nowhere."""
    for game, phase in (("mediterranee", "setup"), ("rome-carthage", "placement"), ("serenissima", "ports")):
        match = matches(game)
        player = match.due(phase)[0]
        with visit(match.folder(phase, player) / "orders.html", form=False) as page:
            Thumb(page).press("propose")
            text = page.locator("#sheet").input_value()
            assert page.locator(".card .wrong").all_inner_texts() == []
        view = position_for(match.rulebook, match.state(phase), player)
        source = read(text.encode(), f"{player}.yaml")
        assert isinstance(source, Source)
        checked = check_sheet(match.rulebook, view, sheet_of(player, source.plain))
        assert [said.reason for said in checked.said if said.severity != "warning"] == []


IN_BETWEEN = {
    "a piece chosen": ("mediterranee", "movement", ("@venice-1",)),
    "a way begun": ("mediterranee", "movement", ("@venice-1", "@ragusa")),
    "which of several things": ("mediterranee", "market", ("@venice-1",)),
    "a condition open": ("mediterranee", "movement", ("@venice-1", "@ragusa", "only-if-0")),
    "an order instead": ("mediterranee", "movement", ("@venice-1", "@ragusa", "otherwise-0")),
    "a field that may be left out": ("serenissima", "round", ("@2", "@sardegna", "more-sell")),
    "a list half ranked": ("triumvirat", "italy", ("f-want=oil", "f-want=grain")),
    "a mapping half filled in": ("oltremare", "commerce", ("own-offer=dandolo", "f-give.goods.silk+")),
    "a piece for a place": ("rome-carthage", "placement", ("@aquileia",)),
    "a phase passed": ("mediterranee", "auction", ("pass",)),
}
"""What may be open while an order is made: the game, the phase, the taps that lead there."""


@pytest.mark.parametrize("state", IN_BETWEEN)
def test_everybody_can_read_what_is_open_in_between(visit: Visit, matches: Matches, state: str) -> None:
    game, phase, taps = IN_BETWEEN[state]
    match = matches(game)
    with visit(match.folder(phase, match.due(phase)[0]) / "orders.html", width=PHONE, form=False) as page:
        Thumb(page).does(taps)
        assert_fits(page)
        assert_accessible(page)


@pytest.mark.parametrize(
    ("game", "phase", "taps"),
    [
        ("serenissima", "round", ("@2", "more-load", "done")),
        ("mediterranee", "movement", ("@venice-1", "@ragusa", "only-if-0")),
    ],
)
def test_a_small_phone_has_room_for_the_choices(
    opened: Open, game: str, phase: str, taps: Sequence[str]
) -> None:
    """What is asked and what sends are a line each; the map yields to the choices, and nothing lies on anything."""
    with opened(game, phase, PHONE) as page:
        page.evaluate("document.getElementById('form').open = false")
        thumb = Thumb(page)
        for tap in (None, *taps):
            thumb.does([tap] if tap else [])
            for width, height in SMALL:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(NEXT_FRAME)
                room = page.evaluate(ROOM)
                assert room["gaps"] == [0, 0, 0], (tap, room)
                assert room["choices"] >= 180 and room["map"] >= 120, (tap, room)
                assert room["prompt"] <= 52 and room["send"] <= 52, (tap, room)
                assert_fits(page)
        page.locator("#unfold").click()
        assert page.locator("#copy").is_visible() and page.locator("#brief").is_visible()
        page.set_viewport_size({"width": 664, "height": 360})  # turned: everything scrolls
        page.locator("#form > summary").scroll_into_view_if_needed()
        assert_fits(page)


def test_a_tap_on_anything_tells_what_it_is(opened: Open) -> None:
    """What it is, why it can't be chosen, in one line that is said too, and the rule behind; what was begun waits."""
    with opened("serenissima", "round", PHONE) as page:
        page.evaluate("document.getElementById('form').open = false")
        thumb, sheet, said = Thumb(page), page.locator("#learn"), page.locator("#said")
        for tap, facts, why in (
            (
                "@6",
                ("Galley 6", "6 (Blue), Valencia", "3 sailors", "reach 3 zones", "turn 3 of 8"),
                "Galley 6 is Blue's SER-1.1",
            ),
            (
                "@corfu",
                ("Corfu", "neutral", "produces wine", "next sale 2"),
                "The galleys: no order can be about it now.",
            ),
        ):
            thumb.tap(tap.removeprefix("@"))
            assert all(fact in sheet.inner_text() for fact in facts), sheet.inner_text()
            assert sheet.locator(".warn").inner_text() == why
            assert why.partition(" SER")[0] in said.inner_text()
        thumb.does(["@2", "@antakya"])
        assert thumb.asked == "Galley 2 at Genova: where to?"
        assert sheet.locator(".warn").inner_text() == "6 steps away; 3 at most. SER-3.1"
        sheet.locator("summary").click()
        assert "as many as there are sailors" in sheet.locator("details p").inner_text()
        assert_fits(page)
        assert_accessible(page)
        thumb.press("learned")
        assert sheet.is_hidden() and page.locator("[data-key=done]").is_visible()
        thumb.does(["@10", "to=ionio"])  # a galley that lies where this one can go
        assert sheet.is_hidden()
        (order,) = sheet_on(page)["orders"]
        assert order["via"][-1] == "ionio"
        page.keyboard.press("Tab")
        page.locator("#map").focus()
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        assert sheet.is_visible() and sheet.locator("h3").inner_text() in said.inner_text()
        page.keyboard.press("Escape")
        assert sheet.is_hidden()


def test_phases_about_cards_fold_the_map(opened: Open) -> None:
    """On a small phone a row has four cards and the map is a strip, which a button opens; what was accepted isn't
    offered again, and cards that come have names of people.
    """
    with opened("oltremare", "commerce", PHONE) as page:
        page.set_viewport_size({"width": 360, "height": 640})
        page.evaluate("document.getElementById('form').open = false")
        thumb, accept = Thumb(page), page.locator("[data-key='own-accept=morosini-1']")
        assert page.evaluate(ROOM)["map"] <= 42
        page.locator("#fold").click()
        assert page.evaluate(ROOM)["map"] >= 180
        page.locator("#fold").click()
        assert accept.bounding_box()["y"] < page.locator("#send").bounding_box()["y"]  # the offer is in sight
        thumb.does(["own-accept=morosini-1", "done"])
        assert accept.count() == 0
        thumb.does(["own-offer=dandolo", "f-give.goods.silk+"])
        tops = page.locator("[data-key^='f-give.cards=']").evaluate_all(
            "all => all.map((each) => each.offsetTop)"
        )
        assert tops[:4] == [tops[0]] * 4
        assert "Got" not in page.locator("#tray").inner_text()
        assert_fits(page)
        assert_accessible(page)
        page.evaluate(
            PASTED,
            "player: contarini\norders: [{accept: morosini-1}, {offer: dandolo, give: {cards: [got-1]}}]\n",
        )
        assert "card 1 that you get" in page.locator("#cards").inner_text()


@pytest.mark.parametrize("size", [(390, 664), (360, 640), (1280, 800)], ids=str)
def test_hand_and_hold_lie_in_rows_of_cards(opened: Open, size: tuple[int, int]) -> None:
    """A tap on a card begins an order that can list it; then the cards lie where they are chosen."""
    with opened("oltremare", "commerce", PHONE) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("document.getElementById('form').open = false")
        hand, send = page.locator("#rows .hand button"), page.locator("#send").bounding_box()["y"]
        drawn = page.locator("#map [data-in=hand]").evaluate_all(
            "all => all.map(({dataset}) => dataset.name)"
        )
        assert drawn and [each.get_attribute("data-key") for each in hand.all()] == [
            f"card-{name}" for name in drawn
        ]
        hold = page.locator("#rows .hold")
        assert hold.bounding_box()["y"] + hold.bounding_box()["height"] < send
        assert re.search(r"hand limit \d, cards to play \d", hold.inner_text())
        assert page.locator("[data-key='own-accept=morosini-1'] .sign").count() >= 1
        assert_fits(page)
        assert_accessible(page)
        thumb = Thumb(page).does([f"card-{drawn[0]}"])
        assert page.locator("#rows [aria-pressed=true]").get_attribute("data-key") == f"card-{drawn[0]}"
        assert "glow" not in page.locator("#help").inner_text()  # the map is a strip
        thumb.press("f-offer=dandolo")
        assert sheet_on(page)["orders"] == [{"offer": "dandolo", "give": {"cards": [drawn[0]]}}]
        assert hand.count() == 0 and page.locator("#tray .a-card").count() >= len(drawn)


def test_a_half_made_order_outlives_a_reload(visit: Visit, matches: Matches) -> None:
    match = matches("mediterranee")
    with visit(match.folder("movement", "venice") / "orders.html", width=PHONE, form=False) as page:
        thumb = Thumb(page).does(["@venice-2", "@ragusa", "@venice-1"])
        asked = thumb.asked
        assert asked == "Venice 1 at Venezia: where to?"
        again(page)
        assert page.locator("#draft-back").is_visible()
        assert thumb.asked == asked
        thumb.tap("corfu")
        assert sheet_on(page)["orders"] == [
            {"move": "venice-2", "via": ["ragusa"]},
            {"move": "venice-1", "via": ["ragusa", "corfu"]},
        ]


def test_by_keys_alone_on_the_map(visit: Visit, matches: Matches) -> None:
    """The map is one stop of the tab key; arrows go from thing to thing, Enter chooses, and what is there is said."""
    match = matches("mediterranee")
    with visit(match.folder("movement", "venice") / "orders.html", form=False) as page:
        page.keyboard.press("Tab")
        page.locator("#map").focus()
        page.keyboard.press("ArrowDown")
        assert "venice-" in page.locator("#said").inner_text()
        page.keyboard.press("Enter")
        assert Thumb(page).asked.endswith("at Venezia: where to?")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        (order,) = sheet_on(page)["orders"]
        assert [*order] == ["move", "via"]
        page.keyboard.press("Control+z")
        assert "orders" not in sheet_on(page)
        page.keyboard.press("Control+y")
        assert sheet_on(page)["orders"] == [order]
        assert_accessible(page)


def test_two_fingers_zoom_and_pan_the_map_and_tap_nothing(browser: Browser, matches: Matches) -> None:
    """What was between the fingers stays there, twice as large where they are twice as far apart; a tap of one
    means what it did.
    """
    match = matches("mediterranee")
    context = browser.new_context(
        viewport={"width": PHONE, "height": HEIGHT[PHONE]}, has_touch=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto((match.folder("movement", "venice") / "orders.html").as_uri())
    page.wait_for_function(READY)
    page.locator("[data-zoom='0']").click()
    whole = page.evaluate(WIDTH)
    x, y = page.evaluate(WHERE, "corfu")
    fingers = partial(touched, context.new_cdp_session(page))
    fingers("touchStart", (x - 40, y), (x + 40, y))
    fingers("touchMove", (x - 60, y + 10), (x + 60, y + 10))
    fingers("touchMove", (x - 80, y + 20), (x + 80, y + 20))
    fingers("touchEnd")
    assert page.evaluate(WIDTH) == pytest.approx(2 * whole, rel=0.01)
    assert page.evaluate(WHERE, "corfu") == [pytest.approx(x, abs=3), pytest.approx(y + 20, abs=3)]
    assert Thumb(page).asked == "Movement: tap one of your galleys."
    page.touchscreen.tap(*page.evaluate(WHERE, "venice-1"))
    assert Thumb(page).asked == "Venice 1 at Venezia: where to?"
    context.close()


def test_where_two_are_near_the_page_asks_which(visit: Visit, matches: Matches) -> None:
    """On the whole map at a phone's width the two galleys lie a few pixels apart."""
    match = matches("mediterranee")
    with visit(match.folder("movement", "venice") / "orders.html", width=PHONE, form=False) as page:
        page.locator("[data-zoom='0']").click()
        one, other = (page.evaluate(WHERE, name) for name in ("venice-1", "venice-2"))
        page.mouse.click((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        assert page.locator("#chooser button").all_inner_texts() == ["Venice 1, Venezia", "Venice 2, Venezia"]
        assert_accessible(page)
        page.locator("#chooser button").first.click()
        assert Thumb(page).asked == "Venice 1 at Venezia: where to?"


def test_a_game_that_the_page_says_nothing_of_is_ordered_by_taps(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Carters bring no `prompts.yaml`: what verbs and fields are for, and the names on their map, are enough."""
    install(monkeypatch)
    begin("carters", tmp_path / "match", ("red", "green"), options={"pages": "off"}, seed_text="roads")
    ran = run(tmp_path / "match", deadline=True)
    write_again(tmp_path / "match", pages=True)
    with visit(tmp_path / "match" / ran.open / "for" / "red" / "orders.html", form=False) as page:
        thumb = Thumb(page).does(["@red-cart"])
        assert thumb.asked == "Red's cart: where to?"
        page.keyboard.press("Tab")
        page.locator("#map").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        (order,) = sheet_on(page)["orders"]
        assert order["drive"] == "red-cart"
        assert order["via"]
        assert_accessible(page)


def test_a_list_is_made_as_last_time(visit: Visit, matches: Matches) -> None:
    """What Pompey wished for in the turn before, in the same order, with one press; and it can be changed."""
    match = matches("triumvirat")
    with visit(match.folder("italy again", "pompey") / "orders.html", width=PHONE, form=False) as page:
        Thumb(page).press("f-want/last")
        assert sheet_on(page)["orders"] == [{"want": ["oil", "grain", "cattle"]}]
        assert page.locator("[data-key='f-want/last']").count() == 0
        Thumb(page).does(["f-want=grain", "f-want/last"])
        assert sheet_on(page)["orders"] == [{"want": ["oil", "grain", "cattle"]}]
        assert_accessible(page)
    with visit(match.folder("italy", "pompey") / "orders.html", form=False) as page:
        assert page.locator("[data-key='f-want/last']").count() == 0


def test_the_prompt_says_which_phases_of_the_sheet_are_open(visit: Visit, matches: Matches) -> None:
    """All is decided only when nothing is open in any phase of the sheet."""
    match = matches("mediterranee")
    with visit(match.folder("setup", "venice") / "orders.html", width=PHONE, form=False) as page:
        thumb, brief = Thumb(page).does(["propose"]), page.locator("#brief")
        assert thumb.asked == "Set-up is decided. Next: Auction and Market."
        assert "Still open: Auction and Market." in brief.inner_text()
        thumb.does(["next-auction", "own-bid", "done", "next-market"])
        assert thumb.asked.startswith("Market: ")
        thumb.press("pass")
        assert thumb.asked == "Market: you order nothing."
        assert "open" not in brief.inner_text()
        page.locator("[data-key='step-setup']").click()
        assert thumb.asked == "All is decided. Look it over, then send."


def test_who_sends_is_told_of_problems_and_of_what_is_unfinished(visit: Visit, matches: Matches) -> None:
    match = matches("mediterranee")
    with visit(match.folder("movement", "venice") / "orders.html", width=PHONE, form=False) as page:
        brief = page.locator("#brief")
        thumb = Thumb(page).does(["@venice-1", "@corfu", "@venice-2"])
        assert "isn’t finished" in brief.inner_text()
        page.evaluate("window.adjudicator = { handIn: async () => 'Handed in.' }")
        for said in ("press again", "Handed in."):
            page.locator("#mail").click()
            assert said in page.locator(".echo").inner_text()
        page.evaluate("delete window.adjudicator")
        thumb.tap("ragusa")
        assert brief.inner_text() == ""
        orders = sheet_on(page)["orders"]
        page.evaluate(PASTED, f"player: venice\norders: {json.dumps([*orders, orders[0]])}\n")
        assert brief.inner_text().startswith("Order 3 won’t be done in full")
        assert page.locator("#mail-it").inner_text() == "Send 3 orders"
        assert_accessible(page)


def test_a_wish_that_comes_to_nothing_is_not_offered_and_not_called_wrong(opened: Open) -> None:
    """Italy gives no slaves: `check` admits the wish and says that it is skipped, so the page refuses it neither."""
    with opened("triumvirat", "italy", PHONE) as page:
        chips = page.locator("[data-key^='f-want=']").evaluate_all(
            "all => all.map((each) => each.dataset.key)"
        )
        assert "f-want=slaves" not in chips and "f-want=oil" in chips
        page.evaluate(PASTED, "player: pompey\norders: [{want: [slaves, {oil: caesar}, oil]}]\n")
        assert "refused" not in page.locator("#brief").inner_text()
        assert page.locator("#cards .wrong, #cards .doubtful, #orders .wrong, #orders .doubtful").count() == 0


PRICED = {
    "on a button for a field": ("serenissima", "round", ("decide-2", "verb-invest"), "more-fort", "2 ducats"),
    "on a value's button": ("triumvirat", "building", ("@carthago",), "f-build=market", "3 cards"),
    "on a verb's button": ("triumvirat", "building", (), "own-recruit", "2 cards a legion"),
}


@pytest.mark.parametrize(("game", "phase", "steps", "key", "price"), PRICED.values(), ids=PRICED)
def test_what_costs_says_so_before_it_is_tapped(
    opened: Open, game: str, phase: str, steps: Sequence[str], key: str, price: str
) -> None:
    with opened(game, phase, PHONE) as page:
        Thumb(page).does(steps)
        assert price in page.locator(f"[data-key='{key}']").inner_text()


def test_what_an_order_costs_stands_beside_its_question(opened: Open) -> None:
    with opened("triumvirat", "building", PHONE) as page:
        Thumb(page).tap("tripolitania")
        assert "Costs 2 cards, all different." in page.locator("#help").inner_text()


def test_the_only_offer_is_named_where_it_is_accepted(opened: Open) -> None:
    """What is given and asked stands on the button, also if there is nothing else to accept; a bare word elsewhere."""
    with opened("oltremare", "commerce", PHONE) as page:
        assert "Morosini’s 1 olive" in page.locator("[data-key^='own-accept']").inner_text()
        assert page.locator("[data-key='own-then']").count() == 1


IDLE = "So far this order does nothing"


def test_an_order_that_does_nothing_yet_says_so(opened: Open) -> None:
    """Where it is made, and on its card, until something is chosen."""
    with opened("serenissima", "round", PHONE) as page:
        thumb, hint, card = (
            Thumb(page).does(["decide-2"]),
            page.locator("#help"),
            page.locator("#cards .card"),
        )
        assert IDLE in hint.inner_text()
        thumb.press("done")
        assert IDLE in card.inner_text()
        thumb.does(["edit-round-0", "@sardegna"])
        assert IDLE not in hint.inner_text() and IDLE not in card.inner_text()
        thumb.does(["drop-round-0", "decide-2", "verb-invest"])
        assert IDLE in hint.inner_text()


def test_a_part_in_which_nothing_can_be_chosen_now_is_not_shown(opened: Open) -> None:
    """No galley lies beside this one, and only stone is aboard: nothing else goes overboard, and no
    other is sunk."""
    with opened("serenissima", "round", PHONE) as page:
        Thumb(page).does(["decide-2", "more-load"])
        keys = page.locator("[data-key^='f-load.0.']").evaluate_all(
            "all => all.map((each) => each.dataset.key)"
        )
        shown = {key.split(".")[2].rstrip("+-#") for key in keys}
        assert shown == {"sailors", "goods", "jettison", "sink=2", "else"}
        assert {key for key in keys if ".jettison." in key} >= {"f-load.0.jettison.stone+"}
        assert not [key for key in keys if "wood" in key]


def test_a_line_of_a_list_gets_its_else_by_taps(opened: Open) -> None:
    """One line to take its place, then two; what is tapped stands in the sheet, and is taken back."""
    with opened("serenissima", "round", PHONE) as page:
        line, other = "f-load.0", "f-load.0.else.0"
        thumb = Thumb(page).does(
            ["decide-2", "more-load", f"{line}.goods.stone+", f"{other}.jettison.stone+"]
        )
        load = [{"goods": {"stone": 1}, "else": [{"jettison": {"stone": 1}}]}]
        assert sheet_on(page)["orders"] == [{"sail": 2, "load": load}]
        thumb.does([f"{line}.else/more", f"{line}.else.1.sailors.genova+", "done"])
        load[0]["else"] += [{"sailors": {"genova": 1}}]
        assert sheet_on(page)["orders"] == [{"sail": 2, "load": load}]
        undone(page)
        assert sheet_on(page).get("orders") is None


NARROW_DESK = 1300


@pytest.mark.parametrize(("game", "phase"), PHASES)
def test_no_phase_of_a_sheet_is_cut_off_on_a_desk(opened: Open, game: str, phase: str) -> None:
    with opened(game, phase, NARROW_DESK) as page:
        wide, seen = page.locator("#steps").evaluate("(steps) => [steps.scrollWidth, steps.clientWidth]")
        assert wide <= seen


def test_what_a_bot_would_do_is_explained_before_it_is_tapped(opened: Open) -> None:
    with opened("mediterranee", "setup", PHONE) as page:
        propose = page.locator("[data-key=propose]")
        assert propose.inner_text() in page.locator("#help").inner_text()
        propose.click()
        assert "player would give" not in page.locator("#help").inner_text()


def test_what_orders_above_make_possible_can_be_ordered_in_the_form(opened: Open) -> None:
    """The attached page can't know of it, says so, and leads to the form where it is ordered."""
    with opened("mediterranee", "movement", PHONE) as page:
        page.evaluate("document.getElementById('form').open = false")
        thumb, to_form = Thumb(page).does(["step-landing"]), page.locator("[data-key=to-form]")
        assert to_form.count() == 0
        thumb.does(["step-movement", "@venice-1", "@corfu", "done", "step-landing"])
        assert "in the form" in page.locator("#help").inner_text()
        thumb.press("to-form")
        assert page.evaluate("document.activeElement.id") == "part-landing"
        form = page.locator("[data-part=landing]")
        form.locator("[data-verb=land]").click()
        assert form.locator("form[data-form=land] [data-field=from]").is_visible()


NUMBERS = """() => Object.fromEntries([...document.querySelectorAll("#map .of-number")]
    .map((each) => [each.textContent, [Number(each.getAttribute("x")), Number(each.getAttribute("y"))]]))"""


def test_an_order_stands_where_the_orders_above_have_brought_its_piece(opened: Open) -> None:
    """A landing after a move is drawn where it lands, beside the number of the move."""
    move, land = "orders: [{move: venice-1, via: [corfu]}]", "landing: {orders: [{land: 1, from: venice-1}]}"
    with opened("mediterranee", "movement", PHONE) as page:
        page.evaluate(PASTED, f"player: venice\n{move}\nlater:\n  {land}\n")
        numbers = page.evaluate(NUMBERS)
        (x, y), (moved_x, moved_y) = numbers["2"], numbers["1"]
        assert 20 <= ((x - moved_x) ** 2 + (y - moved_y) ** 2) ** 0.5 < 60
        assert page.locator("#map .ghost").count() == 0  # the page finds that way refused
        page.evaluate(PASTED, "player: venice\norders: [{move: venice-1, via: [ragusa, corfu]}]\n")
        assert page.locator("#map .ghost").count() == 1  # the galley, where it will lie


def test_a_card_too_many_says_why_not(visit: Visit, matches: Matches) -> None:
    match = matches("rome-carthage")
    file = match.folder("fight", match.due("fight")[0]) / "orders.html"
    with visit(file, width=PHONE, form=False) as page:
        Thumb(page).does(["@salona", "f-cards=hearts-2", "f-cards=hearts-jack"])
        before = sheet_on(page)
        page.locator("[data-key^='f-cards=']:not([aria-pressed=true])").first.click()
        assert page.locator("#help").inner_text() == "At most 2 can stand here."
        assert sheet_on(page) == before
