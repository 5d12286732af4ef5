"""How many of a player's mails are answered, kept and entered, so that nobody can make a match write without end.

Only what has the player's own token counts as the player's. Mails that anybody, another player or a machine can have
written are counted apart, so that nobody can use up a player's answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from adjudicator.engine.folder.entries import Bounced, Entry, Held, Replaced, Sent, Taken, of_kind

MACHINES = ("robot", "list")
"""Reasons to hold what no person wrote."""
UNREAD = ("misnamed", "phase-over", "known")
"""Reasons not to read a file that was pushed to a player's branch: under another name its content may count."""
UNSEALED = ("unsealed", "no-label", "anothers", "without-token", "a-link", "too-large", *UNREAD)
"""Reasons to refuse a file that was pushed to a player's branch, and that anybody could have pushed."""
WITHOUT_TOKEN = (
    "address-alone",
    "address-of-several",
    "reference-alone",
    "expired",
    "anothers-token",
    "several-players",
    *UNSEALED,
)
"""Reasons to hold what anybody could have written, or another player of the match."""
UNSURE = (*WITHOUT_TOKEN, *MACHINES)
"""Reasons to hold a mail that its player may not have written; with a token it may come again, and is read."""
DAY = timedelta(days=1)
MOST_ANSWERS = 10
"""Answers to a player within a day; further mails are still taken or held."""
MOST_ALONE, MOST_KEPT_ALONE, MOST_HELD_ALONE = 2, 5, 20
"""How many mails without a token are answered, kept, and entered in the ledger within a day."""
LONGEST_KEPT = 2**14
"""Bytes of a mail without a token, or beyond the limits, that are kept."""
MOST_READ = 40
"""Mails of a player that are read within a day; the next are left in the mailbox, for the GM to look at."""
ANSWER = "-answer.eml"
"""The ending of answers' file names in a phase's `mail/`."""
ALONE = f"-alone{ANSWER}"
"""The ending for answers to a mail without a token."""


def _day_before(entries: Sequence[Entry], player: str, now: datetime) -> datetime:
    """From when on a player's mails are counted: for a day, and not before somebody else played the seat."""
    return max([now - DAY, *(one.at for one in of_kind(entries, Replaced) if one.player == player)])


def may_answer(entries: Sequence[Entry], player: str, now: datetime, *, alone: bool) -> bool:
    """May a player get another answer today? `alone`: to a mail without a token."""
    since = _day_before(entries, player, now)
    names = {
        one.message: next(iter(one.files), "")
        for one in of_kind(entries, Sent)
        if one.to == player and one.at > since
    }
    answers = [name for name in names.values() if name.endswith(ANSWER) and name.endswith(ALONE) == alone]
    return len(answers) < (MOST_ALONE if alone else MOST_ANSWERS)


def mails_without_token(
    entries: Sequence[Entry], player: str, now: datetime, why: Sequence[str] = (*WITHOUT_TOKEN, "over")
) -> int:
    """How many mails without a token were held for a player within a day, or came to a match that is over; or those
    that were held for the reasons `why`.
    """
    held = of_kind(entries, Held)
    return sum(one.player == player and one.at > now - DAY and one.because in why for one in held)


def has_sent_enough(entries: Sequence[Entry], player: str, now: datetime) -> bool:
    """Were so many of a player's mails read within a day that no more are read? What isn't sure counts apart."""
    since = _day_before(entries, player, now)
    read = {
        one.message
        for one in entries
        if isinstance(one, Taken) or (isinstance(one, Held) and one.because not in UNSURE)
        if one.player == player and one.at > since
    }
    return len(read) >= MOST_READ


def is_known(entries: Sequence[Entry], message: str, player: str, *, sure: bool = False) -> bool:
    """Has that player sent a mail with that Message-ID before? Another player's mail may have the same by mistake.

    `sure`: it is the player's now. Then one that was held because it might not be doesn't count.
    """
    return any(
        isinstance(one, Taken | Held | Bounced)
        and (one.message, one.player) == (message, player)
        and not (sure and isinstance(one, Held) and one.because in UNSURE)
        for one in entries
    )
