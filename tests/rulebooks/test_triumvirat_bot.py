"""The bot of Triumvirat: what it orders goes, whatever it has done before in the turn."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from adjudicator.engine.bots import sheet_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.table.dice import ScriptedDice
from adjudicator.engine.table.event import Head, OrderRefused, changed
from adjudicator.rulebooks.triumvirat import RULEBOOK
from adjudicator.rulebooks.triumvirat.board import OUTSIDE, SEATS
from adjudicator.rulebooks.triumvirat.events import Driven
from adjudicator.rulebooks.triumvirat.pieces import Barbarians

ME = "pompey"


@pytest.mark.parametrize("lying", [0, 1, 3])
def test_it_drives_what_of_a_pile_it_hasnt_moved_and_no_more(lying: int) -> None:
    """In live pacing a refused order is no pass: sent at each go, it would keep the phase open for ever (TRI-5.3)."""
    state = RULEBOOK.start("bot", RULEBOOK.Options(pacing="live"), SEATS)
    mine = next(name for name in OUTSIDE if state.provinces[name].owner == ME)
    state = changed(state, "players", ME, taxes=9)
    state = changed(state, "provinces", mine, barbarians=Barbarians(3), legions=0, veterans=0)
    laid = {mine: {ME: Barbarians(lying)}} if lying else {}
    others = tuple(player for player in SEATS if player != ME)
    state = replace(state, phase=Head(9, "barbarians", 2, (ME,)), order=SEATS)
    state = state.with_done(passed=others, went=ME, lying=laid)
    sheet = sheet_of(ME, RULEBOOK.bot(state, ME, SeededChance("bot")))
    outcome = advance(RULEBOOK, state, Inbox({ME: sheet}), ScriptedDice(()))
    assert not [event.reason for event in outcome.events if isinstance(event, OrderRefused)]
    driven = [event for event in outcome.events if isinstance(event, Driven) and event.start == mine]
    assert [event.pile for event in driven] == ([] if lying == 3 else [Barbarians(3 - lying)])
