"""Promise 1: every rule is enforced or marked as a definition, every number exists, every enforced rule has cases; and
so have the game's own options.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudicator.contract.cases import Case, cases_by_name
from adjudicator.contract.options import option_text, unusual_options
from adjudicator.engine.library.rules import citations, rules_md, rules_of
from adjudicator.engine.table.rulebook import Options, Rulebook


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
