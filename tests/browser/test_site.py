"""A match as a site: its map replays the match, by mouse and by keys, and everybody can read its pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from adjudicator.engine.beacon.quicknet import message_of, time_of
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.site import write_site
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import GAMES
from tests.browser.visiting import DESK, PHONE, assert_fits, in_all_lights
from tests.cli.calling import adjudicator
from tests.drand import ROUNDS, just_before, relays
from tests.engine.match_folders import send_all

GAME = next(iter(registry.OWN))
"""Where one game is enough."""
AHEAD = timedelta(minutes=10)
"""So long before a round of drand comes out it is named."""
SHOWN = """async (phases) => {
    const found = [];
    for (const phase of phases) {
        const heard = new Promise((done) => addEventListener("hashchange", done, {once: true}));
        location.hash = `#${phase}`;
        await heard;
        const [link, ...more] = document.querySelectorAll("[aria-current]");
        found.push([document.querySelector("#slider").value, more.length ? "several" : link.dataset.phase,
            document.querySelector("#stage svg").innerHTML]);
    }
    return found;
}"""
"""What a page shows when its address names one phase after another: the slider, the link that is marked, the map."""
Sites = Callable[[str], Path]


@pytest.fixture(scope="session")
def sites(matches: Matches, tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """`sites("mediterranee")`: the index of a short match's site."""

    def written(game: str) -> Path:
        out = tmp_path_factory.mktemp(game) / "site"
        list(write_site(open_match(matches(game).path), out))
        return out / "index.html"

    return cache(written)


def at(page: Page) -> tuple[int, str]:
    """Which phase is shown, and what the page's address says."""
    shown = page.locator("#slider").input_value()
    assert page.locator("#slider").get_attribute("aria-valuetext") == page.locator("#title").inner_text()
    return int(shown), page.evaluate("location.hash")


@pytest.mark.parametrize("game", GAMES)
def test_a_site_is_for_everybody(visit: Visit, sites: Sites, game: str) -> None:
    index = sites(game)
    last = sorted(index.parent.glob("0*.html"))[-1]
    with visit(index) as page:
        for light in in_all_lights(page):
            assert_fits(page)
            assert_accessible(page, light)
    with visit(last) as page:  # a report for everybody, with ways to the others
        for _ in in_all_lights(page):
            assert_fits(page)
        assert_accessible(page)


@pytest.mark.parametrize("game", GAMES)
def test_keys_step_through_the_phases(visit: Visit, sites: Sites, game: str) -> None:
    with visit(sites(game)) as page:
        last = at(page)[0]
        page.keyboard.press("Home")
        assert at(page) == (0, "#0")
        for key, phase in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
            page.keyboard.press(key)
            assert at(page) == (phase, f"#{phase}")
        page.keyboard.press("ArrowRight")
        assert at(page)[0] == last
        page.locator("#slider").focus()
        page.keyboard.press("ArrowLeft")
        assert at(page) == (last - 1, f"#{last - 1}")
        page.locator("#speed").focus()
        page.keyboard.press("Home")
        assert at(page)[0] == last - 1


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_to_the_end_and_says_so(visit: Visit, sites: Sites, game: str) -> None:
    with visit(sites(game)) as page:
        page.evaluate("document.querySelector('#speed option').value = 0.001")
        page.select_option("#speed", "0.001")
        last = at(page)[0]
        title = page.locator("#title")
        page.get_by_role("button", name="Play").click()
        expect(title).to_have_attribute("aria-live", "polite")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        assert at(page) == (last, f"#{last}")


def test_space_plays_and_pauses_where_it_is(visit: Visit, sites: Sites) -> None:
    with visit(sites(GAME)) as page:
        page.keyboard.press("Home")
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        expect(page.locator("#title")).to_have_attribute("aria-live", "off")
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        expect(page.locator("#title")).to_have_attribute("aria-live", "polite")
        shown, address = at(page)
        assert address == f"#{shown}"


