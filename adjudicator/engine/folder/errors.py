"""Giving up: what a command does with files that it can't work on."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from adjudicator.engine.text.problem import Problem


class Faulty(Exception):
    """Files that can't be worked on, with all that is wrong; the command prints it and ends with status 1.

    Nothing has been written when it is raised. `misused`: it isn't the files that are wrong but what the command was
    given with them, such as throws made by hand; its status is 2 then.
    """

    def __init__(self, problems: Iterable[Problem], *, misused: bool = False) -> None:
        super().__init__("faulty files")
        self.problems, self.misused = list(problems), misused


class Busy(Faulty):
    """Another run is at work on the match: what was wanted can be tried again."""


@contextmanager
def apart(path: Path, wrong: list[Faulty]) -> Iterator[None]:
    """What is done with one match of many: whatever is wrong with it, adds it to `wrong`, and stops no other."""
    try:
        yield
    except Faulty as faulty:
        wrong.append(faulty)
    except OSError as error:
        wrong.append(Faulty([problem(error.filename or path, error.strerror or str(error))]))
    except Exception as error:
        said = f"a fault of the program, please report it: {type(error).__name__}: {error}"
        wrong.append(Faulty([problem(path, said)]))


def problem(path: Path | str, text: str) -> Problem:
    """Something that is wrong with a match folder, without a line."""
    # Here, since the command line imports this file before anything else.
    from adjudicator.engine.text.problem import Problem

    return Problem(str(path), 0, 0, "MATCH", text)
