"""Every single offer of the page, taken as the only order: `check` refuses none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from adjudicator.engine.library import registry
from tests.browser.looking import Desk, checked, desk_of, offers
from tests.browser.matches import EVERY
from tests.browser.written_phases import phases_of, state_of


def desks(game: str) -> Iterator[tuple[str, Desk]]:
    """Everybody who is due in one of the written phases, with its name."""
    for written in phases_of(game).phases:
        state = state_of(game, written)
        for me in state.phase.due:
            yield written.name, desk_of(registry.rulebook(game), state, me)


@pytest.mark.parametrize("game", EVERY)
def test_check_refuses_no_offer(bare: Page, game: str) -> None:
    """Of how much, how many and which cards together it is the least and the most that are offered; what is
    offered after ways on the map must be good after one of them."""
    wrong, count = list[str](), 0
    for name, desk in desks(game):
        for offer in offers(bare, desk):
            count += 1
            if all(checked(desk, [order]) == ["error"] for order in (offer["order"], *offer["others"])):
                wrong.append(f"{name}, {desk.me}: {offer['order']} is {offer['state']}")
    assert count > len(phases_of(game).phases)
    assert wrong == [], "\n".join(wrong)
