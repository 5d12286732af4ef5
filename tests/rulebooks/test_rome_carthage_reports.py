"""Rome et Carthage's reports, on a match from hand-written sheets."""

from __future__ import annotations

import re
from typing import Any

import pytest

from adjudicator.engine.play.account import accounts, every_account
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import ScriptedDice
from adjudicator.rulebooks.rome_carthage import events as happened
from adjudicator.rulebooks.rome_carthage.state import Fight, Holding
from tests.engine.written_match import play, section
from tests.rulebooks.rome_carthage_match import MATCH, RULEBOOK, at, opening, steps

READERS = MATCH.readers
report = MATCH.report


def story(events: list[Any], who: str | None = None) -> str:
    """Events told in the position in which the last round began."""
    state = steps()[at("fight", 2)].before
    text = render_report(
        RULEBOOK,
        who,
        position_for(RULEBOOK, state, who),
        events_for(RULEBOOK, state, events, who),
        before=position_for(RULEBOOK, state, who),
    )
    return section(text, "What happened")


# -- the box, the placement, moves ---------------------------------------------------------------------------


def test_the_first_player_and_the_talon() -> None:
    text = report(0, 0, "rome")
    assert "**Rome begins**; a round goes Rome, Constantinople, Alexandria, Carthage (ROM-0.5)" in text
    assert "The talon is shuffled: 20 cards (ROM-0.3)" in text
    drawn = play(RULEBOOK, opening(), {}, ScriptedDice([3, sorted(card.value for card in opening().talon)]))
    text = render_report(
        RULEBOOK,
        None,
        position_for(RULEBOOK, drawn.state, None),
        events_for(RULEBOOK, drawn.state, drawn.events, None),
    )
    assert "**Alexandria begins**, by lot; a round goes Alexandria, Carthage, Rome, Constantinople" in text


def test_a_placement_is_one_line_and_what_the_lot_did_another() -> None:
    text = report(1, 1, None)
    assert "- elephant at Aquileia, cavalry at Tarraco, infantry 1 at Massilia, " in text
    assert "- by lot: ship 2 at Brundisium (ROM-0.6)" in text


def test_a_march_a_capital_taken_a_sedition() -> None:
    text = report(at("turn"), at("turn"), None)
    assert "- pays a forced march with 4♥ (ROM-2.5)" in text
    assert "- Rome's ship 1: Aleria → Caralis → Carthago, a capital taken (ROM-2.2)" in text
    assert "**Carthago is occupied by Rome's ship 1**: Carthage plays one card in a fight (ROM-3.6)." in text
    text = report(at("turn", 3), at("turn", 3), None)
    assert "- **plays the Popular sedition**: Rome's ship 1 in Carthago is eliminated (ROM-4.2)" in text


# -- fights ----------------------------------------------------------------------------------------------------


def test_a_fight_by_betrayal_with_a_spy() -> None:
    turn, fight, spy = (report(at(name), at(name), None) for name in ("turn", "fight", "spy"))
    assert "betrayed" not in turn
    betrayal = report(at("turn", 1), at("turn", 1), None)
    assert "- **plays the Betrayal of a general** against Rome (ROM-4.1)" in betrayal
    assert "- Rome's elephant: Aquileia → Salona, where it attacks Constantinople's cavalry" in betrayal
    assert "The fight at Salona waits for the cards of Rome (ROM-3.1)" in betrayal
    assert (
        "**Fight at Salona: Rome's elephant, betrayed, attacks Constantinople's cavalry** (ROM-3.1, ROM-3.7)\n"
        "  - Rome: 2♥ doubled + J♥ = 4\n"
        "  - Constantinople: 8♦ + 4♦ doubled = 16\n"
        "  - Rome declares a spy, sees the enemy's cards and plays anew\n\n"
    ) in fight
    assert (
        "  - The spy: Rome K♥ doubled + 6♥ = 36 against 16\n"
        "  - **Rome wins**: Constantinople's cavalry is eliminated\n"
        "  - K♥ is out of the game\n"
    ) in spy


