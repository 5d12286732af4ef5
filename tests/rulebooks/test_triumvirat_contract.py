"""The contract, for Triumvirat."""

from __future__ import annotations

from pathlib import Path

from adjudicator.contract import suite
from adjudicator.rulebooks import triumvirat

TestTriumvirat = suite(triumvirat.RULEBOOK, cases=Path(__file__).parent.parent / "cases" / "triumvirat")
