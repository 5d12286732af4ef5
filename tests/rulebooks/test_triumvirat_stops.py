"""Triumvirat takes the orders ahead that it asks for, and its check tells the truth about them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.engine.bots import play_match, random_bot
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table import changed
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Head, Player
from adjudicator.rulebooks.triumvirat import RULEBOOK
from adjudicator.rulebooks.triumvirat.board import SEATS
from adjudicator.rulebooks.triumvirat.pieces import Options
from adjudicator.rulebooks.triumvirat.standing import number
from adjudicator.rulebooks.triumvirat.state import State
from tests.engine.written_match import sheets_for


def calls_for_another(view: Any, me: Player, chance: Chance) -> dict[str, Any]:
    """A random player whose standing instructions call for another number of cards in each sheet."""
    return {**random_bot(RULEBOOK)(view, me, chance), "standing": {"lead": {"trade": 1 + chance(3)}}}


@pytest.mark.parametrize("stops", ["all", *RULEBOOK.stops], ids=str)
def test_the_cards_put_out_are_as_many_as_were_asked_for_when_the_match_last_waited(stops: Any) -> None:
    asked: dict[Player, int] = {}
    trades = 0
    bots = dict.fromkeys(SEATS, calls_for_another)
    for step in play_match(RULEBOOK, SEATS, bots, "calls", Options(stops=stops, max_turns=8)):
        state = step.before
        if stops == "all" or state.phase.name in stops:
            asked = {player: number(position_for(RULEBOOK, state, player)) for player in SEATS}
        if state.phase.name == "trade" and state.phase.due:
            trades += 1
            assert asked == dict.fromkeys(SEATS, number(state))
    assert trades


def checked(state: State, me: Player, text: str) -> list[tuple[str, str]]:
    """What a player's own check says of a sheet: how bad it is, and why."""
    sheet = sheets_for(RULEBOOK, state, {me: text})[me]
    return [
        (said.severity, said.reason.key)
        for said in check_sheet(RULEBOOK, position_for(RULEBOOK, state, me), sheet).said
    ]


@pytest.mark.parametrize("me", SEATS)
def test_wishes_for_the_trade_can_be_sent_beside_those_for_italy(me: Player) -> None:
    """TRI-2.3, TRI-3.2: those for Italy are put away when it is shared out, whatever is known of that."""
    assert RULEBOOK.bot is not None
    bots = dict.fromkeys(SEATS, RULEBOOK.bot)
    state = next(
        step.before
        for step in play_match(RULEBOOK, SEATS, bots, "ahead", Options(stops=RULEBOOK.stops[0]))
        if step.before.phase.name == "italy" and step.before.phase.turn > 1 and step.before.number
    )
    cards = state.holding(me)
    offer = list(cards.elements())[: state.number]
    ahead = f"later: {{trade: {{orders: [{{offer: {offer}}}, {{want: [tax]}}]}}}}"
    assert not checked(state, me, f"orders: [{{want: [wine]}}]\n{ahead}")


def test_an_emperor_after_an_attack_on_rome_is_what_the_dice_say() -> None:
    """TRI-6.6: a check knows no throw, so it says that he may not be one, not that he can't be."""
    state = RULEBOOK.start("emperor", Options(), SEATS)
    roma = {"wine": "ordinary", "grain": "free", "city": "free"}
    state = changed(state, "provinces", "roma", sites=roma)
    state = replace(changed(state, "players", "caesar", taxes=1), phase=Head(5, "war", 1, SEATS))
    attack = "{attack: roma, with: {legions: 2}, from: carthago}"
    assert checked(state, "caesar", f"orders: [{attack}, {{emperor: true}}]") == [("may", "rome-not-free")]
    alone = replace(state, phase=Head(5, "war", 1, ("caesar",)))
    assert checked(alone, "caesar", "orders: [{emperor: true}]") == [("error", "not-in-rome")]
