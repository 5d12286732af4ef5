"""Rulebooks and phases are values: a rulebook's contents page lists everything the engine needs to know of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from adjudicator.engine.table.boxes import Box, Guess
from adjudicator.engine.table.condition import Condition
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Event, Player, Stood
from adjudicator.engine.table.points import Line, highest
from adjudicator.engine.table.position import INSTRUCTIONS, Options as AnyOptions, Position, WaitingOrder
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.table.secret import Sees, Where
from adjudicator.engine.table.table import Instruction, Rule, Setting, Table, Verb
from adjudicator.engine.table.uses import Limits, no_limits

S = TypeVar("S", bound=Position)
State = TypeVar("State", bound=Position, contravariant=True)


class Pace(Enum):
    """How the sheets of a phase are due."""

    TOGETHER = "all at once"
    IN_ORDER = "in order of playing"
    ONE_BY_ONE = "one by one, in any pacing"


Unfit = Callable[[Any], Reason | None]
"""Why an order of an `else` can't take the place of the order above it; None if it can."""


class PhaseRun(Protocol):
    """The argument of a phase's course: the sheets that came in, and the means to carry out their orders."""

    state: Any

    @property
    def due(self) -> Sequence[Player]:
        """The due players, in order of playing."""

    @property
    def over(self) -> bool:
        """Has the match ended in the middle of the phase?"""

    def orders(self, player: Player) -> Sequence[Any]:
        """The player's orders that haven't been carried out yet; each has a `verb` and its `fields`."""

    def sent(self, player: Player) -> bool:
        """Has the player sent a sheet with orders?"""

    def carry_out(self, player: Player, order: Any, *, unfit: Unfit | None = None) -> bool:
        """Carries an order out, or refuses it and tries those of its `else`; False if nothing was done.

        If a course takes orders by what they name, its `unfit` says which orders of an `else` can't take this one's
        place: these are refused.
        """

    def play(self, event: Any) -> None:
        """Makes something happen between orders."""

    def keep_waiting(self, order: Any) -> WaitingOrder:
        """The order as the position keeps it while it waits for a later phase."""

    def pass_over(self, player: Player, order: Any, why: Reason) -> None:
        """Skips an order that nothing can come of any more, and tells its player why."""

    def taken_up(self, waiting: WaitingOrder) -> Any:
        """An order that has waited, ready to be carried out; its place is still its line in the sheet it came in."""

    def unforeseen(self, player: Player) -> None:
        """Says that the player may act here and change what another player's check relies on: that check is less
        certain from here on.
        """

    def finish(
        self, player: Player, *, absent: bool = False, present: bool = False, again: bool = False
    ) -> None:
        """Ends a player's orders: does what the phase does then; with `absent`, also what it does without a sheet.

        At a deadline it does that too for a sheet whose orders all came to nothing; not with `present`, for a phase
        that goes on without a decision of its player. With `again` it does nothing, except at a deadline: the position
        calls for another sheet of the player.
        """


def seat_by_seat(run: PhaseRun) -> None:
    """Carries out the orders of one player after another, all of them in sheet order, until the match is over."""
    for player in run.due:
        for order in run.orders(player):
            if not run.over:
                run.carry_out(player, order)
        if not run.over:
            run.finish(player)


def nothing(t: Table[Any]) -> None:
    """A rule that does nothing."""


def nobody(state: Any) -> Sequence[Player]:
    """The seats of a phase in which nobody takes part."""
    return ()


def everybody(state: Any) -> Sequence[Player]:
    """The seats of a phase in which all take part, in seat order (`seats` of the position)."""
    seats: Sequence[Player] = state.seats
    return seats


def no_changes(state: Any, player: Player) -> Iterable[Any]:
    """`beforehand` of a phase in which a player's orders don't depend on what others do first."""
    return ()


