"""Promise 8, the numbers: no text, template or bot repeats a number of the rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudicator.engine.library.registry import from_templates
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.resources import folder_of

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
