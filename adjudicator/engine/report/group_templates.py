"""A group's own macros before ours, and how they are kept within bounds when they run.

`group_checks` says what may stand in a template. When a macro runs, its steps and characters are counted. One that is
refused or stopped is told to the GM, and ours is used instead; no clock decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes, pass_context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from adjudicator.engine.library.languages import note_fault, plain_text
from adjudicator.engine.report.group_checks import MACRO, Refused, check_template
from adjudicator.engine.report.loader import LanguageLoader

MOST_STEPS, MOST_CHARACTERS = 20_000, 200_000
"""How many steps a macro may take, and how many characters they may make, each time that it is called."""
OF_OURS = ("append", "extend", "setdefault", "update")
"""What the sandbox would refuse to our own macros; a group's can't call it."""
OURS, THEIRS = "ours", "theirs"
ADDRESS = " at 0x"
"""What Python writes in place of a thing that has no text; it would differ each time."""


class Exhausted(Exception):
    """A macro has taken all the steps or made all the characters that it may."""


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
        if isinstance(value, str) and ADDRESS in value:
            raise Exhausted("it writes a part of the program, which is no text")
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
            self.tell(f"{self.place} isn't used any more: {error or type(error).__name__}")
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
            found.nodes = [_filtered(_filtered(_as_value(each), "string"), "a step") for each in found.nodes]
        elif isinstance(found, self.MEASURED):
            return _filtered(found, "a step")
        return found


def _as_value(node: nodes.Node) -> Any:
    return nodes.Const(node.data, lineno=node.lineno) if isinstance(node, nodes.TemplateData) else node


def _filtered(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


UNREADABLE = (TemplateSyntaxError, SyntaxError, RecursionError, ValueError, OverflowError, MemoryError)
"""What Jinja and Python raise for a text that can't be compiled: too deep, a number too long, a name given twice."""


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

    def text_in(
        self, environment: Environment, folders: Sequence[Path], template: str
    ) -> tuple[str, str] | None:
        """Our text of a template with the group's macros before ours, and our file; None if we have none."""
        theirs = [each for each in folders if each.is_relative_to(self.templates)]
        found = super().text_in(environment, [each for each in folders if each not in theirs], template)
        if found is None:
            return None
        text, file = found
        for number, folder in enumerate(reversed(theirs)):
            text = self._with_group(environment, folder / template, text, number)
        return text, file

    def _with_group(self, made: Environment, path: Path, ours: str, number: int) -> str:
        """Our text with the macros of a file of the group's before ours; our own if the file isn't used."""
        text = plain_text(self.templates, path)
        if text is None:
            return ours
        name = path.relative_to(self.templates).as_posix()
        try:
            macros = check_template(made, path.name, text, ours)
            both = joined(name, text, macros, ours, number)
            made.compile(both, path.name)
        except Refused as refused:
            note_fault(self.templates, f"{name}, {refused}")
            return ours
        except UNREADABLE as error:
            note_fault(self.templates, f"{name}: this can't be compiled: {error}")
            return ours
        return both


def joined(place: str, text: str, macros: Sequence[str], ours: str, number: int) -> str:
    """A template with both: each macro that both have stands there as two, and is called by its name as one."""
    known, ends = {found[1] or found[2] for found in MACRO.finditer(ours)}, list[str]()
    for macro in macros:
        theirs, before = f"{THEIRS}{number}_{macro}", f"{OURS}{number}_{macro}"
        text = _named(text, macro, theirs)
        if macro in known:
            ours = _named(ours, macro, before)
            ends.append(f'{{% set {macro} = guarded("{place}: the macro {macro}", {theirs}, {before}) %}}')
        else:
            ends.append(f"{{% set {macro} = {theirs} %}}")
    return "\n".join([ours, text, *ends])


def _named(text: str, macro: str, name: str) -> str:
    return re.sub(rf"(\{{%-?\s*(?:macro|set)\s+){macro}(?=\s*\(|\s*=\s*guarded\()", rf"\g<1>{name}", text)
