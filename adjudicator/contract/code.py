"""What a rulebook's own code names: reasons and their facts, classes, checks, and the texts a function can reach."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, FunctionType, ModuleType
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.resources import folder_of

KEY_AT = {
    "Reason": 1,
    "Limit": 2,
    "require": 2,
    "prepared": 2,
    "refuse": 1,
    "warn": 1,
    "flaw": 2,
    "unfit": 0,
    "once": 2,
}
"""Which argument of a call is the key of a reason's text."""
FACTS_AT = {"Reason": 2, "Limit": 3}
"""Where a call takes the reason's facts as one mapping; the others take them by name."""
ADDED = {  # a reason may stand in a domain, which adds these
    "Reason": frozenset({"field", "value", "possible", "most", "least", "missing"}),
    "Limit": frozenset({"field", "value", "most", "possible"}),
    "once": frozenset({"field", "value", "most", "possible"}),
    "unfit": frozenset({"field"}),
}
"""The facts that the engine adds to those in a call."""


class GivenReason(Struct, frozen=True):
    """A place in the code that gives a reason: its key and its facts (None: they can't be seen in the code)."""

    place: str
    key: str
    facts: frozenset[str] | None


class CodeNodes(Struct, frozen=True):
    """What we look for in a file of code: its calls, each with the name it calls, its comparisons and its string
    constants.
    """

    calls: tuple[tuple[str, ast.Call], ...]
    comparisons: tuple[ast.Compare, ...]
    texts: frozenset[str]


def files_of_code(folder: Path, saying: Iterable[str] = ("",)) -> Iterator[tuple[str, CodeNodes]]:
    """Every file of code under a folder that says one of these: its name and its nodes. To parse all takes a second."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(each in text for each in saying):
            yield path.relative_to(folder).as_posix(), nodes_of(text)


@cache
def nodes_of(text: str) -> CodeNodes:
    """The nodes of a file's text. Kept, since the engine's files are looked at for each rulebook."""
    calls, comparisons, texts = [], list[ast.Compare](), set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            calls.append((name, node))
        elif isinstance(node, ast.Compare):
            comparisons.append(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    return CodeNodes(tuple(calls), tuple(comparisons), frozenset(texts))


def reasons_given(folder: Path) -> Iterator[GivenReason]:
    """Every reason that the code under a folder gives with a literal key."""
    for file, nodes in files_of_code(folder, [f"{name}(" for name in KEY_AT]):
        for name, node in nodes.calls:
            at = KEY_AT.get(name)
            if at is None or len(node.args) <= at:
                continue
            key = node.args[at]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield GivenReason(f"{file}:{node.lineno}", key.value, facts_of_call(name, node))


def facts_of_call(name: str, node: ast.Call) -> frozenset[str] | None:
    """The facts that a call gives, with those that the engine adds; None where the code doesn't show them."""
    added = ADDED.get(name, frozenset())
    at = FACTS_AT.get(name)
    if at is None:
        named = [keyword.arg for keyword in node.keywords if keyword.arg not in ("path", "rule")]
        return None if None in named else added | frozenset(word for word in named if word)
    given = node.args[at] if len(node.args) > at else None
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "facts"), given)
    if given is None:
        return added
    if isinstance(given, ast.Dict) and all(isinstance(key, ast.Constant) for key in given.keys):
        return added | frozenset(str(key.value) for key in given.keys if isinstance(key, ast.Constant))
    return None


def constants(folder: Path, among: Iterable[str]) -> frozenset[str]:
    """Which of these texts are string constants in the code under a folder."""
    return frozenset[str]().union(*(nodes.texts for _, nodes in files_of_code(folder, among))) & {*among}


def modules_of(rulebook: Rulebook[Any]) -> list[ModuleType]:
    """The package of a rulebook and every module in it, loaded."""
    top = import_module(rulebook.package)
    inside = walk_packages(top.__path__, f"{rulebook.package}.")
    return [top, *(import_module(each.name) for each in sorted(inside, key=lambda each: each.name))]


def classes_of(rulebook: Rulebook[Any], base: type[Any]) -> Iterator[type[Any]]:
    """The subclasses of `base` in the rulebook's package, except those that have subclasses there themselves."""
    found = {
        value: None
        for module in modules_of(rulebook)
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
    }
    yield from (kind for kind in found if not any(kind in other.__mro__[1:] for other in found))


def checks_written(rulebook: Rulebook[Any]) -> Iterator[FunctionType]:
    """The rulebook's checks: functions of a position alone that return `Flaw | None` and that no other function calls,
    and tables of flaws that `first_of` has made into checks.
    """
    called = {name for _, nodes in files_of_code(folder_of(rulebook.package)) for name, _ in nodes.calls}
    for module in modules_of(rulebook):
        for name, value in vars(module).items():
            if not isinstance(value, FunctionType) or value.__module__ != module.__name__:
                continue
            says = str(value.__annotations__.get("return", "")).replace(" ", "")
            code = unwrap(value).__code__
            alone = code.co_argcount == 1 and not code.co_kwonlyargcount
            if alone and says in ("Flaw|None", "Optional[Flaw]", "Flaws") and name not in called:
                yield value


def texts_reached(rule: Any, package: str) -> frozenset[str]:
    """The string constants in a function and in all that it can reach within its package."""
    walk = _Walk(package)
    walk.follow_value(rule)
    return frozenset(walk.texts)


class _Walk:
    """Goes from function to function by the names in their code; a method is found by its name in any class met."""

    def __init__(self, package: str) -> None:
        self.package, self.texts = package, set[str]()
        self.seen: set[int] = set()

    def follow_value(self, value: Any) -> None:
        """Looks at the value behind a name."""
        if isinstance(value, str):
            self.texts.add(value)
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        if isinstance(value, tuple | list | frozenset):
            for item in value:
                self.follow_value(item)
        elif isinstance(value, FunctionType) and self.own(value.__module__):
            self.follow_code(value.__code__, value.__globals__)
            for cell in value.__closure__ or ():
                self.follow_value(cell.cell_contents)
        elif isinstance(value, type) and self.own(value.__module__):
            for item in vars(value).values():
                self.follow_value(
                    item.fget if isinstance(item, property) else getattr(item, "__func__", item)
                )
        elif isinstance(value, partial):
            self.follow_value(value.func)
            self.follow_value(value.args)
            self.follow_value(tuple(value.keywords.values()))

    def own(self, module: str) -> bool:
        """Does the module belong to the rulebook's package?"""
        return module == self.package or module.startswith(f"{self.package}.")

    def follow_code(self, code: CodeType, known: dict[str, Any]) -> None:
        """Takes the constants of some code and follows its names."""
        for item in code.co_consts:
            if isinstance(item, CodeType):
                self.follow_code(item, known)
            else:
                self.follow_value(item)
        modules: list[ModuleType] = []
        for name in code.co_names:
            value = known.get(name)
            if isinstance(value, ModuleType):
                modules.append(value)
            elif value is not None:
                self.follow_value(value)
            for module in modules:
                self.follow_value(vars(module).get(name))
