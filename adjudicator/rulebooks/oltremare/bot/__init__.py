"""A merchant who is a program: it knows its own view alone, lengthens its lots, and lies now and then."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.oltremare.bot import alone, talk, voyages
from adjudicator.rulebooks.oltremare.state import State


def merchant(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the phase that is open."""
    if view.phase.name == "commerce":
        return {
            "orders": alone.discards(view, me) + talk.commerce(view, me, chance),
            **talk.standing(view, me),
        }
    if view.phase.name == "answer":
        return {"orders": talk.answers(view, me, chance)}
    if view.phase.name == "voyage":
        return {"orders": talk.accepted(view, me) + voyages.orders(view, me)}
    return {"orders": [voyages.loading(view, me, view.in_play)], **talk.standing(view, me)}
