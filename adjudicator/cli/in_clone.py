"""What the commands of `adjudicator git` share: the clone that they work in, and what they say if git fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

Clone = Annotated[Path, typer.Argument(metavar="CLONE", help="The clone; left out: this folder.")]


@contextmanager
def git_faults(what: object) -> Iterator[None]:
    """Turns a failure of git into a fault of `what`: a command tells it in a line, and ends with status 1. Raises
    Faulty.
    """
    from adjudicator.engine.folder.errors import Faulty, problem
    from adjudicator.git.running import GitFailed, without_user

    try:
        yield
    except GitFailed as failed:
        raise Faulty([problem(without_user(str(what)), str(failed))]) from None
