"""A ranked list is filled up with one tap."""

from __future__ import annotations

from tests.browser.conftest import Matches, Visit
from tests.browser.visiting import PHONE


def test_the_rest_of_a_ranked_list_is_one_tap(visit: Visit, matches: Matches) -> None:
    """It comes once something is ranked, keeps that in front, and goes when all is ranked."""
    match = matches("triumvirat")
    with visit(match.folder("italy", match.due("italy")[0]) / "orders.html", width=PHONE) as page:
        rest = page.get_by_role("button", name=": The rest")
        sites = page.locator("#prompt .cards-of .chip:not(.quiet), .cards-of button:not(.quiet)")
        assert rest.count() == 0
        sites.nth(1).click()
        rest.click()
        assert rest.count() == 0
        badges = sites.locator(".badge").all_inner_texts()
        assert badges[:3] == ["2", "1", "3"]
        assert len(badges) == sites.count()
