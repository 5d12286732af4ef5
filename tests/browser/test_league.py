"""The pages of a league and of the rules: everybody can read them, also on a phone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import in_language
from adjudicator.engine.report.rules_page import rules_page
from adjudicator.gm.league import Finish, League, LeftOut, league_page, table
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Visit
from tests.browser.visiting import assert_fits, in_all_lights

LONG = "Wolfeschlegelsteinhausenbergerdorff " * 2


def test_a_league_is_for_everybody(visit: Visit, tmp_path: Path) -> None:
    places = (("anna", "<script>alert(1)</script>"), (LONG,), ("\u05d0\u05d1\u05d2",))
    finishes = [
        Finish("x", f"lagoon {LONG}", "Rome", places, datetime(2026, 11, day, tzinfo=UTC)) for day in (1, 2)
    ]
    found = League(tuple(table(finishes)), tuple(finishes), (LeftOut("y", "it isn't over"),))
    (tmp_path / "league.html").write_text(league_page(found, "League"), encoding="utf-8")
    with visit(tmp_path / "league.html") as page:
        for light in in_all_lights(page):
            assert_fits(page)
            assert_accessible(page, light)


def test_the_rules_are_for_everybody(visit: Visit, tmp_path: Path) -> None:
    rulebook = in_language(registry.rulebook("oltremare"), "fr")
    (tmp_path / "rules.html").write_text(rules_page(rulebook), encoding="utf-8")
    with visit(tmp_path / "rules.html") as page:
        for light in in_all_lights(page):
            assert_fits(page)
            assert_accessible(page, light)
