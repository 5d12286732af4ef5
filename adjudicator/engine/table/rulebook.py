"""Rulebooks and phases are values: a rulebook's contents page lists all that the engine needs to know of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from importlib import import_module
from typing import Any, Generic, Literal, Protocol, TypeVar

from msgspec import Struct, field

from adjudicator.engine.table.condition import Condition
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Event, Head, Player, Stood
from adjudicator.engine.table.points import Line, highest
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.table.secret import Where
from adjudicator.engine.table.table import Instruction, Rule, Setting, Table, Verb

S = TypeVar("S", bound="Position")
State = TypeVar("State", bound="Position", contravariant=True)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that every match has; a game's own are fields of a subclass, each with its default.

    `pacing`: in `batch` all sheets of a phase are due together and no question waits; in `live` a phase in seat
    order is one folder a player, and a question that no standing instruction answers waits for its answer.
    `skip`: only players for whom some order is possible are due. `pages`: players get pages for a browser beside the
    plain texts. `stops`: the phases at which the match waits for mail, one of the lists that the rulebook names, or
    `all`; a new match has the rulebook's first, a position that doesn't say so waits at all. `reopen`: a player is
    asked again where a piece was lost that orders sent ahead name.
    """

    pacing: Literal["batch", "live"] = "batch"
    skip: bool = True
    pages: bool = True
    stops: Literal["all"] | tuple[str, ...] = "all"
    reopen: bool = False


AnyOptions = Options


class WaitingOrder(Struct, frozen=True):
    """An order of a sheet that waits in the position until its time comes: as it was written, and its place."""

    order: Any
    at: str


PHASES = "phases"
"""The key of the standing instructions that every game has: orders for whole phases."""


