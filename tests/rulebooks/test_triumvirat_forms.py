"""Triumvirat's forms show what can be done as possible, and tell only facts that are known when a phase comes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.contract import matches
from adjudicator.engine.library import registry
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.choices import choices_now
from adjudicator.engine.play.nodes import OPEN
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import example, part_of, sheet_form
from adjudicator.engine.report.story import render_report
from adjudicator.engine.table import Secret, changed, face_down
from adjudicator.engine.table.event import Head
from adjudicator.rulebooks.triumvirat import events
from adjudicator.rulebooks.triumvirat.pieces import Lead, Standing, Troops
from tests.engine.written_match import sheets_for

RULEBOOK = registry.rulebook("triumvirat")
PLAYERS = RULEBOOK.tables[min(RULEBOOK.tables)][0]
SIX = ("grain", "metal", "wine", "oil", "slaves", "gems")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (None, "LAY OUT as many cards as the trade leader calls for (TRI-3.1)"),
        (3, "LAY OUT 3 cards (TRI-3.1)"),
    ],
)
def test_how_many_cards_are_put_out_is_said_when_it_is_called(number: int | None, said: str) -> None:
    steps = matches.steps(RULEBOOK, PLAYERS, "forms")
    state = next(step.before for step in steps if step.before.phase.name == "italy")
    view = position_for(RULEBOOK, replace(state, number=number), PLAYERS[0])
    assert said in part_of(RULEBOOK, RULEBOOK.phase("trade"), view, PLAYERS[0]).facts


@pytest.mark.parametrize(
    ("verb", "cards", "taxes", "can"),
    [
        ("bid", (), 1, True),
        ("bid", ("tax", "tax"), 0, True),
        ("bid", ("grain",), 0, False),
        ("senator", (), 6, True),
        ("senator", SIX, 0, True),
        ("senator", ("grain", *SIX), 5, True),
        ("senator", SIX[1:], 5, False),
        ("offer", ("grain", "oil", "oil"), 0, True),
        ("offer", ("grain", "oil"), 0, True),
        ("offer", ("grain",), 1, True),
        ("offer", ("oil", "oil"), 0, True),
        ("recruit", ("grain", "wine", "oil"), 0, True),
        ("recruit", ("grain", "wine", "wine"), 9, False),
    ],
    ids=str,
)
def test_what_can_be_paid_is_shown_as_possible(
    verb: str, cards: Sequence[str], taxes: int, can: bool
) -> None:
    """TRI-3.1, TRI-4.1, TRI-4.4, TRI-8.1: with any cards that are enough, on pages, in editors and as an example."""
    me = PLAYERS[0]
    found = choices_now(RULEBOOK.phase(PHASE_OF[verb]), view := position(verb, me, cards, taxes), me)
    shown = example(verb, RULEBOOK.phase(PHASE_OF[verb]).verbs[verb], view, me)
    assert (verb in found.verbs, bool(found.possible[verb]), shown is not None) == (can, can, can)


@pytest.mark.parametrize("cards", [("oil", *SIX), ("oil", "oil", "wine", "wine", "gems", "gems")], ids=str)
def test_what_one_legion_costs_is_not_said_of_two(cards: Sequence[str]) -> None:
    """TRI-4.1: where two can be paid too, a page doesn't hold `pay` to the cards of one."""
    found = choices_now(RULEBOOK.phase("building"), position("recruit", PLAYERS[0], cards, 0), PLAYERS[0])
    assert found.nodes[found.verbs["recruit"]]["then"] == OPEN


PHASE_OF = {"bid": "titles", "senator": "building", "recruit": "building", "offer": "trade"}


def position(verb: str, me: str, cards: Sequence[str], taxes: int) -> Any:
    """The view of a player with these cards in hand and taxes kept, in the phase of a verb."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    state = changed(state, "players", me, cards=face_down(cards), taxes=taxes)
    head = Head(3, PHASE_OF[verb], 1, PLAYERS)
    return position_for(RULEBOOK, replace(state, on_offer=("brutus",), number=2, phase=head), me)


def facts(phase: str, state: Any, me: str) -> str:
    """What the form of a player says of a phase."""
    return part_of(RULEBOOK, RULEBOOK.phase(phase), position_for(RULEBOOK, state, me), me).facts


@pytest.mark.parametrize("me", PLAYERS)
def test_the_order_of_a_phase_to_come_is_not_that_of_the_open_one(me: str) -> None:
    """TRI-4.1, TRI-5.3: in the form of building the barbarians' order is Crassus's to name, and his alone is known."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    lead = Secret(Standing(lead=Lead(barbarians=("pompey", "crassus", "caesar"))))
    state = changed(state, "players", "crassus", standing=lead)
    state = replace(state, order=("crassus", "pompey", "caesar"), phase=Head(3, "building", 1, PLAYERS))
    assert "The order: Crassus, Pompey, Caesar" in facts("building", state, me)
    yours = "The order is yours to name; as your `lead` stands: Pompey, Crassus, Caesar"
    assert (yours if me == "crassus" else "Crassus names it when the phase opens") in facts(
        "barbarians", state, me
    )


