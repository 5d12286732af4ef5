"""Any bytes, at any time, in any state of a match: an answer, a whole match, never somebody else's file."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings, strategies as st

import adjudicator
from adjudicator.door.submission import Reason
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from tests.cli.calling import BAD
from tests.door.test_doors import CASES, NOW, States, as_it_is, asked, closed, held, over

BRINGING = (as_it_is, asked, closed, held, over)
WORDS = (
    "player",
    "match",
    "phase",
    "orders",
    "answers",
    "standing",
    "later",
    "salt",
    "ready",
    "venice",
    "genoa",
    "setup",
    "0001-t1-setup",
    "0002",
    "9" * 300,
    "-1",
    "null",
    "[]",
    "{}",
    "[{place: 1, to: venice-1}]",
    "!!int 1",
    "&a",
    "*a",
    "\x00",
)


@st.composite
def sheets(draw: st.DrawFn) -> bytes:
    """What may be handed in: lines of a sheet's words, whole sheets, and anything."""
    line = st.tuples(
        st.sampled_from(WORDS), st.sampled_from((": ", ":", " ", "\n  - ")), st.sampled_from(WORDS)
    ).map("".join)
    lines = st.lists(line, max_size=6).map(lambda found: "\n".join(found).encode())
    known = st.sampled_from([*BAD.values(), *(data for _, data, _ in CASES.values())])
    return draw(st.one_of(lines, known, st.binary(max_size=200)))


def files(match: Path) -> dict[str, bytes]:
    return {str(path.relative_to(match)): path.read_bytes() for path in match.rglob("*") if path.is_file()}


@pytest.mark.parametrize("bring_about", BRINGING)
def test_any_bytes_get_an_answer_and_leave_a_whole_match(
    states: States, tmp_path_factory: pytest.TempPathFactory, bring_about: object
) -> None:
    match = tmp_path_factory.mktemp("any") / "lagoon"
    shutil.copytree(states(bring_about), match)  # type: ignore[arg-type]
    top = open_match(match).phases[-1]

    @settings(max_examples=60)
    @given(sheets(), st.sampled_from(("venice", "genoa")), st.integers(-400, 400))
    def hand_in(data: bytes, player: str, hours: int) -> None:
        before = files(match)
        sent = adjudicator.open(match).submit(player, data, came=NOW + timedelta(hours=hours))
        assert sent.because in get_args(Reason)
        assert bool(sent.why) != sent.taken and bool(sent.receipt) == sent.taken
        after = files(match)
        changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        assert changed <= {f"{top}/{sent.file}", "ledger.jsonl"}
        assert changed == set() or sent.taken
        assert not sent.taken or after[f"{top}/{sent.file}"] == sent.data
        adjudicator.open(match).status(NOW)

    hand_in()
    assert verify(match).good


def test_two_at_once_leave_one_whole_sheet_each(states: States, tmp_path: Path) -> None:
    """Whoever comes while another one is at work is told to try again, or comes next."""
    match = Path(shutil.copytree(states(as_it_is), tmp_path / "lagoon"))

    def hand_in(number: int) -> str:
        player = ("venice", "genoa")[number % 2]
        try:
            return adjudicator.open(match).submit(player, f"orders: []\nsalt: s{number}\n", came=NOW).because
        except adjudicator.Busy:
            return "busy"

    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(hand_in, range(16)))
    assert {*said} <= {"", "busy"} and "" in said
    there = {path.name: path.read_text() for path in (match / "0001-t1-setup/sheets").glob("*.yaml")}
    assert all(f"player: {name.removesuffix('.yaml')}" in text for name, text in there.items())
    assert verify(match).good
