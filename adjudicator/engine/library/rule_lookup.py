"""Rules by the numbers and titles that people write for them: `MED-3.3`, `3.1 to 3.4`, `med 3`, a word of a title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from adjudicator.engine.library.registry import RuleText, chapters_of, rules_of
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import suggestion


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
