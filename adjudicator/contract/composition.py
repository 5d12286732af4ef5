"""Promises 1 and 8: a complete rulebook lists and uses all that is written; every rule is enforced and has cases."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from adjudicator.contract import code, event_texts, texts
from adjudicator.contract.cases import Case, cases_by_name, cases_in
from adjudicator.contract.code import checks_written, classes_of, files_of_code, texts_reached
from adjudicator.contract.legality import faults_of_declarations
from adjudicator.contract.options import option_text, options_without_bounds, unusual_options
from adjudicator.engine.library import registry
from adjudicator.engine.library.rules import changed_rulings, citations, rules_md, rules_of
from adjudicator.engine.sheets.published import schema_files
from adjudicator.engine.table.event import END, ENGINE_EVENTS, Event
from adjudicator.engine.table.position import InForce, Options, Position
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Instruction, Question
from adjudicator.engine.text.resources import folder_of


def faults_of_parts(rulebook: Rulebook[Any]) -> Iterator[str]:
    """What is wrong with the contents page before anything is played; each fault is named."""
    yield from faults_of_package(rulebook)
    yield from faults_of_position(rulebook)
    yield from faults_of_phases(rulebook)
    yield from faults_of_declarations(rulebook)
    yield from faults_of_tables(rulebook)
    yield from unlisted_types(rulebook)
    yield from unpicked_fields(rulebook)


def faults_of_package(rulebook: Rulebook[Any]) -> Iterator[str]:
    """What is wrong with the name or the package, or if the program doesn't find the rulebook by its name."""
    for field in ("key", "title", "prefix"):
        if not getattr(rulebook, field):
            yield f"`{field}` of the rulebook is empty"
    if not re.fullmatch("[1-9][0-9]{0,3}", rulebook.version):
        yield f"`version` must be the text of a whole number from 1 on, and not {rulebook.version!r}"
    elif not 0 <= rulebook.oldest <= int(rulebook.version):
        yield f"`oldest` must be a version up to {rulebook.version}, and not {rulebook.oldest}"
    if not rulebook.package or find_spec(rulebook.package) is None:
        yield f"there is no package {rulebook.package!r} (`package` of the rulebook: usually `__package__`)"
    elif not (folder_of(rulebook.package) / "rules.md").is_file():
        yield f"{rulebook.package} has no rules.md"
    try:
        if registry.rulebook(rulebook.key) is not rulebook:
            yield f"the program finds another rulebook by the name {rulebook.key}"
    except registry.NoSuchGame as error:
        entry = f'{rulebook.key} = "{rulebook.package}:RULEBOOK"'
        yield f"the program doesn't find it ({error}): in pyproject.toml under entry points `{registry.GROUP}`: {entry}"


def faults_of_position(rulebook: Rulebook[Any]) -> Iterator[str]:
    """What is wrong with the types of the position and the options, and kinds of standing instructions without
    a field.
    """
    for kind, base in ((rulebook.State, Position), (rulebook.Options, Options)):
        if base not in kind.__mro__:
            yield f"{kind.__name__} isn't made from `{base.__name__}`"
    try:
        rulebook.Options()
    except TypeError as error:
        yield f"an option of {rulebook.Options.__name__} has no default: {error}"
    for name in options_without_bounds(rulebook):
        yield f"the option {name} needs its least and its most value: Annotated[int, Meta(ge=1, le=99)]"
    hints = get_type_hints(rulebook.State)
    if hints.get("options") is not rulebook.Options:
        where = f"{rulebook.State.__name__}.options"
        yield f"{where} must be of the type {rulebook.Options.__name__}, or it is read from a file as a mere mapping"
    (_, seat) = get_args(hints.get("players")) or (None, None)
    held = get_type_hints(seat).get("standing") if isinstance(seat, type) else None
    inside = get_args(held)[0] if get_args(held) else None
    if held is None or not str(held).startswith(f"{Secret.__module__}.{Secret.__name__}"):
        yield f"what a player has ({seat}) lacks `standing`, a Secret of a struct with the standing instructions"
        return
    if not (isinstance(inside, type) and issubclass(inside, InForce)):
        yield f"{getattr(inside, '__name__', inside)}, with the standing instructions, is no subclass of InForce"
    fields = {*getattr(inside, "__struct_fields__", ())} - {*InForce.__struct_fields__}
    for key in rulebook.standing:
        if key not in fields:
            yield f"the standing instruction `{key}` has no field in {getattr(inside, '__name__', inside)}"
    for field in sorted(fields - set(rulebook.standing)):
        yield f"`{field}` of {getattr(inside, '__name__', inside)} is in `standing` of no rulebook"


