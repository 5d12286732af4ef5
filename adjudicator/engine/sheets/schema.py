"""JSON Schemas: of sheets by phase, of all sheets of a game, of answers; made from the rulebooks.

The committed ones are made of types alone. A form's own adds what is possible now, for editors to suggest, and admits
whatever its type admits, so that nothing is marked which would be accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.sheets.conditions import ITSELF, conditions
from adjudicator.engine.sheets.limits import MOST_ORDERS
from adjudicator.engine.sheets.offering import patterned, seating, with_names
from adjudicator.engine.sheets.schema_parts import (
    Possible,
    fields_of,
    one_of_verbs,
    standing_of,
    titled,
)
from adjudicator.engine.sheets.words import field_text
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.rulebook import Phase, Rulebook, nothing
from adjudicator.engine.table.table import Verb

DRAFT = "http://json-schema.org/draft-07/schema#"


# -- a form's own ------------------------------------------------------------------------------------------------------


def sheet_schema(
    rulebook: Rulebook[Any],
    phase: Phase[Any],
    possible: Possible | None = None,
    names: Sequence[str] = (),
    seated: Sequence[str] = (),
) -> Schema:
    """The schema of a sheet for a phase, whole; `possible` makes it a form's, with what is possible now.

    `names` are those of all pieces on the board, suggested where any name of a kind may stand: in standing
    instructions, in `if:`, and in orders for later phases. `seated` are the players of the match: no others are
    suggested anywhere.
    """
    every = players(rulebook)
    types = _types(rulebook, tuple(seated))
    definitions: Schema = dict(with_names(types.definitions, names, types.patterned))
    definitions |= titled(seating(_definitions(rulebook, phase, possible), every, seated))
    definitions |= titled(seating(conditions(rulebook, names), every, seated))
    ahead = {each.name: _later(each, each.name) for each in following(rulebook, phase)}
    blank = {"$schema": DRAFT, **_sheet(rulebook, phase, phase.name, {}, ahead)}
    sheet: Schema = titled(seating(blank, every, seated))
    sheet["properties"]["standing"] = with_names(types.standing, names, types.patterned)
    return {**sheet, "definitions": definitions}


class Types(Struct, frozen=True):
    """What a form's schema says of types alone: the orders of all phases, the standing instructions. `patterned` are
    the parts, by identity, in which names on the board may be suggested."""

    definitions: Schema
    standing: Schema
    patterned: frozenset[int]


_TYPES: dict[tuple[int, tuple[str, ...]], tuple[Rulebook[Any], Types]] = {}
"""By rulebook (which is kept, so that its identity is nobody else's) and players."""
MOST_TYPES = 64


def _types(rulebook: Rulebook[Any], seated: tuple[str, ...]) -> Types:
    """Made once in a process for a player of a table: it is most of a form's schema, and no position changes it."""
    key = (id(rulebook), seated)
    if key not in _TYPES:
        if len(_TYPES) >= MOST_TYPES:
            _TYPES.clear()
        _TYPES[key] = rulebook, _made_types(rulebook, seated)
    return _TYPES[key][1]


def _made_types(rulebook: Rulebook[Any], seated: tuple[str, ...]) -> Types:
    every = [each for each in rulebook.phases if each.verbs]
    definitions: Schema = {}
    for each in every:
        definitions |= _definitions(rulebook, each, None)
    stand = {each.name: _orders(each.name) for each in every if not each.once}
    known = players(rulebook)
    found: Schema = titled(seating(definitions, known, seated))
    standing: Schema = titled(seating(_standing(rulebook, stand), known, seated))
    return Types(found, standing, frozenset({*patterned(found), *patterned(standing)}))


def _definitions(rulebook: Rulebook[Any], phase: Phase[Any], possible: Possible | None) -> Schema:
    verbs = {name: _to(f"{phase.name}-{name}") for name in phase.verbs}
    besides = _besides(rulebook, _orders(phase.name))
    found: Schema = {phase.name: one_of_verbs(rulebook, verbs, phase.name, possible, besides)}
    for name, verb in phase.verbs.items():
        now = None if possible is None else possible.get(name, {})
        schema = fields_of(rulebook, phase.name, name, verb.fields, (name, *verb.needed), now)
        schema["properties"] |= besides
        found[f"{phase.name}-{name}"] = schema
    return found


# -- all sheets of a game ----------------------------------------------------------------------------------------------


def orders_schema(rulebook: Rulebook[Any]) -> Schema:
    """The published schema of a game's sheets: of each phase `#/definitions/sheet-<phase>`, of each verb one.

    As a whole it is that of a sheet which says by its name for which phase it is.
    """
    phases = [phase for phase in rulebook.phases if phase.verbs]
    verbs = list(_verbs(rulebook, phases))
    definitions: Schema = {}
    for phase in phases:
        ahead = {each.name: _to(f"later-{each.name}") for each in following(rulebook, phase)}
        definitions[f"sheet-{phase.name}"] = _sheet(
            rulebook, phase, f"order-{phase.name}", _to("standing"), ahead
        )
    for phase in phases:
        if phase is not phases[0] or phase.own_turn:
            definitions[f"later-{phase.name}"] = _later(phase, f"order-{phase.name}")
    for phase in phases:
        needs = {
            verb: {
                "allOf": [_to(name)],
                "properties": {"else": {"items": _to(f"order-{phase.name}")}},
            }
            for where, verb, name, _ in verbs
            if where == phase.name
        }
        besides = _besides(rulebook, _orders(f"order-{phase.name}"))
        definitions[f"order-{phase.name}"] = one_of_verbs(rulebook, needs, phase.name, besides=besides)
    definitions |= {name: schema for _, _, name, schema in verbs}
    stand = {phase.name: _orders(f"order-{phase.name}") for phase in phases if not phase.once}
    definitions["standing"] = _standing(rulebook, stand)
    definitions |= conditions(rulebook)
    by_phase = [
        {
            "if": {
                "properties": {"phase": {"type": "string", "pattern": f"^([0-9]+-t[0-9]+-)?{phase.name}$"}},
                "required": ["phase"],
            },
            "then": _to(f"sheet-{phase.name}"),
        }
        for phase in phases
    ]
    schema: Schema = {
        "$schema": DRAFT,
        "title": f"{rulebook.title}: a sheet for the phase that it names",
        "type": "object",
        "properties": {"player": {"enum": players(rulebook)}},
        "required": ["player"],
        "allOf": by_phase,
        "definitions": definitions,
    }
    return titled(schema)


def _verbs(rulebook: Rulebook[Any], phases: Sequence[Phase[Any]]) -> Iterator[tuple[str, str, str, Schema]]:
    """Every phase and verb, with the name of its definition and that: one where it is the same in all its phases.

    What may stand under `else` differs from phase to phase, so a definition says only that it is a list.
    """
    several: Schema = {"type": "array", "maxItems": MOST_ORDERS}
    found: dict[str, dict[str, Schema]] = {}
    for phase in phases:
        for name, verb in phase.verbs.items():
            schema = fields_of(rulebook, phase.name, name, verb.fields, (name, *verb.needed))
            schema["properties"] |= _besides(rulebook, several)
            found.setdefault(name, {})[phase.name] = schema
    for verb_name, schemas in found.items():
        same = all(schema == next(iter(schemas.values())) for schema in schemas.values())
        for where, schema in schemas.items():
            yield where, verb_name, f"verb-{verb_name}" if same else f"verb-{verb_name}-{where}", schema


# -- answers -----------------------------------------------------------------------------------------------------------


def answer_schema(rulebook: Rulebook[Any], seated: Sequence[str] = ()) -> Schema:
    """The schema of a file of answers; `seated` as in that of a sheet."""
    definitions: Schema = {}
    verbs: dict[str, Verb[Any]] = {}
    for question in rulebook.questions:
        verbs[question.verb] = Verb(nothing, question.shapes, question.needed)
    definitions |= {
        f"answer-{name}": fields_of(rulebook, "answer", name, verb.fields, (name, *verb.needed))
        for name, verb in verbs.items()
    }
    definitions["answer"] = one_of_verbs(rulebook, {name: _to(f"answer-{name}") for name in verbs}, "answer")
    schema: Schema = {
        "$schema": DRAFT,
        "title": f"{rulebook.title}: answers to questions",
        "type": "object",
        "properties": {
            "player": {"enum": players(rulebook)},
            "match": {"type": "string"},
            "phase": {"type": ["string", "integer"]},
            "answers": {"type": ["array", "null"], "items": _to("answer")},
        },
        "required": ["player"],
        "additionalProperties": False,
        "definitions": definitions,
    }
    return titled(seating(schema, players(rulebook), seated))


# -- what they have in common ------------------------------------------------------------------------------------------


def players(rulebook: Rulebook[Any]) -> list[str]:
    """Every player that a match of the rulebook may have."""
    return list(
        dict.fromkeys(name for tables in rulebook.tables.values() for table in tables for name in table)
    )


def following(rulebook: Rulebook[Any], phase: Phase[Any]) -> list[Phase[Any]]:
    """The phases for which a sheet of this one may hold orders under `later`; those of own turns always."""
    index = [each.name for each in rulebook.phases].index(phase.name)
    return [each for at, each in enumerate(rulebook.phases) if each.verbs and (at > index or each.own_turn)]


def _to(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def _sheet(
    rulebook: Rulebook[Any], phase: Phase[Any], order: str, standing: Schema, later: Mapping[str, Schema]
) -> Schema:
    """A sheet for a phase; `order` is the name of the definition of its orders."""
    properties: Schema = {
        "player": {"enum": players(rulebook)},
        "match": {"type": "string"},
        "phase": {"type": ["string", "integer"]},
        "orders": {**_orders(order), "type": ["array", "null"]},
        "standing": standing,
        "later": {"type": ["object", "null"], "properties": later, "additionalProperties": False},
        "salt": {"type": "string"},
        "ready": {"type": "boolean"},
    }
    if not later:
        properties["later"]["doNotSuggest"] = True
    for name, field in properties.items():
        if name != "standing":
            field["description"] = field_text(rulebook.key, name, "sheet")
    return {
        "title": f"{rulebook.title}: a sheet for the phase {phase.name}",
        "type": "object",
        "properties": properties,
        "required": ["player"],
        "additionalProperties": False,
    }


def _orders(order: str) -> Schema:
    return {"type": "array", "items": _to(order), "maxItems": MOST_ORDERS}


def _later(phase: Phase[Any], order: str) -> Schema:
    when = "of your own next turn" if phase.own_turn else "of this turn"
    return {
        "title": f"orders for the phase {phase.name}",
        "description": f"Orders for the phase {phase.name} {when}",
        "type": "object",
        "properties": {"orders": {**_orders(order), "type": ["array", "null"]}},
        "required": ["orders"],
        "additionalProperties": False,
    }


def _besides(rulebook: Rulebook[Any], several: Schema) -> Schema:
    """The fields that every order may have."""
    found: Schema = {"else": {**several, "description": field_text(rulebook.key, "else")}}
    return found | ({"if": ITSELF} if rulebook.condition is not None else {})


def _standing(rulebook: Rulebook[Any], phases: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": standing_of(rulebook, phases),
        "additionalProperties": False,
        "description": field_text(rulebook.key, "standing", "sheet"),
    }
