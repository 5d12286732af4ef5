"""Events: values that are applied to a position one after another, and from which every report is made.

Checks of positions that several games use: each gives the first flaw, or None.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from adjudicator.engine.table.reason import Flaw, Path, Reason, flaw
from adjudicator.engine.table.secret import Secret, Unknown

S = TypeVar("S")
Player = str


class Event(Struct, Generic[S], frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """One thing that happened, the rule it rests on, and the line of the sheet that caused it.

    A game's events are frozen subclasses with a field for each fact, small and physical (`Paid`, `Moved`), and an
    `apply` that gives the position after it. A field that some may not see is a `Secret`; the rulebook's `may_see` says
    who may. Each has a macro of its name in the game's `events.md.j2`, or the macro `thread` names another event whose
    macro tells it. If its line begins without a subject, the macro `actor` says who acts. If an event has a `player`,
    that player acts.

    `rule` is the number it rests on (`MED-2.2`); `by` (`sheets/venice.yaml:7:5`, set by the referee) is only for the
    sheet's owner. `to`: only these players may know of the event at all; empty means everybody. `reveals` marks an
    event that makes a secret public, `ends` the one that ends a match and says how it was won. `stays` marks one that
    stands even if the order that caused it is refused, such as what two players have said to each other.
    """

    reveals: ClassVar[bool] = False
    ends: ClassVar[bool] = False
    stays: ClassVar[bool] = False

    rule: str
    by: str = ""
    to: tuple[Player, ...] = ()

    def apply(self, state: S) -> S:
        """The position after the event. An event that changes nothing is a message to the players."""
        return state

    def recall(self, state: S, view: S) -> S:
        """What a reader who was told the event knows after it, from what the reader knew; `view` is what the reader
        sees when the phase is over.

        By default as `apply` has it. An event that tells some players what others were told of before, such as cards
        that are shown now and were laid out in secret, makes that good.
        """
        return self.apply(state)

    def counted_out(self, state: S) -> Sequence[str]:
        """The cards that come to light by the event, of which it tells the number alone: taxes that are paid, of a
        hand. `state` is the position before it.
        """
        return ()

    def leaves_open(self) -> Mapping[str, bool]:
        """The places of orders, as far as the reader may know them: true if the event leaves the order open, to wait
        for another player or a later phase; false if one that was open waits no longer.
        """
        return {}


class Deed(Event[S], frozen=True):
    """An event with a player who acts or is affected; that player is its first fact."""

    player: Player


END = "end"
"""The name of the last phase, in which nothing is left to do."""


class Head(Struct, frozen=True):
    """The open phase: its number in the match, its name, the turn, and the due players, in order of playing."""

    number: int
    name: str
    turn: int
    due: tuple[Player, ...] = ()

    @property
    def over(self) -> bool:
        """Is the match over?"""
        return self.name == END


class Opened(Event[Any], frozen=True):
    """A phase opens. The last one is called `end`; nobody is due in it."""

    phase: Head

    def apply(self, state: Any) -> Any:
        return msgspec.structs.replace(state, phase=self.phase)


class Due(Event[Any], frozen=True):
    """The due players in the phase that has just opened, in order of playing."""

    players: tuple[Player, ...]

    def apply(self, state: Any) -> Any:
        head = msgspec.structs.replace(state.phase, due=self.players)
        return msgspec.structs.replace(state, phase=head)


class Thrown(Event[Any], frozen=True):
    """A throw: the die, its label `what`, and the `player` who throws."""

    what: tuple[str, ...]
    face: int
    player: Player = ""


class Shuffled(Event[Any], frozen=True):
    """A shuffle."""

    what: tuple[str, ...]
    order: tuple[Secret[str], ...]


class OrderRefused(Event[Any], frozen=True):
    """An order that changes nothing, the reason, and the place in the sheet (`place`: line:column of the fault).

    Of a part that was refused alone the text `verb` ends in the part's field, as it always has in records; `part` says
    so where the reason names no field.
    """

    player: Player
    verb: str
    reason: Reason
    place: str
    field: str = ""
    part: bool = False

    @property
    def where(self) -> str:
        """The place with its file: `sheets/venice.yaml:7:5`, with a folder in front for an earlier phase's sheet."""
        file = self.by.rpartition(":")[0].rpartition(":")[0]
        return f"{file or f'sheets/{self.player}.yaml'}:{self.place}"

    @property
    def of_part(self) -> bool:
        """Was a part of the order refused alone?"""
        return self.part or (bool(self.field) and self.verb.endswith(f", {self.field}"))


class Remarked(Event[Any], frozen=True):
    """A remark on a sheet, an entry or an answer that is carried out, or dropped alone."""

    player: Player
    reason: Reason
    place: str = ""


