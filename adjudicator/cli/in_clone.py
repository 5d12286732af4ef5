"""What the commands of `adjudicator git` share: the clone that they work in, and what they say if git fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

Clone = Annotated[Path, typer.Argument(metavar="CLONE", help="The clone; left out: this folder.")]


@contextmanager
def failing(what: object) -> Iterator[None]:
    """Ends with status 1 and a line if git, or the other machine, fails."""
    from adjudicator.engine.folder.errors import Faulty, problem
    from adjudicator.git.running import GitFailed

    try:
        yield
    except GitFailed as failed:
        raise Faulty([problem(str(what), str(failed))]) from None
