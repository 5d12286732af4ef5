"""A game in a package of its own, as if it were installed."""

from __future__ import annotations

from functools import cache
from importlib import invalidate_caches
from pathlib import Path

import pytest

from adjudicator.engine.library import registry

HERE = Path(__file__).parent


def install(patch: pytest.MonkeyPatch, folder: Path = HERE) -> None:
    """The package of a folder, with its entry point, can be found; what was found before is forgotten."""
    patch.syspath_prepend(folder)
    invalidate_caches()
    patch.setattr(registry, "_foreign", cache(registry._foreign.__wrapped__))
