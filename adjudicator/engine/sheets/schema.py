"""JSON Schemas: of sheets by phase, of answers, of positions, of the match file; made from the rulebooks.

The committed ones are made of types alone. A form's own adds what is possible now, for editors to suggest, and admits
whatever its type admits, so that nothing is marked which would be accepted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engine.sheets.offering import seating, with_names
from adjudicator.engine.sheets.words import field_text, verb_text
from adjudicator.engine.table.domain import Domain, Schema
from adjudicator.engine.table.rulebook import Phase, Rulebook, nothing
from adjudicator.engine.table.table import Instruction, Setting, Verb

DRAFT = "http://json-schema.org/draft-07/schema#"
Possible = Mapping[str, Mapping[str, Sequence[Schema]]]
"""By verb and field: the schemas of what is possible now; a verb with which nothing is has no fields."""
NOT_NOW = ". Not possible now."


def sheet_schema(
    rulebook: Rulebook[Any],
    phase: Phase[Any],
    possible: Possible | None = None,
    names: Sequence[str] = (),
    seated: Sequence[str] = (),
) -> Schema:
    """The schema of a sheet for a phase; `possible` makes it a form's, with what is possible now.

    `names` are those of all pieces on the board, suggested where any name of a kind may stand: in standing
    instructions, in `if:`, and in orders for later phases. `seated` are the players of the match: no others are
    suggested anywhere.
    """
    later = following(rulebook, phase)
    properties: Schema = {
        "player": {"enum": players(rulebook)},
        "match": {"type": "string"},
        "phase": {"type": ["string", "integer"]},
        "orders": _orders(phase, nullable=True),
        "standing": {
            "type": "object",
            "properties": with_names(_standing(rulebook), names),
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
    if not later:
        properties["later"]["doNotSuggest"] = True
    for name, field in properties.items():
        field["description"] = field_text(rulebook.key, name, "sheet")
    definitions: Schema = {}
    for each in later:
        definitions |= with_names(_definitions(rulebook, each, None), names)
    definitions |= _definitions(rulebook, phase, possible)
    if rulebook.condition is not None:
        facts = with_names(rulebook.condition.shape.schema(), names)
        definitions["if"] = {"description": field_text(rulebook.key, "if"), **facts}
    schema: Schema = {
        "$schema": DRAFT,
        "title": f"{rulebook.title}: a sheet for the phase {phase.name}",
        "type": "object",
        "properties": properties,
        "required": ["player"],
        "additionalProperties": False,
        "definitions": definitions,
    }
    return titled(seating(schema, players(rulebook), seated))


def answer_schema(rulebook: Rulebook[Any], seated: Sequence[str] = ()) -> Schema:
    """The schema of a file of answers; `seated` as in that of a sheet."""
    definitions: Schema = {}
    verbs: dict[str, Verb[Any]] = {}
    for question in rulebook.questions:
        verbs[question.verb] = Verb(nothing, question.shapes, question.needed)
    definitions |= {
        f"answer-{name}": _fields(rulebook, "answer", name, verb.fields, (name, *verb.needed), None)
        for name, verb in verbs.items()
    }
    definitions["answer"] = _one_of_verbs(rulebook, verbs, "answer")
    schema: Schema = {
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
    return titled(seating(schema, players(rulebook), seated))


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
        "title": f"orders for the phase {phase.name}",
        "description": f"Orders for the phase {phase.name} of this turn",
        "type": "object",
        "properties": {"orders": _orders(phase, nullable=False)},
        "required": ["orders"],
        "additionalProperties": False,
    }


def _definitions(rulebook: Rulebook[Any], phase: Phase[Any], possible: Possible | None) -> Schema:
    found: Schema = {phase.name: _one_of_verbs(rulebook, phase.verbs, phase.name, possible)}
    orders = _orders(phase, nullable=False)
    for name, verb in phase.verbs.items():
        now = None if possible is None else possible.get(name, {})
        schema = _fields(rulebook, phase.name, name, verb.fields, (name, *verb.needed), now)
        schema["properties"]["else"] = {
            **orders,
            "description": field_text(rulebook.key, "else"),
        }
        if rulebook.condition is not None:
            schema["properties"]["if"] = {"$ref": "#/definitions/if"}
        found[f"{phase.name}-{name}"] = schema
    return found


def _one_of_verbs(
    rulebook: Rulebook[Any], verbs: Mapping[str, Verb[Any]], kind: str, possible: Possible | None = None
) -> Schema:
    """`if/then` by verb, never `oneOf`, whose errors say nothing.

    The verbs stand in a branch for orders that have none yet: an editor suggests them there and nowhere else. An `if`
    asks for a mapping too, since `required` alone holds of whatever is no mapping, and so of an order not yet begun.
    (`anyOf: [true]` admits anything; an editor that is told no kind of value inserts a key without its colon.)
    """
    said = f"it must begin with one of: {', '.join(verbs)}"
    begun: list[Any] = [{"required": [name], "errorMessage": said} for name in verbs] or [True]
    described: Schema = {}
    for name in verbs:
        text = verb_text(rulebook.key, name, kind)
        impossible = possible is not None and not possible.get(name)
        described[name] = {"description": text + NOT_NOW if impossible else text, "anyOf": [True]}
    return {
        "title": "an answer" if kind == "answer" else "an order",
        "type": "object",
        "properties": {},
        "anyOf": begun,
        "allOf": [
            *(
                {
                    "if": {"type": "object", "required": [name]},
                    "then": {"$ref": f"#/definitions/{kind}-{name}"},
                }
                for name in verbs
            ),
            {"if": {"type": "object", "anyOf": begun}, "else": {"properties": described}},
        ],
    }


def _fields(
    rulebook: Rulebook[Any],
    kind: str,
    verb: str,
    fields: Mapping[str, Domain[Any]],
    needed: Sequence[str],
    now: Mapping[str, Sequence[Schema]] | None,
) -> Schema:
    properties: Schema = {}
    for name, domain in fields.items():
        schema = domain.schema() if now is None else suggesting(now.get(name, ()), domain)
        text = field_text(rulebook.key, name, verb)
        if name == verb:
            purpose = verb_text(rulebook.key, verb, kind)
            text = f"{purpose}. {text}"
        properties[name] = {"description": text, **schema}
    return {
        "title": f"what `{verb}` needs",
        "type": "object",
        "properties": properties,
        "required": list(needed),
        "additionalProperties": False,
    }


def suggesting(now: Sequence[Schema], domain: Domain[Any]) -> Schema:
    """What is possible now, to be suggested, and besides it all that the type admits, to be accepted.

    In a mapping, the keys that are possible now stand beside the pattern of the others: an editor that had to choose
    between two mappings would take the one that suggests nothing.
    """
    shape = domain.shape()
    if "patternProperties" not in shape:
        return {"anyOf": [*(explained(schema, shape) for schema in now), shape]} if now else shape
    (each,) = shape["patternProperties"].values()
    keys = (key for schema in now for key in schema.get("properties", {}))
    return {**shape, "properties": dict.fromkeys(keys, each)}


def explained(now: Schema, shape: Schema) -> Schema:
    """Names that are possible now, with the message of their type: an editor's own would tell of no others."""
    if "enum" not in now or "errorMessage" not in shape:
        return now
    possible = ", ".join(str(value) for value in now["enum"])
    return {**now, "errorMessage": f"{shape['errorMessage']}; possible now: {possible}"}


def _standing(rulebook: Rulebook[Any]) -> Schema:
    found: Schema = {}
    for key, kind in rulebook.standing.items():
        if isinstance(kind, Setting):
            found[key] = kind.among.schema()
        else:
            assert isinstance(kind, Instruction)
            fields = _fields(rulebook, "standing", f"standing.{key}", kind.fields, (), None)
            del fields["required"]
            fields["title"] = f"an entry of `{key}`"
            found[key] = {"type": "array", "items": fields, "maxItems": 200}
        found[key]["description"] = verb_text(rulebook.key, key, "standing")
    return found


def titled(schema: Schema) -> Schema:
    """The schema with a title for every mapping, which editors use when they say what they expect."""

    def within(part: Any) -> Any:
        if isinstance(part, list):
            return [within(item) for item in part]
        return titled(part) if isinstance(part, dict) else part

    found = {key: within(value) for key, value in schema.items()}
    return {"title": "mapping", **found} if found.get("type") == "object" else found
