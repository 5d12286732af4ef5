"""What a report says that a scoring now would bring is what the scoring brings (SER-8.1, OLT-5.1, OLT-5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from adjudicator.contract import matches
from adjudicator.engine.library import registry
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import with_positions_before
from adjudicator.engine.table.points import total
from tests.rulebooks.every_match import BY_GAME

SCORINGS = {"serenissima": ("ScoringHeld", ("PortsPaid",)), "oltremare": ("VeniceFound", ("Paid", "Sold"))}


def told(game: str) -> Iterator[tuple[Any, list[Any]]]:
    """The position at each scoring of a match of bots, and all that happens from there in its phase."""
    began, _ = SCORINGS[game]
    rulebook = registry.rulebook(game)
    table = min(rulebook.tables.values(), key=lambda each: len(each[0]))[0]
    for step in matches.steps(rulebook, table, "scoring", sensible=len(table)):
        happened = list(with_positions_before(step.outcome.events, step.before))
        for at, (event, here) in enumerate(happened):
            if type(event).__name__ == began:
                yield here, [after for after, _ in happened[at:]]


@pytest.mark.parametrize("game", SCORINGS)
def test_a_scoring_brings_what_was_foretold(game: str) -> None:
    scoring = registry.rulebook(game).scoring
    assert scoring is not None
    found = list(told(game))
    assert found
    for here, after in found:
        brought = dict.fromkeys(here.players, 0)
        for event in after:
            if type(event).__name__ in SCORINGS[game][1] and event.rule in ("SER-8.1", "OLT-5.1", "OLT-5.2"):
                brought[event.player] += event.sum if game == "serenissima" else event.ducats
        assert {player: total(lines).points for player, lines in scoring(here).items()} == brought


def test_a_cargo_that_the_reader_cant_see_is_not_counted() -> None:
    rulebook = registry.rulebook("oltremare")
    assert rulebook.scoring is not None
    for step in BY_GAME["oltremare"].steps():
        view = position_for(rulebook, step.after, None)
        for player, lines in rulebook.scoring(view).items():
            seen = all(card.known for card in view.players[player].cargo)
            assert total(lines).more is not seen
