"""Adjudicates games played by file: order sheets in, positions and reports out.

What this package hands on is its face for other programs, and the only part that is promised (docs/python.md): matches
in folders, sheets handed in and checked, phases adjudicated, games and their rules. Text goes in and comes out as in
files; times are aware datetimes. What a player or a GM can do wrong raises `Faulty`, whose text names it; what a
programmer does wrong raises TypeError or ValueError. The types are in `__init__.pyi`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.3.0.dev0"
_HOMES = {
    "door.games": ("adjudicate", "check", "games", "rules", "simulate", "verify", "view_of"),
    "door.match": ("Match", "begin", "open"),
    "door.submission": ("Line", "PhaseStatus", "Submission"),
    "door.values": ("Adjudicated", "Game", "Played", "Result", "Status", "Verified"),
    "engine.folder.errors": ("Busy", "Faulty"),
    "engine.library.rules": ("RuleText",),
    "engine.play.account": ("OrderAccount", "Word"),
    "engine.play.left": ("Left",),
    "engine.text.problem": ("Problem",),
}
"""Where each name is at home; it is loaded when it is first asked for, since most commands need few of them."""


def __getattr__(name: str) -> Any:
    """A name of the face. Raises AttributeError for any other one."""
    for home, names in _HOMES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
            return found
    raise AttributeError(f"{__name__} has no {name!r}; it has {', '.join(__dir__())}")


def __dir__() -> list[str]:
    return sorted({"__version__", *(name for names in _HOMES.values() for name in names)})
