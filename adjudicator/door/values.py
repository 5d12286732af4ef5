"""What the calls of the face take and give: facts as data, frozen, and each wrong thing named in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import problem_at, texts_of
from adjudicator.engine.play.position import PositionFile, position_by_hand, read_position
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.text.problem import Problem, nearest
from adjudicator.engine.text.writing import in_a_line


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


Text = str | bytes


def bytes_of(data: Text, what: str) -> bytes:
    """The bytes of a text; half a sign becomes bytes that can't be read. Raises TypeError for anything else."""
    if isinstance(data, str):
        return data.encode(errors="surrogatepass")
    if isinstance(data, bytes):
        return data
    raise TypeError(f"{what} is text or bytes, as in its file; this is {type(data).__name__}")


def instant_of(at: datetime | None) -> datetime:
    """A time that was given, or the clock's. Raises TypeError for no time, ValueError for one without a zone."""
    if at is None:
        return datetime.now(UTC)
    if not isinstance(at, datetime):
        raise TypeError(f"a time is a datetime; this is {type(at).__name__}")
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone: write datetime(..., tzinfo=UTC), or at.astimezone()")
    return at


def mapping_of(given: Mapping[str, Any] | None, what: str) -> Mapping[str, Any]:
    """A mapping that was given, empty if none was. Raises TypeError for anything else."""
    if given is None or isinstance(given, Mapping):
        return given or {}
    raise TypeError(f"{what} are a mapping by name, such as a dict; this is {type(given).__name__}")


def text_of(given: str, what: str) -> str:
    """A text that was given. Raises TypeError for anything else."""
    if isinstance(given, str):
        return given
    raise TypeError(f"{what} is a text; this is {type(given).__name__}")


def folder_of(path: str | Path) -> Path:
    """The path of a match. Raises TypeError for anything else, such as a `Match`."""
    if isinstance(path, (str, Path)):
        return Path(path)
    raise TypeError(f"a match's folder is a path, as text or Path; this is {type(path).__name__}")


def list_of(given: Sequence[Any] | None, what: str) -> list[Any]:
    """A list that was given, empty if none was. Raises TypeError for anything else, a text too."""
    if given is None or (isinstance(given, Sequence) and not isinstance(given, (str, bytes))):
        return list(given or ())
    raise TypeError(f"{what}; this is {type(given).__name__}")


def players_of(given: Sequence[str]) -> list[str]:
    """The players in a list that was given. Raises TypeError for anything else."""
    there = list_of(given, "players are a list of names, such as ['venice', 'genoa']")
    return [text_of(each, "a player's name") for each in there]


def count_of(given: int, what: str) -> int:
    """A number that was given. Raises TypeError for anything else, ValueError for one below 0."""
    if not isinstance(given, int):
        raise TypeError(f"{what} is a whole number; this is {type(given).__name__}")
    if given < 0:
        raise ValueError(f"{what} is 0 or more, not {given}")
    return given


def options_of(given: Mapping[str, Any] | None) -> dict[str, str]:
    """Options that were given, with their values as they are written in a file. Raises TypeError for anything else."""
    return {
        text_of(key, "an option's name"): option_text(value)
        for key, value in mapping_of(given, "options").items()
    }


def option_text(value: Any) -> str:
    """An option's value as it is written in a file."""
    return value if isinstance(value, str) else in_a_line(value)


def rulebook_named(game: str) -> Any:
    """The rulebook of that key. Raises Faulty, and TypeError for what is no text."""
    try:
        return registry.rulebook(text_of(game, "a game"))
    except registry.NoSuchGame as error:
        raise Faulty([problem("game", str(error))]) from None


def position_in(text: Text, name: str, *, whole: bool = False) -> PositionFile:
    """The position in a text; `whole`: with nothing hidden, and all in it possible, so that it can be played. Raises
    Faulty.
    """
    opened = (position_by_hand if whole else read_position)(bytes_of(text, "a position"), name)
    if not isinstance(opened, PositionFile):
        raise Faulty(opened)
    return opened


def no_orders_to_give(opened: PositionFile) -> Problem | None:
    """What is said of a view in whose phase nobody gives orders, such as that of a match that is over; else None."""
    if any(phase.name == opened.state.phase.name and phase.verbs for phase in opened.rulebook.phases):
        return None
    reason = Reason("FILE", "no-orders-to-give", {"phase": opened.state.phase.name})
    return problem_at(f"{opened.source.name}:0:0", reason, texts_of(opened.rulebook))


def check_player(player: str, players: Iterable[str]) -> None:
    """Raises Faulty for a player who isn't one of these."""
    players = tuple(players)
    if player not in players:
        mean = nearest(str(player), [*players])
        guess = f", did you mean {mean}?" if mean else ""
        said = f"there is no player {player!r}{guess}; there are {', '.join(players)}"
        raise Faulty([problem("players", said)])
