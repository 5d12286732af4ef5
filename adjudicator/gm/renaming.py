"""Names another source for the dice of a closed phase, if the first one can't be used."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.sources import DiceSource
from adjudicator.engine.folder.closing import ClosedPhase, FormerSource, beacon_in, closed_in, closed_text
from adjudicator.engine.folder.entries import SourceChanged
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.ledger import add_entries, now_in
from adjudicator.engine.folder.names import CLOSED, FOR
from adjudicator.engine.match.showing import hand_out_again
from adjudicator.gm.acts import checked_reason, match_for_act
from adjudicator.gm.closing import LEAD, named_source


def rename(path: Path, at: datetime, *, why: str, named: str = "", lead: timedelta = LEAD) -> ClosedPhase:
    """Names another source for the dice of a closed phase: a public text, else the next round of drand. Its sheets stay
    as they are. Raises Faulty, also if what came of the first source is here already.
    """
    with match_for_act(path) as match:
        closed, now = closed_in(match, match.last), now_in(match, at)
        if closed is None:
            raise Faulty([problem(path, f"{match.phases[-1]} isn't closed, so no source of dice is named")])
        if not closed.dice.open or beacon_in(match, match.last) is not None:
            said = "its dice are known already, so another source would be a choice among throws"
            raise Faulty([problem(path / closed.phase, said)])
        source = named_source(named) if named else DiceSource(drand=quicknet.round_after(now + lead))
        before = FormerSource(closed.dice, now, checked_reason(why))
        entry = SourceChanged(
            at=now, phase=closed.phase, drand=source.drand, named=source.named, why=before.why
        )
        closed = replace(closed, dice=source, renamed=(*closed.renamed, before))
        match.add(f"{closed.phase}/{CLOSED}", closed_text(closed))
        add_entries(match, entry)
        if match.has(f"{closed.phase}/{FOR}"):
            hand_out_again(match)
        match.commit()
        return closed