class NotSent(Event[Any], frozen=True):
    """A sheet that counts as not sent, and the first thing wrong with it."""

    player: Player
    reason: Reason
    place: str = ""


class Stood(Event[Any], frozen=True):
    """A player's standing instructions of one kind, in force until replaced."""

    player: Player
    key: str
    entries: Secret[Any]

    def apply(self, state: Any) -> Any:
        known = state.players[self.player].standing.value
        laid_down = msgspec.convert({self.key: self.entries.value}, type(known))
        now = msgspec.structs.replace(known, **{self.key: getattr(laid_down, self.key)})
        return changed(state, "players", self.player, standing=Secret(now))


def changed(state: S, of: str, name: str, **changes: Any) -> S:
    """The position with a change to one of its things: `changed(state, "ports", "tunis", fort=True)`.

    `of` is the field of the position that holds the things by name.
    """
    things = getattr(state, of)
    thing = msgspec.structs.replace(things[name], **changes)
    there: Any = state
    found: S = msgspec.structs.replace(there, **{of: {**things, name: thing}})
    return found


def removed(state: S, of: str, *names: str) -> S:
    """The position without some of its things, if they exist: `removed(state, "ports", "tunis")`."""
    things = {name: thing for name, thing in getattr(state, of).items() if name not in names}
    there: Any = state
    return cast(S, msgspec.structs.replace(there, **{of: things}))


def paid(state: S, purse: str, payer: Player, payee: Player, amount: int) -> S:
    """The position after a payment from one player's purse to another's; "" is the bank.

    `purse` is the field of a player's things that holds the money. A purse hidden from the reader stays hidden.
    """
    here: Any = state
    players = {**here.players}
    for player, change in ((payer, -amount), (payee, amount)):
        if player and (held := getattr(players[player], purse)).known:
            now = {purse: Secret(held.value + change)}
            players[player] = msgspec.structs.replace(players[player], **now)
    return cast(S, msgspec.structs.replace(here, players=players))


def position_after(events: Iterable[Event[S]], here: S | None) -> S | None:
    """The position after some events, as far as its reader knows it.

    An event with secrets hidden from the reader, or one that was tampered with, leaves the position unchanged.
    """
    if here is not None:
        for event in events:
            try:
                here = event.apply(here)
            except (Unknown, LookupError, ValueError, TypeError):
                continue
    return here


def with_positions_before(events: Iterable[Event[S]], here: S | None) -> Iterator[tuple[Event[S], S | None]]:
    """The events, each with the position before it as far as its reader knows it; `here` is that before the first."""
    for event in events:
        yield event, here
        here = position_after([event], here)


ENGINE_EVENTS: tuple[type[Event[Any]], ...] = (
    Opened,
    Due,
    Thrown,
    Shuffled,
    OrderRefused,
    Remarked,
    NotSent,
    Stood,
)


def events_of(*modules: ModuleType) -> tuple[type[Event[Any]], ...]:
    """The engine's events and those that a rulebook's modules define, in the order of definition.

    Classes with subclasses among them are left out: they only hold what these have in common.
    """
    found = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Event) and each.__module__ == module.__name__
    ]
    made = {base for each in found for base in each.__mro__[1:]}
    return (*ENGINE_EVENTS, *(each for each in found if each not in made))


def owner_of(place: str) -> Player:
    """Whose sheet a place lies in: `sheets/venice.yaml:7:5` is Venice's."""
    return place.rpartition("/")[2].partition(".")[0]


def one_of(value: Any, among: Collection[Any], path: Path, rule: str, why: str) -> Flaw | None:
    """One test of a check: the name must be one of these."""
    return None if value in among else flaw(path, rule, why, value=value)


def at_most(value: int, most: int, path: Path, rule: str, why: str, **facts: Any) -> Flaw | None:
    """One test of a check: the value may not be above `most`; `facts` say what it counts."""
    return flaw(path, rule, why, value=value, most=most, **facts) if value > most else None


def names_everybody(state: Any, names: Sequence[Player], path: Path, rule: str, why: str) -> Flaw | None:
    """A flaw if a list, such as the order of play, doesn't name every player once; else None."""
    if sorted(names) == sorted(state.players):
        return None
    return flaw(path, rule, why, value=list(names))


def purses_hold_sums(state: Any, purse: str, rule: str, why: str, step: int = 1) -> Flaw | None:
    """A flaw if the money of a player, a secret in the field `purse`, is below 0 or no multiple of `step`; else None.
    Hidden money can't be checked.
    """
    for name, seat in state.players.items():
        money = getattr(seat, purse)
        if money.known and (money.value < 0 or money.value % step):
            return flaw(("players", name, purse), rule, why, value=money.value)
    return None
