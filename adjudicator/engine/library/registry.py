"""Finding rulebooks: our own by name, other people's by entry point.

Who can play a game, for each number of players, in words.

A rulebook's rules as text: `rules.md` by number, and the place in the code that enforces each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from traceback import walk_tb
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import nearest
from adjudicator.engine.text.resources import folder, folder_of

OWN = {
    "mediterranee": "adjudicator.rulebooks.mediterranee",
    "rome-carthage": "adjudicator.rulebooks.rome_carthage",
    "serenissima": "adjudicator.rulebooks.serenissima",
    "oltremare": "adjudicator.rulebooks.oltremare",
    "triumvirat": "adjudicator.rulebooks.triumvirat",
}
GROUP = "adjudicator.rulebooks"


class NoSuchGame(Exception):
    """There is no rulebook of that name, or it can't be loaded; `known` are all names there are, including others'."""

    def __init__(self, name: str, why: str = "") -> None:
        self.name, self.why, self.known = name, why, sorted({*OWN, *(entry.name for entry in _foreign())})
        guess = nearest(name, self.known)
        mean = f", did you mean {guess}?" if guess else ""
        none = f"there is no rulebook {name}{mean}; there are {', '.join(self.known)}"
        super().__init__(f"the rulebook {name} can't be loaded: {why}" if why else none)


def rulebook(name: str) -> Rulebook[Any]:
    """The rulebook of that name. Raises `NoSuchGame`."""
    if name in OWN:
        found: Rulebook[Any] = import_module(OWN[name]).RULEBOOK
        return found
    for entry in _foreign():
        if entry.name == name:
            try:
                loaded = entry.load()
            except BaseException as error:  # a module may raise anything while it is loaded
                raise NoSuchGame(name, f"{type(error).__name__}: {error}") from error
            if not isinstance(loaded, Rulebook):
                raise NoSuchGame(name, f"{entry.value} isn't a rulebook but a {type(loaded).__name__}")
            if loaded.key != name:
                raise NoSuchGame(name, f"{entry.value} is the rulebook {loaded.key}, by another name")
            if not loaded.version.isdecimal():
                said = f"its version must be the text of a whole number, and not {loaded.version!r}"
                raise NoSuchGame(name, said)
            return loaded
    raise NoSuchGame(name)


def home(game: str, kind: Literal["schemas", "templates"]) -> Path:
    """Where a game's templates or schemas are: ours under its name, another author's inside its own package."""
    if game in OWN or not game:
        return folder(kind) / game
    return folder_of(rulebook(game).package) / kind


def from_templates(path: Path) -> str:
    """The path of a template from its folder `templates/` on, as authors are told it."""
    parts = path.parts[::-1]
    return "/".join(parts[parts.index("templates") :: -1])


def package(game: str) -> str:
    """The package of a game. Raises `NoSuchGame`."""
    return OWN[game] if game in OWN else rulebook(game).package


def rulebook_at_fault(error: BaseException) -> str:
    """The name of somebody else's rulebook in whose code, or in what that called, an error came up; empty if it came up
    elsewhere.

    Ctrl-C while its code runs can't be told from its own KeyboardInterrupt.
    """
    modules = {frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)}
    for entry in _foreign():
        package = entry.value.partition(":")[0]
        if any(f"{module}.".startswith(f"{package}.") for module in modules):
            return str(entry.name)
    return ""


def all_rulebooks() -> dict[str, Rulebook[Any] | NoSuchGame]:
    """All rulebooks by name; for a broken foreign one, the reason why it is broken."""
    found: dict[str, Rulebook[Any] | NoSuchGame] = {}
    for name in (*OWN, *sorted(entry.name for entry in _foreign())):
        try:
            found[name] = rulebook(name)
        except NoSuchGame as reason:
            found[name] = reason
    return found


@cache
def _foreign() -> Any:
    """Other people's installed rulebooks, looked up once in a process: each lookup takes a hundredth of a second, and a
    match asks often.
    """
    from importlib.metadata import entry_points

    return [entry for entry in entry_points(group=GROUP) if entry.name not in OWN]


def seats(rulebook: Rulebook[Any]) -> Iterator[tuple[int, str]]:
    """Each number of players, with the possible players: `venice, genoa; or spain, turkey`, `any 2 of ...`."""
    for number, tables in sorted(rulebook.tables.items()):
        names = list(dict.fromkeys(name for table in tables for name in table))
        every = {frozenset(table) for table in combinations(names, number)}
        if len(names) > number and {frozenset(table) for table in tables} == every:
            yield number, f"any {number} of {', '.join(names)}"
        else:
            yield number, "; or ".join(", ".join(table) for table in tables)


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
