"""Pages for orders: sheets of each kind of phase are clicked together, checked, and adjudicated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.filling_forms import Hand
from tests.browser.matches import GAMES, PHASES, SHEETS
from tests.browser.sheets import plain, played, refused
from tests.browser.visiting import PHONE, assert_fits, in_all_lights
from tests.browser.written_phases import later_of, orders_of, phases_of
from tests.cli.calling import adjudicator

PAGE = "orders.html"


@pytest.mark.parametrize("game", GAMES)
def test_orders_of_every_verb_are_clicked(matches: Matches, game: str) -> None:
    """A new verb needs an order among the written phases, of the first player who is due."""
    match = matches(game)
    clicked = {kind: set[str]() for kind in match.kinds}
    for phase in phases_of(game).phases:
        for order in orders_of(phase, match.due(phase.name)[0]):
            clicked[phase.phase].add(next(iter(order)))
    assert clicked == {kind: {*match.rulebook.phase(kind).verbs} for kind in match.kinds}


@pytest.mark.parametrize(("game", "kind"), PHASES)
def test_a_page_for_orders_is_for_everybody(visit: Visit, matches: Matches, game: str, kind: str) -> None:
    match = matches(game)
    with visit(match.folder(kind, match.due(kind)[0]) / PAGE) as page:
        for light in in_all_lights(page):
            assert_fits(page)
            assert_accessible(page, light)


@pytest.mark.parametrize(("game", "phase"), SHEETS)
def test_a_sheet_is_clicked_together(
    visit: Visit, matches: Matches, tmp_path: Path, game: str, phase: str
) -> None:
    """What the page writes is what was clicked, passes `check`, and is adjudicated without a refusal."""
    match = matches(game)
    who = match.due(phase)[0]
    folder, written = match.folder(phase, who), phases_of(game)[phase]
    orders, later = orders_of(written, who), later_of(written, who)
    with visit(folder / PAGE, width=PHONE) as page:
        hand = Hand(page)
        hand.orders(orders)
        for name, sent in later.items():
            hand.of(name).orders(sent["orders"])
        sheet = hand.download(tmp_path)
        assert_fits(page)
        assert_accessible(page)
    assert (tmp_path / f"{who}.yaml").read_bytes() == sheet
    assert plain(sheet)["orders"] == orders
    assert plain(sheet).get("later", {}) == later
    checked = adjudicator("check", tmp_path / f"{who}.yaml", "--view", folder / "view.yaml")
    assert checked.exit_code == 0, checked.output
    assert refused(played(match, phase, who, sheet, tmp_path)) == []
