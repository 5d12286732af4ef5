"""Which parts a rulebook must have before anything of it can be tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from adjudicator.contract import composition, event_texts, numbers, prompts, templates, texts
from adjudicator.engine.table.rulebook import Rulebook

PARTS: tuple[Callable[[Rulebook[Any]], Iterator[str]], ...] = (
    composition.faults_of_parts,
    texts.faults_of_texts,
    templates.faults_of_templates,
    prompts.faults_of_prompts,
    numbers.numbers_in_bot,
    composition.outdated_schemas,
    event_texts.faults_of_templates,
)
"""Checks of the parts that a rulebook must have, each relying on those before it."""


def missing_parts(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Everything a rulebook lacks, as far as it shows before anything is played, each by name."""
    found = 0
    for part in PARTS:
        if found and part is event_texts.faults_of_templates:
            return  # this part would only fail on what was already named
        try:
            for fault in part(rulebook):
                found += 1
                yield fault
        except Exception as error:  # a rulebook may be wrong in any way, and its author must be told
            if not found:  # else the error follows from what was already named
                yield event_texts.error_place(error)
            return
