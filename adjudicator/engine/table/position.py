"""What every position has, and every match's options: a game's own are subclasses of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from adjudicator.engine.table.event import Head, Player


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that every match has; a game's own are fields of a subclass, each with its default.

    `pacing`: in `batch` all sheets of a phase are due together and no question waits; in `live` a phase in seat order
    has one folder for each player, and a question that no standing instruction answers waits for its answer. `skip`:
    only players with a possible order are due. `pages`: players get pages for a browser beside the plain texts.
    `stops`: the phases at which the match waits for mail, one of the lists that the rulebook names, or `all`; a new
    match has the rulebook's first list, and a position that names none waits at every phase. `reopen`: a player is
    asked again if a piece named in orders sent ahead was lost. `dice`: whether they come from the match's seed alone,
    or also from a round of drand, or from a public text that the GM names when a phase is closed. `early_opening`:
    whether sheets that are sent sealed are also locked until their phase closes, so that nobody can open them before.
    """

    pacing: Literal["batch", "live"] = "batch"
    skip: bool = True
    pages: bool = True
    stops: Literal["all"] | tuple[str, ...] = "all"
    reopen: bool = False
    dice: Literal["seed", "drand", "named"] = "seed"
    early_opening: Literal["free", "locked"] = "free"


class WaitingOrder(Struct, frozen=True):
    """An order of a sheet that waits in the position until its time comes: as it was written, and its place."""

    order: Any
    at: str


INSTRUCTIONS = ("standing", "entries")
"""The fields that hold standing instructions: of a player in a position, and of the event that lays them down."""
PHASES = "phases"
"""The key of the standing instructions that every game has: orders for whole phases."""


class InForce(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A player's standing instructions in a position.

    A game's kinds are fields of a subclass, each with its default. `phases` are orders for whole phases, by name: what
    to do in a phase for which nothing else came.
    """

    phases: Mapping[str, tuple[WaitingOrder, ...]] = field(default_factory=dict)


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part that every position has; a game's state adds the pieces, and `players` with each player's things.

    `rules` is the version of the rulebook by which the match is played. Where a ruling has changed, a rule asks for it:
    `if state.rules < 5`. It is 0 in positions of releases up to 0.2, which didn't say it.

    A game gives the types of its `options` and its `players`. Every player has `standing`, a `Secret` of a subclass of
    `InForce` with a field for each kind of standing instruction. Whatever some may not see is a `Secret` too, wherever
    it stands; everything else is public. What a file may leave out has a default; no field may hold what a file can't
    (sets, functions, keys that aren't text).
    """

    match: str
    rulebook: str
    rules: int = 0
    phase: Head
    options: Any
    chain: str = ""
    players: Mapping[Player, Any]


def none_yet() -> tuple[Any, ...]:
    """The default of a list that positions write even when it is empty: `field(default_factory=none_yet)`."""
    return ()
