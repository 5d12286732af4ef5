"""How the facts of a refusal are told in a sentence: values and lists of them, what a schema needs, slips in YAML.

Pure functions of the words of a language (`texts.words`) and of its habits (`texts.habits`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from adjudicator.engine.text.syntax import shortened

MOST_LISTED = 12
FEW_NUMBERS = 4
"""So many numbers in a row are told as a range."""
SLIP = "slip"
"""The fact of a refusal that names a text of `unread:`."""


def with_ranges(values: Sequence[Any], run: str) -> list[Any]:
    """The values, with whole numbers that follow one another as one text by the pattern `run`: `1 to 15`, from
    FEW_NUMBERS on.
    """
    found: list[list[Any]] = []
    for value in values:
        if found and type(value) is int and type(found[-1][-1]) is int and value == found[-1][-1] + 1:
            found[-1].append(value)
        else:
            found.append([value])
    return [
        each
        for one in found
        for each in (one if len(one) < FEW_NUMBERS else [run.format(first=one[0], last=one[-1])])
    ]


def fact_text(value: Any, habits: Mapping[str, str], named: Callable[[str], str] = str) -> str:
    """A fact as a sentence of a language with these habits names it."""
    if isinstance(value, list | tuple):
        value = with_ranges(value, habits["run"])
        listed = ", ".join(fact_text(item, habits, named) for item in value[:MOST_LISTED])
        more = ", ..." if len(value) > MOST_LISTED else ""
        return f"{listed}{more}" if value else habits["nothing"]
    if isinstance(value, Mapping):
        fields = [
            f"{fact_text(name, habits, named)}: {fact_text(item, habits, named)}"
            for name, item in islice(value.items(), MOST_LISTED)
        ]
        return "{" + ", ".join([*fields, "..."] if len(value) > MOST_LISTED else fields) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return habits["nothing"]
    text = named(str(value))
    return shortened(text, 60) or habits["nothing"]


def slip_text(facts: Mapping[str, str], unread: Mapping[str, str]) -> str:
    """Why a file can't be read, by the facts of the reason."""
    found = facts.get("found", "")
    return unread[facts[SLIP]].format_map({**facts, "found": unread.get(found, found)})


def need_text(need: Any, words: Mapping[str, Mapping[str, str]], habits: Mapping[str, str]) -> str:
    """What a schema needs (`flaws.need_of`) in a few words; a text stays as it is, as earlier releases kept it."""
    needs = words["needs"]
    if isinstance(need, list | tuple):
        return needs["or"].join(dict.fromkeys(need_text(each, words, habits) for each in need))
    if not isinstance(need, Mapping):
        return str(need)
    kind, told = need["kind"], {name: fact_text(value, habits) for name, value in need.items()}
    if kind == "name":
        return words["kinds"].get(f"{need['of']}.name", needs["name"])
    parts = [kind, *(f"{kind}.{name}" for name in told)]
    return "".join(needs[part].format_map(told) for part in parts if part in needs)
