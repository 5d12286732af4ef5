"""What the calls of the face give: facts as data, frozen and equal by content."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from adjudicator.engine.text.problem import Problem


class Game(Struct, frozen=True):
    """A game: its `key`, as `begin` takes it, its title, the letters of its rules (`MED`), and who can play together,
    by number of players.
    """

    key: str
    title: str
    prefix: str
    tables: Mapping[int, tuple[tuple[str, ...], ...]]


class Status(Struct, frozen=True):
    """A match at an instant. `phase` is the open phase's folder, `name` and `turn` what it is in the game.

    `due` are the players whom the phase asks for orders, `missing` those of them whose sheet isn't in; `drafts` have
    one that isn't ready, and `faulty` one with faults that they can still correct. `waiting` is the player whose answer
    is awaited. `deadline` is when sheets are due, and `closes` when the phase is closed without them; None: never by
    the clock. `held` is why the match is on hold; empty if it isn't. `now` says what the match waits for. Of a match
    that is over, `winners` are the players who won, and `points` what each has.
    """

    match: str
    game: str
    phase: str
    name: str
    turn: int
    now: str
    due: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    drafts: tuple[str, ...] = ()
    faulty: tuple[str, ...] = ()
    waiting: str = ""
    deadline: datetime | None = None
    closes: datetime | None = None
    held: str = ""
    over: bool = False
    winners: tuple[str, ...] = ()
    points: Mapping[str, int] = {}


class Played(Struct, frozen=True):
    """What came of playing on: the folders of the `phases` that were played, the one that is `open` now, and whom it
    waits for (`missing`, or the answer of `waiting`). `because` is why nothing was played though all was in.
    """

    phases: tuple[str, ...]
    open: str
    missing: tuple[str, ...] = ()
    waiting: str = ""
    because: str = ""


class Adjudicated(Struct, frozen=True):
    """Phases that were played without a match folder. `position` is the one after them, as `state.yaml`; `papers` are
    what each player (and `public`) gets, by name; `events` is what happened, one JSON object a line, with all secrets.
    `problems` are what is wrong with the sheets.

    If an answer is awaited in the middle of a phase, `waiting` is the player whom the phase asks, and nothing else is
    there: adjudicate again, with that player's answers.
    """

    phases: tuple[str, ...]
    position: str = ""
    events: str = ""
    papers: Mapping[str, Mapping[str, str]] = {}
    problems: tuple[Problem, ...] = ()
    waiting: str = ""


class Result(Struct, frozen=True):
    """A match that bots have played to its end: each player's points, who won, the last turn, and how many phases."""

    points: Mapping[str, int]
    winners: tuple[str, ...]
    turns: int
    phases: int


class Verified(Struct, frozen=True):
    """A match that was replayed from its files: how many of its phases, and what doesn't follow from them.

    `good`: nothing is wrong. `whole`: everything could be checked too, the throws against the seed, each phase by the
    rules that played it, and the sheets of bots; else `unchecked` says what couldn't.
    """

    phases: int
    replayed: int
    problems: tuple[Problem, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Does each file follow from the others?"""
        return not any(each.severity == "error" for each in self.problems)

    @property
    def whole(self) -> bool:
        """Is it good, and was everything checked?"""
        return self.good and not self.unchecked
