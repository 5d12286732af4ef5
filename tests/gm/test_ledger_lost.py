"""If lines of the ledger are missing, commands that need it refuse: no deadline is forgotten, no mail sent again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.undo import undo
from adjudicator.gm import acts
from adjudicator.gm.playing import run_by_hand, run_if_due
from adjudicator.gm.situation import situation
from adjudicator.mail.account import Account
from adjudicator.mail.sending import send
from tests.engine.match_folders import send_all, tree
from tests.gm.weeks import utc

AT = utc("2026-11-24 12:00")
ACTS: dict[str, Callable[[Path], Any]] = {
    "run --if-due": lambda match: run_if_due(match, AT),
    "run --deadline": lambda match: run_by_hand(match, AT, deadline=True),
    "hold": lambda match: acts.hold(match, AT, why="ill"),
    "absent": lambda match: acts.absent(match, "venice", "2026-12-01..2026-12-02", AT),
    "undo": lambda match: acts.undo(match, AT, why="a slip"),
    "mail send": lambda match: send(match, Account(address="gm@example.org", file="mail.yaml"), AT),
    "due": lambda match: situation(open_match(match), AT),
}


@pytest.mark.parametrize("left", [None, 0, 1])
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_nothing_goes_on_without_what_stood_in_the_ledger(
    lagoon: Path, act: Callable[[Path], Any], left: int | None
) -> None:
    send_all(lagoon)
    run_if_due(lagoon, AT)
    ledger = lagoon / "ledger.jsonl"
    whole = ledger.read_bytes()
    if left is None:
        ledger.unlink()
    else:
        ledger.write_bytes(b"".join(whole.splitlines(keepends=True)[:left]))
    before = tree(lagoon)
    with pytest.raises(Faulty) as faulty:
        act(lagoon)
    said = faulty.value.problems[0].text
    assert re.fullmatch(
        r"lines here when 0002-t1-auction was opened: \d, now: [01]; put it back as it was", said
    )
    assert tree(lagoon) == before
    found = verify(lagoon)
    assert {each.file for each in found.problems} == {str(ledger)}
    assert found.replayed == found.phases  # what doesn't count on the ledger is looked at all the same
    ledger.write_bytes(whole)
    assert verify(lagoon).good
    undo(lagoon)
