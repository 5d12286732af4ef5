"""The subject of a mail: the match and turn, what its reader is asked for, and until when."""

from __future__ import annotations

from adjudicator.door.seats import seats_at
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Post
from adjudicator.engine.handout.times import due_soon
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.report.clock import clock
from adjudicator.engine.table.event import Player


def subject_of(match: Folder, reader: Player | None, *, taken: bool = True) -> str:
    """The subject of the open phase's mail to a player: `lagoon 4: your movement by Tue 20:00`. Raises Faulty.

    It names the seat if the player's address has several: `lagoon 4, Venice: ...`. If a player's mail wasn't `taken`,
    the subject says that.
    """
    head = match.head(match.last)
    due = match.state(match.last).phase.due
    waits = match.opening(match.last).waits
    soon = due_soon(match, match.last, reader)
    texts = clock(match.rulebook_for(reader))
    others = [waits] if waits else due
    seat = reader if reader is not None and seats_at(match, reader) else ""
    asked = asked_of(match, reader)
    asked = asked if taken or asked == "over" else "not-taken"
    return " ".join(str(texts.subject(match.card.match, head, asked, soon, others, seat)).split())


def asked_of(match: Folder, reader: Player | None) -> str:
    """What a reader is asked for: `answer`, `sheet`, nothing since it is `given` or `not-awaited`, or the match is
    `over`; empty if others are asked. Raises Faulty."""
    if match.head(match.last).over:
        return "over"
    waits = match.opening(match.last).waits
    if reader is None or waits not in ("", reader):
        return ""
    if waits:
        return "answer"
    if reader not in match.state(match.last).phase.due:
        return ""
    if is_given(match, reader):
        return "given"
    return "sheet" if is_awaited(match, reader) else "not-awaited"


def is_given(match: Folder, player: str) -> bool:
    """Do we already have a due player's orders (sent, ahead or standing), so that the match doesn't wait for them?

    This can be when a phase is mailed again, as after `resume`. Raises Faulty.
    """
    mail = Post(match).collect(match.last)
    own = mail.sheets.get(player)
    given = player in mail.standing or (own is not None and own.orders is not None)
    return given and player not in mail.missing


def is_awaited(match: Folder, player: str) -> bool:
    """Does the open phase wait for a player's sheet? Not if it is open again and the player sent none before."""
    return player in Post(match).collect(match.last).missing


def title_of(match: Folder, player: str | None) -> str:
    """The title of the open phase for a player (None: for everybody): `Venice: turn 1, Set-up`, with the game's own
    word for a turn.
    """
    head = match.head(match.last)
    texts = words(texts_of(match.rulebook_for(player)))
    phase = texts.get("phases", {}).get(head.name, head.name)
    who = texts.get("names", {}).get(player, player) if player else match.rulebook.title
    turn = texts.get("terms", {}).get("turn", "turn").lower()
    return f"{who}: {turn} {head.turn}, {phase}"
