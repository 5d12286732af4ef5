"""The schemas in `schemas/`, of sheets, answers, positions and the match file: written, checked and read here."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec

from adjudicator.engine.sheets import registry
from adjudicator.engine.sheets.schema import DRAFT, answer_schema, sheet_schema
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import HIDDEN
from adjudicator.engine.text.resources import folder

REF = "#/definitions/{name}"


def state_schema(rulebook: Rulebook[Any]) -> Schema:
    """The schema of a position."""

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
    name = ref["$ref"].rpartition("/")[2]
    return {
        "$schema": DRAFT,
        **components.pop(name),
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


def json_of(schema: Schema) -> str:
    """A schema as it is written: one line a definition's field would be too long to read, so plainly indented."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


@cache
def committed(game: str, name: str) -> Schema:
    """A committed schema, `market.json` of a game; made anew where a rulebook brings no schemas."""
    path = registry.home(game, "schemas") / name
    if path.is_file():
        schema: Schema = json.loads(path.read_text(encoding="utf-8"))
        return schema
    return published(registry.rulebook(game))[name]


def main(check: bool) -> int:
    """Writes all schemas, or with `check` says which are out of date."""
    stale: list[str] = []
    files: dict[Path, str] = {folder("schemas") / "match.json": json_of(MATCH_SCHEMA)}
    for name in registry.OWN:
        for file, schema in published(registry.rulebook(name)).items():
            files[folder("schemas") / name / file] = json_of(schema)
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
