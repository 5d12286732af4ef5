"""The story of a match of Méditerranée, as its reports tell it."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.report.template import macros
from adjudicator.engine.table.dice import ScriptedDice
from adjudicator.engine.table.event import Event
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.mediterranee import events as happened
from adjudicator.rulebooks.mediterranee.questions import Pass
from adjudicator.rulebooks.mediterranee.state import Bid
from tests.engine.written_match import play, section
from tests.rulebooks.mediterranee_match import MATCH, RULEBOOK, opening, steps

READERS = MATCH.readers
report = MATCH.report


def test_a_galley_goes_its_whole_way_in_one_line() -> None:
    story = report(4, 4, None)
    assert "- Venice 1: Venezia → Ragusa → Corfu → Sicilia (MED-3.1, MED-3.2)" in story
    assert "Corfu, where Venice refuses to let it pass (MED-3.1, MED-3.2, MED-3.3)" in story


def test_every_die_is_told_with_what_it_was_for() -> None:
    fight = report(5, 5, None)
    assert "Turkey 1 throws 2 + 5 sailors = 7, a third is 2: Venice 2 loses 2, 2 left" in fight
    assert "Venice 2 throws 1 + 4 sailors = 5, a third is 1: Turkey 1 loses 1, 4 left" in fight
    assert "Dice for the seats left: Genoa 6, Spain 2 (MED-1.4)" in report(2, 2, None)
    assert "Dice for equal bids: Venice 5, Genoa 1 (MED-1.3)" in report(8, 8, None)


def test_equal_events_are_merged() -> None:
    assert "buys 3 wine at Venezia for 300: 2 on Venice 1, 1 on Venice 2 (MED-2.2)" in report(3, 3, None)


def test_phases_come_in_order_with_their_chapters() -> None:
    headings = [
        line for line in report(0, 7, None).splitlines() if line.startswith("### ") and "turn" in line
    ]
    assert headings == [
        "### Set-up, turn 1 (MED-0)",
        "### Auction, turn 1 (MED-1)",
        "### Market, turn 1 (MED-2)",
        "### Movement, turn 1 (MED-3)",
        "### Combat, turn 1 (MED-4)",
        "### Landing, turn 1 (MED-5)",
        "### Sales and income, turn 1 (MED-6)",
    ]


def test_the_end_tells_the_points_and_the_winners() -> None:
    text = report(13, 13, None)
    assert "Genoa and Turkey share the victory with 17 points" in text
    assert "| **total**          |     16 |    17 |    15 |     17 |" in text
    assert "The match is over." in text


def test_refusals_say_place_rule_order_reason_and_what_is_possible() -> None:
    own = section(report(3, 3, "venice"), "Your sheet")
    assert "  - 4:8: wien isn't known (did you mean wine?); known: gems, gold," in own
    assert "  - 8:13: quantity: 3, but venice-1 has room for 2 (MED-0.6)" in own
    assert "*nothing*: fly: venice-1\n  - 15:4: this phase has no order fly; possible: buy, sell," in own


@pytest.mark.parametrize("who", READERS)
def test_a_treasury_is_shown_to_its_owner_and_at_the_end_to_all(who: str | None) -> None:
    for index, step in enumerate(steps()):
        text = report(index, index, who)
        for player, seat in step.after.players.items():
            treasury = f"{seat.treasury.value:,}"
            row = next(line for line in text.splitlines() if line.startswith(f"| {player.capitalize()}"))
            assert (treasury in row) == (player == who or step.after.phase.name == "end")


def test_a_bid_is_not_told_before_it_is_shown() -> None:
    state = steps()[2].before
    made = happened.BidMade(rule="MED-1.1", player="turkey", bid=Secret(Bid(500, (4,))))
    for who in READERS:
        text = render_report(
            RULEBOOK, who, position_for(RULEBOOK, state, who), events_for(RULEBOOK, state, [made], who)
        )
        assert ("500" in section(text, "What happened")) == (who == "turkey")


def test_a_deal_is_told_to_its_two_players_alone() -> None:
    for who in READERS:
        assert ("open deal" in report(9, 9, who)) == (who in ("venice", "genoa"))
    assert "Venice offers you 1 wine, at 800 each" in report(9, 9, "genoa")


def test_a_phase_that_waits_says_for_whom_and_to_the_asked_player_alone_for_what() -> None:
    question = Pass("turkey-2", "turkey", "ionio", 2)
    state = steps()[10].before
    for who in READERS:
        text = render_report(
            RULEBOOK, who, position_for(RULEBOOK, state, who), [], waiting="venice", question=question
        )
        assert "The phase waits for an answer from Venice." in text
        assert ("wants to go on from Alto mare Ionio" in text) == (who == "venice")
        assert ("answer.yaml" in text) == (who == "venice")


def test_seats_of_one_phase_in_live_pacing_are_one_chapter() -> None:
    state = opening("slow", pacing="live")
    events: list[Event[Any]] = []
    before = state
    for dice in ((), (), (1, 2, 3, 4)):
        outcome = play(RULEBOOK, state, {}, ScriptedDice(dice))
        events += outcome.events
        state = outcome.state
    outcome = play(RULEBOOK, state, {state.phase.due[0]: "orders: []"})
    events += outcome.events
    state = outcome.state
    text = render_report(
        RULEBOOK,
        None,
        position_for(RULEBOOK, state, None),
        events_for(RULEBOOK, state, events, None),
        before=position_for(RULEBOOK, before, None),
    )
    assert text.count("### Set-up") == 1
    assert "Sheets are due from " in text
    assert len(state.phase.due) == 1


@pytest.mark.parametrize("players", [("venice", "genoa"), ("spain", "turkey"), ("venice", "genoa", "spain")])
def test_reports_name_the_players_of_every_table(players: tuple[str, ...]) -> None:
    state = opening("small", players)
    outcome = play(RULEBOOK, state, {})
    for who in (None, *players):
        text = render_report(
            RULEBOOK,
            who,
            position_for(RULEBOOK, outcome.state, who),
            events_for(RULEBOOK, outcome.state, outcome.events, who),
        )
        assert text.startswith("# small: Méditerranée\n")


def test_open_treasuries_are_shown() -> None:
    state = opening("open", treasury="open")
    text = render_report(RULEBOOK, None, position_for(RULEBOOK, state, None), [])
    assert text.count("2,000") == 4


def test_several_orders_for_one_place_are_told_as_one() -> None:
    """Sailors that two orders put into a port, goods that two orders load: a reader wants the sum."""
    told = macros(texts_of(RULEBOOK), "events.md.j2")
    placed = [
        happened.Placed(rule="MED-0.3", player="turkey", place=place, sailors=sailors)
        for place, sailors in (("istanbul", 4), ("turkey-1", 1), ("istanbul", 4))
    ]
    assert str(told.Placed(placed, None)) == "8 sailors in Istanbul, 1 on Turkey 1"
    for galleys, said in (
        (("turkey-1", "turkey-1"), "Turkey 1"),
        (("turkey-1", "turkey-2"), "1 on Turkey 1, 1 on Turkey 2"),
    ):
        bought = [
            happened.Bought(
                rule="MED-2.2",
                player="turkey",
                good="cloth",
                quantity=1,
                port="pisa",
                galley=galley,
                price=100,
            )
            for galley in galleys
        ]
        assert str(told.Bought(bought, None)) == f"buys 2 cloth at Pisa for 200: {said}"
