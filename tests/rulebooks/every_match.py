"""The hand-written matches of our rulebooks, as parameters of tests."""

from __future__ import annotations

import pytest

from adjudicator.engine.library import registry
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


def one_of(match: Match) -> str:
    """The player who reads a match where one is enough, in each match another."""
    return match.players[MATCHES.index(match) % len(match.players)]


READERS = [
    pytest.param(
        match,
        who,
        id=f"{match.rulebook.key}-{who or 'public'}",
        marks=() if who in (None, one_of(match)) else pytest.mark.soak,
    )
    for match in MATCHES
    for who in match.readers
]
"""Every reader of each match; but for the public and one player, in `soak` alone."""


def is_last(match: Match, number: int) -> bool:
    """Is the position of this number the last of its phase in the match? Most lies on the board in that."""
    names = [step.before.phase.name for step in match.steps()]
    return names[number] not in names[number + 1 :]


def in_turn(match: Match, number: int, who: str) -> bool:
    """Is it this player's turn among those who are due in the position of this number?"""
    due = match.steps()[number].before.phase.due or match.players
    return due[number % len(due)] == who


POSITIONS = [
    pytest.param(
        match,
        step.before,
        who,
        id=f"{step.before.phase.number}-{step.before.phase.name}-{who}",
        marks=() if is_last(match, number) and in_turn(match, number, who) else pytest.mark.soak,
    )
    for match in MATCHES
    for number, step in enumerate(match.steps())
    if number
    for who in match.players
]
"""Every position that waits for sheets, and every player; but for a phase's last, for one player in turn who is due
there, in `soak` alone."""
