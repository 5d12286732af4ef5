"""The words in a schema that an editor shows: titles of mappings, kinds of names, and what a value needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.engine.library.texts import Texts, needed_text, words
from adjudicator.engine.sheets.conditions import words_of
from adjudicator.engine.sheets.flaws import need_of
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.domain.forms import OTHER_FORM


def schema_text(texts: Texts, key: str, **facts: str) -> str:
    """A text of `schema:` in words.yaml, filled in."""
    text: str = words(texts)["schema"][key]
    return text.format_map(facts)


def with_message(now: Schema, shape: Schema, texts: Texts) -> Schema:
    """Names that are possible now, with their type's message: an editor's own would name no others."""
    plain, *others = shape.get("anyOf", [shape])
    if "enum" not in now or "errorMessage" not in plain or not all(OTHER_FORM in other for other in others):
        return now
    possible = ", ".join(str(value) for value in now["enum"])
    said = schema_text(texts, "possible-now", said=plain["errorMessage"], possible=possible)
    return {**now, "errorMessage": said}


def with_titles(schema: Schema, texts: Texts) -> Schema:
    """The schema with a title for every mapping, and what is needed for every number and name: an editor says these."""
    found = {key: part_with_titles(value, texts) for key, value in schema.items()}
    if found.get("type") == "object":
        return {"title": words(texts)["schema"]["mapping"], **found}
    if isinstance(found.get("anyOf"), list):
        return {**found, "anyOf": with_one_message(found["anyOf"])}
    said = message_of(found, texts)
    return {**found, "errorMessage": said, **name_of_kind(found, texts)} if said else found


def part_with_titles(part: Any, texts: Texts) -> Any:
    """A part of a schema, or a list of parts, with a title for every mapping in it."""
    if isinstance(part, dict):
        return with_titles(part, texts)
    return [part_with_titles(item, texts) for item in part] if isinstance(part, list) else part


def message_of(schema: Schema, texts: Texts) -> str:
    """What a number or a name needs, instead of an editor's own words, such as a pattern; empty for anything else."""
    kind = schema.get("type")
    if kind == "integer" and "minimum" in schema:
        need = needed_text(need_of({"type": kind, "minimum": schema["minimum"]}), texts)
    elif kind == "string" and f"{schema.get('title')}.name" in words(texts)["kinds"]:
        need = needed_text(need_of(schema), texts)
    else:
        listed = words_of(schema.get("pattern", "")) if kind == "string" else []
        return schema_text(texts, "needed-among", possible=", ".join(listed)) if listed else ""
    return schema_text(texts, "needed", need=need)


def name_of_kind(schema: Schema, texts: Texts) -> Schema:
    """The title of a name: its kind, in the reader's language."""
    return {"title": words(texts)["kinds"][schema["title"]]} if "title" in schema else {}


def with_one_message(options: Sequence[Any]) -> list[Any]:
    """Other forms of a value have the message of the plain one: one message, whichever was meant."""
    plain = [each for each in options if not (isinstance(each, dict) and OTHER_FORM in each)]
    said = plain[0].get("errorMessage") if len(plain) == 1 and isinstance(plain[0], dict) else None
    return [{**each, "errorMessage": said} if said and each not in plain else each for each in options]
