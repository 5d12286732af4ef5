"""Points: a player's lines and their total, and how they decide a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.table import Table


class Line(Struct, frozen=True):
    """A line of a player's points: what for, how many, the points (None: the reader may not know)."""

    rule: str
    what: str
    count: int | None
    points: int | None


class Total(Struct, frozen=True):
    """A player's total points, as far as they are known; `more`: there are some that the reader may not know. As a
    text `15+`, and `?` where nothing is known.
    """

    points: int
    more: bool

    def __str__(self) -> str:
        if self.more:
            return f"{self.points}+" if self.points else "?"
        return str(self.points)


def total(lines: Sequence[Line]) -> Total:
    """A player's total points."""
    points = [line.points for line in lines]
    return Total(sum([each or 0 for each in points]), None in points)


def highest(points: Mapping[Player, Sequence[Line]]) -> tuple[Player, ...]:
    """The player with the most points; several, if they tie."""
    totals = {player: total(lines).points for player, lines in points.items()}
    return tuple(player for player, most in totals.items() if most == max(totals.values()))


class Scored(Event[Any], frozen=True):
    """A player's points at the end, line by line: hidden ones become public."""

    reveals: ClassVar[bool] = True
    player: Player
    lines: tuple[Line, ...]
    total: int


class Won(Event[Any], frozen=True):
    """The players with the highest total; several share the victory."""

    ends: ClassVar[bool] = True
    players: tuple[Player, ...]
    total: int


def show(t: Table[Any], points: Mapping[Player, tuple[Line, ...]], *, rule: str) -> None:
    """Tells everybody's points, line by line, in the order given."""
    for player, lines in points.items():
        t.play(Scored(rule=rule, player=player, lines=lines, total=total(lines).points))


def count(t: Table[Any], points: Mapping[Player, tuple[Line, ...]], *, rule: str, won: str) -> None:
    """Counts the points, in the order given, by `rule`; the highest total wins, by the rule `won`."""
    show(t, points, rule=rule)
    winners = highest(points)
    t.play(Won(rule=won, players=winners, total=total(points[winners[0]]).points))
