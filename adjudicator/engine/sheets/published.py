"""The schemas in `schemas/`, of sheets, answers, positions and the match file: writes, checks and reads them.

The keys of `known.yaml`: what a player knows beyond the view.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from adjudicator.engine.library import registry
from adjudicator.engine.sheets.schema import DRAFT, answer_schema, orders_schema
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import HIDDEN
from adjudicator.engine.text import typed
from adjudicator.engine.text.resources import folder


class Bounds(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A hidden number: at least `least`, at most `most` (missing: nobody can say); equal if it is certain."""

    least: int
    most: int | None = None


class SeenCards(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Hidden cards that were `seen` last at a place of the position: they are still `there`, or they may have gone `to`
    other places since.
    """

    seen: str
    state: Literal["there", "may-have-left"]
    cards: tuple[str, ...]
    to: tuple[str, ...] = ()


class Pile(Struct, frozen=True, forbid_unknown_fields=True):
    """A pile of hidden cards, and the cards that can't be in it: all those that must lie elsewhere."""

    without: tuple[str, ...]


class KnownFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a player knows beyond the view of a phase. Places are paths in the position, with a point between steps:
    `players.genoa.treasury`. In a hand cards have no order. In a pile the last step is the number of the first card, as
    the position lists them, and the others lie right after it.
    """

    format: str
    match: str
    phase: str
    player: str
    numbers: Mapping[str, Bounds] = {}
    cards: tuple[SeenCards, ...] = ()
    piles: Mapping[str, Pile] = {}


REF = "#/definitions/{name}"
ORDERS = "orders.json"
WIDTH = 110


def state_schema(rulebook: Rulebook[Any]) -> Schema:
    """The JSON Schema of the game's positions; a secret's value may be hidden in one."""
    inner: Schema = {}

    def of_secret(kind: Any) -> Schema:
        (inside,) = get_args(kind) or (Any,)
        (shape,), parts = msgspec.json.schema_components((inside,), schema_hook=of_secret, ref_template=REF)
        inner.update(parts)
        return {"anyOf": [{"const": HIDDEN}, shape]}

    (ref,), components = msgspec.json.schema_components(
        (rulebook.State,), schema_hook=of_secret, ref_template=REF
    )
    components = {**components, **inner}
    shape = components.pop(ref["$ref"].rpartition("/")[2])
    return {
        "$schema": DRAFT,
        **shape,
        "properties": {typed.KEY: {"type": "string"}, "language": {"type": "string"}, **shape["properties"]},
        "title": f"{rulebook.title}: a position",
        "definitions": components,
    }


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
        "schedule": {"type": "object"},
        "bots": {"type": "object", "description": "the seats that a program plays from the start"},
        "templates": {"type": "string", "description": "the folder of the group's own words"},
        "seed": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "SHA-256 of the referee's seed",
        },
    },
    "required": ["match", "rulebook", "players", "options", "seed"],
    "additionalProperties": False,
}


def known_schema() -> Schema:
    """The JSON Schema of `known.yaml`."""
    (ref,), components = msgspec.json.schema_components((KnownFile,), ref_template=REF)
    shape = components.pop(ref["$ref"].rpartition("/")[2])
    return {"$schema": DRAFT, **shape, "title": "What a player knows", "definitions": components}


def published_schemas(rulebook: Rulebook[Any]) -> dict[str, Schema]:
    """Every committed schema of a rulebook by file name."""
    return {
        ORDERS: orders_schema(rulebook),
        "answers.json": answer_schema(rulebook),
        "state.json": state_schema(rulebook),
    }


def json_of(schema: Schema) -> str:
    """The text of a schema, indented. What fits stands on one line, and names stand side by side."""
    return _indented_json(schema, 0, 0) + "\n"


def _indented_json(value: Any, indent: int, before: int) -> str:
    """A value as JSON, indented by `indent` spaces; its first line already has `before` characters."""
    flat = _line_json(value)
    if before + len(flat) < WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inside = indent + 1
    if isinstance(value, dict):
        keys = ((_line_json(key) + ": ", item) for key, item in value.items())
        lines = [key + _indented_json(item, inside, inside + len(key)) for key, item in keys]
    elif any(isinstance(item, dict | list) for item in value):
        lines = [_indented_json(item, inside, inside) for item in value]
    else:
        lines = _side_by_side([_line_json(item) for item in value], WIDTH - inside)
    start, end = ("{", "}") if isinstance(value, dict) else ("[", "]")
    between = "\n" + " " * inside
    return start + between + f",{between}".join(lines) + between[:-1] + end


def _line_json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _side_by_side(names: list[str], width: int) -> list[str]:
    lines = names[:1]
    for name in names[1:]:
        if len(lines[-1]) + len(name) + 3 > width:
            lines.append(name)
        else:
            lines[-1] += f", {name}"
    return lines


@cache
def committed_schema(game: str, name: str) -> Schema:
    """A committed schema, `state.json` of a game; generated if the rulebook brings no schemas."""
    path = registry.home(game, "schemas") / name
    if path.is_file():
        schema: Schema = msgspec.json.decode(path.read_bytes())
        return schema
    return published_schemas(registry.rulebook(game))[name]


@cache
def committed_sheet(game: str, phase: str) -> Schema:
    """The committed schema of a sheet for a phase."""
    definitions = committed_schema(game, ORDERS)["definitions"]
    return {"$ref": f"#/definitions/sheet-{phase}", "definitions": definitions}


def schema_files(rulebook: Rulebook[Any]) -> dict[Path, bytes]:
    """The text of every committed schema of a rulebook by path: ours lie together, another's in its package."""
    home = registry.home(rulebook.key, "schemas")
    return {home / file: json_of(schema).encode() for file, schema in published_schemas(rulebook).items()}


def main(check: bool, games: Sequence[str] = ()) -> int:
    """Writes all our schemas, or those of the games named, and removes obsolete ones; with `check` only says what is
    out of date.
    """
    ours = {} if games else {"match.json": MATCH_SCHEMA, "known.json": known_schema()}
    files = {folder("schemas") / name: json_of(schema).encode() for name, schema in ours.items()}
    for name in games or registry.OWN:
        files |= schema_files(registry.rulebook(name))
    tops = [registry.home(game, "schemas") for game in games] or [folder("schemas")]
    there = {path: path.read_bytes() for top in tops for path in top.rglob("*") if path.is_file()}
    stale = [path for path, text in files.items() if there.get(path) != text]
    strange = sorted(there.keys() - files.keys())
    if not check:
        for path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path])
        for path in strange:
            path.unlink()
    for said, paths in (
        ("out of date" if check else "written", stale),
        ("of no rulebook" if check else "removed", strange),
    ):
        for path in paths:
            top = next(parent for parent in path.parents if parent.name == "schemas")
            print(f"{said}: {path.relative_to(top.parent)}")
    return 1 if check and (stale or strange) else 0


if __name__ == "__main__":
    try:
        sys.exit(main("--check" in sys.argv[1:], [word for word in sys.argv[1:] if word != "--check"]))
    except registry.NoSuchGame as error:
        sys.exit(str(error))
