"""Secrets of Oltre Mare stay secret: names of cards in offers and deals, void offers, limits of standing trades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.contract import matches, secrets
from adjudicator.contract.cases import Case, play, position
from adjudicator.engine.bots import Step
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.oltremare import RULEBOOK
from adjudicator.rulebooks.oltremare.events import Exchanged

PLAYERS = ("contarini", "dandolo", "grimani")


def case(phase: str, given: Mapping[str, Any], sheets: Mapping[Player, str] | None = None) -> Case:
    """A phase of three players."""
    return Case(case=phase, phase=phase, players=PLAYERS, given=given, sheets=sheets or {}, expect={})


def outcome(phase: str, given: Mapping[str, Any], sheets: Mapping[Player, str]) -> Outcome:
    """What comes of a phase."""
    return play(RULEBOOK, case(phase, given, sheets), ("markers", "offers"))[0]


def told(found: Outcome, who: Player | None) -> str:
    """All that a reader gets of it: the position and the report."""
    view = position_for(RULEBOOK, found.state, who)
    events = events_for(RULEBOOK, found.state, found.events, who)
    return write_position(view) + render_report(RULEBOOK, who, view, events)


def offer(card: str, good: str, **more: Any) -> dict[str, Any]:
    """An offer of Contarini of one card to Dandolo."""
    return {"by": "contarini", "to": "dandolo", "give": {"cards": [{"card": card, "good": good}]}, **more}


def test_a_card_in_an_offer_has_a_name_for_its_owner_alone_until_it_is_exchanged() -> None:
    sheet = "orders: [{offer: dandolo, give: {cards: [gem-05]}, for: {ducats: 2}, says: {gem-05: [ship]}}]"
    found = outcome("commerce", {}, {"contarini": sheet})
    assert "gem-05" in told(found, "contarini")
    for who in ("dandolo", "grimani", None):
        assert "gem-05" not in told(found, who)
    assert "1 gem (claimed: ship)" in told(found, "dandolo")
    assert "1 gem" not in told(found, "grimani")
    done = outcome("answer", {"offers": {"contarini-1": offer("gem-05", "gem")}}, {"dandolo": ACCEPT})
    assert "gem-05" in told(done, "dandolo")
    assert "gem-05" not in told(done, "grimani")
    assert "1 gem of Contarini" in told(done, "grimani")


ACCEPT = "orders: [{accept: contarini-1}]"


def test_accepting_a_void_offer_is_no_other_thing_for_those_it_does_not_concern() -> None:
    gone = {"offers": {"contarini-1": offer("gem-07", "gem")}, "players": {"dandolo": {"hand": ["gem-08"]}}}
    given = {**gone, "deck": ["..."], "discard": ["gem-07"]}
    accepted = outcome("answer", given, {"dandolo": ACCEPT})
    silent = outcome("answer", given, {"dandolo": "orders: []"})
    for who in ("grimani", None):
        assert told(accepted, who) == told(silent, who)
    for who in ("contarini", "dandolo"):
        assert told(accepted, who) != told(silent, who)


def test_a_check_of_an_acceptance_does_not_know_whether_the_offer_is_void() -> None:
    said = set()
    for discard in ([], ["gem-05"]):
        given = {"offers": {"contarini-1": offer("gem-05", "gem")}, "deck": ["..."], "discard": discard}
        state = position(RULEBOOK, case("answer", given), ("markers", "offers"))
        view = position_for(RULEBOOK, state, "dandolo")
        asked = Expected(RULEBOOK, "case", state.phase, PLAYERS, "dandolo")
        sheet = read_sheet(f"{ACCEPT}\nplayer: dandolo\n".encode(), asked)
        assert isinstance(sheet, Sheet)
        said.add(str(check_sheet(RULEBOOK, view, sheet).problems))
    assert said == {"()"}


@pytest.mark.parametrize("asked", [1, 2, 3, 4])
def test_the_limit_of_a_standing_trade_is_not_found_by_rising_offers(asked: int) -> None:
    """Whatever Dandolo asks for a parchment, only the first of all offers can find it."""
    orders = [
        f"{{offer: dandolo, give: {{ducats: {ducats}}}, for: {{goods: {{parchment: 1}}}}}}"
        for ducats in (5, 4, 3, 2, 1)
    ]
    trade = f"[{{give: {{goods: {{parchment: 1}}}}, for: {{ducats: {asked}}}}}]"
    found = outcome(
        "commerce",
        {"deck": ["parchment-03", "..."], "players": {"dandolo": {"hand": ["parchment-01", "gem-08"]}}},
        {"contarini": f"orders: [{', '.join(orders)}]", "dandolo": f"standing: {{trade: {trade}}}"},
    )
    assert found.state.phase.name == "answer"
    assert len(found.state.offers) == 5
    none = outcome(
        "commerce",
        {"deck": ["parchment-03", "..."], "players": {"dandolo": {"hand": ["parchment-01", "gem-08"]}}},
        {"contarini": f"orders: [{', '.join(orders)}]"},
    )
    for who in ("contarini", "grimani", None):
        assert told(found, who) == told(none, who)


def test_nobody_looks_through_a_cargo_or_a_pirate_pile_the_owner_neither() -> None:
    given = {
        "players": {"contarini": {"cargo": ["silk-01", "silk-02", "gem-03"], "pirates": ["silk-03"]}},
        "deck": ["..."],
    }
    state = position(RULEBOOK, case("commerce", given), ("markers", "offers"))
    for who in (*PLAYERS, None):
        text = write_position(position_for(RULEBOOK, state, who))
        assert "gem-03" in text
        for card in ("silk-01", "silk-02", "silk-03"):
            assert card not in text


@pytest.mark.parametrize("count", [3, 5])
def test_nothing_that_anybody_gets_in_a_match_with_deals_depends_on_what_is_hidden(count: int) -> None:
    players = RULEBOOK.tables[count][0]
    dealt = 0
    for step in matches.steps(RULEBOOK, players, "deals", sensible=count):
        if any(isinstance(event, Exchanged) for event in step.outcome.events):
            dealt += 1
            for who in (*players, None):
                shown = Step(step.before, {}, step.outcome)
                assert list(secrets.leaks(RULEBOOK, shown, who, pages=False)) == []
    assert dealt > 3
