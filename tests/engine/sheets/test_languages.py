"""What an editor says of a sheet, and what is wrong with it, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import game_texts, in_language, needed_text
from adjudicator.engine.sheets.flaws import need_of
from adjudicator.engine.sheets.schema import answer_schema, orders_schema

SAID = ("title", "description", "errorMessage")


def said_in(schema: Any) -> Iterator[str]:
    """All that an editor says by a schema."""
    for key, each in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key in SAID and isinstance(each, str):
            yield each
        elif isinstance(each, dict | list):
            yield from said_in(each)


@pytest.mark.parametrize("game", registry.OWN)
def test_an_editor_says_nothing_in_english_to_another_reader(game: str) -> None:
    english = registry.rulebook(game)
    told = [
        {*said_in(orders_schema(each)), *said_in(answer_schema(each))}
        for each in (english, in_language(english, "fr"))
    ]
    assert told[0] & told[1] == set()


@pytest.mark.parametrize(
    ("schema", "english", "french"),
    [
        (
            {"type": "integer", "minimum": 1, "maximum": 9},
            "a whole number from 1 to 9",
            "un nombre entier à partir de 1 jusqu’à 9",
        ),
        ({"type": ["string", "null"]}, "a text or nothing", "un texte ou rien"),
        (
            {"type": "string", "title": "galley", "pattern": "x"},
            "the name of a galley",
            "le nom d’une galère",
        ),
        (
            {"type": "object", "properties": {"most": {}}},
            "fields in braces, such as {most: ...}",
            "des champs entre accolades, comme {most: ...}",
        ),
        ({"enum": ["wine", "iron"]}, "one of wine, iron", "l’un de : wine, iron"),
        ({"minimum": 3}, "something else", "autre chose"),
    ],
)
def test_what_is_needed_is_said_in_each_language(schema: Any, english: str, french: str) -> None:
    need = need_of(schema)
    assert needed_text(need, game_texts("mediterranee")) == english
    assert needed_text(need, game_texts("mediterranee", "fr")) == french
