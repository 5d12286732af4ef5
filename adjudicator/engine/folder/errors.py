"""Giving up: what a command does with files that it can't work on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudicator.engine.text.problem import Problem


class Faulty(Exception):
    """Files that can't be worked on, with all that is wrong; the command prints it and ends with status 1.

    Nothing has been written when it is raised.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__("faulty files")
        self.problems = list(problems)
