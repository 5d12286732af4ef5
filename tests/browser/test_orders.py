"""Pages for orders: everybody can use them, and every verb can be clicked into a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import ALIKE, EVERY, GAMES, RICHEST, WHOLE, Played
from tests.browser.sheets import paste
from tests.browser.visiting import PHONE, assert_fits, in_all_lights
from tests.browser.written_phases import orders_of, phases_of, text_of


@pytest.mark.parametrize("game", GAMES)
def test_orders_of_every_verb_are_clicked(matches: Matches, game: str) -> None:
    """A new verb needs an order among the written phases, of the first player who is due."""
    match = matches(game)
    clicked = {kind: set[str]() for kind in match.kinds}
    for phase in phases_of(game).phases:
        for order in orders_of(phase, match.due(phase.name)[0]):
            clicked[phase.phase].add(next(iter(order)))
    every = {kind: {*match.rulebook.phase(kind).verbs} for kind in match.kinds}
    assert clicked == every, (
        f"tests/browser/phases/{game}.yaml needs an order of each, of the first player due"
    )


@contextmanager
def filled_in(visit: Visit, match: Played, kind: str) -> Iterator[Page]:
    """The page of who is due first, with a sheet in it and a form open."""
    written, who = phases_of(match.rulebook.key)[kind], match.due(kind)[0]
    with visit(match.folder(kind, who) / "orders.html", width=PHONE) as page:
        paste(page, text_of(written, who))
        assert page.locator("#orders > li").count() == len(orders_of(written, who))
        page.locator("#orders > li").first.locator("> .tools [data-act=edit]").click()
        yield page


@pytest.mark.parametrize(("game", "kind"), ALIKE)
def test_a_page_for_orders_is_for_everybody(visit: Visit, matches: Matches, game: str, kind: str) -> None:
    with filled_in(visit, matches(game), kind) as page:
        for light in in_all_lights(page):
            assert_fits(page)
            assert_accessible(page, light)


@pytest.mark.parametrize("game", EVERY[WHOLE:])
def test_forms_of_another_game_are_for_everybody(visit: Visit, matches: Matches, game: str) -> None:
    with filled_in(visit, matches(game), RICHEST[game]) as page:
        assert_accessible(page)
        for _ in in_all_lights(page):
            assert_fits(page)
