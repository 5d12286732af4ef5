"""What fails stops one player or one match, and no other: it is collected, in words that anybody may read."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from adjudicator.engine.folder.errors import Faulty, fault_in_words, problem
from adjudicator.engine.text.problem import Problem
from adjudicator.git.main import LEFT
from adjudicator.git.running import GitFailed

_WORK = re.compile(rf"[^\s'\"]*[/\\]{LEFT}[^\s/\\'\"]*[/\\]?")
"""A folder that is gone when the job ends: its name is another one each time."""


@contextmanager
def collecting(what: str, wrong: list[Problem]) -> Iterator[None]:
    """A `with` block for the work on `what`: whatever is wrong in it goes to `wrong`, and stops nothing else."""
    try:
        yield
    except Faulty as faulty:
        wrong += map(in_public, faulty.problems)
    except GitFailed as failed:
        wrong.append(in_public(problem(what, str(failed))))
    except OSError as error:
        wrong.append(in_public(problem(error.filename or what, error.strerror or type(error).__name__)))
    except BaseException as error:
        wrong.append(problem(what, fault_in_words(error, _place_of(error))))
        if sys.stderr is not None and sys.stderr.isatty():
            traceback.print_exception(error)


def in_public(found: Problem) -> Problem:
    """A problem as anybody may read it, and the same in each job: without the folder in which the job worked."""
    return replace(found, file=_WORK.sub("", found.file), text=_WORK.sub("", found.text))


def _place_of(error: BaseException) -> str:
    """The kind of an error and where it arose: its own words may tell what is sealed."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
    return f"{place}; `adjudicator git turn` by hand, in a terminal, shows the rest"