@pytest.mark.parametrize("game", GAMES)
def test_an_address_leads_to_its_phase(visit: Visit, sites: Sites, game: str) -> None:
    index = sites(game)
    with visit(index) as page:
        last = at(page)[0]
        shown = page.evaluate(SHOWN, [*range(last + 1), last + 99])
        assert [(slider, link) for slider, link, _ in shown] == [
            (str(at), str(at)) for at in (*range(last + 1), last)
        ]
        assert len({drawn for _, _, drawn in shown}) > last / 2
        page.evaluate("location.hash = '#<b>'")
        page.reload()
        assert at(page)[0] == last


@pytest.mark.parametrize("game", GAMES)
def test_without_scripts_there_are_the_last_map_and_all_links(visit: Visit, sites: Sites, game: str) -> None:
    index = sites(game)
    with visit(index) as page:
        drawn = page.locator("#stage svg").inner_html()
        page.keyboard.press("Home")
        page.keyboard.press("End")
        again = page.locator("#stage svg").inner_html()
    with visit(index, scripts=False) as page:
        assert page.locator("#stage svg").inner_html() == drawn
        assert "".join(again.split()) == "".join(drawn.split())
        assert not page.locator("#controls button").first.is_visible()
        assert page.locator("[data-phase]").last.is_visible()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_story_is_whole_where_the_film_stands(visit: Visit, sites: Sites, width: int) -> None:
    """Of no phase a line is cut off; while the film plays, a box of one height scrolls."""
    with visit(sites(GAME), width=width) as page:
        story, phases = page.locator("#story"), int(page.locator("#slider").get_attribute("max") or 0)
        page.keyboard.press("Home")
        for _ in range(phases):
            assert story.evaluate("(box) => box.scrollHeight <= box.clientHeight + 1"), story.inner_text()
            page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_in_a_story_says_what_it_is(visit: Visit, sites: Sites, game: str) -> None:
    with visit(sites(game)) as page:
        link = page.locator("#story a.rule").first
        while not link.count():
            page.keyboard.press("ArrowLeft")
        said, (file, number) = link.get_attribute("title"), (link.get_attribute("href") or "").split("#")
    with visit(sites(game).parent / file) as page:
        assert said and said in " ".join(page.locator(f"[id='{number}']").inner_text().split())


def test_on_a_phone_the_map_is_near_and_can_be_seen_whole(visit: Visit, sites: Sites) -> None:
    """Near it goes to what happens; numbers of turns below it never lie on each other."""
    with visit(sites(GAME), width=PHONE) as page:
        before = page.locator("#stage svg").bounding_box()
        end = page.locator("#slider").get_attribute("max")
        seen = set()
        for number in range(int(end or 0)):
            page.evaluate(f"location.hash = {number}")
            page.wait_for_timeout(50)
            seen.add(
                page.locator("#stage").evaluate("({ scrollLeft, scrollTop }) => `${scrollLeft},${scrollTop}`")
            )
        assert len(seen) > 2
        page.get_by_role("button", name="Larger map").click()
        after = page.locator("#stage svg").bounding_box()
        assert before and after and before["width"] > 2 * after["width"]
        turns = [box for each in page.locator(".ruler span:visible").all() if (box := each.bounding_box())]
        assert all(one["x"] + one["width"] < other["x"] for one, other in pairwise(turns))
        assert_fits(page)
        assert_accessible(page)


def test_of_a_match_that_is_over_the_film_begins_at_the_beginning_and_gives_nothing_away(
    visit: Visit, tmp_path: Path
) -> None:
    """Nobody sees who has won before the end was shown; then the page says so."""
    assert (
        adjudicator("demo", GAME, tmp_path / "match", "--seed", "film", "--option", "turns=2").exit_code == 0
    )
    with visit(tmp_path / "match" / "site" / "index.html") as page:
        assert at(page)[0] == 0
        assert "over" not in page.locator("body").inner_text()
        assert page.locator("#score").is_visible()
        assert page.locator("#lines polyline").count() == 0
        assert_fits(page)
        page.keyboard.press("End")
        assert page.locator("#lines polyline").count() == page.locator("#score li").count()
        assert "win" in page.locator("#headline").inner_text()
        assert_accessible(page)


