"""The contract, for Triumvirat."""

from pathlib import Path

from adjudicator.contract import suite
from adjudicator.rulebooks.triumvirat import RULEBOOK

CASES = Path(__file__).parent.parent / "cases" / RULEBOOK.key

TestTriumvirat = suite(RULEBOOK, cases=CASES)
