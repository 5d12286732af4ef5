"""Promise 8, the code: what a rulebook's own code names, and that no text, template or bot repeats a number of the
rules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, FunctionType, ModuleType
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.registry import from_templates
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
        elif isinstance(value, dict):  # a table of fields, which `struct_from` picks
            for field in value:
                self.follow_value(field)
        elif isinstance(value, FunctionType) and self.own(value.__module__):
            self.follow_code(value.__code__, value.__globals__)
            for cell in value.__closure__ or ():
                self.follow_value(cell.cell_contents)
        elif isinstance(value, type) and self.own(value.__module__):
            for name, item in vars(value).items():
                if name != "shapes":  # the fields that a question declares
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


FORMS = re.compile(
    r"""\[[^\]]*\] | \{[^}]*\} | `[^`]*`   # an example of what a sheet says
    | \([A-Z]+-[0-9][^)]*\)                # rules
    | 1,\ 2,\ \.\.\.                         # counting
    | \{[a-z_]+\.[A-Z_]+\}                 # a number of the rules
    | [A-Za-z]+-[0-9.]+ | [^ ]+:[0-9]+:[0-9]+   # a name, a rule or a place with a number in it
    """,
    re.VERBOSE,
)
"""Where a text may have a number that isn't one of the rules'."""
NUMBER = re.compile(r"[0-9][0-9,.]*")
COMMON = frozenset({"0", "1"})
"""Numbers that only say none and one."""
EXAMPLES = ("_sign",)
"""How keys of `words.yaml` end whose text is an example: a piece as the legend of the map shows it."""
VERSION = "RULES"
"""The name of the version of a game's rules in its modules."""
SMALLEST = 5
"""A smaller number in a bot equals one of the rules' by chance too often."""


def numbers_in_words(own: Mapping[str, Any]) -> Iterator[str]:
    """Numbers in a text: a group that changes its board changes the rule, and the text would not follow.

    A fact of the refusal (`{most}`), or a name in a module of the rulebook (`{board.HOLD}`), says the number instead.
    """
    for part, texts in own.items():
        for key, text in texts.items():
            if key.endswith(EXAMPLES):
                continue
            for number in numbers_of_rules(str(text)):
                if number not in key.split("-"):  # `ship-2` is called ship 2
                    said = f"`{key}` says {number}"
                    yield f"words.yaml ({part}): {said}; a fact, or {{module.NAME}}, must say it"


def numbers_of_rules(text: str) -> list[str]:
    """The numbers in a text that may be the rules': not zero or one, nor those in names and examples."""
    found = [number.rstrip(",.") for number in NUMBER.findall(FORMS.sub("", text))]
    return [number for number in found if number not in COMMON]


def numbers_in_template(path: Path) -> Iterator[str]:
    """Numbers in a template's text: on a board with other numbers the text would be wrong."""
    from jinja2 import Environment

    text = path.read_text(encoding="utf-8")
    for start, kind, said in Environment().lex(text):
        if kind == "data":
            for count, line in enumerate(said.split("\n")):
                for number in numbers_of_rules(line):
                    place = f"{from_templates(path)}:{start + count}"
                    yield f"{place} says {number}; a fact, or game.module.NAME, must say it"


def numbers_in_calculations(path: Path) -> Iterator[str]:
    """Numbers with which a template calculates, or between which it chooses."""
    from jinja2 import Environment, nodes

    tree, chosen = Environment().parse(path.read_text(encoding="utf-8")), list[nodes.Node]()
    for one in tree.find_all(nodes.CondExpr):
        chosen += filter(None, (one.expr1, one.expr2))
    for other in tree.find_all(nodes.BinExpr):
        chosen += () if isinstance(other, nodes.And | nodes.Or) else (other.left, other.right)
    for each in chosen:
        if isinstance(each, nodes.Const) and type(each.value) is int and str(each.value) not in COMMON:
            place = f"{from_templates(path)}:{each.lineno}"
            yield f"{place} reckons with {each.value}; a fact, or game.module.NAME, must say it"


def numbers_in_bot(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Numbers of the rules that a bot repeats: in a function, or in a constant whose docstring cites a rule.

    A bot's own estimates are constants with a name and a docstring.
    """
    top = folder_of(rulebook.package)
    bots = [path for path in sorted(top.rglob("*.py")) if path.relative_to(top).parts[0].startswith("bot")]
    if not bots:
        return
    known = {value for path in sorted(top.rglob("*.py")) if path not in bots for value in named_numbers(path)}
    cites = re.compile(rf"\b{rulebook.prefix}-[0-9]")
    for path in bots:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        place = path.relative_to(top).as_posix()
        for line, number in unnamed_numbers(tree):
            if number in known and number >= SMALLEST:
                yield f"{place}:{line} says {number}, a number of the rules: import it, or name what it is"
        for first, then in zip(tree.body, tree.body[1:], strict=False):
            text = (
                then.value.value
                if isinstance(then, ast.Expr) and isinstance(then.value, ast.Constant)
                else ""
            )
            if isinstance(first, ast.Assign) and cites.search(str(text)):
                for number in integers(first.value):
                    if number in known:
                        yield f"{place}:{first.lineno} says {number} by a rule: import it from there"


def named_numbers(path: Path) -> Iterator[int]:
    """The whole numbers that a module of rules has names for, but for the version of the rules."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if not (isinstance(target, ast.Name) and target.id == VERSION):
                yield from integers(node.value)


def integers(value: ast.expr) -> list[int]:
    """The whole numbers from two on in an expression that is a number, or lists several."""
    parts: Iterable[ast.expr] = [value]
    if isinstance(value, ast.Tuple | ast.List | ast.Dict):
        parts = value.values if isinstance(value, ast.Dict) else value.elts
    found = [each.value for each in parts if isinstance(each, ast.Constant) and type(each.value) is int]
    return [number for number in found if str(number) not in COMMON]


def unnamed_numbers(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The whole numbers in the functions of a file, each after its line number."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for each in ast.walk(node):
                if isinstance(each, ast.Constant) and type(each.value) is int:
                    yield each.lineno, each.value
