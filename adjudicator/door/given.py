"""What a program gives to the face: checked at once, and a wrong thing is named in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.library import registry
from adjudicator.engine.play.handwritten import position_by_hand
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.text.problem import nearest
from adjudicator.engine.text.writing import in_a_line

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


def option_text(value: Any) -> str:
    """An option's value as it is written in a file."""
    return value if isinstance(value, str) else in_a_line(value)


def rulebook_named(game: str) -> Any:
    """The rulebook of that key. Raises Faulty."""
    try:
        return registry.rulebook(game)
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


def check_player(player: str, players: Iterable[str]) -> None:
    """Raises Faulty for a player who isn't one of these."""
    players = tuple(players)
    if player not in players:
        mean = nearest(str(player), [*players])
        guess = f", did you mean {mean}?" if mean else ""
        said = f"there is no player {player!r}{guess}; there are {', '.join(players)}"
        raise Faulty([problem("players", said)])
