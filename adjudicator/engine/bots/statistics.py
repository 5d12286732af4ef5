"""The results of many matches by bots, counted. Batches can be played separately and added up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from adjudicator.engine.bots.simulation import play_match, random_bot
from adjudicator.engine.table.event import OrderRefused, Player
from adjudicator.engine.table.rulebook import Rulebook


class Row(Struct, frozen=True):
    """A player's results: shares of victories (a shared victory counts a half for each of two), points, ports at the
    end.
    """

    wins: float = 0.0
    points: int = 0
    least: int = 0
    most: int = 0
    ports: int = 0


Way = tuple[str, tuple[Player, ...]]
"""How a match ended: by which rule, and who won by it; nobody, where all lose."""


class End(Struct, frozen=True):
    """The matches that ended in one way: how many, the sum of their last turns, the earliest and the latest."""

    matches: int
    turns: int
    earliest: int
    latest: int

    def plus(self, other: End) -> End:
        """Both together: the numbers added, the earliest and the latest turn of either."""
        return End(
            self.matches + other.matches,
            self.turns + other.turns,
            min(self.earliest, other.earliest),
            max(self.latest, other.latest),
        )


class Totals(Struct, frozen=True):
    """Results added up; `ports` counts all ports on the boards, for games that have them."""

    matches: int = 0
    phases: int = 0
    orders: int = 0
    ports: int = 0
    players: Mapping[Player, Row] = {}
    refused: Mapping[str, int] = {}
    ends: Mapping[Way, End] = {}

    def plus(self, other: Totals) -> Totals:
        """Both together."""
        if not self.matches:
            return other
        return Totals(
            matches=self.matches + other.matches,
            phases=self.phases + other.phases,
            orders=self.orders + other.orders,
            ports=self.ports + other.ports,
            players={player: _sum(row, other.players[player]) for player, row in self.players.items()},
            refused={
                rule: self.refused.get(rule, 0) + other.refused.get(rule, 0)
                for rule in sorted({*self.refused, *other.refused})
            },
            ends={
                **self.ends,
                **{
                    way: end.plus(self.ends[way]) if way in self.ends else end
                    for way, end in other.ends.items()
                },
            },
        )


def _sum(one: Row, other: Row) -> Row:
    return Row(
        wins=one.wins + other.wins,
        points=one.points + other.points,
        least=min(one.least, other.least),
        most=max(one.most, other.most),
        ports=one.ports + other.ports,
    )


class Batch(Struct, frozen=True):
    """Matches of one kind, of the `game` of that name; the rulebook's `own` bot plays these seats, random players the
    others.
    """

    game: str
    players: tuple[Player, ...]
    seed: str
    options: Any
    own: tuple[Player, ...]

    def play(self, rulebook: Rulebook[Any], numbers: Iterable[int]) -> Totals:
        """Plays the matches with these numbers; each depends only on the seed and its number."""
        total = Totals()
        for number in numbers:
            total = total.plus(self._play_one(rulebook, f"{self.seed} {number}"))
        return total

    def _play_one(self, rulebook: Rulebook[Any], seed: str) -> Totals:
        bots = dict.fromkeys(self.players, random_bot(rulebook))
        if rulebook.bot is not None:
            bots |= dict.fromkeys(self.own, rulebook.bot)
        state: Any = None
        phases = orders = turn = 0
        rule = ""
        refused: dict[str, int] = {}
        for step in play_match(rulebook, self.players, bots, seed, self.options):
            state = step.outcome.state
            phases, turn = phases + 1, step.before.phase.turn
            orders += sum(len(sheet.orders or ()) for sheet in step.sheets.values())
            for event in step.outcome.events:
                if isinstance(event, OrderRefused):
                    refused[event.rule] = refused.get(event.rule, 0) + 1
                rule = event.rule if event.ends else rule
        points = {
            player: sum(line.points or 0 for line in lines)
            for player, lines in rulebook.points(state).items()
        }
        owners = owners_of(state)
        best = rulebook.won(state)
        rows = {
            player: Row(
                wins=1 / len(best) if player in best else 0.0,
                points=points[player],
                least=points[player],
                most=points[player],
                ports=owners.count(player),
            )
            for player in self.players
        }
        ends = {(rule, tuple(best)): End(1, turn, turn, turn)}
        return Totals(1, phases, orders, len(owners), rows, refused, ends)


def owners_of(state: Any) -> list[Player | None]:
    """Who holds each port, in games that have ports."""
    ports: Mapping[str, Any] = getattr(state, "ports", {})
    return [port.owner for port in ports.values() if hasattr(port, "owner")]
