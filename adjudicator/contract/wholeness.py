"""What a rulebook must be made of, before anything of it can be tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from adjudicator.contract import composition, event_texts, templates, texts
from adjudicator.engine.table.rulebook import Rulebook

PARTS: tuple[Callable[[Rulebook[Any]], Iterator[str]], ...] = (
    composition.unfit_parts,
    texts.unfit_texts,
    templates.unfit_templates,
    composition.of_schemas,
    event_texts.unshown,
)
"""What a rulebook must be made of, each part standing on those before it."""


def unwhole(rulebook: Rulebook[Any]) -> Iterator[str]:
    """All that a rulebook lacks, as far as it can be said before anything is played, each by name."""
    found = 0
    for part in PARTS:
        if found and part is event_texts.unshown:
            return  # it would only fail on what was said already
        try:
            for fault in part(rulebook):
                found += 1
                yield fault
        except Exception as error:  # a rulebook may be wrong in any way, and is to be told so
            if not found:  # else it comes of what was said already
                yield event_texts.where(error)
            return
