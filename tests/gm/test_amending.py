"""`amend` names what can't be changed by hand, and says if nothing was changed but the writing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.gm.acts import undo
from adjudicator.gm.changing import amend
from tests.engine.match_folders import begun, play, said, tree
from tests.gm.weeks import utc

MONDAY = utc("2026-11-23 12:00")


def edited(text: str, key: str, value: str) -> str:
    """The text with another value of a key of its outermost mapping."""
    lines = [f"{key}: {value}" if line.startswith(f"{key}:") else line for line in text.splitlines()]
    assert lines != text.splitlines()
    return "\n".join(lines) + "\n"


EDITS: dict[str, tuple[Callable[[str], str], str]] = {
    "the chain": (
        lambda text: edited(text, "chain", "f" * 64),
        "chain: this can't be changed by hand",
    ),
    "no chain": (
        lambda text: edited(text, "chain", '""'),
        "chain: this can't be changed by hand",
    ),
    "the chain and money": (
        lambda text: edited(text, "chain", "f" * 64).replace("treasury: 2000", "treasury: 1700", 1),
        "chain: this can't be changed by hand",
    ),
    "an option": (
        lambda text: text.replace("turns: 2", "turns: 5", 1),
        "options: this can't be changed by hand",
    ),
    "both": (
        lambda text: edited(text, "chain", "f" * 64).replace("turns: 2", "turns: 5", 1),
        "chain, options: this can't",
    ),
    "a comment": (lambda text: f"# by me\n{text}", "the same position, written in another way"),
    "nothing": (lambda text: text, "nothing was changed in this position"),
}


@pytest.mark.parametrize("what", EDITS)
def test_it_says_what_was_edited(lagoon: Path, what: str) -> None:
    change, text = EDITS[what]
    state = lagoon / Folder(lagoon).phases[-1] / "state.yaml"
    state.write_text(change(state.read_text()))
    before = tree(lagoon)
    with pytest.raises(Faulty) as faulty:
        amend(lagoon, MONDAY, why="x")
    assert text in said(faulty)
    assert tree(lagoon) == before


def test_it_names_the_chain_that_belongs_there(lagoon: Path) -> None:
    state = lagoon / Folder(lagoon).phases[-1] / "state.yaml"
    chain = Folder(lagoon).state(Folder(lagoon).last).chain
    state.write_text(edited(state.read_text(), "chain", "f" * 64))
    with pytest.raises(Faulty) as faulty:
        amend(lagoon, MONDAY, why="x")
    assert chain in said(faulty)


def test_what_was_changed_is_told_to_all_who_may_know_it_each_time_and_in_later_reports(
    tmp_path: Path,
) -> None:
    """3,000 ducats are no slip of the pen, whatever the reason says."""
    match = begun(tmp_path / "lagoon", treasury="open")
    play(match, 2)
    top = match / Folder(match).phases[-1]
    said = "The GM has changed the position of 0003-t1-market by hand"
    for was, now in ((r"treasury: [0-9]+", "treasury: 3000"), (r"treasury: 3000", "treasury: 3100")):
        text = (top / "state.yaml").read_text()
        (top / "state.yaml").write_text(re.sub(was, now, text, count=1))
        amend(match, MONDAY, why="typo")
    for reader in ("venice", "genoa", "public"):
        told = (top / "for" / reader / "report.md").read_text()
        assert re.search(rf"{said} \(players.venice.treasury: [0-9]+, now 3000\): typo", told)
        assert f"{said} (players.venice.treasury: 3000, now 3100): typo" in told
    play(match, 1)
    last = match / Folder(match).phases[-1]
    assert (
        f"{said} (players.venice.treasury: 3000, now 3100): typo"
        in (last / "for/public/report.md").read_text()
    )
    undo(match, MONDAY, why="again")
    undo(match, MONDAY, why="and again")
    assert verify(match).good
