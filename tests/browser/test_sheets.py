"""Sheets of each kind of phase are clicked together, checked, and adjudicated: every second one.

The others are in another file, for another process.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Matches, Open
from tests.browser.matches import SHEETS
from tests.browser.sheets import assert_clicked_together
from tests.browser.visiting import PHONE


@pytest.mark.parametrize(("game", "phase"), SHEETS[::2])
def test_a_sheet_is_clicked_together(
    opened: Open, matches: Matches, tmp_path: Path, game: str, phase: str
) -> None:
    with opened(game, phase, PHONE) as page:
        assert_clicked_together(page, matches(game), phase, tmp_path)
