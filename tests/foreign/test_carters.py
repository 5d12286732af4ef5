"""A foreign rulebook passes the same contract as ours, found by its entry point."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from adjudicator.contract import suite

HERE = Path(__file__).parent
sys.path.append(str(HERE))  # as if it were installed: package and entry point lie here

TestCarters = suite(
    import_module("carters").RULEBOOK,
    cases=HERE / "cases",
    rarely=[pytest.mark.ci],
    more=[pytest.mark.ci],
    with_options=[pytest.mark.ci],
)
