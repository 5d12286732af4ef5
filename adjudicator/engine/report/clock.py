"""The words for a match's time and for what its GM did by hand."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.template import macros
from adjudicator.engine.table.rulebook import Rulebook


def clock(rulebook: Rulebook[Any]) -> Any:
    """The macros of `clock.md.j2`, for the reader of the rulebook."""
    return macros(texts_of(rulebook), "clock.md.j2")
