"""The contract, for Oltre Mare."""

from pathlib import Path

import pytest

from adjudicator.contract import suite
from adjudicator.rulebooks.oltremare import RULEBOOK
from tests.rulebooks.replaced import HINDRANCES, REPLACED

CASES = Path(__file__).parent.parent / "cases" / RULEBOOK.key

TestOltreMare = suite(
    RULEBOOK,
    cases=CASES,
    replaced=REPLACED[RULEBOOK.key],
    hindrances=HINDRANCES[RULEBOOK.key],
    to_remember=[f"players.*.{pile}.*" for pile in ("cargo", "hand", "markers", "pirates")],
    rarely=[pytest.mark.soak],
    more=[pytest.mark.ci],
    with_options=[pytest.mark.ci],
)
