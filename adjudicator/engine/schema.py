"""JSON Schemas: of sheets by phase, of answers, of positions, of the match file; made from the rulebooks.

The committed ones are made of types alone. A form's own adds what is possible now, for editors to suggest, and admits
whatever its type admits, so that nothing is marked which would be accepted.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec

from adjudicator.engine import registry
from adjudicator.engine.domain import Domain, Schema
from adjudicator.engine.resources import folder
from adjudicator.engine.rulebook import Phase, Rulebook
from adjudicator.engine.secret import HIDDEN
from adjudicator.engine.table import Instruction, Setting, Verb
from adjudicator.engine.words import words

DRAFT = "http://json-schema.org/draft-07/schema#"
Possible = Mapping[str, Mapping[str, Sequence[Schema]]]
"""By verb and field: the schemas of what is possible now."""


def sheet_schema(rulebook: Rulebook[Any], phase: Phase[Any], possible: Possible | None = None) -> Schema:
    """The schema of a sheet for a phase; `possible` makes it a form's, with what is possible now."""
    later = following(rulebook, phase)
    properties: Schema = {
        "player": {"enum": players(rulebook)},
        "match": {"type": "string"},
        "phase": {"type": ["string", "integer"]},
        "orders": _orders(phase, nullable=True),
        "standing": {
            "type": "object",
            "properties": _standing(rulebook, possible),
            "additionalProperties": False,
        },
        "later": {
            "type": "object",
            "properties": {each.name: _later(each) for each in later},
            "additionalProperties": False,
        },
        "salt": {"type": "string"},
        "ready": {"type": "boolean"},
    }
    for name, field in properties.items():
        field["description"] = words(rulebook.key)["fields"].get(f"sheet.{name}", name)
    definitions: Schema = {}
    for each in (phase, *later):
        definitions |= _definitions(rulebook, each, possible if each is phase else None)
    if rulebook.condition is not None:
        shape = rulebook.condition.shape
        definitions["if"] = shape.shape() if possible is not None else shape.schema()
    return {
        "$schema": DRAFT,
        "title": f"{rulebook.title}: a sheet for the phase {phase.name}",
        "type": "object",
        "properties": properties,
        "required": ["player"],
        "additionalProperties": False,
        "definitions": definitions,
    }


def answer_schema(rulebook: Rulebook[Any]) -> Schema:
    """The schema of a file of answers."""
    definitions: Schema = {}
    verbs: dict[str, Verb[Any]] = {}
    for question in rulebook.questions:
        verbs[question.verb] = Verb(lambda t: None, question.shapes)
    definitions |= {
        f"answer-{name}": _fields(rulebook, name, verb.fields, (name,), None) for name, verb in verbs.items()
    }
    definitions["answer"] = _one_of_verbs(rulebook, verbs, "answer")
    return {
        "$schema": DRAFT,
        "title": f"{rulebook.title}: answers to questions",
        "type": "object",
        "properties": {
            "player": {"enum": players(rulebook)},
            "match": {"type": "string"},
            "phase": {"type": ["string", "integer"]},
            "answers": {"type": ["array", "null"], "items": {"$ref": "#/definitions/answer"}},
        },
        "required": ["player"],
        "additionalProperties": False,
        "definitions": definitions,
    }


def state_schema(rulebook: Rulebook[Any]) -> Schema:
    """The schema of a position."""

    def of_secret(kind: Any) -> Schema:
        inside = get_args(kind)
        if inside and inside[0] in (int, str):
            return {"anyOf": [{"const": HIDDEN}, {"type": "integer" if inside[0] is int else "string"}]}
        return {"anyOf": [{"const": HIDDEN}, {}]}

    (ref,), components = msgspec.json.schema_components(
        (rulebook.State,), schema_hook=of_secret, ref_template="#/definitions/{name}"
    )
    name = ref["$ref"].rpartition("/")[2]
    return {
        "$schema": DRAFT,
        **components.pop(name),
        "title": f"{rulebook.title}: a position",
        "definitions": components,
    }


def players(rulebook: Rulebook[Any]) -> list[str]:
    """Every player that a match of the rulebook may have."""
    return list(
        dict.fromkeys(name for tables in rulebook.tables.values() for table in tables for name in table)
    )


def following(rulebook: Rulebook[Any], phase: Phase[Any]) -> list[Phase[Any]]:
    """The phases for which a sheet of this one may hold orders under `later`."""
    index = [each.name for each in rulebook.phases].index(phase.name)
    return [each for each in rulebook.phases[index + 1 :] if each.verbs]


def _orders(phase: Phase[Any], *, nullable: bool) -> Schema:
    items = {"$ref": f"#/definitions/{phase.name}"}
    return {"type": ["array", "null"] if nullable else "array", "items": items, "maxItems": 500}


