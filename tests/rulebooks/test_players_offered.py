"""No form offers a player who isn't in the match, nor the reader where another player is meant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from adjudicator.contract.matches import steps
from adjudicator.engine.library import registry
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import form_schema
from adjudicator.engine.sheets.schema import players

LISTED = re.compile(r"\^\(([\w|-]+)\)\$")
OTHERS = {
    "mediterranee": ("market-buy", "from"),
    "oltremare": ("commerce-offer", "offer"),
}
"""A field of a verb in which another player is named."""


@cache
def schema_of(game: str) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    """The schema of the first form of a match with as few players as can be, its reader and its players."""
    rulebook = registry.rulebook(game)
    seated = rulebook.tables[min(rulebook.tables)][0]
    state = next(
        step.before for step in islice(steps(rulebook, seated, "offered"), 4) if step.before.phase.due
    )
    me = state.phase.due[0]
    return me, seated, json.loads(form_schema(rulebook, position_for(rulebook, state, me), None))


def offered(part: Any) -> Iterator[list[Any]]:
    """All lists of words that a schema offers: values, examples in place of a pattern's, names of mappings."""
    if isinstance(part, list):
        for each in part:
            yield from offered(each)
    if not isinstance(part, dict):
        return
    yield from (part[key] for key in ("enum", "examples") if isinstance(part.get(key), list))
    patterns = [part["pattern"]] if isinstance(part.get("pattern"), str) and "examples" not in part else []
    for pattern in [*patterns, *part.get("patternProperties", {})]:
        if found := LISTED.fullmatch(pattern):
            yield found[1].split("|")
    for each in part.values():
        yield from offered(each)


@pytest.mark.parametrize("game", registry.OWN)
def test_nobody_is_offered_who_is_not_in_the_match(game: str) -> None:
    """Some cities are called like players: only a list with every player of the game is one of players."""
    _, seated, schema = schema_of(game)
    every = {*players(registry.rulebook(game))}
    assert [words for words in offered(schema) if every <= {*map(str, words)} and every != {*seated}] == []


@pytest.mark.parametrize(("game", "verb", "field"), [(game, *where) for game, where in OTHERS.items()])
def test_the_reader_is_not_offered_where_another_is_meant(game: str, verb: str, field: str) -> None:
    me, seated, schema = schema_of(game)
    words = [word for each in offered(schema["definitions"][verb]["properties"][field]) for word in each]
    assert {*seated} & {*words} == {*seated} - {me}
