"""JSON Schemas of all sheets of a game and of answers, and their common parts; made from the rulebooks.

The committed ones are made from types alone. A form's own (`form_schema`) adds what is possible now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.engine.library.texts import field_text, texts_of, verb_text
from adjudicator.engine.sheets.conditions import (
    ITSELF,
    conditions,
    kinds_of_facts,
    not_and_any,
    separate_facts,
)
from adjudicator.engine.sheets.limits import MOST_ENTRIES, MOST_ORDERS
from adjudicator.engine.sheets.offering import schema_for_players, spots
from adjudicator.engine.sheets.schema_words import schema_text, with_titles
from adjudicator.engine.table.domain import Domain, Schema
from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.table import Instruction, Setting

DRAFT = "http://json-schema.org/draft-07/schema#"
Possible = Mapping[str, Mapping[str, Sequence[Schema]]]
"""By verb and field: the schemas of what is possible now; an impossible verb has no fields."""
FIRM = "firm"
"""In what is possible now, for a list: the length it must have, whatever else is ordered."""


def one_of_verbs(
    rulebook: Rulebook[Any], verbs: Mapping[str, Schema], kind: str, besides: Schema | None = None
) -> Schema:
    """`if/then` by verb, never `oneOf`, whose errors say nothing; `verbs` has a schema for each verb.

    The verbs stand in a branch for orders that have none yet: an editor suggests them there and nowhere else. An `if`
    asks for a mapping too, since `required` alone holds for anything that is no mapping, and so for an order not yet
    begun. (`anyOf: [true]` admits anything; an editor that is told no type inserts a key without its colon.) `besides`
    are fields of an order with any verb: the orders in its `else` are tried even if its own verb doesn't exist. (They
    are patterns there, which no editor suggests.)
    """
    texts = texts_of(rulebook)
    said = schema_text(texts, "begin", verbs=", ".join(verbs))
    begun: list[Any] = [{"required": [name], "errorMessage": said} for name in verbs] or [True]
    patterns = {f"^{name}$": without_text(each) for name, each in (besides or {}).items()}
    beside = {"patternProperties": patterns} if patterns else {}
    described: Schema = {}
    for name in verbs:
        described[name] = {"description": verb_text(texts, name, kind), "anyOf": [True]}
    return {
        "title": schema_text(texts, "answer" if kind == "answer" else "order"),
        "type": "object",
        "properties": {},
        "anyOf": begun,
        "allOf": [
            *({"if": {"type": "object", "required": [name]}, "then": then} for name, then in verbs.items()),
            {"if": {"type": "object", "anyOf": begun}, "else": {"properties": described, **beside}},
        ],
    }


def without_text(schema: Schema) -> Schema:
    """The schema without its texts for readers, which stand where the field is suggested."""
    return {key: value for key, value in schema.items() if key != "description"}


def schema_of_entry(
    rulebook: Rulebook[Any], kind: str, verb: str, fields: Mapping[str, Domain[Any]], needed: Sequence[str]
) -> Schema:
    """The schema of an order or entry with this verb; `kind` is the phase, or what else the verb belongs to."""
    texts = purposes_of(rulebook, kind, verb, fields)
    return {
        "title": schema_text(texts_of(rulebook), "entry", verb=verb),
        "type": "object",
        "properties": {
            name: {"description": texts[name], **domain.schema()} for name, domain in fields.items()
        },
        "required": list(needed),
        "additionalProperties": False,
    }


def shapes_of(
    rulebook: Rulebook[Any], kind: str, verb: str, fields: Mapping[str, Domain[Any]]
) -> list[tuple[str, str, Schema]]:
    """For each field its name, what it is for, and what its type admits."""
    texts = purposes_of(rulebook, kind, verb, fields)
    return [(name, texts[name], domain.shape()) for name, domain in fields.items()]


def purposes_of(rulebook: Rulebook[Any], kind: str, verb: str, fields: Iterable[str]) -> dict[str, str]:
    """What each field is for; that of the verb says first what the order does."""
    texts = {name: field_text(texts_of(rulebook), name, verb) for name in fields}
    if verb in texts:
        texts[verb] = f"{verb_text(texts_of(rulebook), verb, kind)}. {texts[verb]}"
    return texts


def standing_of(rulebook: Rulebook[Any], phases: Mapping[str, Schema]) -> Schema:
    """The schemas of the standing instructions by key; `phases` has those of lists of orders, by phase."""
    found: Schema = {
        PHASES: {
            "description": verb_text(texts_of(rulebook), PHASES, "standing"),
            "type": "object",
            "properties": phases,
            "additionalProperties": False,
        }
    }
    for key, kind in rulebook.standing.items():
        if isinstance(kind, Setting):
            found[key] = kind.among.schema()
        else:
            assert isinstance(kind, Instruction)
            fields = schema_of_entry(rulebook, "standing", f"standing.{key}", kind.fields, ())
            del fields["required"]
            fields["title"] = schema_text(texts_of(rulebook), "instruction", name=key)
            found[key] = {"type": "array", "items": fields, "maxItems": MOST_ENTRIES}
        found[key]["description"] = verb_text(texts_of(rulebook), key, "standing")
    return found


# -- orders of a phase -------------------------------------------------------------------------------------------------


def definitions_of(rulebook: Rulebook[Any], phase: Phase[Any]) -> Schema:
    """The definitions of a phase's orders: `market`, and one for each verb, `market-buy`."""
    verbs = {name: _reference(f"{phase.name}-{name}") for name in phase.verbs}
    besides = _common_fields(rulebook, schema_of_orders(phase.name))
    found: Schema = {phase.name: one_of_verbs(rulebook, verbs, phase.name, besides)}
    for name, verb in phase.verbs.items():
        schema = schema_of_entry(rulebook, phase.name, name, verb.fields, (name, *verb.needed))
        schema["properties"] |= besides
        found[f"{phase.name}-{name}"] = schema
    return found


