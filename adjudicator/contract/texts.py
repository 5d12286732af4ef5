"""Promise 8, the words: texts, templates and prompts are all there, are used and filled."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError

from adjudicator.contract import code
from adjudicator.engine.library import registry
from adjudicator.engine.library.facts import SLIP
from adjudicator.engine.library.languages import texts_in
from adjudicator.engine.library.registry import from_templates
from adjudicator.engine.library.texts import game_texts, texts_of, words
from adjudicator.engine.report.narrator import SHEETS
from adjudicator.engine.report.orderpage import PROMPTS
from adjudicator.engine.report.template import environment, macros
from adjudicator.engine.sheets.conditions import facts_named as facts_named_in
from adjudicator.engine.sheets.schema import orders_schema
from adjudicator.engine.table.event import END, ENGINE_EVENTS
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
    yield from faults_of_kinds(rulebook, texts)
    yield from code.numbers_in_words(own)


def faults_of_reasons(
    rulebook: Rulebook[Any], texts: Mapping[str, Any], own: Mapping[str, Any]
) -> Iterator[str]:
    """Reasons in the code without a text, texts without a reason, and facts in a text that aren't given."""
    package = folder_of(rulebook.package)
    for part in (ENGINE, package):
        for said in code.reasons_given(part):
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
    unsaid = own.get("reasons", {}).keys() - code.constants(package, own.get("reasons", {}))
    for key in sorted(unsaid - code.constants(ENGINE, unsaid)):
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


def faults_of_kinds(rulebook: Rulebook[Any], texts: Mapping[str, Any]) -> Iterator[str]:
    """Kinds of things that sheets name, and that have no words."""
    for kind in dict.fromkeys(kinds_named(orders_schema(rulebook))):
        for key in (kind, f"{kind}.name"):
            if key not in texts["kinds"]:
                yield f"words.yaml (kinds): `{key}` is missing"


def kinds_named(schema: Any) -> Iterator[str]:
    """The kinds of the names in a schema."""
    if isinstance(schema, dict) and "pattern" in schema and "title" in schema:
        yield schema["title"]
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from kinds_named(part)


def facts_named(text: str) -> list[str]:
    """The facts that a text names. Raises ValueError for a text that can't be filled in."""
    return [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]


def missing_facts(rulebook: Rulebook[Any], reason: Reason) -> list[str]:
    """The facts that a reason's text names and the reason lacks: they print as `?`."""
    texts: Mapping[str, str] = words(texts_of(rulebook))["reasons"]
    if reason.key not in texts:
        return [f"(no text {reason.key})"]
    given = {*reason.facts, "mean", *(["text"] if SLIP in reason.facts else ())}
    return sorted(set(facts_named(texts[reason.key])) - given)


TELLING = ("thread", "actor")
"""What `events.md.j2` must say of every event: which events share a line, and who acts."""
NEWS = ("units", "unit", "heading", "luck", "largest", "fights", "income", "quiet", "threats", "passes")
"""What `news.md.j2` has besides a macro for each notable event: the units in which things are counted and the one in
which players lead, with their words, the heading of how all stand, the two words for what dice count (none without
dice), what the largest fight of a match and all of them are called, the unit of income (none if there is none), the
events that mean nothing to anybody, what a position threatens, and with what somebody would pass the leader."""
MAP = ("places", "ground", "names", "marks", "text")
"""The macros that every map needs; `moves`, `fights`, `legend` and `style` may be left out."""


def faults_of_templates(rulebook: Rulebook[Any], language: str = "en") -> Iterator[str]:
    """What is missing or can't be read in the game's templates, each by file, line and name."""
    home = registry.home(rulebook.key, "templates") / language
    needed = ["events.md.j2", "news.md.j2", "position.md.j2", "form.yaml.j2", "map.svg.j2"]
    if rulebook.questions:
        needed.append("questions.md.j2")
    broken: set[str] = set()
    for name in needed:
        if not (home / name).is_file():
            broken.add(name)
            yield f"{from_templates(home / name)} is missing"
    for path in sorted(home.glob("*.j2")):
        for fault in faults_in(rulebook, path.name, language):
            broken.add(path.name)
            yield fault
    for name, wanted in macros_needed(rulebook).items():
        if wanted and name not in broken:
            yield from lacking_macros(rulebook, language, name, wanted)
    of_events = {
        "events.md.j2": events_without_text,
        "news.md.j2": events_without_news,
        "map.svg.j2": events_not_drawn,
    }
    for name, faults in of_events.items():
        if name not in broken:
            yield from faults(rulebook, language)
    for path in sorted({*home.glob("*.md.j2"), *home.glob("*.yaml.j2")}):
        if path.name not in broken:
            yield from code.numbers_in_template(path)
            yield from code.numbers_in_calculations(path)


def file_of(rulebook: Rulebook[Any], language: str, name: str) -> str:
    """The path of one of the game's templates, as its author is told it."""
    return from_templates(registry.home(rulebook.key, "templates") / language / name)


def lacking_macros(
    rulebook: Rulebook[Any], language: str, name: str, wanted: Mapping[str, str]
) -> Iterator[str]:
    """The macros that a template lacks of those wanted, each with its purpose."""
    own = macros(game_texts(rulebook.key, language), name)
    for macro, what in wanted.items():
        if not hasattr(own, macro):
            yield f"{file_of(rulebook, language, name)} has no macro `{macro}`: {what}"