class InForce(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A player's standing instructions as a position has them.

    A game's kinds are fields of a subclass, each with its default. `phases` are orders for whole phases, by name: what
    to do in one for which nothing else came.
    """

    phases: Mapping[str, tuple[WaitingOrder, ...]] = field(default_factory=dict)


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of every position; a game's state adds the pieces, and `players` with what each one has.

    A game says of what types its `options` and its `players` are. Every player has `standing`, a `Secret` of a
    subclass of `InForce` with a field for each kind of standing instruction. What some may not see is a `Secret` too,
    wherever it stands; all else is public. What can be left out of a file has a default; no field may hold what
    can't stand in one (sets, functions, keys that aren't text).
    """

    match: str
    rulebook: str
    phase: Head
    options: Any
    chain: str = ""
    players: Mapping[Player, Any]


def none_yet() -> tuple[Any, ...]:
    """The default of a list that a position writes even when it is empty: `field(default_factory=none_yet)`."""
    return ()


class Pace(Enum):
    """How the sheets of a phase are due."""

    TOGETHER = "all at once"
    IN_ORDER = "in order of playing"
    ONE_BY_ONE = "one by one, in any pacing"


Unfit = Callable[[Any], Reason | None]
"""Why an order of an `else` can't take the place of the order that it belongs to; None if it can."""


def all_fit(order: Any) -> Reason | None:
    """Any order may stand in an `else`."""
    return None


class PhaseRun(Protocol):
    """What a phase's course is a function of: the sheets that are in, and the means to carry out their orders."""

    state: Any

    @property
    def due(self) -> Sequence[Player]:
        """Who is due, in order of playing."""

    def orders(self, player: Player) -> Sequence[Any]:
        """The player's orders that have not been carried out yet; each has a `verb` and its `fields`."""

    def sent(self, player: Player) -> bool:
        """Has the player sent a sheet with orders?"""

    def carry_out(self, player: Player, order: Any, *, unfit: Unfit = all_fit) -> bool:
        """Carries one out, or refuses it and tries those of its `else`; False if nothing was done.

        A course that takes orders by what they name says by `unfit` which orders of an `else` can't take this one's
        place: they are refused.
        """

    def play(self, event: Any) -> None:
        """Makes something happen between orders."""

    def hold(self, order: Any) -> WaitingOrder:
        """An order that must wait for a phase between, as it stands in the position until then."""

    def taken_up(self, held: WaitingOrder) -> Any:
        """An order that has waited, to be carried out now; its place is still the line of the sheet it came in."""

    def unforeseen(self, player: Player) -> None:
        """The player may act here, and change what another's check goes by: from here on that is less sure."""

    def finish(self, player: Player, *, absent: bool = False) -> None:
        """The player's orders are done: what the phase checks then; `absent`: what it does without a sheet, too."""


def never(state: Any) -> bool:
    """A match that doesn't end within a phase."""
    return False


def seat_by_seat(hearing: PhaseRun, over: Callable[[Any], bool] = never) -> None:
    """One player after another, each with all orders of the sheet as they stand there, until the match is `over`."""
    for player in hearing.due:
        for order in hearing.orders(player):
            if not over(hearing.state):
                hearing.carry_out(player, order)
        if not over(hearing.state):
            hearing.finish(player)


def nothing(t: Table[Any]) -> None:
    """A rule that does nothing."""


def nobody(state: Any) -> Sequence[Player]:
    """A phase in which nobody takes part."""
    return ()


def everybody(state: Any) -> Sequence[Player]:
    """A phase in which all take part, as they sit (`seats` of the position)."""
    seats: Sequence[Player] = state.seats
    return seats


def no_pieces(state: Any, player: Player) -> Collection[str]:
    """The pieces of a game in which none is named."""
    return ()


def nothing_at_stake(state: Any, player: Player) -> Mapping[str, Reason]:
    """What is at stake in a game in which nobody offers anything away."""
    return {}


def always(state: Any, player: Player) -> bool:
    """Some order is possible."""
    return True


def not_known(state: Any, name: str) -> bool:
    """Anything may come that bears the name."""
    return False


def as_it_is(state: Any, player: Player) -> Iterable[Any]:
    """Nothing that others do before matters to the player's orders."""
    return ()


class Phase(Struct, Generic[S], frozen=True, kw_only=True):
    """A stretch of a match for which one set of sheets is due.

    `name` names it in files, in `after`, in the texts (`phases`) and in the macro of `form.yaml.j2` that says what its
    form shows; `chapter` is the heading of the rules it stands under (`CAR-2`); `pace` is how its sheets are due.
    `seats` are the players who take part, in order of playing; `can` says by public facts whether some order is
    possible to one of them; `verbs` are its orders by first key; `course` is whose order is carried out next.
    `own_turn` marks a phase that each player has in turn, round after round: its orders may be sent ahead for the own
    next one. `once` marks one that a player has but once in a match, at its beginning: there are no standing orders
    for it. `empty_passes` marks one in which the rules play for who sends no sheet, and do nothing for who sends
    `orders: []`. `stands_in` marks one at whose close the rules decide for who has ordered nothing.

    The rest are rules, functions of a table, whose `t.me` is the player (nobody in `opens`, `closes` and `clears`) and
    which may throw, reveal and play events, but have no order to pick from: `opens` when the phase opens, before its
    sheets are due; `absent` in place of the orders of a player who sent none; `done` when a player's orders are done,
    or after `absent`; `closes` when all have played; `clears` then puts away what was laid down for this phase alone.
    `clears` looks at nothing that is hidden: a check that can't know what comes of a phase goes on with that put away.

    `beforehand(state, player)` are positions that those who act before the player in the phase can bring about, each by
    one thing that matters to the player's orders: a check says which of these others can prevent, or make possible.
    Left out, it can't tell: where others act before, it calls no order an error for how things stand, nor plainly good.
    In a phase played all at once nobody acts before, unless it is given.
    """

    name: str
    chapter: str
    pace: Pace
    seats: Callable[[S], Sequence[Player]]
    verbs: Mapping[str, Verb[S]] = {}
    can: Callable[[S, Player], bool] = always
    course: Callable[[PhaseRun], None] = seat_by_seat
    own_turn: bool = False
    once: bool = False
    empty_passes: bool = False
    stands_in: bool = False
    opens: Rule[S] = nothing
    absent: Rule[S] = nothing
    done: Rule[S] = nothing
    closes: Rule[S] = nothing
    clears: Rule[S] = nothing
    beforehand: Callable[[S, Player], Iterable[S]] | None = None

    @property
    def passes(self) -> bool:
        """Does who sends nothing do nothing in it? Else the rules do something in the player's place."""
        return self.absent is nothing and self.done is nothing and not self.stands_in

    @property
    def passes_empty(self) -> bool:
        """The same of who sends `orders: []`."""
        return self.passes or self.empty_passes


class Next(Struct, frozen=True):
    """The phase to open next."""

    phase: str
    turn: int


class Bot(Protocol):
    """A player who is a program: from the own view to a sheet, as a player would write it.

    The sheet has `orders` and may have `standing` and `later`. `chance(below)`, a whole number from 0 up to, not
    including, `below`, is the only source of chance.
    """

    def __call__(self, view: Any, me: Player, chance: Chance) -> dict[str, Any]:
        """The sheet of `me` for the phase that is open in `view`."""


def bot_in(package: str | None, name: str) -> Bot:
    """The player who is a program, of that name in the folder `bot` of a rulebook, which is loaded when one plays."""

    def sheet(view: Any, me: Player, chance: Chance) -> dict[str, Any]:
        orders: dict[str, Any] = getattr(import_module(f"{package}.bot"), name)(view, me, chance)
        return orders

    return sheet


class Rulebook(Struct, Generic[S], frozen=True, kw_only=True):
    """One game, whole: its contents page. `adjudicator.contract.suite` says by name what one lacks.

    - `key` names it on the command line, in files and in folders (`rome-carthage`), `title` for readers; `prefix` are
      the letters of its rules' numbers (`ROM`), `version` changes when a match begun before would go on otherwise.
    - `package` is where `rules.md`, and with a foreign one `templates/` and `schemas/`, lie: `__package__`. A text or a
      template may ask any module in it: `{board.HOLD}` in `words.yaml`, `game.board.HOLD` in a template.
    - `tables` are the players of a match by their number, the usual table first.
    - `start(match, options, players)` is the box unpacked: the position of the first phase, number 0, turn 1. It raises
      `Refused` for options that these players can't play by. What is drawn by lot comes when that phase closes.
    - `phases` are all that there are, the first one first; `after(state)` is which comes next, seen when one has
      closed, or None at the end, to which the engine gives a phase of its own, `end`.
    - `stops` are the lists of phases that make sense for the option of that name, besides `all`, the first of them the
      default of a new match; none: it waits at all. The phases between two stops can be ordered blind to each other.
    - `pieces(state, player)` are the names of the player's pieces, which orders sent ahead may name and others take.
    - `at_stake(state, player)` are names that the player may have no more once others have decided on what lies open,
      an offer, and why: a check says so of later orders that name one.
    - `lasting` are the keys of reasons that nothing can lift that anybody does: a check calls them errors, however much
      is unsure.
    - `never(state, name)` says that nothing is called so that was ever there or can still come this turn: a check says
      then plainly that an order for later can't be carried out.
    - `events` are those of the game behind `ENGINE_EVENTS`; `questions` those that are put to players.
    - `may_see(state, who, where)` says who (None: the public) may see a secret: `where` is the way to it, names of
      fields, keys and numbers of a position, `("players", "red", "hand", 0)`, or of an event, the event itself first.
      It may read the whole position, but not the secret's own value. Standing instructions are their player's anyway.
    - `standing` are the kinds of standing instructions, `condition` what `if:` may hold.
    - `checks` hold for every position between phases, whoever wrote it, and raise nothing, however wrong it is;
      `invariants` hold after every event. Each returns the first `Flaw`. One that comes to a hidden value has found
      nothing.
    - `points` are each player's points so far, line by line; `winners` who has won at the end (none: a draw); left out,
      the most points win. `bot` is a player who is a program; without one, orders are made at random.
    - `colours` are the numbers (`pages/colours.css`) of players who are called by a colour; left out, by their order.
    - `language` is that of the texts in which its reader is told of it (`texts.read_in`); no rule asks for it.
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
    stops: tuple[tuple[str, ...], ...] = ()
    pieces: Callable[[S, Player], Collection[str]] = no_pieces
    at_stake: Callable[[S, Player], Mapping[str, Reason]] = nothing_at_stake
    lasting: Collection[str] = ()
    never: Callable[[S, str], bool] = not_known
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
    colours: Mapping[Player, int] = {}
    language: str = "en"

    @property
    def reveals(self) -> tuple[type[Event[S]], ...]:
        """The events that make a secret public."""
        return tuple(event for event in self.events if event.reveals)

    def won(self, state: S) -> tuple[Player, ...]:
        """Who has won a match that is over; nobody, if it is a draw."""
        if self.winners is not None:
            return self.winners(state)
        return highest(self.points(state))

    def sees(self, state: S, who: Player | None, where: Where) -> bool:
        """May `who` see the secret at `where`? Standing instructions are their player's; the rest the game says."""
        match where:
            case ("players", owner, "standing") | (Stood(player=owner), "entries"):
                return bool(who == owner)
        return self.may_see(state, who, where)

    def phase(self, name: str) -> Phase[S]:
        """The phase of that name. Raises KeyError."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise KeyError(name)
