"""Work that kills its worker, for the tests of `--cluster`."""

from __future__ import annotations

import os
from pathlib import Path


def work(part: str) -> str:
    """Says the part again; `once FILE` kills the first worker that has it, `always` every one."""
    what, _, file = part.partition(" ")
    if what == "always":
        os._exit(9)
    if what == "once" and not Path(file).exists():
        Path(file).touch()
        os._exit(9)
    if what == "wrong":
        raise ValueError("this part is wrong")
    return part
