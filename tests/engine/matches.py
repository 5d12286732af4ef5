"""The hand-written matches of our rulebooks, as parameters of tests."""

from __future__ import annotations

import pytest

from adjudicator.engine.sheets import registry
from tests.engine import lagoon, legions
from tests.engine.scripted import Match

BY_GAME: dict[str, Match] = {"mediterranee": lagoon.MATCH, "rome-carthage": legions.MATCH}
MATCHES = [BY_GAME[name] for name in registry.OWN]
GAMES = [pytest.param(match, id=match.rulebook.key) for match in MATCHES]
READERS = [
    pytest.param(match, who, id=f"{match.rulebook.key}-{who or 'public'}")
    for match in MATCHES
    for who in match.readers
]
