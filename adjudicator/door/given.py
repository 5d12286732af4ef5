"""What a program gives to the face: checked at once, and a wrong thing is named in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.library import registry
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.text.problem import nearest
from adjudicator.engine.text.writing import in_a_line

Text = str | bytes


def bytes_of(data: Text, what: str) -> bytes:
    """The bytes of a text. Raises TypeError for anything else."""
    if isinstance(data, str):
        return data.encode()
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


def option_text(value: Any) -> str:
    """An option's value as it is written in a file."""
    return value if isinstance(value, str) else in_a_line(value)


def rulebook_named(game: str) -> Any:
    """The rulebook of that key. Raises Faulty."""
    try:
        return registry.rulebook(game)
    except registry.NoSuchGame as error:
        raise Faulty([problem("game", str(error))]) from None


def position_in(text: Text, name: str) -> PositionFile:
    """The position in a text. Raises Faulty."""
    opened = read_position(bytes_of(text, "a position"), name)
    if not isinstance(opened, PositionFile):
        raise Faulty(opened)
    return opened


def check_player(player: str, players: Iterable[str]) -> None:
    """Raises Faulty for a player who isn't one of these."""
    players = tuple(players)
    if player not in players:
        mean = nearest(str(player), [*players])
        guess = f", did you mean {mean}?" if mean else ""
        said = f"there is no player {player!r}{guess}; there are {', '.join(players)}"
        raise Faulty([problem("players", said)])
