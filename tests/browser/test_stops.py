"""The page for orders when one sheet is for several phases, and standing orders for phases."""

from __future__ import annotations

from pathlib import Path

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Open, Visit
from tests.browser.filling_forms import Hand
from tests.browser.sheets import paste, refused, sheet_on
from tests.browser.visiting import assert_fits, in_all_lights
from tests.browser.written_phases import later_of, orders_of, phases_of
from tests.cli.calling import adjudicator

MEDITERRANEE, ROME_CARTHAGE = "mediterranee", "rome-carthage"
WHOLE = "a whole turn"
NARROW = 360
ATTACK = {"attack": "turkey-1", "with": "venice-1", "rounds": 2}
SELL = {"sell": "iron", "at": "corfu", "from": "venice-1"}


def test_a_whole_turn_is_clicked_together_and_played(opened: Open, matches: Matches, tmp_path: Path) -> None:
    """One sheet, whose orders in all four phases are carried out without another mail."""
    match, written = matches(MEDITERRANEE), phases_of(MEDITERRANEE)[WHOLE]
    later = later_of(written, "venice")
    with opened(MEDITERRANEE, WHOLE, NARROW) as page:
        hand = Hand(page)
        hand.orders(orders_of(written, "venice"))
        for name in reversed(later):
            hand.of(name).orders(later[name]["orders"])
        state = page.locator("#state").inner_text()
        assert "Orders in it: 4" in state and "passed" not in state
        assert page.locator("[data-told]:not(:empty)").count() == 0
        sheet = hand.download(tmp_path)
        assert_accessible(page)
        for _ in in_all_lights(page):
            assert_fits(page)
    view = match.folder(WHOLE, "venice") / "view.yaml"
    checked = adjudicator("check", tmp_path / "venice.yaml", "--view", view)
    assert checked.exit_code == 0, checked.output
    path = match.begun(WHOLE, tmp_path / "match")
    (path / match.phases[WHOLE] / "sheets").mkdir(exist_ok=True)
    (path / match.phases[WHOLE] / "sheets" / "venice.yaml").write_bytes(sheet)
    run(path, deadline=True)
    played = open_match(path)
    begun = played.phases.index(match.phases[WHOLE])
    assert [played.head(number).name for number in range(begun, begun + 4)] == ["movement", *later]
    assert [refused(played.events(number)) for number in range(begun, begun + 4)] == [[]] * 4


def test_a_phase_left_alone_is_passed_and_the_page_says_so(opened: Open) -> None:
    with opened(MEDITERRANEE, WHOLE, NARROW) as page:
        told = {name: page.locator(f"[data-told={name}]") for name in ("movement", "combat", "sale")}
        assert "orders" not in sheet_on(page) and told["movement"].inner_text() == ""
        assert "you pass" in told["combat"].inner_text()
        hand = Hand(page)
        hand.of("combat").order(ATTACK)
        sheet = sheet_on(page)
        assert (sheet["orders"], [*sheet["later"]]) == ([], ["combat"])
        assert told["combat"].inner_text() == "" and "you pass" in told["movement"].inner_text()
        assert "Orders in it: 1 (passed: Movement, " in page.locator("#state").inner_text()
        page.locator("[data-part=sale] [name=pass]").check()
        assert sheet_on(page)["later"]["sale"] == {"orders": []}
        assert told["sale"].inner_text() == ""
        assert_accessible(page)


def test_what_is_offered_for_a_phase_to_come_is_not_certain(opened: Open) -> None:
    """As things stand nothing can be sold at Corfu: it can be ordered, and the page says what it depends on."""
    with opened(MEDITERRANEE, WHOLE) as page:
        Hand(page).of("sale").order(SELL)
        assert sheet_on(page)["later"]["sale"]["orders"] == [SELL]
        line = page.locator("#later-sale > li")
        assert line.locator(".wrong").count() == 0
        assert "played before" in line.locator(".doubtful").inner_text()


def test_a_piece_picked_on_the_map_goes_into_the_form_in_use(opened: Open) -> None:
    with opened(MEDITERRANEE, WHOLE) as page:
        page.locator("[data-part=landing] [data-verb=land]").click()
        page.locator("[data-part=landing] [data-field=from] select").focus()
        page.locator("#map [data-name='venice-1']").first.click()
        assert page.locator("[data-part=landing] [data-field=from] select").input_value().strip()
        assert page.locator("[data-part=movement] [data-field=move] select").input_value() == ""


