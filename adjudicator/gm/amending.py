"""Recording what a GM has changed by hand in the open position, so that `verify` can make the same change."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from adjudicator.engine.folder.closing import closed_in
from adjudicator.engine.folder.entries import Amended, instant
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, chain_of
from adjudicator.engine.folder.names import STATE
from adjudicator.engine.folder.patches import FIXED, Unfit, amended_position, derived_position, differences
from adjudicator.engine.play.position import write_position
from adjudicator.engine.table.secret import plain_of
from adjudicator.gm.acts import checked_reason, enter, match_for_act


def amend(path: Path, at: datetime, *, why: str) -> Amended:
    """Records the GM's changes in the last phase's `state.yaml`, and hands out its reports again. Raises Faulty.

    In a match that is over, this corrects the result. The file as it is now is compared with what follows from the
    phase before and earlier changes.
    """
    with match_for_act(path, over=True) as match:
        number, why = match.last, checked_reason(why)
        where = path / match.phases[number] / STATE
        if match.opening(number).waits:
            said = "the phase waits for an answer, and its position is frozen: put it back as it was, and undo first"
            raise Faulty([problem(where, said)])
        if closed_in(match, number) is not None:
            said = "the phase is closed, and everybody knows its mark: put the position back as it was, and undo first"
            raise Faulty([problem(where, said)])
        try:
            before = amended_position(match, number, derived_position(match, number))
        except Unfit:
            raise Faulty(
                [problem(where, "the phase before doesn't lead to this position: see verify")]
            ) from None
        changes = differences(plain_of(before), plain_of(match.state(number)))
        fixed = {change.path[0] for change in changes} & {*FIXED}
        if match.state(number).chain != (chain := chain_before(match, number)):
            was = f" ({chain})" if chain else " (empty)"
            raise Faulty([problem(where, _fixed_files({*fixed, "chain"}) + was)])
        if fixed:
            raise Faulty([problem(where, _fixed_files(fixed))])
        if not changes:
            raise Faulty([problem(where, _nothing(match, number))])
        entry = Amended(at=instant(at), phase=match.phases[number], changes=tuple(changes), why=why)
        enter(match, entry)
        return entry


def chain_before(match: Folder, number: int) -> str:
    """The chain that a phase's position must have: the SHA-256 of the phase before; empty at the start."""
    closed = match.opening(number - 1).closed if number else None
    return chain_of(dict(closed.files)) if closed is not None else ""


def _fixed_files(names: Iterable[str]) -> str:
    return f"{', '.join(sorted(names))}: this can't be changed by hand; put it back as it was"


def _nothing(match: Folder, number: int) -> str:
    """The message for a file with an unchanged position, which may be written in another way."""
    text = match.read(f"{match.phases[number]}/{STATE}")
    if text == write_position(match.state(number)).encode():
        return "nothing was changed in this position; edit it first, then amend"
    return "this is the same position, written in another way (comments, order, spaces): nothing was changed"
