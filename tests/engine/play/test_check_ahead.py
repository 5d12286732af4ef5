"""A check of orders ahead: it tries them on the position to which the sheet leads, as far as that can be known."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.bots import plan_sheet
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.play.account import Word
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from tests.engine.match_folders import begun, run, send


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """A match with the game's own stops, in which Venice's first movement is due."""
    path = begun(tmp_path / "pond", stops="auction,movement")
    bought = "later: {market: {orders: [{buy: wine, at: venezia, to: venice-1}]}}"
    send(path, "venice", f"orders: [{{place: 4, to: venice-1}}]\n{bought}")
    send(path, "genoa")
    run(path)
    return path


def checked(match: Path, text: str) -> CheckResult:
    """What Venice's own check says of a sheet for the open phase."""
    folder = Folder(match)
    state = folder.state(folder.last)
    asked = Expected(folder.rulebook, state.match, state.phase, tuple(state.players), "venice")
    sheet = read_sheet(f"player: venice\n{text}".encode(), asked)
    assert isinstance(sheet, Sheet)
    return check_sheet(folder.rulebook, position_for(folder.rulebook, state, "venice"), sheet)


def said(match: Path, text: str) -> list[str]:
    return [f"{each.line}: {each.severity} {each.text}" for each in checked(match, text).problems]


SAIL = "orders: [{move: venice-1, via: [ragusa, corfu]}]\nlater:\n"


def test_orders_are_good_where_the_sheet_leads_to(pond: Path) -> None:
    found = checked(
        pond,
        SAIL
        + "  landing: {orders: [{land: 1, from: venice-1}]}\n  sale: {orders: [{sell: wine, from: venice-1}]}",
    )
    assert not found.problems
    assert [(each.phase, each.good) for each in found.understood] == [
        ("", True),
        ("landing", True),
        ("sale", True),
    ]


def test_what_can_still_change_is_marked_may(pond: Path) -> None:
    away = SAIL + "  landing: {orders: [{land: 1, at: tunis, from: venice-1}]}"
    assert said(pond, away) == ["4: may venice-1 lies at corfu, not at tunis"]
    many = SAIL + "  landing: {orders: [{land: 5, from: venice-1}]}"
    assert said(pond, many) == ["4: may land: 5, but venice-1 has only 4 aboard"]


def test_one_phase_builds_on_the_one_before_it(pond: Path) -> None:
    left_empty = (
        "  landing: {orders: [{land: 4, from: venice-1}]}\n  sale: {orders: [{sell: wine, from: venice-1}]}"
    )
    found = said(pond, SAIL + left_empty)
    assert any(each.startswith("4: warning") for each in found), "it sinks"
    assert any(each.startswith("5: may") and "sunk" in each for each in found)


def test_standing_orders_are_tried_too(pond: Path) -> None:
    standing = "standing: {phases: {sale: [{sell: gold, from: venice-1}], combat: []}}"
    (found,) = said(pond, f"orders: []\n{standing}")
    assert found.startswith("3: may ") and "gold" in found


def test_orders_for_a_phase_that_this_turn_doesnt_reach_are_read_alone(pond: Path) -> None:
    found = checked(pond, "orders: []\nstanding: {phases: {market: [{buy: gold, at: tunis, to: venice-1}]}}")
    assert not found.problems and found.understood[0].waits


def test_a_plan_is_thought_out_phase_by_phase(pond: Path) -> None:
    folder = Folder(pond)
    state = folder.state(folder.last)
    bot = folder.rulebook.bot
    assert bot is not None
    plan = plan_sheet(
        folder.rulebook, bot, position_for(folder.rulebook, state, "venice"), "venice", lambda below: 0
    )
    assert list(plan["later"]) == ["combat", "landing", "sale"]
    goals = {order["move"]: order["via"][-1] for order in plan["orders"]}
    for order in plan["later"]["landing"]["orders"]:
        assert goals.get(order["from"], order["at"]) == order["at"]


# -- an `if` that isn't true now, and what stands in its place ---------------------------------------------------------

LAND = "landing: {orders: [{land: 1, from: venice-1, if: {corfu: {owner: genoa}}"


