"""Which macros of a group's own may go before ours: what may stand in their templates.

Only what the lists below allow: macros, conditions, loops over given facts and at most two deep, calls of macros and of
what our template of the same name calls. No repetition, no recursion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jinja2 import Environment, nodes

from adjudicator.engine.library.languages import NO_TEXT

MOST_LOOPS = 2
"""How deep loops may stand in one another."""
NODES = (
    *(nodes.Template, nodes.Macro, nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.Assign),
    *(nodes.FromImport, nodes.Name, nodes.Const, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Call),
    *(nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.CondExpr),
    *(nodes.Concat, nodes.Add, nodes.Sub, nodes.Neg, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair),
    nodes.Keyword,
)
"""The syntax that may stand in a group's template."""
VALUES = (nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair)
"""What a value outside of macros may be made of."""
WAY = (nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Const, nodes.Call, nodes.Filter, nodes.Keyword)
"""What may lead to the facts that a loop goes through."""
FILTERS = {
    *("abs", "capitalize", "count", "d", "default", "dictsort", "first", "int", "items", "join", "last"),
    *("length", "list", "lower", "reject", "rejectattr", "select", "selectattr", "sort", "string", "sum"),
    *("title", "trim", "unique", "upper"),
}
CALLED = {"name", "some", "ducats", "say", "say_by_name", "kind", "quoted", "in_a_line", "became"}
KNOWN = CALLED | {"words", "language", "colon", "UNKNOWN", "loop"}
"""The names that every template has: those that may be called, and those that may be read."""
METHODS = {"items", "keys", "values", "get"}
TEXT_METHODS = {"startswith", "endswith", "split", "title", "lower"}
NO_METHODS = {*dir(str), *dir(list), *dir(dict), *dir(set)} - TEXT_METHODS
GRAMMAR = ("grammar.md.j2", "lists.md.j2")

MACRO = re.compile(r"\{%-?\s*(?:macro\s+(\w+)\s*\(|set\s+(\w+)\s*=\s*guarded\()")
"""Where a macro's name is written, or a name that stands for two."""


class Refused(Exception):
    """A group's template that isn't used; its text says why."""

    def __init__(self, node: nodes.Node, said: str) -> None:
        super().__init__(f"line {node.lineno}: {said}")


def check_template(made: Environment, name: str, text: str, ours: str) -> list[str]:
    """Looks through a group's template; `ours` is our text of the same name. Returns the names of its macros. Raises
    Refused or TemplateSyntaxError.
    """
    tree, known = made.parse(text), made.parse(ours)
    for node in [tree, *tree.find_all(nodes.Node)]:
        if not isinstance(node, NODES):
            raise Refused(node, f"{type(node).__name__.lower()} can't be used here")
        written = getattr(node, "data", getattr(node, "value", ""))
        if isinstance(written, str) and NO_TEXT.search(written):
            raise Refused(node, "this has a character that can't be shown")
    for node in tree.body:
        _check_top(made, node, known, name)
    macros = [each for each in tree.body if isinstance(each, nodes.Macro)]
    imported = _names_imported(tree)
    _check_names(macros, imported, text, known)
    for macro in macros:
        _Macro(macro, {each.name for each in macros} | imported, known).check()
    _check_recursion(macros, known)
    return [each.name for each in macros]


def _check_names(macros: Sequence[nodes.Macro], imported: set[str], text: str, ours: nodes.Template) -> None:
    """Looks whether each macro has a name of its own, or that of one of our macros. Raises Refused."""
    macros_of_ours = {each.name for each in ours.find_all(nodes.Macro)}
    others = _names_imported(ours) | {
        each.target.name
        for each in ours.body
        if isinstance(each, nodes.Assign) and isinstance(each.target, nodes.Name)
    }
    written, seen = {found[1] for found in MACRO.finditer(text)}, set[str]()
    for macro in macros:
        if macro.name in seen | imported | (others - macros_of_ours) | KNOWN or macro.name not in written:
            raise Refused(
                macro, f"the name {macro.name} is taken, or isn't written as in {{% macro name() %}}"
            )
        seen.add(macro.name)
    if taken := imported & macros_of_ours:
        raise Refused(macros[0] if macros else ours, f"the name {min(taken)} is taken")


def _check_top(made: Environment, node: nodes.Node, known: nodes.Template, name: str) -> None:
    """Looks at what stands outside of macros: spaces, imports of what ours imports, values."""
    if isinstance(node, nodes.Macro):
        return
    if isinstance(node, nodes.Output) and all(
        isinstance(each, nodes.TemplateData) and not each.data.strip() for each in node.nodes
    ):
        return
    if isinstance(node, nodes.FromImport):
        files = {
            each.template.value
            for each in known.find_all(nodes.FromImport)
            if isinstance(each.template, nodes.Const)
        }
        files |= set(GRAMMAR[: 0 if name == GRAMMAR[0] else 1 if name == GRAMMAR[1] else 2])
        files &= {*made.list_templates()}
        if not isinstance(node.template, nodes.Const) or node.template.value not in files:
            raise Refused(node, f"this file may import from {', '.join(sorted(files)) or 'nothing'} alone")
        of_ours = _imports(known)
        names = {each for _, each in of_ours}
        for pair in _imports(nodes.Template([node])):
            if not isinstance(pair[1], str) or (pair[1] in names and pair not in of_ours):
                raise Refused(node, "a macro is imported by its own name, from where ours comes")
    elif isinstance(node, nodes.Assign):
        _check_value(node, known)
    else:
        raise Refused(node, "nothing but macros, imports and values can stand here")


