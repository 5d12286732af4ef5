"""Libraries that come with extras: how they are installed, and the one way to give them what a stranger wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from shlex import quote
from typing import Any
from urllib.parse import unquote, urlsplit

PACKAGE = "adjudicator-games"
STANDARD_ERROR = 2


def how_to_install(extra: str) -> str:
    """The command that brings an extra: from the copy of the repository that the program was installed from, by what
    pip noted of that (PEP 610); else from the package registry.
    """
    try:
        text = metadata.distribution(PACKAGE).read_text("direct_url.json") or "{}"
        origin: Any = json.loads(text)
        url = urlsplit(origin.get("url", ""))
    except (metadata.PackageNotFoundError, ValueError, AttributeError):
        return f"pip install '{PACKAGE}[{extra}]'"
    folder = unquote(url.path)
    if url.scheme == "file" and (Path(folder) / "pyproject.toml").is_file():
        editable = "--editable " if origin.get("dir_info", {}).get("editable") else ""
        return f"pip install {editable}{quote(f'{folder}[{extra}]')}"
    if vcs := origin.get("vcs_info", {}).get("vcs"):
        return f"pip install '{PACKAGE}[{extra}] @ {vcs}+{origin['url']}'"
    return f"pip install '{PACKAGE}[{extra}]'"


@contextmanager
def reading_a_strangers() -> Iterator[None]:
    """Around each call that gives a library what a stranger wrote: whatever is wrong with that is a ValueError.

    Libraries raise many kinds for it. Those written in Rust may panic, which isn't even an `Exception`, and then tell
    standard error about it, past Python: that is kept quiet, since who pushed may read what the referee prints.
    """
    quiet, errors = os.open(os.devnull, os.O_WRONLY), os.dup(STANDARD_ERROR)
    os.dup2(quiet, STANDARD_ERROR)
    try:
        yield
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as wrong:
        raise ValueError(str(wrong)) from None
    finally:
        os.dup2(errors, STANDARD_ERROR)
        os.close(errors)
        os.close(quiet)
