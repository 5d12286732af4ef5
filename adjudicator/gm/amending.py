"""Recording what a GM has changed by hand in the open position, so that `verify` can do it again."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from adjudicator.engine.folder.entries import Amended, instant
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.names import STATE
from adjudicator.engine.match.patches import FIXED, Unfit, amended, differences, followed
from adjudicator.engine.table.secret import plain_of
from adjudicator.gm.acts import enter, opened_for, reason


def amend(path: Path, at: datetime, *, why: str) -> Amended:
    """Records the hand edit of the open phase's `state.yaml`, and hands its reports out anew. Raises Faulty.

    Only what stands there now counts, against what followed from the phase before and earlier changes.
    """
    with opened_for(path) as match:
        number, why = match.last, reason(why)
        where = path / match.phases[number] / STATE
        if match.opening(number).waits:
            said = "the phase waits for an answer, and its position is frozen: put it back as it was, and undo first"
            raise Faulty([problem(where, said)])
        try:
            before = amended(match, number, followed(match, number))
        except Unfit:
            raise Faulty([problem(where, "the phase before doesn't lead here: see verify")]) from None
        changes = differences(plain_of(before), plain_of(match.state(number)))
        if not changes:
            raise Faulty([problem(where, "nothing was changed in this position; edit it first, then amend")])
        if fixed := sorted({change.path[0] for change in changes} & {*FIXED}):
            said = f"{', '.join(fixed)} can't be changed by hand: put it back as it was"
            raise Faulty([problem(where, said)])
        entry = Amended(at=instant(at), phase=match.phases[number], changes=tuple(changes), why=why)
        enter(match, entry)
        return entry
