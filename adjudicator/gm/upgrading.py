"""Going on with a match by another version of its rulebook, for `adjudicator upgrade`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.audit.again import Difference, first_difference
from adjudicator.engine.audit.verify import Replay
from adjudicator.engine.folder.closing import closed_in
from adjudicator.engine.folder.entries import Upgraded
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import now_in
from adjudicator.engine.folder.names import STATE
from adjudicator.gm.acts import checked_reason, enter, match_for_act


def upgrade(path: Path, at: datetime, *, why: str = "") -> Upgraded | Difference:
    """Lets a match go on by the newest version of its rulebook: if every phase comes out as it did, or with a reason.

    Else nothing is changed, and the first difference is returned. Raises Faulty, also for a match in which something
    doesn't follow from the rest.
    """
    with match_for_act(path) as match:
        now, was, newest = now_in(match, at), match.rules(match.last), match.rulebook.versions[-1]
        _check(match, was, newest)
        if wrong := [each for each in Replay(match).check().problems if each.severity == "error"]:
            raise Faulty(wrong)
        found = first_difference(match, newest)
        if found is not None and not why:
            return found
        reason = checked_reason(why) if why else ""
        entry = Upgraded(
            at=now,
            phase=match.phases[-1],
            was=was,
            now=newest,
            program=__version__,
            same=found is None,
            why=reason,
        )
        match.change_state(replace(match.state(match.last), rules=newest))
        enter(match, entry)
        return entry


def _check(match: Folder, was: int, newest: int) -> None:
    """Raises Faulty if the open phase can't go on by other rules."""
    where = match.path / match.phases[-1]
    if was == newest:
        raise Faulty(
            [problem(where, f"the match is played by version {newest} of the rules already, the newest here")]
        )
    if was > newest:
        said = f"the match is played by version {was} of the rules; this program has {newest}: it needs a later release"
        raise Faulty([problem(where, said)])
    if waits := match.opening(match.last).waits:
        said = f"the phase has begun and waits for {waits}: let it end, or undo, and upgrade then"
        raise Faulty([problem(where, said)])
    if closed_in(match, match.last) is not None:
        said = (
            "the phase is closed, and everybody knows its mark: let it be played, or undo, and upgrade then"
        )
        raise Faulty([problem(where / STATE, said)])
