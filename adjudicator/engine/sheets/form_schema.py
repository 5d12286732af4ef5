"""A form's own schema: what types say, and within it what is possible now, for editors to suggest.

It admits whatever its types admit, so that nothing acceptable is marked as wrong. What types say is most of it and
depends on no position, so it is made once in a process; the position's part is added to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.kept import Recent
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.sheets.conditions import around, conditions, kinds_of_facts, laid_out
from adjudicator.engine.sheets.offering import along, names_within, offered, seating
from adjudicator.engine.sheets.schema import (
    DRAFT,
    definitions_of,
    following,
    orders_ahead,
    players,
    schema_of_orders,
    schema_of_sheet,
    standing_as_a_whole,
)
from adjudicator.engine.sheets.schema_parts import FIRM, Possible, explained, shapes_of, titled
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.rulebook import Phase, Rulebook


def sheet_schema(
    rulebook: Rulebook[Any],
    phase: Phase[Any],
    possible: Possible | None = None,
    names: Sequence[str] = (),
    seated: Sequence[str] = (),
) -> Schema:
    """The whole schema of a sheet for a phase; `possible` makes it a form's, with what is possible now.

    `names` are those of all pieces on the board, suggested wherever any name of a kind fits: in standing instructions,
    in `if:`, and in orders for later phases. `seated` are the players of the match: no others are suggested.
    """
    types = types_of(rulebook, tuple(seated))
    blank = types.blank(phase)
    known = tuple(names)
    definitions: Schema = dict(along(types.definitions, known))
    definitions |= blank.definitions if possible is None else suggesting(types, phase, blank, possible)
    definitions |= conditions(types.facts, names)
    standing = {"standing": along(types.standing, known)}
    orders = {"orders": with_sure_lengths(blank.sheet["properties"]["orders"], possible or {})}
    sheet = {**blank.sheet, "properties": {**blank.sheet["properties"], **orders, **standing}}
    return {**sheet, "definitions": definitions}


# -- what types say ----------------------------------------------------------------------------------------------------


class Shape(Struct, frozen=True):
    """The schemas of a field's type: `plain` is what its domain says, `seated` the same for the players of a match,
    `described` that with the field's text."""

    plain: Schema
    seated: Schema
    described: Schema


class SheetTypes(Struct, frozen=True):
    """The part of a sheet's schema that follows from types alone:
    the sheet itself, its orders, and the shapes of their fields by definition."""

    sheet: Schema
    definitions: Schema
    shapes: Mapping[str, Mapping[str, Shape]]


class Types:
    """What a form's schema has from types alone, for one player of a table: the orders of all phases, the standing
    instructions, the facts of `if:`.
    """

    def __init__(self, rulebook: Rulebook[Any], seated: tuple[str, ...]) -> None:
        self.rulebook, self.players, self.seated = rulebook, players(rulebook), seated
        every = [each for each in rulebook.phases if each.verbs]
        definitions: Schema = {}
        for each in every:
            definitions |= definitions_of(rulebook, each)
        stand = {each.name: schema_of_orders(each.name) for each in every if not each.once}
        self.definitions = names_within(self.ready(definitions))
        self.standing = names_within(self.ready(standing_as_a_whole(rulebook, stand)))
        facts = laid_out(self.ready(kinds_of_facts(rulebook)), self.ready(around(rulebook)))
        self.facts = replace(facts, words=tuple(offered(facts.words, self.players, seated)))
        self._sheets: dict[str, SheetTypes] = {}

    def ready(self, schema: Schema) -> Schema:
        """A part of a schema in this player's form: for the players of the match, and with all titles."""
        return titled(seating(schema, self.players, self.seated))

    def blank(self, phase: Phase[Any]) -> SheetTypes:
        """The part of a phase's sheet schema that follows from types alone."""
        if phase.name not in self._sheets:
            self._sheets[phase.name] = self._blank(phase)
        return self._sheets[phase.name]

    def _blank(self, phase: Phase[Any]) -> SheetTypes:
        rulebook = self.rulebook
        ahead = {each.name: orders_ahead(each, each.name) for each in following(rulebook, phase)}
        sheet = {"$schema": DRAFT, **schema_of_sheet(rulebook, phase, phase.name, {}, ahead)}
        shapes = {
            f"{phase.name}-{name}": {
                field: Shape(shape, self.ready(shape), self.ready({"description": text, **shape}))
                for field, text, shape in shapes_of(rulebook, phase.name, name, verb.fields)
            }
            for name, verb in phase.verbs.items()
        }
        return SheetTypes(self.ready(sheet), self.ready(definitions_of(rulebook, phase)), shapes)


