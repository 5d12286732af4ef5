"""The game's own bot: it knows only its own view, makes its lots longer, and lies now and then."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.oltremare.bot import alone, talk, voyages
from adjudicator.rulebooks.oltremare.state import State


def merchant(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the open phase."""
    if view.phase.name == "commerce":
        return {**talk.commerce(view, me, chance), **talk.standing(view, me)}
    if view.phase.name == "answer":
        return {"orders": talk.answers(view, me, chance)}
    if view.phase.name == "voyage":
        return {"orders": talk.last_words(view, me)}
    return {"orders": [voyages.loading(view, me, view.in_play)], **talk.standing(view, me)}


def alone_now(view: State, me: Player) -> dict[str, Any]:
    """The next order of a turn without deals, for an absent player."""
    if found := alone.discards(view, me):
        return found[0]
    if view.in_play:
        return voyages.loading(view, me, view.in_play)
    if found := alone.purchases(view, len(view.players[me].hand)):
        return found[0]
    if view.phase.name == "commerce" and not view.sailing:
        return {"then": "sail"}
    return {"play": list(voyages.cards_to_play(view, me))}