# -- all sheets of a game ----------------------------------------------------------------------------------------------


def orders_schema(rulebook: Rulebook[Any]) -> Schema:
    """The published schema of a game's sheets, with `#/definitions/sheet-<phase>` for each phase and one for each verb.

    As a whole it is the schema of a sheet that names its phase.
    """
    phases = [phase for phase in rulebook.phases if phase.verbs]
    verbs = list(_verbs(rulebook, phases))
    definitions: Schema = {}
    for phase in phases:
        ahead = {each.name: _reference(f"later-{each.name}") for each in phases_ahead(rulebook, phase)}
        definitions[f"sheet-{phase.name}"] = schema_of_sheet(
            rulebook, phase, f"order-{phase.name}", _reference("standing"), ahead
        )
    for phase in phases:
        if phase is not phases[0] or phase.own_turn:
            definitions[f"later-{phase.name}"] = orders_ahead(rulebook, phase, f"order-{phase.name}")
    for phase in phases:
        needs = {
            verb: {
                "allOf": [_reference(name)],
                "properties": {"else": {"items": _reference(f"order-{phase.name}")}},
            }
            for where, verb, name, _ in verbs
            if where == phase.name
        }
        besides = _common_fields(rulebook, schema_of_orders(f"order-{phase.name}"))
        definitions[f"order-{phase.name}"] = one_of_verbs(rulebook, needs, phase.name, besides)
    definitions |= {name: schema for _, _, name, schema in verbs}
    stand = {phase.name: schema_of_orders(f"order-{phase.name}") for phase in phases if not phase.once}
    definitions["standing"] = standing_as_a_whole(rulebook, stand)
    definitions |= conditions(separate_facts(kinds_of_facts(rulebook), not_and_any(rulebook)))
    by_phase = [
        {
            "if": {
                "properties": {"phase": {"type": "string", "pattern": f"^([0-9]+-t[0-9]+-)?{phase.name}$"}},
                "required": ["phase"],
            },
            "then": _reference(f"sheet-{phase.name}"),
        }
        for phase in phases
    ]
    schema: Schema = {
        "$schema": DRAFT,
        "title": schema_text(texts_of(rulebook), "any-sheet", game=rulebook.title),
        "type": "object",
        "properties": {"player": {"enum": players(rulebook)}},
        "required": ["player"],
        "allOf": by_phase,
        "definitions": definitions,
    }
    return with_titles(schema, texts_of(rulebook))


def _verbs(rulebook: Rulebook[Any], phases: Sequence[Phase[Any]]) -> Iterator[tuple[str, str, str, Schema]]:
    """Every phase and verb, with its definition and the definition's name. If a verb is the same in all its phases,
    they share a definition.

    What `else` may hold differs from phase to phase, so a definition says only that it is a list.
    """
    several: Schema = {"type": "array", "maxItems": MOST_ORDERS}
    found: dict[str, dict[str, Schema]] = {}
    for phase in phases:
        for name, verb in phase.verbs.items():
            schema = schema_of_entry(rulebook, phase.name, name, verb.fields, (name, *verb.needed))
            schema["properties"] |= _common_fields(rulebook, several)
            found.setdefault(name, {})[phase.name] = schema
    for verb_name, schemas in found.items():
        same = all(schema == next(iter(schemas.values())) for schema in schemas.values())
        for where, schema in schemas.items():
            yield where, verb_name, f"verb-{verb_name}" if same else f"verb-{verb_name}-{where}", schema


