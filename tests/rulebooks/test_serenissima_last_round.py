"""Serenissima: which round is the last is said as soon as the Doge's cards left tell it, and never wrong."""

from __future__ import annotations

from adjudicator.engine.bots import play_match
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.reader_texts import title_of_moment
from adjudicator.rulebooks.serenissima.board import BOARD
from adjudicator.rulebooks.serenissima.scoring import rounds_left
from tests.rulebooks.serenissima_match import RULEBOOK


def test_the_last_round_is_known_before_it_is_played() -> None:
    """Between two rounds too, once the card of the round before is drawn."""
    players = RULEBOOK.tables[3][0]
    bots = dict.fromkeys(players, RULEBOOK.bot or (lambda *_: {}))
    heads = [(step.before.phase, step.before) for step in play_match(RULEBOOK, players, bots, "a")]
    said = {
        (head.turn, head.name): last
        for head, state in heads
        if (last := RULEBOOK.last_turn(position_for(RULEBOOK, state, None)))
    }
    end = heads[-1][0].turn
    assert said == {(end - 1, "refit"): end, (end, "round"): end}
    assert title_of_moment(RULEBOOK, heads[-1][1]).startswith(f"Round {end} of {end}, ")


def test_a_match_of_four_lasts_five_to_eleven_rounds() -> None:
    found = rounds_left(10, BOARD.doge)
    assert (min(found), max(found)) == (5, 11)
