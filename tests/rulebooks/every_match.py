"""The hand-written matches of our rulebooks, as parameters of tests."""

from __future__ import annotations

import pytest

from adjudicator.engine.sheets import registry
from tests.engine.written_match import Match
from tests.rulebooks import (
    mediterranee_match,
    oltremare_match,
    rome_carthage_match,
    serenissima_match,
    triumvirat_match,
)

BY_GAME: dict[str, Match] = {
    "mediterranee": mediterranee_match.MATCH,
    "rome-carthage": rome_carthage_match.MATCH,
    "serenissima": serenissima_match.MATCH,
    "oltremare": oltremare_match.MATCH,
    "triumvirat": triumvirat_match.MATCH,
}
MATCHES = [BY_GAME[name] for name in registry.OWN]
GAMES = [pytest.param(match, id=match.rulebook.key) for match in MATCHES]
READERS = [
    pytest.param(match, who, id=f"{match.rulebook.key}-{who or 'public'}")
    for match in MATCHES
    for who in match.readers
]


def at_the_edge(match: Match, number: int) -> bool:
    """Is the position of this number the first or the last of its phase in the match?"""
    names = [step.before.phase.name for step in match.steps()]
    return names[number] not in names[1:number] or names[number] not in names[number + 1 :]


POSITIONS = [
    pytest.param(
        match,
        step.before,
        who,
        id=f"{step.before.phase.number}-{step.before.phase.name}-{who}",
        marks=() if at_the_edge(match, number) else pytest.mark.soak,
    )
    for match in MATCHES
    for number, step in enumerate(match.steps())
    if number
    for who in match.players
]
"""Every position that waits for sheets, and every player; those between a phase's first and last in `soak` alone."""