def test_what_stands_in_place_of_an_untrue_if_is_tried(pond: Path) -> None:
    text = SAIL + f"  {LAND}, else: [{{land: 9, from: venice-1}}]}}]}}"
    found = said(pond, text)
    assert any("its `if:` isn't true now" in each and each.startswith("4: may") for each in found)
    assert any("land: 9" in each and each.startswith("4: may") for each in found), "the other one is no good"
    first, other = checked(pond, text).understood[1:]
    assert not first.good
    assert first.doubtful
    assert not other.good
    assert other.tried


def test_one_with_an_untrue_if_is_looked_at_too(pond: Path) -> None:
    found = said(pond, SAIL + f"  {LAND.replace('land: 1', 'land: 9')}}}]}}")
    assert any("land: 9" in each and each.startswith("4: may") for each in found)


def test_what_follows_goes_by_what_stands_in_its_place(pond: Path) -> None:
    there, on = "move: venice-1, via: [ragusa]", "move: venice-1, via: [ragusa, corfu]"
    away = f"orders: [{{{there}, if: {{genoa-1: {{in: ragusa}}}}, else: [{{{on}}}]}}]\n"
    found = checked(pond, away + "later: {landing: {orders: [{land: 1, at: corfu, from: venice-1}]}}")
    assert [each.good for each in found.understood] == [False, True, True]
    severities = {each.severity for each in found.problems}
    assert severities == {"may"}, "others move before Venice does"


def test_an_if_that_nobody_else_can_make_true_is_plainly_untrue(tmp_path: Path) -> None:
    path = begun(tmp_path / "pond", stops="auction,movement")
    (found,) = said(path, "orders: [{place: 4, to: venice-1, if: {me: {treasury: {least: 9000}}}}]")
    assert found.startswith("2: error its `if:` isn't true now")


def test_what_is_in_already_says_of_an_untrue_if_what_is_done_instead(tmp_path: Path) -> None:
    path = begun(tmp_path / "pond", stops="auction,movement")
    move = "{move: venice-1, via: [ragusa], if: {genoa-1: {in: ragusa}}, else: [{move: venice-2, via: [ragusa]}]}"
    send(
        path,
        "venice",
        f"orders: []\nlater: {{movement: {{orders: [{move}, {{move: venice-9, via: [corfu]}}]}}}}",
    )
    send(path, "genoa")
    run(path)
    for name in ("report.md", "sheet.yaml"):
        own = (path / "0004-t1-movement/for/venice" / name).read_text().replace("\\", "")
        assert own.count("its `if:` isn't true now") == 1
        assert "nothing; may be done (its `if` may come true): " in own
        assert ": move: venice-2, via: [ragusa]" in own
        assert own.count("; else ") == 1, "nothing stands in place of the other"


# -- what a phase does for who orders nothing --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "aboard"),
    [
        ("", 4),  # nothing sent: as the rules place the sailors of an absent player
        ("orders: []\n", 1),  # nothing ordered: one goes aboard each galley
        ("orders: [{place: 3, to: venice-1}]\n", 3),
    ],
)
def test_the_rules_place_the_sailors_that_no_order_places(tmp_path: Path, setup: str, aboard: int) -> None:
    path = begun(tmp_path / "pond", stops="auction")
    move = "later: {movement: {orders: [{move: venice-1, via: [ragusa, corfu, ionio, creta]}]}}"
    short = [each for each in said(path, f"{setup}{move}") if "may" in each]
    assert bool(short) == (aboard < 4)


def test_a_view_says_the_same_of_the_galley_that_nobody_manned_by_order(tmp_path: Path) -> None:
    path = begun(tmp_path / "pond", stops="auction")
    land = (
        "orders: [{place: 4, to: venice-1}]\nlater: {movement: {orders: [{move: venice-2, via: [ragusa]}]}}"
    )
    assert said(path, land) == [], "the rules put one sailor aboard"


def test_the_else_of_what_waits_waits_too_and_an_ill_written_one_may_not_be_needed(pond: Path) -> None:
    buy = "{buy: gold, at: tunis, to: venice-1"
    otherwise = f"else: [{buy}}}, {{bild: galley}}]"
    (found,) = checked(pond, f"orders: []\nstanding: {{phases: {{market: [{buy}, {otherwise}}}]}}}}").accounts
    waits, wrong = found.otherwise
    assert (found.word, waits.word, waits.may) == (Word.WAITS, Word.WAITS, None)
    assert (wrong.word, wrong.may) == (Word.NOTHING, Word.NOT_NEEDED)
