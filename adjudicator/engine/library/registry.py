"""Finding rulebooks: our own by name, other people's by entry point.

Who can play a game, for each number of players, in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from traceback import walk_tb
from typing import Any, Literal

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
