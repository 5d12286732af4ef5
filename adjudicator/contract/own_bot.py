"""Promise: the game's own bot sends sheets that its player's own check accepts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from adjudicator.engine.bots import Step
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook

WRONG = 0.05
"""The part of a bot's orders that may be wrong: it needn't foresee all that its own orders use up."""


def refused_by_checks(
    rulebook: Rulebook[Any], steps: Iterable[Step], players: Collection[Player]
) -> Iterator[str]:
    """Orders that the bots of these players sent and their players' checks call wrong, if there are more than a few."""
    sent, wrong = 0, list[str]()
    for step in steps:
        for player, sheet in step.sheets.items():
            if player not in players:
                continue
            checked = check_sheet(rulebook, position_for(rulebook, step.before, player), sheet)
            sent += len(checked.understood)
            refused = " and ".join(str(each.order) for each in checked.understood if not each.good)
            wrong += [
                f"{step.before.phase} {player}: the own bot sends {refused}, which is refused: {each.reason}"
                for each in checked.said
                if each.severity != "warning"
            ]
    if len(wrong) > WRONG * sent:
        yield from wrong