def test_pieces_move_where_they_have_gone(visit: Visit, sites: Sites) -> None:
    """While the film plays, a piece that stands elsewhere is seen to go there."""
    with visit(sites(GAME)) as page:
        page.emulate_media(reduced_motion="no-preference")
        page.keyboard.press("Home")
        moved = page.evaluate(
            """async () => {
            document.querySelector("#speed option").value = 0.001;
            document.querySelector("#speed").selectedIndex = 0;
            let count = 0;
            const own = Element.prototype.animate;
            Element.prototype.animate = function (...given) { count += 1; return own.apply(this, given); };
            document.querySelector("[data-act=play]").click();
            const { classList } = document.querySelector("#player");
            while (classList.contains("playing")) await new Promise(requestAnimationFrame);
            return count;
        }"""
        )
        assert moved > 0


@pytest.mark.parametrize("changed", ["", "seed", "face"])
def test_all_dice_of_a_match_are_thrown_again_in_the_browser(
    visit: Visit, tmp_path: Path, changed: str
) -> None:
    """From the published seed alone; another seed or another face is said."""
    said = adjudicator("demo", GAME, tmp_path / "match", "--seed", "dice", "--option", "turns=2")
    assert said.exit_code == 0
    page_file = tmp_path / "match" / "site" / "dice.html"
    text = page_file.read_text()
    if changed == "seed":
        text = re.sub(r'"seed":"(.)', lambda found: f'"seed":"{"0" if found[1] != "0" else "1"}', text)
    elif changed == "face":
        text = re.sub(r'"face":(\d)', lambda found: f'"face":{int(found[1]) % 6 + 1}', text, count=1)
    page_file.write_text(text)
    with visit(page_file) as page:
        told = {"": "comes out the same", "seed": "isn’t the seed", "face": "otherwise: 1;"}[changed]
        expect(page.locator("#said")).to_contain_text(told)
        assert (page.locator("td.other").count() == 0) == (not changed)
        assert_accessible(page)


@pytest.fixture(scope="module")
def dice_of_drand(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page with the dice of a short match whose dice came from real rounds of drand."""
    top = tmp_path_factory.mktemp("drand")
    match = top / "lagoon"
    begin(GAME, match, ("venice", "genoa"), options={"dice": "drand", "turns": "1"}, seed_text="test")
    with relays() as (relay,):
        for number in (1000, 1001, 1002):
            send_all(match)
            for moment in (just_before(number) - AHEAD, time_of(number)):
                words = ("--relay", relay.address, "--at", moment.isoformat())
                assert adjudicator("run", match, *words).exit_code == 0
    assert adjudicator("site", match, top / "site").exit_code == 0
    return (top / "site/dice.html").read_text()


def signature_of_another_round(text: str) -> str:
    return text.replace(ROUNDS[1001], ROUNDS[1000])


def another_round(text: str) -> str:
    return text.replace(message_of(1001).hex(), message_of(1003).hex())


def no_signature(text: str) -> str:
    return text.replace(ROUNDS[1001], f"00{ROUNDS[1001][2:]}")


@pytest.mark.parametrize("change", [None, signature_of_another_round, another_round, no_signature])
def test_what_drand_gave_is_checked_in_the_browser(
    visit: Visit, tmp_path: Path, dice_of_drand: str, change: Callable[[str], str] | None
) -> None:
    """With drand's public key, and nothing else: what drand didn't sign is said."""
    text = change(dice_of_drand) if change else dice_of_drand
    assert (text == dice_of_drand) == (change is None)
    file = tmp_path / "dice.html"
    file.write_text(text)
    with visit(file) as page:
        told = "signed by drand: 1;" if change else "Every throw comes out the same"
        expect(page.locator("#said")).to_contain_text(told)
        assert page.locator("span.same").count() == (0 if change else 1)
        assert page.locator("span.other").count() == (1 if change else 0)
        assert_accessible(page)
