"""Problems: what is wrong in a file, as values, and the three forms in which they are shown.

Numbers with the noun that they count.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Literal, Self, TypeAlias

import msgspec
from msgspec import Struct

ONE = ("1",)
"""The numbers before which English has the singular."""


def counted(number: int | str, one: str, many: str = "", single: Container[str] = ONE) -> str:
    """A number with its noun: `1 fault`, `2 faults`; `many` is the plural, if it isn't the noun with an s. `single` are
    the numbers before which the language has the singular.
    """
    return f"{number} {one if str(number) in single else many or plural(one)}"


def plural(one: str) -> str:
    """The plural of a noun that takes an s."""
    return f"{one}s"


class Countable(str):
    """A text that may be a number: `{most:sailor}` in a text to fill in becomes `1 sailor` or `2 sailors`, and
    `{most:entry|entries}` `1 entry` or `2 entries`. `single` is as in `counted`.
    """

    def __new__(cls, text: str, single: Container[str] = ONE) -> Self:
        made = super().__new__(cls, text)
        made.single = single
        return made

    single: Container[str]

    def __format__(self, noun: str) -> str:
        one, _, many = noun.partition("|")
        return counted(str(self), one, many, self.single) if noun else str(self)


class Blank(Countable):
    """The name of a number that is filled in later: its blank stays, and has both forms of the noun,
    `{most:sailor|sailors}`.
    """

    def __format__(self, noun: str) -> str:
        one, _, many = noun.partition("|")
        return f"{{{self!s}:{one}|{many or plural(one)}}}" if noun else f"{{{self!s}}}"


Severity: TypeAlias = Literal["error", "may", "warning"]

_OBEYED = re.compile(r"(?<=#)#|(?<=:):")
"""Characters that a CI runner may obey, in names and in texts that quote sheets."""
BEGINNING = 3
"""Letters of a word from which the rest is guessed."""
LONGEST_GUESSED = 60
"""Words with more characters get no suggestion of a similar name."""


LONGEST_LINE = 400
"""Characters of a line that is quoted."""


class Problem(Struct, frozen=True):
    """One fault, with its place.

    `line` and `column` count from 1 and are 0 when there is no place. `code` is `YAML`, `SHEET`, `SCHEMA` or the number
    of a rule. `text` is one sentence without a full stop. `may` says that it becomes a fault only through what others
    do; a `warning` is odd, but carried out.
    """

    file: str
    line: int
    column: int
    code: str
    text: str
    severity: Severity = "error"


Facts = Mapping[str, str | int]


class Slip(Struct, frozen=True):
    """Why a text isn't YAML as we read it: line and column, both from 1, the key of a text, and the facts it names."""

    line: int
    column: int
    key: str
    facts: Facts = {}


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems sorted by file, line, column, code and text, each of them once."""
    return sorted(set(problems), key=lambda p: (p.file, p.line, p.column, p.code, p.text, p.severity))


def as_text(problems: Iterable[Problem], severities: Mapping[str, str] = {}) -> str:
    """Return a line each, sorted: `sheets/venice.yaml:7:5: MED-0.6 text`; no line end after the last. `severities` are
    the words of a language for how grave it is.
    """
    return "\n".join(_line(p, severities.get(p.severity, p.severity)) for p in in_order(problems))


def as_json(problems: Iterable[Problem]) -> str:
    """Return the sorted problems as a JSON list of objects with the fields of `Problem`, each on a line."""
    rows = [_row(msgspec.structs.asdict(p)) for p in in_order(problems)]
    return "[" + ",".join("\n  " + row for row in rows) + "\n]" if rows else "[]"


def as_github(problems: Iterable[Problem]) -> str:
    """Return the sorted problems as GitHub workflow commands, which show them beside the line of the file."""
    return "\n".join(_command(p) for p in in_order(problems))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was probably meant, for "did you mean"; None if none is similar.

    Among equally similar words it is the first of the alphabet, whatever the order of `known`. A word of which only the
    beginning was written is meant if no other begins so.
    """
    if len(word) > LONGEST_GUESSED:
        return None
    wanted = word.casefold()
    best: tuple[int, str] | None = None
    known = [*known]
    for name in known:
        limit = min(3, (max(len(word), len(name)) + 1) // 3)
        if abs(len(word) - len(name)) > limit:
            continue
        found = (_distance(wanted, name.casefold()), name)
        if found[0] <= limit and found[0] < len(word) and (best is None or found < best):
            best = found
    begun = (
        {name for name in known if name.casefold().startswith(wanted)} if len(word) >= BEGINNING else set()
    )
    return best[1] if best is not None else begun.pop() if len(begun) == 1 else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: what may have been meant, and which names there are."""
    every = [*known]
    guess = nearest(word, every)
    listed = ", ".join(every[:30]) + (", ..." if every[30:] else "")
    return f" (did you mean {guess}?); known: {listed}" if guess else f"; known: {listed}"


def is_a_slip_of(word: str, known: str) -> bool:
    """Is a word, of four letters or more, a known one with one letter added, dropped, changed or swapped?"""
    return min(len(word), len(known)) > 3 and abs(len(word) - len(known)) <= 1 and _distance(word, known) == 1


def _distance(one: str, other: str) -> int:
    """How many letters must be added, dropped, changed or swapped with their neighbour to make one word the other."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for i, a in enumerate(one):
        row = [i + 1]
        for j, b in enumerate(other):
            cost = min(above[j] + (a != b), above[j + 1] + 1, row[j] + 1)
            if i and j and a == other[j - 1] and one[i - 1] == b:
                cost = min(cost, before[j - 1] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]


def _line(problem: Problem, severity: str) -> str:
    place = problem.file
    if problem.line:
        place += f":{problem.line}"
        if problem.column:
            place += f":{problem.column}"
    parts = [f"{place}:"] if place else []
    if problem.severity != "error":
        parts.append(f"{severity}:")
    return visible(" ".join([*parts, problem.code, problem.text]))


def visible(text: str) -> str:
    """The text on one line, fit for printing: it may quote sheets and names of files.

    A terminal obeys control characters, which become escapes here. CI runners obey `##[...]`, `##word[...]` and
    `::...::` wherever they read them, so the second character of these becomes an escape too.
    """
    return _OBEYED.sub(lambda found: f"\\x{ord(found[0]):02x}", with_escapes(text))


def shortened(line: str) -> str:
    """A line of a sheet or about it, fit for printing, and not endless."""
    line = visible(line)
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."


def with_escapes(text: str) -> str:
    """The text with an escape for every invisible character: `\\n`, `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _command(problem: Problem) -> str:
    kind = "error" if problem.severity == "error" else "warning"
    fields = {
        "file": problem.file,
        "line": str(problem.line or ""),
        "col": str(problem.column or ""),
        "title": problem.code,
    }
    shown = ",".join(f"{name}={_property(value)}" for name, value in fields.items() if value)
    said = f"may: {problem.text}" if problem.severity == "may" else problem.text
    return f"::{kind} {shown}::{visible(said).replace('%', '%25')}"


def _row(fields: dict[str, object]) -> str:
    """A JSON object on a line; what `visible` would change is written with JSON's own escapes."""
    import json

    row = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    row = _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", row)
    return row if row.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in row)


def _property(text: str) -> str:
    return visible(text.replace("%", "%25").replace(":", "%3A").replace(",", "%2C"))
