"""Finds files that aren't code: `schemas/` and `templates/`, from a wheel, an editable install and a bare checkout
alike, and those beside a package's modules.

`importlib.resources` also finds files of packages in archives, which we don't need; importing it takes 3 ms.

Libraries that come with extras: how they are installed, and the one way to give them what a stranger wrote.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from shlex import quote
from typing import Any, Literal

PACKAGE = Path(__file__).resolve().parents[2]
"""The folder `adjudicator/` that is running."""


@cache
def folder(kind: Literal["schemas", "templates"]) -> Path:
    """The folder of the published schemas or of the templates.

    It lies inside the package when that came from a wheel, and beside it in a checkout.
    Raises FileNotFoundError when it is in neither place: the installation is broken, no user did this.
    """
    inside = PACKAGE / kind
    if inside.is_dir():
        return inside
    beside = PACKAGE.parent / kind
    if beside.is_dir() and _is_checkout(PACKAGE.parent):
        return beside
    raise FileNotFoundError(f"{kind}/ is neither in {PACKAGE} nor beside it: install the program again")


def folder_of(package: str) -> Path:
    """The folder of a package. Raises ImportError."""
    return Path(import_module(package).__path__[0])


def _is_checkout(top: Path) -> bool:
    """Is `top` our own source tree? In site-packages, any folder may lie beside an installed package."""
    ours = top / "pyproject.toml"
    # We look for the line as text: reading TOML would cost every command some milliseconds more.
    return ours.is_file() and '\nname = "adjudicator-games"' in ours.read_text(encoding="utf-8")


DISTRIBUTION = "adjudicator-games"
STANDARD_ERROR = 2


def how_to_install(extra: str) -> str:
    """The command that brings an extra: from the copy of the repository that the program was installed from, by what
    pip noted of that (PEP 610); else from the package registry.
    """
    # Most commands need none of these; the second takes more than most of the program's own modules together.
    import json
    from importlib import metadata
    from urllib.parse import unquote, urlsplit

    try:
        text = metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}"
        origin: Any = json.loads(text)
        url = urlsplit(origin.get("url", ""))
    except (metadata.PackageNotFoundError, ValueError, AttributeError):
        return f"pip install '{DISTRIBUTION}[{extra}]'"
    folder = unquote(url.path)
    if url.scheme == "file" and (Path(folder) / "pyproject.toml").is_file():
        editable = "--editable " if origin.get("dir_info", {}).get("editable") else ""
        return f"pip install {editable}{quote(f'{folder}[{extra}]')}"
    if vcs := origin.get("vcs_info", {}).get("vcs"):
        return f"pip install '{DISTRIBUTION}[{extra}] @ {vcs}+{origin['url']}'"
    return f"pip install '{DISTRIBUTION}[{extra}]'"


class Missing(Exception):
    """A library of an extra isn't installed; the text names it, and says how to install it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} ({how_to_install(extra)})")


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
