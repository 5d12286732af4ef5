"""Promise 8, the words: every reason, verb, field, phase and player has a text, and every text is used and filled."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudicator.contract.code import constants, reasons_given
from adjudicator.contract.numbers import numbers_in_words
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import game_texts, texts_of
from adjudicator.engine.library.words import texts_in, words
from adjudicator.engine.sheets.conditions import facts_named as facts_named_in
from adjudicator.engine.table.event import END
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.table import Instruction
from adjudicator.engine.text.resources import PACKAGE, folder_of

ENGINE = PACKAGE / "engine"
ANYWHERE = frozenset({"if", "else", "sheet.orders"})
"""Fields that every verb has, and every sheet."""


def faults_of_texts(rulebook: Rulebook[Any], language: str = "en") -> Iterator[str]:
    """What is missing or wrong in `words.yaml`, each by name."""
    home = registry.home(rulebook.key, "templates") / language
    if not (home / "words.yaml").is_file():
        yield f"{registry.from_templates(home)}/words.yaml is missing: it has the texts of the game"
        return
    try:
        own = texts_in(home / "words.yaml")
    except ValueError as error:
        yield f"words.yaml can't be read: {error}"
        return
    try:
        texts = words(game_texts(rulebook.key, language))
    except (ImportError, AttributeError) as error:
        yield f"words.yaml names a number of the rules that isn't there: {error}"
        return
    yield from faults_of_reasons(rulebook, texts, own)
    yield from faults_of_orders(rulebook, texts, own)
    yield from faults_of_names(rulebook, texts)
    yield from numbers_in_words(own)


def faults_of_reasons(
    rulebook: Rulebook[Any], texts: Mapping[str, Any], own: Mapping[str, Any]
) -> Iterator[str]:
    """Reasons in the code without a text, texts without a reason, and facts in a text that aren't given."""
    package = folder_of(rulebook.package)
    for part in (ENGINE, package):
        for said in reasons_given(part):
            if said.key not in texts["reasons"]:
                yield f"{said.place}: the reason `{said.key}` has no text in words.yaml (reasons)"
                continue
            absent = set(facts_named(texts["reasons"][said.key])) - {"mean"} - (said.facts or frozenset())
            if said.facts is not None and absent:
                facts = ", ".join(sorted(absent))
                yield f"{said.place}: the text of `{said.key}` names {facts}, which this reason doesn't give"
    for key in rulebook.lasting:
        if key not in texts["reasons"]:
            yield f"lasting: there is no reason `{key}`"
    unsaid = own.get("reasons", {}).keys() - constants(package, own.get("reasons", {}))
    for key in sorted(unsaid - constants(ENGINE, unsaid)):
        yield f"words.yaml: no code gives the reason `{key}`"
    yield from faults_of_sentences({key: texts["reasons"][key] for key in own.get("reasons", {})})


def faults_of_sentences(reasons: Mapping[str, str]) -> Iterator[str]:
    """Texts of reasons that aren't a sentence on one line without a full stop, or whose facts have no plain names."""
    for key, text in reasons.items():
        if text.endswith(".") or "\n" in text:
            yield f"words.yaml: the reason `{key}` must be one line, without a full stop"
        try:
            named = facts_named(text)
        except ValueError as error:
            yield f"words.yaml: the reason `{key}` can't be filled in: {error}"
            continue
        for name in named:
            if not name.isidentifier():
                yield f"words.yaml: the reason `{key}` names {{{name}}}, which is no fact's name"


def faults_of_orders(
    rulebook: Rulebook[Any], texts: Mapping[str, Any], own: Mapping[str, Any]
) -> Iterator[str]:
    """Verbs, standing instructions and fields that aren't explained, and explanations of nothing."""
    known: set[str] = set()
    for what, verbs, kind, verb, fields in declared_fields(rulebook):
        for part, wanted in [("verbs", verbs), *(("fields", (f"{verb}.{field}", field)) for field in fields)]:
            found = [key for key in wanted if key in texts[part]]
            known.update(f"{part} {key}" for key in found[:1])
            if not found:
                yield f"words.yaml ({part}): {kind}{what} has no text under {' or '.join(f'`{key}`' for key in wanted)}"
    for within, fact in facts_asked(rulebook):
        known |= {f"fields if.{fact}", f"fields if.{within}.if.{fact}"}
        if not {f"if.{fact}", f"if.{within}.if.{fact}"} & set(texts["fields"]):
            yield f"words.yaml (fields): the fact {fact} has no text under `if.{fact}`"
    for part in ("verbs", "fields"):
        for key in own.get(part, {}):
            if f"{part} {key}" not in known and key not in ANYWHERE:
                yield f"words.yaml ({part}): `{key}` is the text of nothing"


def facts_asked(rulebook: Rulebook[Any]) -> list[tuple[str, str]]:
    """The names of all facts that `if:` may hold, each with the fact that it is part of."""
    if rulebook.condition is None:
        return []
    return list(dict.fromkeys(facts_named_in(rulebook.condition.shape.schema())))


def declared_fields(
    rulebook: Rulebook[Any],
) -> Iterator[tuple[str, tuple[str, ...], str, str, Iterable[str]]]:
    """What sheets may hold: its name here, the keys of its text, its kind, and the fields, described by a name."""
    for phase in rulebook.phases:
        for name, verb in phase.verbs.items():
            yield name, (f"{phase.name}.{name}", name), "the verb ", name, verb.fields
    for question in rulebook.questions:
        name = getattr(question, "verb", question.__name__)
        yield name, (f"answer.{name}", name), "the answer ", name, getattr(question, "shapes", ())
    for name, kind in rulebook.standing.items():
        fields = kind.fields if isinstance(kind, Instruction) else ()
        yield name, (f"standing.{name}",), "the standing instruction ", f"standing.{name}", fields


def faults_of_names(rulebook: Rulebook[Any], texts: Mapping[str, Any]) -> Iterator[str]:
    """Phases and players without a name, and points without a heading."""
    phases = texts.get("phases", {})
    for name in (*(phase.name for phase in rulebook.phases), END):
        if name not in phases:
            yield f"words.yaml (phases): the phase {name} has no name"
    asks = texts.get("asks", {})
    for phase in rulebook.phases:
        if phase.verbs and not asks.get(phase.name):
            yield f"words.yaml (asks): nothing says what a player is asked for in the phase {phase.name}"
    for name in phases:
        if name != END and name not in [phase.name for phase in rulebook.phases]:
            yield f"words.yaml (phases): there is no phase {name}"
    for player in dict.fromkeys(
        name for tables in rulebook.tables.values() for table in tables for name in table
    ):
        if player not in texts.get("names", {}):
            yield f"words.yaml (names): the player {player} has no name"
    for key in ("what", "total"):
        if key not in texts.get("points", {}):
            yield f"words.yaml (points): `{key}` is missing"


def facts_named(text: str) -> list[str]:
    """The facts that a text names. Raises ValueError for a text that can't be filled in."""
    return [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]


def missing_facts(rulebook: Rulebook[Any], reason: Reason) -> list[str]:
    """The facts that a reason's text names and the reason lacks: they print as `?`."""
    texts: Mapping[str, str] = words(texts_of(rulebook))["reasons"]
    if reason.key not in texts:
        return [f"(no text {reason.key})"]
    return sorted(set(facts_named(texts[reason.key])) - {"mean"} - set(reason.facts))
