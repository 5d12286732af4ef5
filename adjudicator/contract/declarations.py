"""Promise 1, what a rulebook declares about its orders beside the rules: what each uses up, and what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.table import Verb
from adjudicator.engine.table.uses import EACH, Use

FIELD = re.compile(r"\{([^{}]*)\}")


def faults_of_declarations(rulebook: Rulebook[Any]) -> Iterator[str]:
    """What a verb doesn't declare, and what it declares about fields that it doesn't have."""
    for phase in rulebook.phases:
        for name, verb in phase.verbs.items():
            yield from (f"phase {phase.name}, verb {name}: {fault}" for fault in faults_of_verb(verb))


def faults_of_verb(verb: Verb[Any]) -> Iterator[str]:
    """What one verb doesn't declare, or declares about fields that it doesn't have."""
    if verb.uses is None:
        yield "`uses` must say what an order takes from those below it: () if it takes nothing"
    if verb.subject is None:
        yield "`subject` must say which fields an order is about: () if it is about its player"
    named = [*(verb.subject or ()), *verb.changes, *verb.names, *([verb.ranks] if verb.ranks else [])]
    for use in verb.uses or ():
        named += [*fields_in(use), *([use.by.partition(".")[0]] if use.by else [])]
        named += [use.gone] if use.gone not in ("", EACH) else []
        if EACH in FIELD.findall(use.what) and not use.by:
            yield f"`{use.what}` is used by each of nothing: `by` must say which field has the names"
    for field in dict.fromkeys(named):
        if field not in verb.fields:
            yield f"`{field}` is named in what is said of it, but isn't among its fields"


def fields_in(use: Use) -> list[str]:
    """The fields in the name of a limit."""
    return [field for names in FIELD.findall(use.what) for field in names.split("|") if field != EACH]
