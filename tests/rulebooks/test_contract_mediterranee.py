"""The contract, for Méditerranée."""

from pathlib import Path

import pytest

from adjudicator.contract import suite
from adjudicator.rulebooks.mediterranee import RULEBOOK
from tests.rulebooks.replaced import HINDRANCES, REPLACED

CASES = Path(__file__).parent.parent / "cases" / RULEBOOK.key

TestMediterranee = suite(
    RULEBOOK,
    cases=CASES,
    replaced=REPLACED[RULEBOOK.key],
    hindrances=HINDRANCES[RULEBOOK.key],
    rarely=[pytest.mark.soak],
    more=[pytest.mark.ci],
    with_options=[pytest.mark.ci],
)
