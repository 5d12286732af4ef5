"""Promise 8, the templates: the files and macros that the program asks a game for. Each missing one is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.contract.numbers import numbers_in_calculations, numbers_in_template
from adjudicator.engine.library import registry
from adjudicator.engine.library.registry import from_templates
from adjudicator.engine.library.texts import game_texts
from adjudicator.engine.report.narrator import SHEETS
from adjudicator.engine.report.template import environment, macros
from adjudicator.engine.table.event import ENGINE_EVENTS
from adjudicator.engine.table.rulebook import Rulebook

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
            yield from numbers_in_template(path)
            yield from numbers_in_calculations(path)


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
    from jinja2 import TemplateError, TemplateSyntaxError
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
