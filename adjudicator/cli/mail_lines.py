"""What `adjudicator mail` says of each mail that came, and of those that were sent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.output import echo

if TYPE_CHECKING:
    from adjudicator.mail.sending import SendResult
    from adjudicator.mail.settling import MailOutcome

MOST_WORDS = 4000
"""Characters of a player's words that are shown; the whole mail is in the mailbox and in the phase's `mail/`."""


def tell_mail(came: MailOutcome, *, quiet: bool = False) -> None:
    """What became of a mail, and the words in it that are for the GM; if `quiet` only of one that may need the GM."""
    where = f"{came.folder}: " if came.folder else ""
    if came.what == "copied":
        echo(
            f"{where}{came.because} is a copy of this match: this folder got the mail, because the command names it"
        )
        return
    of = f" of {came.player}" if came.player else ""
    why = (
        f" ({', '.join(each for each in (came.because, *came.asked) if each)})"
        if came.because or came.asked
        else ""
    )
    # A mail to a match that is over needs no attention, unless it has a message: the sender was told.
    settled = quiet and came.is_settled and came.what != "bounced"
    if came.what not in ("ours", "double") and not settled and (came.because != "over" or came.words):
        echo(f"{where}{came.what}{of}{why}: {came.message}")
        for line in came.words[:MOST_WORDS].splitlines():
            echo(f"  | {line}".rstrip())
    for line in came.news:
        echo(f"{where}{line}")


def tell_sent(path: Path, went: SendResult) -> None:
    """What became of the mails that a match sent, a line for each kind."""
    for said, names in (
        ("answered", went.answered),
        ("sent to", went.sent),
        ("reminded", went.reminded),
        ("told what was done:", went.told),
        ("carried a message to", went.messages),
        ("mailed what all matches ask to", went.digests),
        ("asked somebody who waits to play", went.invited),
        ("had gone already to", went.before),
        ("refused for", went.refused),
        ("no address for", went.nowhere),
    ):
        if names:
            echo(f"{path}: {said} {', '.join(dict.fromkeys(names))}")