MOST_TYPES = 64
_TYPES: Recent[tuple[int, tuple[str, ...]], Types] = Recent(MOST_TYPES)
"""What types say, by the rulebook as it is read and the players. Each value keeps its rulebook, so that no other gets
its identity."""


def types_of(rulebook: Rulebook[Any], seated: tuple[str, ...]) -> Types:
    """The part of a form's schema that follows from types alone, for a player of a table; made once in a process."""
    key = (id(rulebook), seated)
    if key not in _TYPES:
        _TYPES.keep(key, Types(rulebook, seated))
    return _TYPES[key]


# -- what is possible now ----------------------------------------------------------------------------------------------


def suggesting(types: Types, phase: Phase[Any], blank: SheetTypes, possible: Possible) -> Schema:
    """The definitions of a phase's orders with what is possible now."""
    not_now = f". {words(texts_of(types.rulebook))['pages']['orders.impossible']}."
    found: Schema = {phase.name: without_impossible(blank.definitions[phase.name], possible, not_now)}
    for name in phase.verbs:
        where, now = f"{phase.name}-{name}", possible.get(name, {})
        whole, shapes = blank.definitions[where], blank.shapes[where]
        fields = {field: suggested(types, shape, now.get(field, ())) for field, shape in shapes.items()}
        found[where] = {**whole, "properties": {**whole["properties"], **fields}}
    return found


def without_impossible(orders: Schema, possible: Possible, not_now: str) -> Schema:
    """The schema of orders with a note, `not_now`, on verbs for which nothing is possible now."""
    *begun, blank = orders["allOf"]
    verbs = {
        name: each if possible.get(name) else {**each, "description": each["description"] + not_now}
        for name, each in blank["else"]["properties"].items()
    }
    return {**orders, "allOf": [*begun, {**blank, "else": {**blank["else"], "properties": verbs}}]}


def suggested(types: Types, shape: Shape, now: Sequence[Schema]) -> Schema:
    """What is possible now, to be suggested, together with everything the type admits, to be accepted.

    In a mapping, the keys that are possible now are put beside the pattern of the others: an editor that had to choose
    between two mappings would take the one that suggests nothing.
    """
    found = shape.described
    if "patternProperties" in found:
        (each,) = found["patternProperties"].values()
        return {
            **found,
            "properties": dict.fromkeys((key for one in now for key in one.get("properties", {})), each),
        }
    if not now:
        return found
    tried = [types.ready(explained(without_sure_length(each), shape.seated)) for each in now]
    return {"description": found["description"], "anyOf": [*tried, shape.seated]}


def with_sure_lengths(orders: Schema, possible: Possible) -> Schema:
    """The schema of a list of orders, in which lists have a required length where that is certain.

    It applies only there: orders for later phases and standing orders have other numbers when their time comes.
    """
    certain: list[Schema] = []
    for verb, fields in possible.items():
        sizes = {
            field: {"minItems": min(each.get("minItems", 0) for each in now)}
            for field, now in fields.items()
            if now and all(each.get(FIRM) for each in now)
        }
        if sizes:
            certain.append({"if": {"required": [verb]}, "then": {"properties": sizes}})
    return {**orders, "items": {"allOf": [orders["items"], *certain]}} if certain else orders


def without_sure_length(schema: Schema) -> Schema:
    """The schema without its required length, which `with_sure_lengths` puts on the order."""
    return {key: value for key, value in schema.items() if key != FIRM}