def _check_value(node: Any, ours: nodes.Template) -> None:
    """Looks at a value outside of macros: ours of the same name, if there is one, is made like it. Raises Refused."""
    if not all(isinstance(each, VALUES) for each in (node.node, *node.node.find_all(nodes.Expr))):
        raise Refused(node, "outside of macros a value is written out")
    taken = KNOWN | _names_imported(ours) | {each.name for each in ours.find_all(nodes.Macro)}
    if not isinstance(node.target, nodes.Name) or node.target.name in taken:
        raise Refused(node, "this name is taken")
    for each in ours.body:
        if isinstance(each, nodes.Assign) and not _may_replace(node, each):
            raise Refused(node, f"{node.target.name} isn't made like ours")


def _may_replace(theirs: Any, ours: Any) -> bool:
    """Has our value another name, or is theirs made like it?"""
    if theirs.target.name not in {each.name for each in _names_in(ours.target)}:
        return True
    try:
        return isinstance(ours.target, nodes.Name) and _alike(theirs.node.as_const(), ours.node.as_const())
    except nodes.Impossible:
        return False


def _alike(theirs: Any, ours: Any) -> bool:
    """Are two values made in the same way, but for their texts and numbers?"""
    if type(theirs) is not type(ours):
        return False
    if isinstance(ours, dict):
        return theirs.keys() == ours.keys() and all(_alike(theirs[key], ours[key]) for key in ours)
    if isinstance(ours, list | tuple):
        return len(theirs) == len(ours) and all(map(_alike, theirs, ours))
    return True


def _imports(tree: nodes.Template) -> list[tuple[Any, Any]]:
    """The files and the names that are imported; with another name, both."""
    return [
        (getattr(each.template, "value", None), name)
        for each in tree.find_all(nodes.FromImport)
        for name in each.names
    ]


def _names_imported(tree: nodes.Template) -> set[str]:
    return {each[1] if isinstance(each, tuple) else each for _, each in _imports(tree)}


class _Macro:
    """A macro of a group's template, as far as it is looked through."""

    def __init__(self, macro: nodes.Macro, macros: set[str], ours: nodes.Template) -> None:
        self.macro, self.macros = macro, macros
        calls = [each.node for each in ours.find_all(nodes.Call)]
        self.methods = METHODS | (
            {each.attr for each in calls if isinstance(each, nodes.Getattr)} - NO_METHODS
        )
        self.set = {target.name for each in macro.find_all(nodes.Assign) for target in _names_in(each.target)}

    def check(self) -> None:
        """Raises Refused for what can't be used."""
        given = {each.name for each in self.macro.args}
        loops = {each.name for one in self.macro.find_all(nodes.For) for each in _names_in(one.target)}
        names = given | loops | self.set | self.macros | KNOWN
        for node in self.macro.find_all(nodes.Node):
            if isinstance(node, nodes.Name) and node.name not in names:
                raise Refused(node, f"there is no {node.name} here")
            if isinstance(node, nodes.Macro | nodes.FromImport):
                raise Refused(node, "macros and imports stand outside of macros")
            if isinstance(node, nodes.Getattr) and node.attr.startswith("_"):
                raise Refused(node, f"{node.attr} can't be read")
            if isinstance(node, nodes.Filter) and (node.node is None or node.name not in FILTERS):
                raise Refused(
                    node, f"the filter {node.name} can't be used; possible: {', '.join(sorted(FILTERS))}"
                )
            if isinstance(node, nodes.Call):
                self._check_call(node)
        self._check_loops(self.macro.body, 0)

    def _check_call(self, node: nodes.Call) -> None:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            raise Refused(node, "a call has its arguments written out")
        if isinstance(node.node, nodes.Name) and node.node.name in CALLED | self.macros:
            return
        if isinstance(node.node, nodes.Getattr) and node.node.attr in self.methods:
            return
        called = getattr(node.node, "name", getattr(node.node, "attr", "this"))
        raise Refused(node, f"{called} can't be called here")

    def _check_loops(self, body: Iterable[nodes.Node], depth: int) -> None:
        for node in body:
            deeper = depth + isinstance(node, nodes.For)
            if isinstance(node, nodes.For):
                self._check_loop(node, deeper)
            self._check_loops(node.iter_child_nodes(), deeper)

    def _check_loop(self, node: nodes.For, depth: int) -> None:
        if depth > MOST_LOOPS:
            raise Refused(node, f"loops stand at most {MOST_LOOPS} deep in one another")
        if node.recursive:
            raise Refused(node, "a loop can't be recursive")
        way = [node.iter, *node.iter.find_all(nodes.Expr)]
        root = next((each for each in way if isinstance(each, nodes.Name)), None)
        if root is None or root.name in self.set or not all(isinstance(each, WAY) for each in way):
            raise Refused(node, "a loop goes through given facts alone")


def _names_in(target: nodes.Node) -> Iterator[nodes.Name]:
    yield from (each for each in (target, *target.find_all(nodes.Name)) if isinstance(each, nodes.Name))


def _check_recursion(macros: Sequence[nodes.Macro], ours: nodes.Template) -> None:
    """Looks whether a macro of the group's leads back to itself, perhaps by ours. Raises Refused."""
    calls = {
        each.name: {one.node.name for one in each.find_all(nodes.Call) if isinstance(one.node, nodes.Name)}
        for each in (*ours.find_all(nodes.Macro), *macros)
    }
    for macro in macros:
        reached, new = set[str](), calls[macro.name]
        while new:
            reached |= new
            new = {name for each in new for name in calls.get(each, ())} - reached
        if macro.name in reached:
            raise Refused(macro, f"the macro {macro.name} leads back to itself")
