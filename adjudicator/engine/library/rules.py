"""A rulebook's rules as text: `rules.md` by number, and the place in the code that enforces each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.resources import folder_of

LINE = re.compile(
    r"^- \*\*(?P<number>[A-Z]+-[0-9]+\.[0-9]+)\*\* ?(?P<mark>\*\((?:definition|by hand)\)\*)? ?(?P<text>.*)$"
)
SINCE = re.compile(r"\*\(since (?P<version>[0-9]+): (?P<text>.*?)\)\*")
"""A ruling that has changed, beside its rule: `*(since 5: a deal is refused at once)*`."""
HEADING = re.compile(r"^## (?P<title>.*)$")


class RuleText(Struct, frozen=True):
    """One numbered line: its number, its heading, its text, and whether code enforces it."""

    number: str
    chapter: str
    text: str
    enforced: bool


class Citation(Struct, frozen=True):
    """A place in the code that cites a rule: file, line, and enclosing function."""

    file: str
    line: int
    function: str


@cache
def rules_md(package: str) -> str:
    """The whole text of a rulebook's `rules.md`, by the name of its package."""
    return (folder_of(package) / "rules.md").read_text(encoding="utf-8")


def rules_of(rulebook: Rulebook[Any]) -> Mapping[str, RuleText]:
    """The numbered lines of a rulebook's rules by their numbers, in the order of the text."""
    found: dict[str, RuleText] = {}
    chapter, number = "", ""
    for line in rules_md(rulebook.package).splitlines():
        if heading := HEADING.match(line):
            chapter, number = heading["title"], ""
        elif rule := LINE.match(line):
            number = rule["number"]
            found[number] = RuleText(number, chapter, rule["text"], rule["mark"] is None)
        elif number and line.startswith("  "):
            known = found[number]
            found[number] = RuleText(number, chapter, f"{known.text} {line.strip()}", known.enforced)
        else:
            number = ""
    return found


def changed_rulings(rulebook: Rulebook[Any]) -> list[tuple[str, int, str]]:
    """The rulings that have changed: the rule's number, the version since which it is so, and what is so."""
    return [
        (rule.number, int(found["version"]), found["text"])
        for rule in rules_of(rulebook).values()
        for found in SINCE.finditer(rule.text)
    ]


def chapters_of(rulebook: Rulebook[Any]) -> Mapping[str, str]:
    """The chapters of a rulebook's rules by their titles, each with its heading, in the order of the text."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in rules_md(rulebook.package).splitlines():
        if heading := HEADING.match(line):
            lines = found.setdefault(heading["title"], [])
        lines.append(line)
    return {title: "\n".join(text).strip() for title, text in found.items()}


def citations(rulebook: Rulebook[Any]) -> Mapping[str, list[Citation]]:
    """Where the code cites each rule: in the docstring of the function that enforces it, or anywhere else.

    A range in a docstring (`MED-2.1 to 2.5`) names its ends and everything between.
    """
    found: dict[str, list[Citation]] = {}
    root = folder_of(rulebook.package)
    for path in sorted(root.rglob("*.py")):
        function = ""
        for count, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if start := re.match(r"\s*(?:def|class) (\w+)", line):
                function = start[1]
            elif line and not line[0].isspace() and line[0] not in ")]}":
                function = ""
            for number in numbers_in(line, rulebook.prefix):
                found.setdefault(number, []).append(
                    Citation(path.relative_to(root).as_posix(), count, function)
                )
    return found


def numbers_in(line: str, prefix: str) -> list[str]:
    """The rule numbers in a line of text."""
    found = []
    for match in re.finditer(rf"{prefix}-([0-9]+)\.([0-9]+)(?: to (?:{prefix}-)?([0-9]+)\.([0-9]+))?", line):
        chapter, first, last_chapter, last = match.groups()
        numbers = range(int(first), int(last) + 1) if last and last_chapter == chapter else [int(first)]
        found += [f"{prefix}-{chapter}.{number}" for number in numbers]
    return found
