"""The errors with which a command gives up on files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from adjudicator.engine.text.problem import Problem


class Faulty(Exception):
    """Files that a command can't work on, with everything wrong with them; it prints this and ends with status 1.

    Nothing has been written when this is raised. `misused`: the fault lies not in the files but in what the command was
    given with them, such as throws made by hand; its status is 2 then.
    """

    def __init__(self, problems: Iterable[Problem], *, misused: bool = False) -> None:
        self.problems, self.misused = list(problems), misused
        super().__init__(self.problems)

    def __str__(self) -> str:
        """What is wrong, a line each."""
        from adjudicator.engine.text.problem import as_text

        return as_text(self.problems)


class Busy(Faulty):
    """Another run is at work on the match; try again later."""


@contextmanager
def collecting_faults(path: Path, wrong: list[Faulty]) -> Iterator[None]:
    """A `with` block for the work on one of many matches: whatever is wrong in it goes to `wrong`, and stops no other
    match.
    """
    try:
        yield
    except Faulty as faulty:
        wrong.append(faulty)
    except OSError as error:
        wrong.append(Faulty([problem(error.filename or path, error.strerror or str(error))]))
    except BaseException as error:
        wrong.append(Faulty([problem(path, fault_in_words(error))]))


def fault_in_words(error: BaseException, said: str = "") -> str:
    """What is told of an error that is a fault of the program, or of a rulebook by somebody else: `said`, or
    its kind and its own words. Raises any other error again, such as Ctrl-C.
    """
    # Imported here: the command line imports this file before anything else.
    from adjudicator.engine.library.registry import rulebook_at_fault

    said = said or f"{type(error).__name__}: {error}"
    if name := rulebook_at_fault(error):
        return f"a fault of the rulebook {name}, please tell its author: {said}"
    if not isinstance(error, Exception):
        raise error
    return f"a fault of the program, please report it: {said}"


def place_of(error: BaseException) -> str:
    """Where an error was raised: a file and a line; empty if nobody knows."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def problem(path: Path | str, text: str) -> Problem:
    """A problem with a match folder, without a line."""
    # Imported here: the command line imports this file before anything else.
    from adjudicator.engine.text.problem import Problem

    return Problem(str(path), 0, 0, "MATCH", text)
