"""A form's own schema: what types say, and within it what is possible now, for editors to suggest.

It admits whatever its types admit, so that nothing acceptable is marked as wrong. What types say is most of it and
depends on no position, so it is made once in a process; the position's part is added to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import Recent, texts_of, words
from adjudicator.engine.sheets.conditions import conditions, kinds_of_facts, not_and_any, separate_facts
from adjudicator.engine.sheets.offering import PATTERNS, Spots, schema_for_players, spots, with_names
from adjudicator.engine.sheets.schema import (
    DRAFT,
    FIRM,
    Possible,
    definitions_of,
    orders_ahead,
    phases_ahead,
    players,
    schema_of_orders,
    schema_of_sheet,
    shapes_of,
    standing_as_a_whole,
)
from adjudicator.engine.sheets.schema_words import with_message, with_titles
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
    types = seated_types(rulebook, tuple(seated))
    sheet = types.sheet(phase)
    known = tuple(names)
    definitions: Schema = dict(with_names(types.definitions, known))
    definitions |= sheet.definitions.part if possible is None else with_suggestions(types, phase, possible)
    definitions |= conditions(types.facts, names)
    whole = sheet.sheet.part
    standing = {"standing": with_names(types.standing, known)}
    orders = {"orders": with_sure_lengths(whole["properties"]["orders"], possible or {})}
    properties = {**whole["properties"], **orders, **standing}
    return {**whole, "properties": properties, "definitions": definitions}


# -- what types say ----------------------------------------------------------------------------------------------------


class Shape(Struct, frozen=True):
    """The schemas of a field's type: `plain` is what its domain says, `described` that with the field's text."""

    plain: Spots
    described: Spots


class SheetTypes(Struct, frozen=True):
    """The part of a sheet's schema that follows from types alone:
    the sheet itself, its orders, and the shapes of their fields by definition."""

    sheet: Spots
    definitions: Spots
    shapes: Mapping[str, Mapping[str, Shape]]


class FormTypes:
    """What a form's schema has from types alone, whoever plays: the orders of all phases, the standing instructions,
    the facts of `if:`.
    """

    def __init__(self, rulebook: Rulebook[Any]) -> None:
        self.rulebook, self.players = rulebook, players(rulebook)
        every = [each for each in rulebook.phases if each.verbs]
        definitions: Schema = {}
        for each in every:
            definitions |= definitions_of(rulebook, each)
        stand = {each.name: schema_of_orders(each.name) for each in every if not each.once}
        self.definitions = self._spots(definitions)
        self.standing = self._spots(standing_as_a_whole(rulebook, stand))
        around = with_titles(not_and_any(rulebook), texts_of(rulebook))
        self.facts = separate_facts(with_titles(kinds_of_facts(rulebook), texts_of(rulebook)), around)
        self._sheets: dict[str, SheetTypes] = {}

    def sheet(self, phase: Phase[Any]) -> SheetTypes:
        """The part of a phase's sheet schema that follows from types alone."""
        if phase.name not in self._sheets:
            self._sheets[phase.name] = self._sheet(phase)
        return self._sheets[phase.name]

    def _sheet(self, phase: Phase[Any]) -> SheetTypes:
        rulebook = self.rulebook
        ahead = {each.name: orders_ahead(rulebook, each, each.name) for each in phases_ahead(rulebook, phase)}
        sheet = {"$schema": DRAFT, **schema_of_sheet(rulebook, phase, phase.name, {}, ahead)}
        shapes = {
            f"{phase.name}-{name}": {
                field: Shape(self._spots(shape), self._spots({"description": text, **shape}))
                for field, text, shape in shapes_of(rulebook, phase.name, name, verb.fields)
            }
            for name, verb in phase.verbs.items()
        }
        return SheetTypes(self._spots(sheet), self._spots(definitions_of(rulebook, phase)), shapes)

    def _spots(self, schema: Schema) -> Spots:
        return spots(with_titles(schema, texts_of(self.rulebook)))


class SeatedTypes:
    """The same for one player of a table."""

    def __init__(self, types: FormTypes, seated: tuple[str, ...]) -> None:
        self.types, self.seated = types, seated
        self.definitions, self.standing = self.seat(types.definitions), self.seat(types.standing)
        self.facts = types.facts.seated(types.players, seated)
        self._sheets: dict[str, SheetTypes] = {}

    def seat(self, where: Spots) -> Spots:
        """A part of a schema in this player's form."""
        return schema_for_players(where, self.types.players, self.seated)

    def sheet(self, phase: Phase[Any]) -> SheetTypes:
        """The part of a phase's sheet schema that follows from types alone, in this player's form."""
        if phase.name not in self._sheets:
            found = self.types.sheet(phase)
            shapes = {
                where: {
                    field: Shape(self.seat(each.plain), self.seat(each.described))
                    for field, each in fields.items()
                }
                for where, fields in found.shapes.items()
            }
            self._sheets[phase.name] = SheetTypes(
                self.seat(found.sheet), self.seat(found.definitions), shapes
            )
        return self._sheets[phase.name]


MOST_TYPES = 64
_TYPES: Recent[int, FormTypes] = Recent(MOST_TYPES)
"""What types say, by the rulebook as it is read. Each value keeps its rulebook, so that no other gets its identity."""
_SEATED: Recent[tuple[int, tuple[str, ...]], SeatedTypes] = Recent(MOST_TYPES)


def seated_types(rulebook: Rulebook[Any], seated: tuple[str, ...]) -> SeatedTypes:
    """The part of a form's schema that follows from types alone, for a player of a table; made once in a process."""
    key = (id(rulebook), seated)
    if key not in _SEATED:
        if id(rulebook) not in _TYPES:
            _TYPES.keep(id(rulebook), FormTypes(rulebook))
        _SEATED.keep(key, SeatedTypes(_TYPES[id(rulebook)], seated))
    return _SEATED[key]


# -- what is possible now ----------------------------------------------------------------------------------------------


def with_suggestions(types: SeatedTypes, phase: Phase[Any], possible: Possible) -> Schema:
    """The definitions of a phase's orders with what is possible now."""
    not_now = f". {words(texts_of(types.types.rulebook))['pages']['orders.impossible']}."
    sheet = types.sheet(phase)
    found: Schema = {phase.name: without_impossible(sheet.definitions.part[phase.name], possible, not_now)}
    for name in phase.verbs:
        where, now = f"{phase.name}-{name}", possible.get(name, {})
        whole, shapes = sheet.definitions.part[where], sheet.shapes[where]
        fields = {field: suggestion_for(types, shape, now.get(field, ())) for field, shape in shapes.items()}
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


def suggestion_for(types: SeatedTypes, shape: Shape, now: Sequence[Schema]) -> Schema:
    """What is possible now, to be suggested, together with everything the type admits, to be accepted.

    In a mapping, the keys that are possible now are put beside the pattern of the others: an editor that had to choose
    between two mappings would take the one that suggests nothing.
    """
    found: Schema = shape.described.part
    plain: Schema = shape.plain.part
    if PATTERNS in found:
        (each,) = found[PATTERNS].values()
        return {
            **found,
            "properties": dict.fromkeys((key for one in now for key in one.get("properties", {})), each),
        }
    if not now:
        return found
    texts = texts_of(types.types.rulebook)
    tried = (spots(with_titles(with_message(without_sure_length(each), plain, texts), texts)) for each in now)
    return {"description": found["description"], "anyOf": [*(types.seat(each).part for each in tried), plain]}


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