def faults_of_phases(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Phases listed twice, and verbs and questions without their own key first or without the fields they need."""
    names = [phase.name for phase in rulebook.phases]
    for name in sorted({name for name in names if names.count(name) > 1 or name == END}):
        yield f"a phase can't be called {name}: the name is another's, or the engine's"
    for phase in rulebook.phases:
        for name, verb in phase.verbs.items():
            yield from faults_of_fields(f"phase {phase.name}, verb {name}", name, verb.fields, verb.needed)
    ordered = [phase.name for phase in rulebook.phases if phase.verbs]
    for stops in rulebook.stops:
        if not stops or [name for name in ordered if name in stops] != list(stops):
            yield f"the stops {', '.join(stops) or '()'} must be phases with orders, each once, in their order"
    for question in rulebook.questions:
        for field in ("verb", "rule", "shapes"):
            if not hasattr(question, field):
                yield f"question {question.__name__} has no `{field}`"
        if hasattr(question, "verb") and hasattr(question, "shapes"):
            where = f"question {question.__name__}"
            yield from faults_of_fields(where, question.verb, question.shapes, question.needed)


def faults_of_fields(
    where: str, name: str, fields: Mapping[str, Any], needed: tuple[str, ...]
) -> Iterator[str]:
    """What is wrong with the fields of one verb."""
    if next(iter(fields), None) != name:
        yield f"{where}: the first of its fields must be `{name}`, its own"
    for field in needed:
        if field not in fields:
            yield f"{where}: `{field}` is needed, but isn't among its fields"


def faults_of_tables(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Tables that don't start, with as many players as they say, in a listed phase."""
    if not rulebook.tables:
        yield "`tables` is empty: nobody can play"
    names = [phase.name for phase in rulebook.phases]
    for number, tables in rulebook.tables.items():
        for players in tables:
            where = f"the table of {number} ({', '.join(players)})"
            if len(players) != number or len(set(players)) != number:
                yield f"{where} has {len(set(players))} players"
            try:
                state = rulebook.start("contract", rulebook.Options(), players)
            except Refused:
                continue  # these players can play together only under some options
            except TypeError as error:
                yield f"{where} can't start: {error}"
                continue
            if state.phase.name not in names:
                yield f"{where} starts with a phase that isn't listed: {state.phase.name}"
            if state.rulebook != rulebook.key:
                yield f"{where} starts with a position of another rulebook: {state.rulebook}"
            if str(state.rules) != rulebook.version:
                yield f"{where} starts with `rules` {state.rules}, and not with the version, {rulebook.version}"
            if set(state.players) != set(players):
                yield f"{where} starts with other players: {', '.join(state.players)}"


def unlisted_types(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Events, questions and checks that the package has and the rulebook doesn't list."""
    for event in classes_of(rulebook, Event):
        if event not in rulebook.events:
            yield f"event {event.__name__} ({event.__module__}) isn't listed in `events`"
    for event in ENGINE_EVENTS:
        if event not in rulebook.events:
            yield f"event {event.__name__} of the engine isn't listed in `events`: they begin with ENGINE_EVENTS"
    for question in classes_of(rulebook, Question):
        asked = getattr(question, "shapes", None) != {}  # a question that can't be answered is put to nobody
        if asked and question not in rulebook.questions:
            yield f"question {question.__name__} ({question.__module__}) isn't listed in `questions`"
    for check in checks_written(rulebook):
        if check not in (*rulebook.checks, *rulebook.invariants):
            where = f"{check.__name__} ({check.__module__})"
            yield f"check {where} is listed neither in `checks` nor in `invariants`"


def unpicked_fields(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Declared fields, which sheets may hold, that no rule picks."""
    for phase in rulebook.phases:
        for name, verb in phase.verbs.items():
            picked = texts_reached(verb.rule, rulebook.package)
            for field in verb.fields:
                if field not in picked:
                    where = f"phase {phase.name}, verb {name}"
                    yield f"{where}: the field `{field}` is declared, but its rule never picks it"
    for key, kind in rulebook.standing.items():
        if isinstance(kind, Instruction):
            picked = texts_reached(kind.read, rulebook.package)
            for field in kind.fields:
                if field not in picked:
                    yield f"standing instruction {key}: the field `{field}` is declared, but never picked"
    for question in rulebook.questions:
        picked = texts_reached(question, rulebook.package)
        for field in getattr(question, "shapes", ()):
            if field not in picked:
                yield f"question {question.__name__}: the field `{field}` is declared, but names and answers nothing"


def outdated_schemas(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Committed schemas that differ from the generated ones, by which editors and players' programs go."""
    try:
        home, wanted = registry.home(rulebook.key, "schemas"), schema_files(rulebook)
    except registry.NoSuchGame:
        return  # this fault was named above
    except (TypeError, msgspec.ValidationError) as error:
        yield f"no schema can be made: {error}"
        return
    how = f"python -m adjudicator.engine.sheets.published {rulebook.key}"
    if not home.is_dir():
        yield f"there is no folder {home.name}/ with the schemas of its sheets: {how}"
        return
    for path, text in wanted.items():
        if not path.is_file():
            yield f"the schema {path.name} is missing: {how}"
        elif path.read_bytes() != text:
            yield f"the schema {path.name} is out of date: {how}"
    for path in sorted(home.glob("*.json")):
        if path not in wanted:
            yield f"the schema {path.name} is of nothing that the rulebook has"


PARTS: tuple[Callable[[Rulebook[Any]], Iterator[str]], ...] = (
    faults_of_parts,
    texts.faults_of_texts,
    texts.faults_of_templates,
    texts.faults_of_prompts,
    code.numbers_in_bot,
    outdated_schemas,
    event_texts.faults_of_templates,
)
"""Checks of the parts that a rulebook must have, each relying on those before it."""


def missing_parts(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Everything a rulebook lacks, as far as it shows before anything is played, each by name."""
    found = 0
    for part in PARTS:
        if found and part is event_texts.faults_of_templates:
            return  # this part would only fail on what was already named
        try:
            for fault in part(rulebook):
                found += 1
                yield fault
        except Exception as error:  # a rulebook may be wrong in any way, and its author must be told
            if not found:  # else the error follows from what was already named
                yield event_texts.error_place(error)
            return


def faults_of_rules(rulebook: Rulebook[Any], cases: Path) -> Iterator[str]:
    """What is missing in the text, in the code, or among the case files (`MED-3.3.yaml`)."""
    rules, used = rules_of(rulebook), citations(rulebook)
    for number, rule in rules.items():
        if rule.enforced and number not in used:
            yield f"{number} is enforced nowhere"
        if rule.enforced and not (cases / f"{number}.yaml").is_file():
            yield f"{number} has no case file"
    for number in used:
        if number not in rules:
            place = used[number][0]
            yield f"{place.file}:{place.line} cites {number}, which is not in the rules"
    for path in sorted(cases.glob("*.yaml")):
        if path.stem not in rules:
            yield f"{path.name} is a case file of no rule"


def faults_of_options(rulebook: Rulebook[Any], cases: Path) -> Iterator[str]:
    """Options of the game's own that its rules don't name, and their unusual values that no case is played with."""
    text = rules_md(rulebook)
    own = [name for name in rulebook.Options.__struct_fields__ if name not in Options.__struct_fields__]
    for name in own:
        if f"`{name}" not in text:
            yield f"the option {name} stands nowhere in rules.md: name it, as `{name}`, at the rule that it changes"
    played = [case.options for case in cases_by_name(cases).values() if isinstance(case, Case)]
    for chosen in unusual_options(rulebook):
        ((name, value),) = chosen.items()
        if name in own and not any(options.get(name) == value for options in played):
            yield f"no case has the option {option_text(chosen)}: write what it changes"


def faults_of_versions(rulebook: Rulebook[Any], cases: Path) -> Iterator[str]:
    """Rulings of earlier versions: each is asked for by `rules < N` in code, told in rules.md, and tried by a case."""
    versions, told = rulebook.versions, changed_rulings(rulebook)
    asked = {version: place for place, version in versions_asked_for(rulebook)}
    for version, place in asked.items():
        if not version:
            yield f"{place}: ask for the version of the rules by a number alone, as `state.rules < 5`"
        elif version not in versions[1:]:
            yield f"{place} asks for version {version}, but matches are played by {versions[0]} to {versions[-1]}"
        elif version not in {since for _, since, _ in told}:
            yield f"{place}: a ruling has changed; say so at its rule in rules.md: *(since {version}: ...)*"
    for version in versions[1:]:
        if version not in {*asked, *(since for _, since, _ in told)}:
            yield f"version {version} changes no ruling: no code asks for it, and rules.md tells nothing of it"
    for number, version, _ in told:
        if version > versions[-1]:
            yield f"{number} has changed since version {version}, but the newest is {versions[-1]}"
        elif version in versions[1:] and version not in asked:
            yield f"{number} has changed since version {version}, but no code asks for `rules < {version}`"
        elif version in versions[1:] and not _has_case_before(cases / f"{number}.yaml", version):
            yield f"{number} has no case of how it was before version {version}: write one, with `rules: {version - 1}`"


def versions_asked_for(rulebook: Rulebook[Any]) -> Iterator[tuple[str, int]]:
    """Where a rulebook's code asks for a version of the rules (`state.rules < 5`), and for which; if it asks in another
    way, 0.
    """
    for file, nodes in files_of_code(folder_of(rulebook.package)):
        for node in nodes.comparisons:
            match node:
                case ast.Compare(
                    left=ast.Attribute(attr="rules"),
                    ops=[ast.Lt()],
                    comparators=[ast.Constant(value=int(version))],
                ):
                    yield f"{file}:{node.lineno}", version
                case ast.Compare() if "rules" in {
                    each.attr for each in (node.left, *node.comparators) if isinstance(each, ast.Attribute)
                }:
                    yield f"{file}:{node.lineno}", 0


def _has_case_before(path: Path, version: int) -> bool:
    """Does a case of a rule's file play by an earlier version of the rules?"""
    return path.is_file() and any(0 < case.rules < version for case in cases_in(path))
