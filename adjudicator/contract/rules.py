"""Promise 1: every rule is enforced or marked as a definition, every number exists, every enforced rule has cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudicator.engine.library.rules import citations, rules_of
from adjudicator.engine.table.rulebook import Rulebook


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
