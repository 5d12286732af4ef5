"""The parts of schemas: one of several verbs, a verb's fields, standing instructions, what is possible now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import field_text, verb_text
from adjudicator.engine.sheets.limits import MOST_ENTRIES
from adjudicator.engine.table.domain import Domain, Schema
from adjudicator.engine.table.domain.forms import OTHER_FORM
from adjudicator.engine.table.rulebook import PHASES, Rulebook
from adjudicator.engine.table.table import Instruction, Setting

Possible = Mapping[str, Mapping[str, Sequence[Schema]]]
"""By verb and field: the schemas of what is possible now; an impossible verb has no fields."""
FIRM = "firm"
"""In what is possible now, for a list: the length it must have, whatever else is ordered."""


def one_of_verbs(
    rulebook: Rulebook[Any],
    verbs: Mapping[str, Schema],
    kind: str,
    besides: Schema | None = None,
) -> Schema:
    """`if/then` by verb, never `oneOf`, whose errors say nothing; `verbs` has a schema for each verb.

    The verbs stand in a branch for orders that have none yet: an editor suggests them there and nowhere else. An `if`
    asks for a mapping too, since `required` alone holds for anything that is no mapping, and so for an order not yet
    begun. (`anyOf: [true]` admits anything; an editor that is told no type inserts a key without its colon.) `besides`
    are fields of an order with any verb: the orders in its `else` are tried even if its own verb doesn't exist. (They
    are patterns there, which no editor suggests.)
    """
    said = f"it must begin with one of: {', '.join(verbs)}"
    begun: list[Any] = [{"required": [name], "errorMessage": said} for name in verbs] or [True]
    patterns = {f"^{name}$": without_text(each) for name, each in (besides or {}).items()}
    beside = {"patternProperties": patterns} if patterns else {}
    described: Schema = {}
    for name in verbs:
        described[name] = {"description": verb_text(texts_of(rulebook), name, kind), "anyOf": [True]}
    return {
        "title": "an answer" if kind == "answer" else "an order",
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
        "title": f"what `{verb}` needs",
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


def with_message(now: Schema, shape: Schema) -> Schema:
    """Names that are possible now, with their type's message: an editor's own would name no others."""
    plain, *others = shape.get("anyOf", [shape])
    if "enum" not in now or "errorMessage" not in plain or not all(OTHER_FORM in other for other in others):
        return now
    possible = ", ".join(str(value) for value in now["enum"])
    return {**now, "errorMessage": f"{plain['errorMessage']}; possible now: {possible}"}


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
            fields["title"] = f"an entry of `{key}`"
            found[key] = {"type": "array", "items": fields, "maxItems": MOST_ENTRIES}
        found[key]["description"] = verb_text(texts_of(rulebook), key, "standing")
    return found


def with_titles(schema: Schema) -> Schema:
    """The schema with a title for every mapping, which editors use to say what they expect."""
    found = {key: part_with_titles(value) for key, value in schema.items()}
    return {"title": "mapping", **found} if found.get("type") == "object" else found


def part_with_titles(part: Any) -> Any:
    """A part of a schema, or a list of parts, with a title for every mapping in it."""
    if isinstance(part, dict):
        return with_titles(part)
    return [part_with_titles(item) for item in part] if isinstance(part, list) else part
