"""Promise 1: every rule is enforced or marked as a definition, every number exists, every enforced rule has cases; and
so have the game's own options, and the rulings of earlier versions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudicator.contract.cases import Case, cases_by_name, cases_in
from adjudicator.contract.code import files_of_code
from adjudicator.contract.options import option_text, unusual_options
from adjudicator.engine.library.registry import changed_rulings, citations, rules_md, rules_of
from adjudicator.engine.table.rulebook import Options, Rulebook
from adjudicator.engine.text.resources import folder_of


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
    text = rules_md(rulebook.package)
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
