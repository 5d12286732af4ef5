"""A group's own macros: which may go before ours, and how they are kept within bounds when they run.

When a template is loaded, only what the lists below allow may stand in it: macros, conditions, loops over given facts
and at most two deep, calls of macros and of what our template of the same name calls. No repetition, no recursion.
When a macro runs, its steps and characters are counted. One that is refused or stopped is told to the GM, and ours is
used instead; no clock decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError, nodes, pass_context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from adjudicator.engine.library.group_words import note_fault, plain_text
from adjudicator.engine.report.loader import LanguageLoader, with_lacking_parts

MOST_STEPS, MOST_CHARACTERS = 20_000, 200_000
"""How many steps a macro may take, and how many characters they may make, each time that it is called."""
MOST_LOOPS = 2
"""How deep loops may stand in one another."""
NODES = (
    *(nodes.Template, nodes.Macro, nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.Assign),
    *(nodes.FromImport, nodes.Name, nodes.Const, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Call),
    *(nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.CondExpr),
    *(
        nodes.Concat,
        nodes.Add,
        nodes.Sub,
        nodes.Neg,
        nodes.List,
        nodes.Tuple,
        nodes.Dict,
        nodes.Pair,
        nodes.Keyword,
    ),
)
"""The syntax that may stand in a group's template."""
VALUES = (nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair)
"""What a value outside of macros may be made of."""
WAY = (nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Const, nodes.Call, nodes.Filter, nodes.Keyword)
"""What may lead to the facts that a loop goes through."""
FILTERS = {
    *(
        "abs",
        "capitalize",
        "count",
        "d",
        "default",
        "dictsort",
        "first",
        "int",
        "items",
        "join",
        "last",
        "length",
    ),
    *(
        "list",
        "lower",
        "reject",
        "rejectattr",
        "select",
        "selectattr",
        "sort",
        "string",
        "sum",
        "title",
        "trim",
    ),
    *("unique", "upper"),
}
CALLED = {"name", "some", "ducats", "say", "say_by_name", "kind", "quoted", "in_a_line", "became"}
KNOWN = CALLED | {"words", "language", "colon", "UNKNOWN", "loop"}
"""The names that every template has: those that may be called, and those that may be read."""
METHODS = {"items", "keys", "values", "get"}
OF_OURS = ("append", "extend", "setdefault", "update")
"""What the sandbox would refuse to our own macros; a group's can't call it."""
NO_METHODS = {*dir(str), *dir(list), *dir(dict), *dir(set)} - {
    "startswith",
    "endswith",
    "split",
    "title",
    "lower",
}
GRAMMAR = ("grammar.md.j2", "lists.md.j2")
OURS, THEIRS = "ours", "theirs"


class Refused(Exception):
    """A group's template that isn't used; its text says why."""

    def __init__(self, node: nodes.Node, said: str) -> None:
        super().__init__(f"line {node.lineno}: {said}")


class Exhausted(Exception):
    """A macro has taken all the steps or made all the characters that it may."""


# -- at load -----------------------------------------------------------------------------------------------------------


def check_template(made: Environment, name: str, text: str, ours: str) -> list[str]:
    """Looks through a group's template; `ours` is our text of the same name. Returns the names of its macros. Raises
    Refused or TemplateSyntaxError.
    """
    tree, known = made.parse(text), made.parse(ours)
    for node in [tree, *tree.find_all(nodes.Node)]:
        if not isinstance(node, NODES):
            raise Refused(node, f"{type(node).__name__.lower()} can't be used here")
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
    written, seen = {found[1] for found in _MACRO.finditer(text)}, set[str]()
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
        if not all(isinstance(each, VALUES) for each in (node.node, *node.node.find_all(nodes.Expr))):
            raise Refused(node, "outside of macros a value is written out")
    else:
        raise Refused(node, "nothing but macros, imports and values can stand here")


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
        self.set = {
            target.name
            for each in macro.find_all(nodes.Assign)
            for target in (each.target, *each.target.find_all(nodes.Name))
            if isinstance(target, nodes.Name)
        }

    def check(self) -> None:
        """Raises Refused for what can't be used."""
        given = {each.name for each in self.macro.args}
        loops = {each.name for one in self.macro.find_all(nodes.For) for each in _targets(one)}
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


def _targets(node: nodes.For) -> Iterator[nodes.Name]:
    yield from (
        each for each in (node.target, *node.target.find_all(nodes.Name)) if isinstance(each, nodes.Name)
    )


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


# -- at run ------------------------------------------------------------------------------------------------------------


class Budget:
    """What a macro may still take, and with it all that it calls."""

    def __init__(self) -> None:
        self.depth = self.steps = self.characters = 0

    def take(self, value: Any) -> Any:
        """The value of a step, which is counted with its characters. Raises Exhausted."""
        self.steps += 1
        self.characters += len(value) if isinstance(value, str | list | tuple) else 0
        if self.steps > MOST_STEPS:
            raise Exhausted(f"it took more than {MOST_STEPS} steps")
        if self.characters > MOST_CHARACTERS:
            raise Exhausted(f"it made more than {MOST_CHARACTERS} characters")
        return value

    def each(self, values: Iterable[Any]) -> Iterator[Any]:
        """The values of a loop, each counted as a step."""
        for value in values:
            yield self.take(value)


