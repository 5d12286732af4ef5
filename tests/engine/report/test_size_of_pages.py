"""A page for orders is one file that is mailed: whole, with its map and all that it knows, it stays below a bound."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from adjudicator.contract.matches import steps
from adjudicator.engine.library import registry
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.reader_facts import NOTHING_BESIDES, ReaderFacts
from adjudicator.engine.report.reader_texts import ORDERS, map_for, sheet_texts

LONGEST = 237_500
"""Bytes of a page; what seals a sheet for players without git, 12,500 more, is put into it when it is given out."""
FEW, MOST = 40, 160
"""Of how many phases the last one of each kind is looked at, in `make test` and in `soak`."""


@pytest.mark.parametrize(
    ("game", "count"),
    [
        pytest.param(game, count, id=f"{game}-{count}", marks=() if count == FEW else pytest.mark.soak)
        for game in registry.OWN
        for count in (FEW, MOST)
    ],
)
def test_a_page_stays_below_its_bound(game: str, count: int) -> None:
    """In a match at the largest table, of the player who is due first; the later, the more there is to tell."""
    rulebook = registry.rulebook(game)
    players = rulebook.tables[max(rulebook.tables)][0]
    last: dict[str, Any] = {}
    for step in islice(steps(rulebook, players, "looked at", sensible=len(players)), count):
        if step.before.phase.due:
            last[step.before.phase.name] = step.before
    found = {}
    for name, state in last.items():
        who = state.phase.due[0]
        view = position_for(rulebook, state, who)
        page = sheet_texts(
            rulebook, view, who, NOTHING_BESIDES, map_for(rulebook, ReaderFacts(who, view, (), view))
        )[ORDERS]
        found[name] = len(page.encode())
    assert {name: length for name, length in found.items() if length > LONGEST} == {}