def faults_in(rulebook: Rulebook[Any], name: str, language: str) -> Iterator[str]:
    """A template that can't be compiled, or that includes or imports a missing one."""
    from jinja2.meta import find_referenced_templates

    made, file = environment(game_texts(rulebook.key, language)), file_of(rulebook, language, name)
    assert made.loader is not None
    try:
        source = made.loader.get_source(made, name)[0]
        for other in find_referenced_templates(made.parse(source)):
            if other is not None and other not in made.list_templates():
                yield f"{file} asks for {other}, which isn't there"
                return
        if name != "position.md.j2":  # this template has no macros, and is filled in below
            _ = made.get_template(name).module
    except TemplateSyntaxError as error:
        yield f"{file}:{error.lineno}: {error.message}"
    except TemplateError as error:
        if name in macros_needed(rulebook):
            yield f"{file}: {error}"


def macros_needed(rulebook: Rulebook[Any]) -> dict[str, dict[str, str]]:
    """The macros that the engine calls, by file and name, with their purpose."""
    forms = {
        phase.name: f"what the form of the phase {phase.name} shows"
        for phase in rulebook.phases
        if phase.verbs
    }
    return {
        "events.md.j2": dict.fromkeys(TELLING, "asked of every event"),
        "news.md.j2": dict.fromkeys(NEWS, "for the first lines of reports"),
        "form.yaml.j2": forms,
        "map.svg.j2": dict.fromkeys(MAP, "a part of every map"),
        "questions.md.j2": {kind.__name__: "the question in words" for kind in rulebook.questions},
    }


def events_without_text(rulebook: Rulebook[Any], language: str) -> Iterator[str]:
    """Events without a macro of their own name that no thread of `events.md.j2` names either."""
    made = environment(game_texts(rulebook.key, language))
    assert made.loader is not None
    source = made.loader.get_source(made, "events.md.j2")[0]
    threads = re.search(r"macro thread\(.*?endmacro", source, re.DOTALL)
    own, shared = (
        macros(game_texts(rulebook.key, language), "events.md.j2"),
        macros(game_texts(rulebook.key, language), "engine.md.j2"),
    )
    for event in rulebook.events:
        name = event.__name__
        if event in SHEETS or hasattr(own, name) or hasattr(shared, name):
            continue
        if threads is None or not re.search(rf"[\"']{name}[\"']", threads[0]):
            yield f"{file_of(rulebook, language, 'events.md.j2')} has no macro `{name}`: the event in words"


def events_without_news(rulebook: Rulebook[Any], language: str) -> Iterator[str]:
    """Events for which `news.md.j2` has neither a macro nor their name in `quiet`, or has both."""
    own = macros(game_texts(rulebook.key, language), "news.md.j2")
    file = file_of(rulebook, language, "news.md.j2")
    quiet, known = getattr(own, "quiet", ()), {event.__name__ for event in rulebook.events}
    for event in rulebook.events:
        name = event.__name__
        if event not in ENGINE_EVENTS and hasattr(own, name) == (name in quiet):
            said = "has a macro and is `quiet`" if name in quiet else "has no macro and isn't `quiet`"
            yield f"{file}: the event {name} {said}: does it mean anything to a player?"
    for name in quiet:
        if name not in known:
            yield f"{file}: `quiet` names {name}, and there is no such event"


def events_not_drawn(rulebook: Rulebook[Any], language: str) -> Iterator[str]:
    """Events that neither `moves` nor `fights` of `map.svg.j2` names, nor `undrawn`; or that this names in vain. A map
    without these two draws no event.
    """
    made, file = environment(game_texts(rulebook.key, language)), file_of(rulebook, language, "map.svg.j2")
    assert made.loader is not None
    source = made.loader.get_source(made, "map.svg.j2")[0]
    drawing = "".join(re.findall(r"macro (?:moves|fights)\(.*?endmacro", source, re.DOTALL))
    left_out = getattr(macros(game_texts(rulebook.key, language), "map.svg.j2"), "undrawn", ())
    known = {event.__name__ for event in rulebook.events if event not in ENGINE_EVENTS}
    for name in sorted(known) if drawing else ():
        drawn = re.search(rf"[\"']{name}[\"']", drawing) is not None
        if drawn == (name in left_out):
            said = "is drawn and `undrawn`" if drawn else "isn't drawn, nor `undrawn`"
            yield f"{file}: the event {name} {said}: does anything move or fight in it?"
    for name in sorted({*left_out} - known):
        yield f"{file}: `undrawn` names {name}, and there is no such event"


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
    phases = {phase.name for phase in rulebook.phases}
    known: dict[str, set[str]] = {"phases": phases, "folded": phases}
    verbs = [(phase.name, name, verb) for phase in rulebook.phases for name, verb in phase.verbs.items()]
    named = {key for phase, name, _ in verbs for key in (name, f"{phase}.{name}")}
    fields = {
        key
        for phase, name, verb in verbs
        for field in verb.fields
        for key in (field, f"{name}.{field}", f"{phase}.{field}", f"{phase}.{name}.{field}")
    }
    known |= {
        "verbs": named,
        "orders": named,
        "marks": named,
        "rest": named,
        "asks": fields,
        "fields": fields,
    }
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