class Phase(Struct, Generic[S], frozen=True, kw_only=True):
    """A stretch of a match for which one set of sheets is due.

    `name` is its name in files, in `after`, in the texts (`phases`) and of the macro in `form.yaml.j2` that says what
    its form shows. `chapter` is the heading of its rules (`CAR-2`); `pace` is how its sheets are due. `seats` are the
    players who take part, in order of playing; `can` says by public facts whether one of them has a possible order.
    `verbs` are its orders by first key; `course` decides whose order is carried out next. `own_turn` marks a phase that
    each player has in turn, round after round: its orders may be sent ahead for the player's next one. `once` marks one
    that a player has only once in a match, at its beginning: it has no standing orders. `apart` marks one in which
    players change only what is their own: a check is as sure of what comes right after it. `empty_passes` marks one in
    which the rules play for a player without a sheet, and do nothing for one who sends `orders: []`. `stands_in` marks
    one at whose close the rules decide for players who ordered nothing. `over(state)` says of one in whose middle a
    match can end whether it has: the orders whose turn hasn't come then come to nothing. In such a phase each order
    that is carried out plays an event.

    The rest are rules, functions of a table. Their `t.me` is the player (nobody in `opens`, `closes` and `clears`).
    They may throw, reveal and play events, but have no order to pick from. `opens` runs when the phase opens, before
    its sheets are due; `absent` instead of the orders of a player who sent none; `done` when a player's orders are
    done, or after `absent`; `closes` when all have played. `clears` then removes what was laid down for this phase
    alone. It looks at nothing hidden, so that a check can clear a phase whose outcome it can't know, and go on.

    `beforehand(state, player)` gives positions that players who act earlier in the phase can bring about, each by one
    thing that matters to the player's orders: a check says which orders they can prevent or make possible. Without
    `beforehand` a check can't tell: if others act before, it calls no order wrong because of how things stand now, and
    none plainly good. In a phase played all at once nobody acts before, unless there is a `beforehand`.

    `limits(view, player)` is what is left now of all that the player's orders of this phase share (`Verb.uses`), from
    that player's view. `sequence`: are the orders carried out in the sequence of the sheet? If not, a page doesn't say
    which of several orders comes too late.
    """

    name: str
    chapter: str
    pace: Pace
    seats: Callable[[S], Sequence[Player]]
    verbs: Mapping[str, Verb[S]] = {}
    can: Callable[[S, Player], bool] = lambda state, player: True
    course: Callable[[PhaseRun], None] = seat_by_seat
    own_turn: bool = False
    once: bool = False
    apart: bool = False
    empty_passes: bool = False
    stands_in: bool = False
    over: Callable[[S], bool] | None = None
    opens: Rule[S] = nothing
    absent: Rule[S] = nothing
    done: Rule[S] = nothing
    closes: Rule[S] = nothing
    clears: Rule[S] = nothing
    beforehand: Callable[[S, Player], Iterable[S]] | None = None
    limits: Callable[[S, Player], Limits] = no_limits
    sequence: bool = True

    @property
    def passes(self) -> bool:
        """Does nothing happen in the phase for a player who sends nothing? Else the rules act in the player's place."""
        return self.absent is nothing and self.done is nothing and not self.stands_in

    @property
    def passes_empty(self) -> bool:
        """Does nothing happen in the phase for a player who sends `orders: []`?"""
        return self.passes or self.empty_passes


class Next(Struct, frozen=True):
    """The phase to open next."""

    phase: str
    turn: int


class Bot(Protocol):
    """A player who is a program: from the player's view to a sheet, as a player would write it.

    The sheet has `orders` and may have `standing` and `later`. `chance(below)`, a whole number from 0 up to, not
    including, `below`, is the only source of randomness.
    """

    def __call__(self, view: Any, me: Player, chance: Chance) -> dict[str, Any]:
        """The sheet of `me` for the open phase in `view`."""


def bot_in(package: str | None, name: str) -> Bot:
    """The bot of that name in the folder `bot` of a rulebook; it is loaded when it first plays."""

    def sheet(view: Any, me: Player, chance: Chance) -> dict[str, Any]:
        orders: dict[str, Any] = getattr(import_module(f"{package}.bot"), name)(view, me, chance)
        return orders

    sheet.__name__ = name
    return sheet