class Guarded:
    """A macro of a group's, and ours, which is used instead as soon as the other has failed once."""

    def __init__(
        self, place: str, budget: Budget, tell: Callable[[str], None], theirs: Any, ours: Any
    ) -> None:
        self.name, self.place, self.budget, self.tell = ours.name, place, budget, tell
        self.theirs, self.ours = theirs, ours
        self.works = True

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the macro says."""
        if not self.works:
            return self.ours(*given, **named)
        budget = self.budget
        if not budget.depth:
            budget.steps = budget.characters = 0
        budget.depth += 1
        try:
            return self.theirs(*given, **named)
        except Exception as error:
            self.works = False
            self.tell(
                f"{self.place}: the macro {self.name} isn't used any more: {error or type(error).__name__}"
            )
            return self.ours(*given, **named)
        finally:
            budget.depth -= 1


class _Measuring(NodeTransformer):
    """Puts a count around every step of a group's macro."""

    MEASURED = (nodes.Filter, nodes.Call, nodes.Concat, nodes.Add)

    def generic_visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> nodes.Node:
        """The node with counts around it and in it."""
        found = super().generic_visit(node, *args, **kwargs)
        if isinstance(found, nodes.For):
            way: Any = found.iter
            found.iter = _filtered(way, "each step")
        elif isinstance(found, nodes.Output):
            found.nodes = [_filtered(_as_value(each), "a step") for each in found.nodes]
        elif isinstance(found, self.MEASURED):
            return _filtered(found, "a step")
        return found


def _as_value(node: nodes.Node) -> Any:
    return nodes.Const(node.data, lineno=node.lineno) if isinstance(node, nodes.TemplateData) else node


def _filtered(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


class GroupEnvironment(ImmutableSandboxedEnvironment):
    """Templates of which some macros are a group's: in Jinja's sandbox, with their steps counted."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """May a template read an attribute?"""
        return attr in OF_OURS or super().is_safe_attribute(obj, attr, value)

    def _generate(self, source: nodes.Template, *args: Any, **named: Any) -> str:
        source.body = [
            _Measuring().visit(each)
            if isinstance(each, nodes.Macro) and each.name.startswith(THEIRS)
            else each
            for each in source.body
        ]
        return super()._generate(source, *args, **named)


def let_in(made: Environment, templates: str) -> None:
    """Gives an environment what a group's macros need."""
    budget = Budget()

    @pass_context  # so that no step is taken when the template is compiled
    def step(context: Any, value: Any) -> Any:
        return budget.take(value)

    made.filters |= {"a step": step, "each step": budget.each}

    def guarded(place: str, theirs: Any, ours: Any) -> Guarded:
        return Guarded(place, budget, lambda said: note_fault(templates, said), theirs, ours)

    made.globals["guarded"] = guarded


class GroupLoader(LanguageLoader):
    """Loads our templates with a group's macros before ours."""

    def __init__(self, owners: Sequence[Sequence[Path]], templates: str) -> None:
        super().__init__(owners)
        self.templates = templates

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """The text of a template, its file, and whether that is still so. Raises TemplateNotFound."""
        for folders in self.owners:
            ours = [each for each in folders if not each.is_relative_to(self.templates)]
            found = [path for each in ours if (path := each / template).is_file()]
            if not found:
                continue
            text, *others = [path.read_text(encoding="utf-8") for path in found]
            for other in others:
                text = with_lacking_parts(text, other)
            theirs = [each / template for each in folders if each.is_relative_to(self.templates)]
            for number, path in enumerate(reversed(theirs)):
                text = self._with_group(environment, path, text, number)
            return text, str(found[0]), lambda: True
        raise TemplateNotFound(template, f"'{template}' not found")

    def _with_group(self, made: Environment, path: Path, ours: str, number: int) -> str:
        """Our text with the macros of a file of the group's before ours; our own if the file isn't used."""
        text = plain_text(self.templates, path)
        if text is None:
            return ours
        name = path.relative_to(self.templates).as_posix()
        try:
            macros = check_template(made, path.name, text, ours)
        except Refused as refused:
            note_fault(self.templates, f"{name}, {refused}")
            return ours
        except (TemplateSyntaxError, RecursionError) as error:
            note_fault(self.templates, f"{name}: {error}")
            return ours
        return joined(name, text, macros, ours, number)


def joined(place: str, text: str, macros: Sequence[str], ours: str, number: int) -> str:
    """A template with both: each macro that both have stands there as two, and is called by its name as one."""
    known, ends = {found[1] or found[2] for found in _MACRO.finditer(ours)}, list[str]()
    for macro in macros:
        theirs, before = f"{THEIRS}{number}_{macro}", f"{OURS}{number}_{macro}"
        text = _named(text, macro, theirs)
        if macro in known:
            ours = _named(ours, macro, before)
            ends.append(f'{{% set {macro} = guarded("{place}", {theirs}, {before}) %}}')
        else:
            ends.append(f"{{% set {macro} = {theirs} %}}")
    return "\n".join([ours, text, *ends])


_MACRO = re.compile(r"\{%-?\s*(?:macro\s+(\w+)\s*\(|set\s+(\w+)\s*=\s*guarded\()")


def _named(text: str, macro: str, name: str) -> str:
    return re.sub(rf"(\{{%-?\s*(?:macro|set)\s+){macro}(?=\s*\(|\s*=\s*guarded\()", rf"\g<1>{name}", text)