def test_standing_orders_for_phases(opened: Open, matches: Matches, tmp_path: Path) -> None:
    """In force: a bid of 0, and the market is passed. Whoever changes one of them sends all."""
    with opened(MEDITERRANEE, WHOLE, NARROW) as page:
        hand, row = Hand(page), page.locator("[data-standing=phases]")
        assert "Auction, Market" in row.locator("> summary").inner_text()
        auction, combat = hand.standing("auction"), hand.standing("combat")
        summary = row.locator("[data-standing-phase=auction] > summary")
        assert "bid: 0" in summary.inner_text()
        assert "passed" in row.locator("[data-standing-phase=market] > summary").inner_text()
        assert "waits" in row.locator("[data-standing-phase=movement] > summary").inner_text()
        assert "standing" not in sheet_on(page)
        combat.order({"attack": "turkey-1", "with": "venice-1"})
        held = {"auction": [{"bid": 0}], "market": [], "combat": [{"attack": "turkey-1", "with": "venice-1"}]}
        assert sheet_on(page)["standing"] == {"phases": held}
        assert_fits(page)
        assert_accessible(page)
        hand.orders(orders_of(phases_of(MEDITERRANEE)[WHOLE], "venice"))
        hand.download(tmp_path)
        view = matches(MEDITERRANEE).folder(WHOLE, "venice") / "view.yaml"
        checked = adjudicator("check", tmp_path / "venice.yaml", "--view", view)
        assert checked.exit_code == 0, checked.output
        assert "combat, done; may come to nothing" in checked.output
        for phase in ("auction", "combat"):
            page.locator(f"#standing-{phase} [data-act=delete]").click()
        hand.standing("market")
        page.locator("[data-standing-phase=market] [name=pass]").uncheck()
        assert sheet_on(page)["standing"] == {"phases": {}}
        assert "waits" in summary.inner_text()
        auction.order({"bid": 0})
        page.locator("[data-standing-phase=market] [name=pass]").check()
        assert "standing" not in sheet_on(page)
        combat.order({"attack": "turkey-1", "with": "venice-1"})
        row.locator("[data-act=reset]").click()
        assert "standing" not in sheet_on(page)


def test_standing_orders_that_are_pasted(opened: Open) -> None:
    sheet = (
        "player: venice\norders: []\nstanding: {phases: {combat: [{attack: turkey-1, with: 7}], sale: []}}\n"
    )
    with opened(MEDITERRANEE, WHOLE) as page:
        paste(page, sheet)
        assert sheet_on(page)["standing"] == {
            "phases": {"combat": [{"attack": "turkey-1", "with": 7}], "sale": []}
        }
        assert page.locator("#standing-combat .told.wrong").is_visible()
        assert "the standing orders for Combat" in page.locator("#state").inner_text()
        before = page.locator("#sheet").input_value()
        for wrong, said in (("{piracy: []}", "piracy"), ("{sale: 7}", "sale"), ("[]", "phases")):
            assert said in paste(page, f"player: venice\norders: []\nstanding: {{phases: {wrong}}}\n")
            assert page.locator("#sheet").input_value() == before


def test_the_own_next_turn_is_offered_as_such(opened: Open) -> None:
    """Its orders are of the kind that is open, and are not measured by what is possible now."""
    march = {"march": ["hearts-4"]}
    with opened(ROME_CARTHAGE, "turn", NARROW) as page:
        later = page.locator("[data-later=turn]")
        assert "your own next one" in later.locator("> summary").inner_text()
        hand = Hand(page)
        hand.of("turn").order({"fight": "carthago", "cards": ["hearts-2"]})
        hand.of("turn").order(march)
        assert sheet_on(page)["later"]["turn"]["orders"][1] == march
        assert "orders" not in sheet_on(page)
        assert later.locator(".doubtful").count() == 0
        assert_fits(page)
        assert_accessible(page)


def test_what_is_in_already_is_shown(visit: Visit, matches: Matches, tmp_path: Path) -> None:
    """Left alone it stays: a sheet for another phase doesn't pass what is in for the open one."""
    match = matches(MEDITERRANEE)
    path = match.begun("market", tmp_path / "match")
    folder = path / match.phases["market"]
    (folder / "sheets").mkdir(exist_ok=True)
    (folder / "sheets" / "venice.yaml").write_text(
        "player: venice\norders: []\nlater:\n"
        "  movement: {orders: [{move: venice-9, via: [ragusa]}]}\n  sale: {orders: []}\n"
    )
    run(path, deadline=True)
    played = open_match(path)
    if played.head(played.last).name != "movement":
        raise AssertionError(played.phases)
    write_again(path, pages=True)
    with visit(path / played.phases[-1] / "for" / "venice" / "orders.html", width=NARROW) as page:
        sent = page.locator("#sent")
        assert "move: venice-9" in sent.inner_text() and "nothing: " in sent.inner_text()
        assert "Sale" in sent.inner_text() and "you pass" in sent.inner_text()
        assert "sent already" in page.locator("[data-told=sale]").inner_text()
        Hand(page).of("combat").order(ATTACK)
        assert "orders" not in sheet_on(page)
        assert_fits(page)
        assert_accessible(page)
        takes = page.locator("[data-take]:visible")
        assert takes.count() == 2
        page.locator("[data-take=sale]").click()
        assert sheet_on(page)["later"]["sale"] == {"orders": []}
        page.locator("[data-take=movement]").click()
        assert sheet_on(page)["orders"] == [{"move": "venice-9", "via": ["ragusa"]}]
        assert takes.count() == 0 and "Your list now holds" in sent.inner_text()
        assert_fits(page)
        page.locator("#orders [data-act=delete]").click()
        assert takes.count() == 1, "what was deleted can be taken over again"
