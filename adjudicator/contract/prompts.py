"""Promise 8, the prompts: a game that brings `prompts.yaml` says there what every verb does, and of nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.engine.library import registry
from adjudicator.engine.library.words import texts_in
from adjudicator.engine.report.orderpage import PROMPTS
from adjudicator.engine.table.rulebook import Rulebook

NEEDED = {"verbs": "a button", "orders": "a sentence"}
"""What each verb needs, by part of the file."""
BLANK = re.compile(r"\{([\w-]+)@?(?:\|[^}]*)?\}")
"""A field in a sentence: `{via}`, where it lies (`{move@}`), or with what is counted (`{crew|sailor|sailors}`)."""


def faults_of_prompts(rulebook: Rulebook[Any], language: str = "en") -> Iterator[str]:
    """What is missing in the game's `prompts.yaml`, and what names nothing. The file itself may be left out."""
    path = registry.home(rulebook.key, "templates") / language / PROMPTS
    if not path.is_file():
        return
    try:
        own = texts_in(path)
    except ValueError as error:
        yield f"{PROMPTS} can't be read: {error}"
        return
    for phase in rulebook.phases:
        if phase.verbs and phase.name not in own.get("phases", {}):
            yield f"{PROMPTS} (phases): nothing says what to tap first in the phase {phase.name}"
        for name in phase.verbs:
            for part, what in NEEDED.items():
                if not {name, f"{phase.name}.{name}"} & {*own.get(part, {})}:
                    yield f"{PROMPTS} ({part}): the verb {name} has no text: {what} on the page for orders"
    yield from names_of_nothing(rulebook, own)


def names_of_nothing(rulebook: Rulebook[Any], own: Mapping[str, Any]) -> Iterator[str]:
    """Keys that name no phase, verb or field, and sentences that name no field of their verb."""
    known: dict[str, set[str]] = {"phases": {phase.name for phase in rulebook.phases}}
    verbs = [(phase.name, name, verb) for phase in rulebook.phases for name, verb in phase.verbs.items()]
    named = {key for phase, name, _ in verbs for key in (name, f"{phase}.{name}")}
    fields = {
        key
        for phase, name, verb in verbs
        for field in verb.fields
        for key in (field, f"{name}.{field}", f"{phase}.{field}", f"{phase}.{name}.{field}")
    }
    known |= {"verbs": named, "orders": named, "marks": named, "asks": fields, "fields": fields}
    known["prices"] = named | fields
    for part, keys in known.items():
        for key in own.get(part, {}):
            if key not in keys:
                yield f"{PROMPTS} ({part}): `{key}` is the text of nothing"
    for key, text in own.get("orders", {}).items():
        name = key.rpartition(".")[2]
        for field in BLANK.findall(text):
            if not any(name == verb and field in each.fields for _, verb, each in verbs):
                yield f"{PROMPTS} (orders): the text of `{key}` names {field}, which is no field of {name}"
