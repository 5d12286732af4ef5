"""Everybody's points at the end of each turn, as one reader may know them."""

from __future__ import annotations

from contextlib import suppress

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.chart import Count
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import total

MOST_COUNTS = 30
"""The most turns to count."""


def counts(match: Folder, number: int, who: Player | None) -> list[Count]:
    """The points at the end of each turn, and in the position of phase `number`, as `who` may know them.

    A long match counts only every second, third, ... turn, to fit a chart.
    """
    turns = [match.head(each).turn for each in range(number + 1)]
    ends = [each for each in range(1, number + 1) if turns[each] > turns[each - 1]]
    found: list[Count] = []
    for each in dict.fromkeys([*ends[:: -(-len(ends) // MOST_COUNTS) or 1], number]):
        # A file by an older program may be unreadable now; a chart is no reason to stop a match.
        with suppress(Faulty):
            state = match.state(each)
            lines = match.rulebook.points(position_for(match.rulebook, state, who))
            turn, now = turns[each] - 1, False
            if each not in ends:
                turn, now = turns[each], not state.phase.over
            found.append(Count(turn, now, {player: total(own) for player, own in lines.items()}))
    return found
