"""The contract, for Serenissima."""

from pathlib import Path

from adjudicator.contract import suite
from adjudicator.rulebooks.serenissima import RULEBOOK

CASES = Path(__file__).parent.parent / "cases" / RULEBOOK.key

TestSerenissima = suite(RULEBOOK, cases=CASES, replaced=("galleys",))
