"""How a file was understood, order by order, as its sender is told it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudicator.engine.match.sheet_checks import below_orders
from adjudicator.engine.text.problem import Problem, shortened


class Line(Struct, frozen=True):
    """A line on an order as it was understood, and what is wrong with it; an empty line for what is wrong elsewhere."""

    text: str
    problems: Sequence[Problem] = ()

    @property
    def wrong(self) -> Sequence[str]:
        """What is wrong, one line each."""
        return [_with_place(problem) for problem in self.problems]


def understood_in(name: str, text: bytes, lines: Sequence[str], problems: Sequence[Problem]) -> list[Line]:
    """How a file of that name was understood, order by order, with what is wrong with each below it."""
    return [
        Line(shortened(line.removeprefix(f"{name}:").lstrip()), below)
        for line, below in below_orders(name, text, lines, problems)
    ]


def _with_place(problem: Problem) -> str:
    """A problem on one line, with its place and code: `line 7, column 5: MED-0.6 text`."""
    at = f"line {problem.line}, column {problem.column}: " if problem.line else ""
    kind = "" if problem.severity == "error" else f"{problem.severity}: "
    return shortened(f"{at}{kind}{problem.code} {problem.text}")
