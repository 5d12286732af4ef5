"""Many matches at a glance: what a GM looks for in each, as one value."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from adjudicator.engine.folder.entries import Held, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.gm.by_mail import not_mailed_yet
from adjudicator.gm.people import MAY_BE_OTHERS
from adjudicator.gm.regents import open_seats
from adjudicator.gm.situation import Now, situation

KEPT_BACK = (*MAY_BE_OTHERS, "beyond", "crashed")
"""Reasons to hold a mail that a GM may put right."""


class Glance(Struct, frozen=True, omit_defaults=True):
    """A match at an instant: the open phase, when it is due, what it waits for (`now`), whose sheets or answer are
    missing, whose have faults, how many mails of the open phase were held that a player may have sent, to whom none of
    it was handed over, and whose seats are open.
    """

    folder: str
    match: str
    phase: str
    now: str
    due: datetime | None = None
    missing: tuple[str, ...] = ()
    faulty: tuple[str, ...] = ()
    held: int = 0
    unmailed: tuple[str, ...] = ()
    seats_open: tuple[str, ...] = ()
    over: bool = False


def glance(match: Folder, at: datetime) -> Glance:
    """A match at an instant. Raises Faulty."""
    found, phase = situation(match, at), match.phases[-1]
    held = [one for one in of_kind(ledger_of(match), Held, phase) if one.because in KEPT_BACK]
    known = found.deadline_in_force
    over = found.now is Now.OVER
    return Glance(
        folder=str(match.path),
        match=match.card.match,
        phase=phase,
        now=found.held.why if found.held is not None else found.now.value,
        due=known.due if known is not None and found.held is None else None,
        missing=found.awaited,
        faulty=found.faulty,
        held=0 if over else len(held),
        unmailed=() if over else not_mailed_yet(match),
        seats_open=tuple(open_seats(match)),
        over=over,
    )
