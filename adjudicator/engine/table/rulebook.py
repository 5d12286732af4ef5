"""Rulebooks and phases are values: a rulebook's contents page lists all that the engine needs to know of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Generic, Literal, Protocol, TypeVar

from msgspec import Struct

from adjudicator.engine.table.domain import Chance, Domain
from adjudicator.engine.table.event import Event, Head, Player
from adjudicator.engine.table.reason import Flaw
from adjudicator.engine.table.secret import Where
from adjudicator.engine.table.table import Instruction, Rule, Setting, Table, Verb

S = TypeVar("S", bound="Position")
State = TypeVar("State", bound="Position", contravariant=True)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that every match has; a game's own are fields of a subclass, each with its default.

    `pacing`: in `batch` all sheets of a phase are due together and no question waits; in `live` a phase in seat
    order is one folder a player, and a question that no standing instruction answers waits for its answer.
    `skip`: only players for whom some order is possible are due. `pages`: players get pages for a browser beside the
    plain texts.
    """

    pacing: Literal["batch", "live"] = "batch"
    skip: bool = True
    pages: Literal["on", "off"] = "on"


AnyOptions = Options


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of every position; a game's state adds the pieces, and `players` with what each one has.

    Every player has `standing`, a secret struct with a field for each kind of standing instruction.
    """

    match: str
    rulebook: str
    phase: Head
    options: Any
    chain: str = ""
    players: Mapping[Player, Any]


class Pace(Enum):
    """How the sheets of a phase are due."""

    TOGETHER = "all at once"
    IN_ORDER = "in order of playing"
    ONE_BY_ONE = "one by one, in any pacing"


class Hearing(Protocol):
    """What a phase's course is a function of: the sheets that are in, and the means to carry out their orders."""

    state: Any

    @property
    def due(self) -> Sequence[Player]:
        """Who is due, in order of playing."""

    def orders(self, player: Player) -> Sequence[Any]:
        """The player's orders that have not been carried out yet."""

    def sent(self, player: Player) -> bool:
        """Has the player sent a sheet with orders?"""

    def carry_out(self, player: Player, order: Any) -> bool:
        """Carries one out; False if it was refused."""

    def play(self, event: Any) -> None:
        """Makes something happen between orders."""

    def finish(self, player: Player) -> None:
        """The player's orders are done: what the phase checks then."""


def seat_by_seat(hearing: Hearing) -> None:
    """One player after another, each with all orders of the sheet as they stand there."""
    for player in hearing.due:
        for order in hearing.orders(player):
            hearing.carry_out(player, order)
        hearing.finish(player)


def nothing(t: Table[Any]) -> None:
    """A rule that does nothing."""


def always(state: Any, player: Player) -> bool:
    """Some order is possible."""
    return True


class Phase(Struct, Generic[S], frozen=True, kw_only=True):
    """A stretch of a match for which one set of sheets is due.

    `seats` are the players who take part, in order of playing; `can` says by public facts whether some order is
    possible to one of them; `course` is whose order is carried out next; `opens`, `done` and `closes` are what
    happens when the phase opens, when a player's orders are done, and when all have played; `absent` is what happens
    in place of the orders of a player who sent none.
    """

    name: str
    chapter: str
    pace: Pace
    seats: Callable[[S], Sequence[Player]]
    verbs: Mapping[str, Verb[S]] = {}
    can: Callable[[S, Player], bool] = always
    course: Callable[[Hearing], None] = seat_by_seat
    opens: Rule[S] = nothing
    absent: Rule[S] = nothing
    done: Rule[S] = nothing
    closes: Rule[S] = nothing


class Next(Struct, frozen=True):
    """The phase to open next."""

    phase: str
    turn: int


class Line(Struct, frozen=True):
    """A line of a player's points: what for, how many of it, the points (None: the reader may not know)."""

    rule: str
    what: str
    count: int | None
    points: int | None


class Total(Struct, frozen=True):
    """A player's points in all, as far as they are known; `more`: there are some that the reader may not know."""

    points: int
    more: bool

    def __str__(self) -> str:
        return f"{self.points}+" if self.more else str(self.points)


def total(lines: Sequence[Line]) -> Total:
    """A player's points in all."""
    return Total(sum(line.points or 0 for line in lines), any(line.points is None for line in lines))


class Condition(Struct, frozen=True):
    """The kinds of facts that `if:` may hold: their shape, and whether one is true now."""

    shape: Domain[Any]
    holds: Callable[[Any, str, Mapping[str, Any]], bool]


class Bot(Protocol):
    """A player who is a program: from the own view to a sheet, as a player would write it.

    The sheet has `orders` and may have `standing`. `chance(below)`, a whole number from 0 up to, not including,
    `below`, is the only source of chance.
    """

    def __call__(self, view: Any, me: Player, chance: Chance) -> dict[str, Any]:
        """The sheet of `me` for the phase that is open in `view`."""


class Rulebook(Struct, Generic[S], frozen=True, kw_only=True):
    """One game, whole. `tables` are the players of a match by their number, the usual table first.

    `winners` says who has won at the end (none: a draw); left out, the most points win. `checks` hold for every
    position between phases, `invariants` after every event.
    """

    key: str
    title: str
    prefix: str
    version: str
    package: str
    tables: Mapping[int, tuple[tuple[Player, ...], ...]]
    State: type[S]
    Options: type[AnyOptions]
    start: Callable[[str, Any, tuple[Player, ...]], S]
    phases: tuple[Phase[S], ...]
    after: Callable[[S], Next | None]
    events: tuple[type[Event[S]], ...]
    may_see: Callable[[S, Player | None, Where], bool]
    standing: Mapping[str, Instruction[S] | Setting] = {}
    questions: tuple[type[Any], ...] = ()
    condition: Condition | None = None
    checks: tuple[Callable[[S], Flaw | None], ...] = ()
    invariants: tuple[Callable[[S], Flaw | None], ...] = ()
    points: Callable[[S], Mapping[Player, tuple[Line, ...]]]
    bot: Bot | None = None
    winners: Callable[[S], tuple[Player, ...]] | None = None

    @property
    def reveals(self) -> tuple[type[Event[S]], ...]:
        """The events that make a secret public."""
        return tuple(event for event in self.events if event.reveals)

    def won(self, state: S) -> tuple[Player, ...]:
        """Who has won a match that is over; nobody, if it is a draw."""
        if self.winners is not None:
            return self.winners(state)
        totals = {
            player: sum(line.points or 0 for line in lines) for player, lines in self.points(state).items()
        }
        return tuple(player for player, total in totals.items() if total == max(totals.values()))

    def phase(self, name: str) -> Phase[S]:
        """The phase of that name. Raises KeyError."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise KeyError(name)
