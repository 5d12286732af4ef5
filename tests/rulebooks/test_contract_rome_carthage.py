"""The contract, for Rome et Carthage."""

from pathlib import Path

from adjudicator.contract import suite
from adjudicator.rulebooks.rome_carthage import RULEBOOK

CASES = Path(__file__).parent.parent / "cases" / RULEBOOK.key

TestRomeCarthage = suite(RULEBOOK, cases=CASES, replaced=("pieces",))