# -- answers -----------------------------------------------------------------------------------------------------------


def answer_schema(rulebook: Rulebook[Any], seated: Sequence[str] = ()) -> Schema:
    """The schema of a file of answers; `seated` as for a sheet."""
    definitions: Schema = {
        f"answer-{each.verb}": schema_of_entry(
            rulebook, "answer", each.verb, each.shapes, (each.verb, *each.needed)
        )
        for each in rulebook.questions
    }
    verbs = {each.verb: _reference(f"answer-{each.verb}") for each in rulebook.questions}
    definitions["answer"] = one_of_verbs(rulebook, verbs, "answer")
    schema: Schema = {
        "$schema": DRAFT,
        "title": schema_text(texts_of(rulebook), "answers", game=rulebook.title),
        "type": "object",
        "properties": {
            "player": {"enum": players(rulebook)},
            "match": {"type": "string"},
            "phase": {"type": ["string", "integer"]},
            "answers": {"type": ["array", "null"], "items": _reference("answer")},
            "seen": {
                "type": ["string", "null"],
                "description": field_text(texts_of(rulebook), "seen", "sheet"),
            },
        },
        "required": ["player"],
        "additionalProperties": False,
        "definitions": definitions,
    }
    found: Schema = schema_for_players(
        spots(with_titles(schema, texts_of(rulebook))), players(rulebook), seated
    ).part
    return found


# -- what they have in common ------------------------------------------------------------------------------------------


def players(rulebook: Rulebook[Any]) -> list[str]:
    """Every player that a match of the rulebook may have."""
    return list(
        dict.fromkeys(name for tables in rulebook.tables.values() for table in tables for name in table)
    )


def phases_ahead(rulebook: Rulebook[Any], phase: Phase[Any]) -> list[Phase[Any]]:
    """The phases for which a sheet of this one may hold orders under `later`; always those that players have in
    turn.
    """
    index = [each.name for each in rulebook.phases].index(phase.name)
    return [each for at, each in enumerate(rulebook.phases) if each.verbs and (at > index or each.own_turn)]


def _reference(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def schema_of_sheet(
    rulebook: Rulebook[Any], phase: Phase[Any], order: str, standing: Schema, later: Mapping[str, Schema]
) -> Schema:
    """The schema of a sheet for a phase; `order` is the name of the definition of its orders."""
    properties: Schema = {
        "player": {"enum": players(rulebook)},
        "match": {"type": "string"},
        "phase": {"type": ["string", "integer"]},
        "orders": {**schema_of_orders(order), "type": ["array", "null"]},
        "standing": standing,
        "later": {"type": ["object", "null"], "properties": later, "additionalProperties": False},
        "salt": {"type": "string"},
        "seen": {"type": ["string", "null"]},
        "ready": {"type": "boolean"},
    }
    if not later:
        properties["later"]["doNotSuggest"] = True
    for name, field in properties.items():
        if name != "standing":
            field["description"] = field_text(texts_of(rulebook), name, "sheet")
    return {
        "title": schema_text(texts_of(rulebook), "sheet", game=rulebook.title, phase=phase.name),
        "type": "object",
        "properties": properties,
        "required": ["player"],
        "additionalProperties": False,
    }


def schema_of_orders(order: str) -> Schema:
    """The schema of a list of orders; `order` is the name of their definition."""
    return {"type": "array", "items": _reference(order), "maxItems": MOST_ORDERS}


def orders_ahead(rulebook: Rulebook[Any], phase: Phase[Any], order: str) -> Schema:
    """What a sheet of an earlier phase may hold under `later` for the phase `phase`."""
    texts, when = texts_of(rulebook), "later-own" if phase.own_turn else "later-turn"
    return {
        "title": schema_text(texts, "later", phase=phase.name),
        "description": schema_text(texts, when, phase=phase.name),
        "type": "object",
        "properties": {"orders": {**schema_of_orders(order), "type": ["array", "null"]}},
        "required": ["orders"],
        "additionalProperties": False,
    }


def _common_fields(rulebook: Rulebook[Any], several: Schema) -> Schema:
    """The fields that every order may have."""
    found: Schema = {"else": {**several, "description": field_text(texts_of(rulebook), "else")}}
    return found | ({"if": ITSELF} if rulebook.condition is not None else {})


def standing_as_a_whole(rulebook: Rulebook[Any], phases: Mapping[str, Schema]) -> Schema:
    """All standing instructions of a sheet; `phases` are the schemas of lists of orders, by phase."""
    return {
        "type": "object",
        "properties": standing_of(rulebook, phases),
        "additionalProperties": False,
        "description": field_text(texts_of(rulebook), "standing", "sheet"),
    }
