"""A match in which every sheet is a file, as in a real match: a bot writes it, the program reads and adjudicates it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write

MATCH = "trial"


def outcomes(
    rulebook: Rulebook[Any], players: tuple[Player, ...], seed: str, options: Any
) -> Iterator[Outcome]:
    """What came of each phase, to the end. No sheet may have a flaw, and no phase may wait for an answer."""
    state = rulebook.start(MATCH, options, players)
    while state.phase.name != "end":
        sheets = {player: sheet_of(rulebook, state, player, seed) for player in state.phase.due}
        dice = SeededDice(seed_from(seed), MATCH, state.phase.number)
        outcome = advance(rulebook, state, Inbox(sheets, waits=options.pacing == "live"), dice, strict=True)
        assert not outcome.waiting, outcome.question
        yield outcome
        state = outcome.state


def sheet_of(rulebook: Rulebook[Any], state: Any, player: Player, seed: str) -> Sheet:
    """The sheet that the rulebook's bot writes, read again."""
    assert rulebook.bot is not None
    chance = SeededChance(f"{seed} {state.phase.number} {player}")
    text = write({"player": player, **rulebook.bot(position_for(rulebook, state, player), player, chance)})
    sheet = read_sheet(text.encode(), Expected(rulebook, MATCH, state.phase, tuple(state.players), player))
    assert isinstance(sheet, Sheet), sheet
    assert not sheet.flaws, text
    assert not any(order.flaws for order in sheet.orders), text
    return sheet