def test_a_tie_waits_and_goes_on() -> None:
    step = at("tie")
    assert "  - A tie, 8 each\n  - It waits for the cards of Carthage\n" in report(step - 1, step - 1, None)
    assert (
        "**Fight at Leptis Magna: Alexandria's infantry 1 against Carthage's infantry 2** (ROM-3.1, ROM-3.4)\n"
        "  - One card more: Alexandria 4♣ = 4, Carthage 10♠ = 10\n"
        "  - **Carthage wins**: Alexandria's infantry 1 is eliminated\n"
    ) in report(step, step, None)


def test_a_fight_with_only_zeros_ends_without_a_winner() -> None:
    text = report(at("fight", 1), at("fight", 1), None)
    assert "  - Only zeros: the fight ends, nobody has won\n" in text
    assert "Carthage's cavalry goes back to Toletum (ROM-3.5)" in text


def test_two_fights_in_one_turn_and_their_order() -> None:
    step = at("turn", 4)
    assert "The fight at Carthago Nova comes after that at Dyrrachium (ROM-1.4, ROM-3.1)" in report(
        step, step, None
    )
    text = report(step + 2, step + 2, None)
    assert text.index("Fight at Dyrrachium") < text.index("Fight at Carthago Nova")
    assert "  - Rome: 7♣ + J♥ = 7\n  - Carthage: K♠ doubled + J♠ = 30\n" in text


def test_pending_fights_stand_in_the_position() -> None:
    text = section(report(at("spy", 1) - 1, at("spy", 1) - 1, None), "The position")
    assert (
        "- Dyrrachium: Rome's ship 2 from Brundisium against Constantinople's ship 1; "
        "shown: Rome 10♥ + 9♠, Constantinople 2♦ + Q♦; Constantinople is a spy\n"
        "- Carthago Nova: Rome's cavalry from Tarraco against Carthage's elephant\n"
    ) in text


@pytest.mark.parametrize(("winner", "said"), [("rome", ", the capital is taken"), ("carthage", "")])
def test_a_capital_won_in_a_fight(winner: str, said: str) -> None:
    fight = happened.FightBegan(
        rule="ROM-1.4", fight=Fight("carthago", "rome-infantry-1", "carthage-infantry-1", "roma")
    )
    lost = "carthage-infantry-1" if winner == "rome" else "rome-infantry-1"
    text = story(
        [
            happened.Moved(
                rule="ROM-2.1",
                player="carthage",
                piece="carthage-infantry-1",
                start="cirta",
                way=("carthago",),
                steps=1,
            ),
            fight,
            happened.Shown(
                rule="ROM-3.1",
                city="carthago",
                cards={"rome": ("hearts-8",), "carthage": ("spades-4",)},
                totals={"rome": 8, "carthage": 4},
            ),
            happened.FightEnded(rule="ROM-3.1", city="carthago", winner=winner),
            happened.Eliminated(rule="ROM-3.1", piece=lost, player=lost.partition("-")[0], city="carthago"),
        ]
    )
    assert f"is eliminated{said}\n" in text


# -- secrets ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", READERS)
def test_a_draw_is_told_to_its_player(who: str | None) -> None:
    for index, step in enumerate(steps()):
        text = report(index, index, who)
        for event in step.events:
            if isinstance(event, happened.Drawn):
                assert ("- draws a card (ROM-1.1)" not in text) == (who == event.player)


@pytest.mark.parametrize("who", READERS)
def test_a_hand_is_shown_to_its_owner_alone(who: str | None) -> None:
    for index, step in enumerate(steps()):
        text = section(report(index, index, who), "The position")
        assert text.count("Your hand: ") == (who is not None)
        assert "The hand of " not in text
        if who is not None and step.after.hand_of(who):
            line = next(line for line in text.splitlines() if line.startswith("Your hand: "))
            assert line.count(",") == len(step.after.hand_of(who)) - 1


