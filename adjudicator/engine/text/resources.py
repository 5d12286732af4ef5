"""Finds files that aren't code: `schemas/` and `templates/`, from a wheel, an editable install and a bare checkout
alike, and those beside a package's modules.

`importlib.resources` also finds files of packages in archives, which we don't need; importing it takes 3 ms.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal

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
