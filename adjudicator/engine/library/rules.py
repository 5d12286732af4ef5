"""A rulebook's rules as text: `rules.md` by number, the place in the code that enforces each, and those that people
name: `MED-3.3`, `3.1 to 3.4`, `med 3`, a word of a title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from msgspec import Struct

from adjudicator.engine.library.registry import home
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import suggestion
from adjudicator.engine.text.resources import folder_of

MARKS = "(?i:d[eé]finition|by hand|à la main|von hand)"
"""What marks a rule that no code enforces, in each language."""
LINE = re.compile(
    rf"^- \*\*(?P<number>[A-Z]+-[0-9]+\.[0-9]+)\*\* ?(?P<mark>\*\((?:{MARKS})\)\*)? ?(?P<text>.*)$"
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


RULES = "rules.md"


def rules_md(rulebook: Rulebook[Any]) -> str:
    """The whole text of a rulebook's `rules.md`, in its language if there is one: English is in its package, others
    beside the game's templates.
    """
    return _text_of_rules(rulebook.package, home(rulebook.key, "templates") / rulebook.language)


@cache
def _text_of_rules(package: str, translated: Path) -> str:
    path = translated / RULES
    return (path if path.is_file() else folder_of(package) / RULES).read_text(encoding="utf-8")


def rules_of(rulebook: Rulebook[Any]) -> Mapping[str, RuleText]:
    """The numbered lines of a rulebook's rules by their numbers, in the order of the text."""
    return _rules_in(rules_md(rulebook))


@cache
def _rules_in(text: str) -> Mapping[str, RuleText]:
    found: dict[str, RuleText] = {}
    chapter, number = "", ""
    for line in text.splitlines():
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
    return MappingProxyType(found)


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
    for line in rules_md(rulebook).splitlines():
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


class NoSuchRule(LookupError):
    """There is no such rule or chapter; the text says what there is instead."""


NUMBER = re.compile(r"(?:([a-z]+)[-\s]*)?([0-9]+(?:\.[0-9]+)?)", re.IGNORECASE)
"""The number of a rule or a chapter: `MED-3.3`, `med 3`, `3.3`."""
RANGE = re.compile(r"\s*(?:\.\.+|–|\bto\b|(?<=[0-9])\s*-)\s*")
"""What stands between the first and the last number: `3.1 to 3.4`, `3.1-3.4`."""


def paragraphs_named(rulebook: Rulebook[Any], wanted: str) -> Iterator[str]:
    """The paragraphs of what is named. Raises NoSuchRule."""
    chapters = chapters_of(rulebook)
    numbered = {title.partition(" ")[0]: text for title, text in chapters.items()}
    first, *more = RANGE.split(wanted)
    if len(more) > 1 or not all(NUMBER.fullmatch(each) for each in (first, *more)):
        titled = [text for title, text in chapters.items() if wanted.casefold() in title.casefold()]
        yield from titled or _unknown(rulebook, wanted, chapters)
        return
    first = full_number(rulebook, first)
    last = full_number(rulebook, *more) if more else first
    if "." not in first:
        known, last = [*numbered], last.partition(".")[0]
        if first not in known or last not in known:
            _unknown(rulebook, last if first in known else first, chapters)
        yield from [*numbered.values()][known.index(first) : known.index(last) + 1] or _backwards(first, last)
        return
    if "." not in last:  # MED-3.1 to 4
        last = f"{first.partition('.')[0]}.{last.rpartition('-')[2]}"
    texts = list(rules_of(rulebook).values())
    begin, end = (texts.index(rule_numbered(rulebook, each)) for each in (first, last))
    chapter = ""
    for rule in texts[begin : end + 1] or _backwards(first, last):
        if rule.chapter != chapter:
            yield (chapter := rule.chapter)
        yield f"{rule.number} {rule.text}"


def _unknown(rulebook: Rulebook[Any], wanted: str, chapters: Iterable[str]) -> NoReturn:
    raise NoSuchRule(f"{rulebook.title} has no rule or chapter {wanted}; chapters: {'; '.join(chapters)}")


def _backwards(first: str, last: str) -> NoReturn:
    raise NoSuchRule(f"{last} comes before {first}: name the first one first")


def full_number(rulebook: Rulebook[Any], number: str) -> str:
    """A number of a rule or a chapter with the game's letters, however it was written: `med 3.3`, `3.3`."""
    found = NUMBER.fullmatch(number.strip())
    return f"{(found[1] or rulebook.prefix).upper()}-{found[2]}" if found else number.upper()


def rule_numbered(rulebook: Rulebook[Any], number: str) -> RuleText:
    """The rule with that number, which may lack the game's letters. Raises NoSuchRule."""
    known = rules_of(rulebook)
    wanted = full_number(rulebook, number)
    if wanted not in known:
        raise NoSuchRule(
            f"{rulebook.title} has no rule {wanted}{suggestion(wanted, rules_nearby(wanted, known))}"
        )
    return known[wanted]


def rules_nearby(number: str, known: Iterable[str]) -> Sequence[str]:
    """The rules of the same chapter, if there is such a chapter; else all rules."""
    every = list(known)
    chapter = number.partition(".")[0]
    return [rule for rule in every if rule.partition(".")[0] == chapter] or every