class Rulebook(Struct, Generic[S], frozen=True, kw_only=True):
    """One complete game: its contents page. `adjudicator.contract.suite` names whatever is missing.

    - `key` names it on the command line, in files and in folders (`rome-carthage`), `title` for readers; `prefix` are
      the letters of its rules' numbers (`ROM`).
    - `version`, the text of a whole number, becomes the next one when a match begun before would go on otherwise;
      `oldest` is the first version whose rulings are still in the code, as `if state.rules < 5` (0: only the newest).
    - `package` holds `rules.md`, and for a foreign game `templates/` and `schemas/`: `__package__`. A text or a
      template may use any module in it: `{board.HOLD}` in `words.yaml`, `game.board.HOLD` in a template.
    - `tables` are the players of a match by their number, the usual table first.
    - `start(match, options, players)` sets the game up: the position of the first phase, number 0, turn 1. It raises
      `Refused` for options that these players can't play by. Anything drawn at random comes when that phase closes.
    - `phases` are all phases, the first one first; `after(state)` is the phase that follows the one just closed, or
      None at the end, to which the engine gives a phase of its own, `end`.
    - `stops` are the lists of phases that make sense for the option of that name, besides `all`; the first is the
      default of a new match; a match of a rulebook without any waits at every phase. Players can order the phases
      between two stops without seeing each other's orders.
    - `pieces(state, player)` are the names of the player's pieces: orders sent ahead may name them, and others may take
      them meanwhile.
    - `at_stake(state, player)` are names that the player may lose once others have decided on what is open, such as an
      offer, and why: a check says so of later orders that name one.
    - `out(state)` are the players who are out of the game, and can't come back: nobody waits for their votes.
    - `lasting` are the keys of reasons that nobody can remove: a check calls them errors, however much is uncertain.
    - `never(state, name)` says that nothing of that name is there, and that nothing of that name can come this turn: a
      check then says plainly that an order for later can't be carried out.
    - `events` are the game's events after `ENGINE_EVENTS`; `questions` those that are put to players.
    - `may_see(state, who, where)` says who (None: the public) may see a secret. `where` is its path: names of fields,
      keys and numbers of a position, `("players", "red", "hand", 0)`, or of an event, the event itself first. It may
      read the whole position, but not the secret's own value. Standing instructions are always their player's.
    - `guess(view, me, chance)` is a position that could be the real one for the player `me`: everything hidden in the
      view is filled in by chance (`table/guess.py`), for trying out what might happen.
    - `boxes(state)` are the boxes of cards, with the places where these lie hidden (`table/boxes.py`): with them the
      program works out from what a player was told where cards must be (`play/known.py`).
    - `bookkeeping(state)`: do forms and reports show what their reader could work out from earlier ones?
    - `standing` are the kinds of standing instructions, `condition` what `if:` may hold.
    - `checks` hold for every position between phases, whoever wrote it, and never raise, however wrong it is;
      `invariants` hold after every event. Each returns the first `Flaw`. One that meets a hidden value has found
      nothing.
    - `points` are each player's points so far, line by line; `scoring` is what a scoring now would add to them, where
      the game has scorings during a match, with None for what the reader may not know; `winners` are the winners at the
      end (none: a draw); without it, the most points win. `sides(state)` are the players who win together, side by
      side, in a game of alliances; `last_turn(state)` is the turn with which a match ends, 0 if the rules say none.
    - `bot` is a player who is a program, and `reckless` are the
      verbs that it leaves alone as somebody's regent (`market.sell`: in that phase alone; `sail/fight`: that field of
      the verb); without one, orders are random.
    - `colours` gives players a colour by its number in `pages/colours.css`; other players get theirs by their order.
    - `language` is the language of the reader's texts (`texts.in_language`), and `templates` the folder of a group's
      own words, which go before ours (`texts.in_language`); no rule asks for them.
    """

    key: str
    title: str
    prefix: str
    version: str
    oldest: int = 0
    package: str
    tables: Mapping[int, tuple[tuple[Player, ...], ...]]
    State: type[S]
    Options: type[AnyOptions]
    start: Callable[[str, Any, tuple[Player, ...]], S]
    phases: tuple[Phase[S], ...]
    after: Callable[[S], Next | None]
    stops: tuple[tuple[str, ...], ...] = ()
    pieces: Callable[[S, Player], Collection[str]] = lambda state, player: ()
    at_stake: Callable[[S, Player], Mapping[str, Reason]] = lambda state, player: {}
    out: Callable[[S], Collection[Player]] = lambda state: ()
    lasting: Collection[str] = ()
    never: Callable[[S, str], bool] = lambda state, name: False
    events: tuple[type[Event[S]], ...]
    may_see: Callable[[S, Player | None, Where], bool]
    guess: Guess[S]
    boxes: Callable[[S], tuple[Box, ...]] = lambda state: ()
    bookkeeping: Callable[[S], bool] = lambda state: False
    standing: Mapping[str, Instruction[S] | Setting] = {}
    questions: tuple[type[Any], ...] = ()
    condition: Condition | None = None
    checks: tuple[Callable[[S], Flaw | None], ...] = ()
    invariants: tuple[Callable[[S], Flaw | None], ...] = ()
    points: Callable[[S], Mapping[Player, tuple[Line, ...]]]
    scoring: Callable[[S], Mapping[Player, tuple[Line, ...]]] | None = None
    bot: Bot | None = None
    reckless: Collection[str] | None = None
    winners: Callable[[S], tuple[Player, ...]] | None = None
    sides: Callable[[S], Sequence[Sequence[Player]]] = lambda state: ()
    last_turn: Callable[[S], int] = lambda state: 0
    colours: Mapping[Player, int] = {}
    language: str = "en"
    templates: str = ""

    @property
    def versions(self) -> range:
        """The versions of the rules that this rulebook plays by, the oldest first."""
        return range(self.oldest or int(self.version), int(self.version) + 1)

    @property
    def reveals(self) -> tuple[type[Event[S]], ...]:
        """The events that make a secret public."""
        return tuple(event for event in self.events if event.reveals)

    def won(self, state: S) -> tuple[Player, ...]:
        """Who has won a finished match; nobody, if it is a draw."""
        if self.winners is not None:
            return self.winners(state)
        return highest(self.points(state))

    def sees(self, state: S, who: Player | None) -> Sees:
        """Whether `who` may see the secret at a place. Standing instructions are their player's; the game decides the
        rest.
        """
        may_see = self.may_see

        def sees(where: Where) -> bool:
            if where[-1] in INSTRUCTIONS:
                match where:
                    case ("players", owner, "standing") | (Stood(player=owner), "entries"):
                        return bool(who == owner)
            return may_see(state, who, where)

        return sees

    def phase(self, name: str) -> Phase[S]:
        """The phase of that name. Raises KeyError."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise KeyError(name)
