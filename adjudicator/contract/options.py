"""Promise 3, the options: a random match is played with every unusual value of each option that has only a few."""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from adjudicator.engine.bots.simulation import at_random, played
from adjudicator.engine.play.inbox import flaws_in
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook

OF_FOLDERS = ("pages", "stops", "reopen")
"""Options of matches in folders; they don't change a match played in memory."""


def choices(rulebook: Rulebook[Any]) -> list[dict[str, Any]]:
    """Each value, alone, of each option that is true or false or one of a few words.

    The usual values are left out: all other matches are played with them.
    """
    hints, usual = get_type_hints(rulebook.Options), rulebook.Options()
    return [
        {name: value}
        for name in rulebook.Options.__struct_fields__
        if name not in OF_FOLDERS
        for value in values_of(hints[name])
        if value != getattr(usual, name)
    ]


def values_of(kind: Any) -> list[Any]:
    """The values of a type that has only a few."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if get_origin(kind) in (Union, UnionType):
        return [value for inside in get_args(kind) for value in values_of(inside)]
    return [False, True] if kind is bool else []


def named(chosen: dict[str, Any]) -> str:
    """`pacing=live`."""
    return ",".join(f"{name}={value}" for name, value in chosen.items())


def unplayable(rulebook: Rulebook[Any], chosen: dict[str, Any], *, everywhere: bool = True) -> Iterator[str]:
    """Matches with an option that don't end or reach an impossible position: one at each table that the option is for,
    or at the first such table.
    """
    given = msgspec.convert(chosen, rulebook.Options)
    ran = False
    for tables in rulebook.tables.values():
        bots = dict.fromkeys(tables[0], at_random(rulebook))
        try:
            rulebook.start("options", given, tables[0])
        except Refused:
            continue  # these players don't fit the option
        ran, last = True, None
        for last in played(rulebook, tables[0], bots, f"options {named(chosen)}", given, strict=True):
            for flaw in flaws_in(rulebook, last.outcome.state):
                yield f"{named(chosen)}, {last.before.phase}: {flaw}"
        if last is None or not last.outcome.state.phase.over:
            yield f"{named(chosen)}: no end"
        if not everywhere:
            return
    if not ran:
        yield f"{named(chosen)}: no table can be played with it"