def test_what_a_convoy_costs_is_said() -> None:
    """TRI-6.1, TRI-1.2: a tax for two units, and one more for each pirates card."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    assert "A CONVOY costs 1 tax for 2 units" in facts("war", state, "caesar")
    pirates = replace(state, events=("pirates", "war", "pirates"))
    assert "A CONVOY costs 3 taxes for 2 units" in facts("war", pirates, "caesar")


def test_who_leads_reads_what_is_his_to_decide() -> None:
    """TRI-2.3, TRI-3.1, TRI-4.1, TRI-5.3, TRI-6.1: by the keys of `lead`."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    decided = {
        me: re.findall("^  ([a-z]+): ", facts("titles", state, me).partition("YOU DECIDE")[2], re.M)
        for me in PLAYERS
    }
    assert decided == {"caesar": ["war"], "crassus": ["building", "barbarians"], "pompey": ["trade", "italy"]}


@pytest.mark.parametrize("me", PLAYERS)
def test_the_example_of_lead_is_good(me: str) -> None:
    """It names each player once, whoever reads it."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    state = replace(state, phase=Head(1, "italy", 1, PLAYERS))
    view = position_for(RULEBOOK, state, me)
    (example,) = re.findall(r"lead: .*?(\{.*\})", sheet_form(RULEBOOK, view, me))
    sheet = sheets_for(RULEBOOK, state, {me: f"orders: [{{want: [wine]}}]\nstanding: {{lead: {example}}}"})[
        me
    ]
    assert not check_sheet(RULEBOOK, view, sheet).problems


def test_the_sums_of_a_fight_add_up_before_the_reader() -> None:
    """TRI-6.3, TRI-10.12: what veterans, elites and senators add stands beside the dice."""
    fought = events.Fought(
        rule="TRI-6.3",
        player="caesar",
        province="carthago",
        troops=Troops(0, 2),
        dice=(6, 1),
        others=(2, 2),
        sums=(10, 5),
        lost=Troops(),
        thrower="pompey",
        senators=(1, 0),
    )
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    text = render_report(RULEBOOK, None, position_for(RULEBOOK, state, None), [fought])
    assert "6+1 +2 (veterans) +1 (senator) = 10 against 2+2 +1 (elite) = 5" in text


def test_an_order_that_nobody_has_named_is_not_told_as_named() -> None:
    """TRI-4.1: as in the first turn, when no leader has been asked yet."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    found = [
        event
        for step in matches.steps(RULEBOOK, PLAYERS, "named", sensible=3)
        for event in step.outcome.events
        if isinstance(event, events.OrderNamed)
    ]
    assert not found[0].named
    assert any(event.named for event in found)
    text = render_report(RULEBOOK, None, position_for(RULEBOOK, state, None), found[:1])
    assert "has named no order" in text


def test_who_passes_one_after_another_is_told_in_one_line() -> None:
    """TRI-5.3: each go ends for itself, and that says nothing."""
    passed = [
        event
        for player in PLAYERS
        for event in (
            events.Passed(rule="TRI-5.3", player=player),
            events.GoDone(rule="TRI-5.3", player=player),
        )
    ]
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    text = render_report(RULEBOOK, None, position_for(RULEBOOK, state, None), passed)
    assert "Caesar, Crassus and Pompey pass (TRI-5.3)" in text


def test_what_titles_cost_against_cato_is_said() -> None:
    """TRI-10.7: to the rivals, not to his friend."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    state = changed(state, "players", "pompey", senators=("cato",))
    told = ["by a rival's Cato 2 of them make +1" in facts("titles", state, me) for me in PLAYERS]
    assert told == [True, True, False]
