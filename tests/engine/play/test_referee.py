"""The engine carries fights with secret cards: both at once, a spy, ties, a second fight after the first."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.event import OrderRefused, Stood
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.secret import plain_of
from tests.engine.one_phase import play, sheet
from tests.engine.small_card_game import DUEL, Chose, State, start


def opened(*cities: str) -> State:
    state = play(DUEL, start("m", Options(), ("rome", "carthage"))).state
    assert state.phase.due == ("rome",)
    found: State = play(DUEL, state, rome=[{"march": city} for city in cities]).state
    return found


def hand(state: State, player: str) -> list[str]:
    return [card.value for card in state.players[player].hand]


def test_cards_of_both_are_shown_together_and_the_higher_total_wins() -> None:
    state = opened("roma")
    assert state.phase.name == "fight" and state.phase.due == ("rome", "carthage")
    after = play(DUEL, state, rome=[{"fight": ["four", "jack"]}], carthage=[{"fight": ["ace", "jack"]}]).state
    assert after.won == ("roma rome",)
    assert hand(after, "rome") == ["ace", "two", "jack"], "what was played is spent, a zero comes back"
    assert after.phase.name == "end"


def test_the_order_of_sheets_changes_nothing() -> None:
    state = opened("roma")
    rome, carthage = [{"fight": ["four", "jack"]}], [{"fight": ["ace", "jack"]}]
    one = play(DUEL, state, rome=rome, carthage=carthage)
    other = play(DUEL, state, carthage=carthage, rome=rome)
    assert plain_of(one.state) == plain_of(other.state)


def test_a_spy_sees_the_enemys_cards_before_choosing_and_nobody_else_is_due() -> None:
    state = opened("roma")
    outcome = play(DUEL, state, rome=[{"fight": ["two", "jack"]}], carthage=[{"fight": ["four", "jack"]}])
    spying = outcome.state
    assert spying.phase.name == "spy" and spying.phase.due == ("rome",)
    assert position_for(DUEL, spying, "rome").fights[0].shown["carthage"] == ("four", "jack")
    after = play(DUEL, spying, rome=[{"fight": ["four", "ace"]}]).state
    assert after.won == ("roma rome",) and hand(after, "rome") == ["jack"]


def test_a_tie_is_played_out_and_the_second_fight_comes_after_the_first() -> None:
    state = opened("roma", "carthago")
    both = {"rome": [{"fight": ["four", "jack"]}], "carthage": [{"fight": ["four", "jack"]}]}
    tie = play(DUEL, state, **both).state
    assert tie.phase.name == "tie" and tie.phase.due == ("rome", "carthage")
    second = play(DUEL, tie, rome=[{"fight": ["two"]}], carthage=[{"fight": ["ace"]}]).state
    assert second.won == ("roma rome",)
    assert second.phase.name == "fight" and second.fights[0].city == "carthago"


def test_cards_chosen_are_secret_until_both_are_in() -> None:
    state = opened("roma")
    outcome = play(DUEL, state, rome=[{"fight": ["four", "jack"]}], carthage=[{"fight": ["ace", "jack"]}])
    for who in ("carthage", None):
        seen = [
            event
            for event in events_for(DUEL, outcome.state, outcome.events, who)
            if isinstance(event, Chose)
        ]
        assert [event.cards.known for event in seen] == [False, who == "carthage"]
        assert not any(card.known for card in position_for(DUEL, state, who).players["rome"].hand)


def test_a_refused_choice_leaves_the_default_and_says_why() -> None:
    state = opened("roma")
    refused = play(DUEL, state, rome=[{"fight": ["four", "four"]}], carthage=[{"fight": ["ace", "jack"]}])
    (event,) = [event for event in refused.events if isinstance(event, OrderRefused)]
    assert (event.reason.rule, event.reason.key, event.field) == ("DUE-2.1", "twice", "fight")
    assert refused.state.phase.name == "fight" and refused.state.phase.due == ("rome",), (
        "the fight waits for Rome"
    )


def test_a_standing_defence_answers_without_a_sheet() -> None:
    state: Any = opened("roma")
    standing = {"defence": [{"cards": ["four", "ace"]}]}
    sheets = {
        "rome": sheet("rome", [{"fight": ["two", "ace"]}]),
        "carthage": sheet("carthage", None, standing),
    }
    outcome = advance(DUEL, state, Inbox(sheets), None)  # type: ignore[arg-type]
    assert [event.key for event in outcome.events if isinstance(event, Stood)] == ["defence"]
    assert outcome.state.won == ("roma carthage",)