def _later(phase: Phase[Any]) -> Schema:
    return {
        "type": "object",
        "properties": {"orders": _orders(phase, nullable=False)},
        "required": ["orders"],
        "additionalProperties": False,
    }


def _definitions(rulebook: Rulebook[Any], phase: Phase[Any], possible: Possible | None) -> Schema:
    found: Schema = {phase.name: _one_of_verbs(rulebook, phase.verbs, phase.name)}
    orders = _orders(phase, nullable=False)
    for name, verb in phase.verbs.items():
        now = None if possible is None else possible.get(name, {})
        schema = _fields(rulebook, name, verb.fields, (name, *verb.needed), now)
        schema["properties"]["else"] = {
            **orders,
            "description": words(rulebook.key)["fields"].get("else", "else"),
        }
        if rulebook.condition is not None:
            schema["properties"]["if"] = {"$ref": "#/definitions/if"}
        found[f"{phase.name}-{name}"] = schema
    return found


def _one_of_verbs(rulebook: Rulebook[Any], verbs: Mapping[str, Verb[Any]], kind: str) -> Schema:
    """`if/then` by verb, never `oneOf`, whose errors say nothing."""
    texts = words(rulebook.key)["verbs"]
    return {
        "type": "object",
        "properties": {
            name: {"description": texts.get(f"{kind}.{name}", texts.get(name, name))} for name in verbs
        },
        "anyOf": [{"required": [name]} for name in verbs] or [True],
        "allOf": [
            {"if": {"required": [name]}, "then": {"$ref": f"#/definitions/{kind}-{name}"}} for name in verbs
        ],
    }


def _fields(
    rulebook: Rulebook[Any],
    verb: str,
    fields: Mapping[str, Domain[Any]],
    needed: Sequence[str],
    now: Mapping[str, Sequence[Schema]] | None,
) -> Schema:
    texts = words(rulebook.key)["fields"]
    properties: Schema = {}
    for name, domain in fields.items():
        schema = domain.schema() if now is None else {"anyOf": [*now.get(name, ()), domain.shape()]}
        properties[name] = {"description": texts.get(f"{verb}.{name}", texts.get(name, name)), **schema}
    return {
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


def _standing(rulebook: Rulebook[Any], possible: Possible | None) -> Schema:
    texts = words(rulebook.key)["verbs"]
    found: Schema = {}
    for key, kind in rulebook.standing.items():
        if isinstance(kind, Setting):
            found[key] = kind.among.schema()
        else:
            assert isinstance(kind, Instruction)
            fields = _fields(rulebook, f"standing.{key}", kind.fields, (), None if possible is None else {})
            del fields["required"]
            found[key] = {"type": "array", "items": fields, "maxItems": 200}
        found[key]["description"] = texts.get(f"standing.{key}", key)
    return found


MATCH_SCHEMA: Schema = {
    "$schema": DRAFT,
    "title": "A match",
    "type": "object",
    "properties": {
        "match": {"type": "string"},
        "rulebook": {"type": "string"},
        "version": {"type": "string"},
        "players": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object"},
        "seed": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "SHA-256 of the referee's seed",
        },
    },
    "required": ["match", "rulebook", "players", "options", "seed"],
    "additionalProperties": False,
}


def published(rulebook: Rulebook[Any]) -> dict[str, Schema]:
    """Every committed schema of a rulebook by its file's name."""
    found = {f"{phase.name}.json": sheet_schema(rulebook, phase) for phase in rulebook.phases if phase.verbs}
    return {**found, "answers.json": answer_schema(rulebook), "state.json": state_schema(rulebook)}


def text_of(schema: Schema) -> str:
    """A schema as it is written: one line a definition's field would be too long to read, so plainly indented."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


@cache
def committed(game: str, name: str) -> Schema:
    """A committed schema, `market.json` of a game; made anew where a rulebook brings no schemas."""
    path = folder("schemas") / game / name
    if path.is_file():
        schema: Schema = json.loads(path.read_text(encoding="utf-8"))
        return schema
    return published(registry.rulebook(game))[name]


def main(check: bool) -> int:
    """Writes all schemas, or with `check` says which are out of date."""
    stale: list[str] = []
    files: dict[Path, str] = {folder("schemas") / "match.json": text_of(MATCH_SCHEMA)}
    for name in registry.OWN:
        for file, schema in published(registry.rulebook(name)).items():
            files[folder("schemas") / name / file] = text_of(schema)
    for path, text in files.items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(str(path.relative_to(folder("schemas").parent)))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    for name in stale:
        print(f"{'out of date' if check else 'written'}: {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
