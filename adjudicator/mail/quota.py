"""How many mails of one player are answered, kept and entered, so that nobody can make a match write without end.

Mails without a token, which anybody may have written, are counted apart: nobody can use up a player's own answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from adjudicator.engine.folder.entries import Entry, Held, Sent, of_kind
from adjudicator.mail.sender import WITHOUT_TOKEN

DAY = timedelta(days=1)
MOST_ANSWERS = 10
"""Answers to a player within a day; more mails are taken or held all the same."""
MOST_ALONE, MOST_KEPT_ALONE, MOST_HELD_ALONE = 2, 5, 20
"""Of mails without a token: how many are answered within a day, are kept, and are entered in the ledger."""
LONGEST_KEPT = 2**14
"""Bytes that are kept of a mail without a token, or beyond the limits."""
ANSWER = "-answer.eml"
"""How the names of answers end, in a phase's `mail/`."""
ALONE = f"-alone{ANSWER}"
"""How those end that answer a mail without a token."""


def may_answer(entries: Sequence[Entry], player: str, now: datetime, *, alone: bool) -> bool:
    """Has a player got fewer answers within a day than there may be, to mails with a token or to those without?"""
    names = {
        one.message: next(iter(one.files), "")
        for one in of_kind(entries, Sent)
        if one.to == player and one.at > now - DAY
    }
    answers = [name for name in names.values() if name.endswith(ANSWER) and name.endswith(ALONE) == alone]
    return len(answers) < (MOST_ALONE if alone else MOST_ANSWERS)


def held_alone(entries: Sequence[Entry], player: str, now: datetime) -> int:
    """How many mails without a token were held for a player within a day; those to a match that is over count too."""
    why = (*WITHOUT_TOKEN, "over")
    held = of_kind(entries, Held)
    return sum(one.player == player and one.at > now - DAY and one.because in why for one in held)