def test_partners_may_see_each_others_hands() -> None:
    state = opening(partners="open")
    text = render_report(RULEBOOK, "rome", position_for(RULEBOOK, state, "rome"), [])
    assert "Your hand: K♥, 10♥, 8♥, 6♥, 4♥, 2♥, J♥, Q♥" in text
    assert re.findall("The hand of ([A-Z][a-z]+)", text) == ["Alexandria"]


@pytest.mark.parametrize("who", READERS)
def test_cards_chosen_are_told_to_nobody_else_before_they_are_shown(who: str | None) -> None:
    step = at("turn", 1)
    text = report(step, step, who)
    assert ("Your cards for the fight at Salona: 8♦, 4♦" in text) == (who == "constantinople")
    assert ("8♦" in text) == (who == "constantinople")
    assert ("Your other orders wait until the fight is settled" in text) == (who == "constantinople")


# -- the end -----------------------------------------------------------------------------------------------------


def test_capitals_held_and_the_end() -> None:
    text = story([happened.HoldingSet(rule="ROM-5.1", holding=(Holding(0, ("rome", "carthage")),))])
    assert (
        "Rome and Alexandria hold both enemy capitals, "
        "and win if it is still so after a turn of each of: Rome, Carthage (ROM-5.1)"
    ) in text
    assert "Nobody holds both enemy capitals any more" in story(
        [happened.HoldingSet(rule="ROM-5.1", holding=())]
    )
    won = happened.Finished(rule="ROM-5.1", players=("rome", "alexandria"))
    assert "**Rome and Alexandria win the match**, having held both" in story([won])
    beaten = happened.Finished(rule="ROM-5.2", players=("rome",))
    assert "**Rome wins the match**, as the enemy has no piece left" in story([beaten])
    for draw, rounds, why in (
        ("agreed", 0, ", since all who are still in agree"),
        ("quiet", 12, " after 12 full rounds without a fight, a capital taken or a special card"),
        ("cap", 100, " at the end of round 100, the last of the match"),
    ):
        drawn = happened.Finished(rule="ROM-5.3", players=("rome", "carthage"), draw=draw, rounds=rounds)
        assert f"**The match is drawn**{why} (ROM-5.3)" in story([drawn])


@pytest.mark.parametrize(
    "players", [("rome", "carthage"), ("rome", "constantinople"), ("rome", "alexandria", "carthage")]
)
def test_reports_name_the_players_of_every_table(players: tuple[str, ...]) -> None:
    state = opening("small", players)
    for who in (None, *players):
        text = render_report(RULEBOOK, who, position_for(RULEBOOK, state, who), [])
        assert text.startswith("# small: Rome et Carthage\n")
        assert "has the pieces of " in text


BETRAYAL = """player: constantinople
orders:
- {betray: rome-elephant, via: [salona]}
- {move: constantinople-elephant, via: [naissus]}
- {move: constantinople-dog, via: [athenae]}
- {move: constantinople-elephant, via: [naissus], else: [{bild: x}, {pass: true}]}
"""


def test_what_comes_after_a_fight_by_betrayal_waits_in_the_check_and_in_the_account() -> None:
    """Faulty orders too: they are refused when their turn comes, and their player can send others first."""
    before = steps()[at("turn", 1)].before
    sheet = read_sheet(BETRAYAL.encode(), expected_in(RULEBOOK, before, "constantinople"))
    assert isinstance(sheet, Sheet)
    outcome = advance(RULEBOOK, before, Inbox({"constantinople": sheet}), ScriptedDice([]))
    events = events_for(RULEBOOK, outcome.state, outcome.events, "constantinople")
    done = accounts(sheet.orders or (), RULEBOOK.phase("turn"), events, waiting=bool(outcome.waiting))
    checked = check_sheet(RULEBOOK, position_for(RULEBOOK, before, "constantinople"), sheet)
    words = [each.word for each in every_account(done)]
    assert [each.word for each in every_account(checked.accounts)] == words
    assert words == ["done", *["waits"] * 5]
    assert [each.reason.key for each in checked.said] == ["unknown-here", "unknown-verb"]
