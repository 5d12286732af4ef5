"""The ledger: faults are told with their lines; it is written with the rest of a change or not at all,
and never rewritten."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from adjudicator.engine.folder import commit, entries
from adjudicator.engine.folder.entries import (
    Absent,
    Agreed,
    Amended,
    Asked,
    Banked,
    Bounced,
    Change,
    Closed,
    Edited,
    Entry,
    Extended,
    Fetched,
    Held,
    HeldUp,
    Invited,
    Ordered,
    PhaseOpened,
    PutOff,
    Reminded,
    Replaced,
    Rescheduled,
    Resigned,
    Resumed,
    Sent,
    SourceChanged,
    Taken,
    Undone,
    Upgraded,
    Warned,
    standing,
)
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import add_entries, append, entries_in, ledger_of, line_of
from tests.engine.folder.test_commit import Killed, Killer
from tests.engine.match_folders import said

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PHASE = "0001-t1-purchase"
EVERY: list[Entry] = [
    PhaseOpened(at=NOON, phase=PHASE, due=NOON, closes=NOON, moved=("day",)),
    Closed(at=NOON, phase=PHASE, by="deadline", missing=("genoa",)),
    Sent(at=NOON, phase=PHASE, to="venice", files={"report.md": "00"}, message="<1@x>", stage="begun"),
    Fetched(at=NOON, phase=PHASE, until=NOON),
    Taken(at=NOON, phase=PHASE, player="venice", file="sheets/venice.yaml", sheet="00", came=NOON, late=True),
    Held(at=NOON, phase=PHASE, message="<2@y>", because="no token", player="genoa"),
    Asked(at=NOON, phase=PHASE, message="<5@y>", player="genoa", commands=("status", "vote")),
    Bounced(at=NOON, player="genoa", message="<3@y>", of="<1@x>"),
    Reminded(at=NOON, phase=PHASE, player="genoa", message="<4@y>", closes=NOON),
    Warned(at=NOON, phase=PHASE, player="genoa", message="<6@y>", closes=NOON),
    PutOff(at=NOON, phase=PHASE, due=NOON, closes=NOON, moved=("day",)),
    Banked(at=NOON, phase=PHASE, player="genoa", since=NOON, due=NOON, closes=NOON),
    Absent(at=NOON, player="genoa", first="2026-12-24", last="2026-12-26"),
    Ordered(at=NOON, phase=PHASE, player="genoa", sheet="00"),
    Extended(at=NOON, phase=PHASE, due=NOON, closes=NOON, why="snow"),
    Rescheduled(at=NOON, schedule={"every": "5 days", "days": ["fri"]}, phase=PHASE, due=NOON, why="snow"),
    HeldUp(at=NOON, why="snow"),
    Agreed(at=NOON, on="draw", why="the players have voted for a draw"),
    Invited(at=NOON, phase=PHASE, player="genoa", who="abc", message="<7@y>"),
    Resigned(at=NOON, player="genoa"),
    Resumed(at=NOON, phase=PHASE, due=NOON, closes=NOON, why="thaw"),
    Replaced(at=NOON, player="genoa", why="gone"),
    Amended(at=NOON, phase=PHASE, changes=(Change(path=("a", "b"), was=1, now=[2]),), why="a slip"),
    Edited(at=NOON, phase=PHASE, files=(f"{PHASE}/sheets/venice.yaml",), why="by telephone"),
    Upgraded(at=NOON, phase=PHASE, was=1, now=2, program="0.3.0", why="all agreed"),
    SourceChanged(at=NOON, phase=PHASE, named="6 aus 49", why="no relay answers"),
    Undone(at=NOON, phase=PHASE, gone=("0002-t1-movement",), where="undone/0001", why="a slip"),
]


def test_every_kind_is_read_as_it_was_written() -> None:
    assert {type(entry) for entry in EVERY} == set(entries.KINDS)
    assert entries_in(b"".join(map(line_of, EVERY)), "ledger.jsonl") == tuple(EVERY)


def test_a_match_without_a_ledger_has_no_entries(lagoon: Path) -> None:
    assert ledger_of(open_match(lagoon)) == ()


def test_entries_are_added_behind_what_stands_there(lagoon: Path) -> None:
    for entry in EVERY:
        before = (lagoon / "ledger.jsonl").read_bytes() if (lagoon / "ledger.jsonl").exists() else b""
        with commit.locked(lagoon):
            append(Folder(lagoon), entry)
        assert (lagoon / "ledger.jsonl").read_bytes() == before + line_of(entry)
    assert ledger_of(open_match(lagoon)) == tuple(EVERY)


def test_moments_are_written_in_utc_to_the_second_and_never_go_back(lagoon: Path) -> None:
    paris = NOON.astimezone(timezone(timedelta(hours=1))).replace(microsecond=7)
    with commit.locked(lagoon):
        match = Folder(lagoon)
        add_entries(match, HeldUp(at=paris, why="a"), HeldUp(at=NOON - timedelta(seconds=3), why="b"))
        append(match, HeldUp(at=NOON - timedelta(hours=3), why="c"))
    assert [(entry.at, entry.why) for entry in ledger_of(open_match(lagoon))] == [
        (NOON, "a"),
        (NOON, "b"),
        (NOON, "c"),
    ]
    with pytest.raises(ValueError, match="without a zone"):
        entries.instant(NOON.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "isn't an entry"),
        (b"\xff", "isn't an entry"),
        (b"[" * 9999, "isn't an entry"),
        (b"{}", "isn't an entry"),
        (b'{"kind":"eaten","at":"2026-11-22T12:00:00Z"}', "isn't an entry"),
        (b'{"kind":"held-up","at":"2026-11-22T12:00:00Z","why":"x","more":1}', "isn't an entry"),
        (b'{"kind":"held-up","at":"2026-11-22T12:00:00","why":"x"}', "isn't an entry"),
        (b'{"kind":"held-up","at":"2026-11-22T13:00:00+01:00","why":"x"}', "in UTC"),
        (b'{"kind":"held-up","at":"2026-11-22T12:00:00.0005Z","why":"x"}', "to the second"),
        (b'{"kind":"held-up","at":"2026-11-22T12:00:00Z","why":" "}', "needs a reason"),
        (b'{"kind":"held-up","at":"2026-11-22T11:59:59Z","why":"x"}', "earlier"),
    ],
)
def test_what_is_no_entry_is_told_with_its_line(line: bytes, why: str) -> None:
    good = line_of(HeldUp(at=NOON, why="snow"))
    with pytest.raises(Faulty) as faulty:
        entries_in(good + line + b"\n" + good + line + b"\n", "ledger.jsonl")
    assert {2, 4} <= {problem.line for problem in faulty.value.problems} <= {2, 3, 4}
    assert why in said(faulty)


def test_killed_at_any_moment_all_entries_are_there_or_none(
    lagoon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, moment = lagoon / "ledger.jsonl", 0
    with commit.locked(lagoon):
        append(Folder(lagoon), EVERY[0])
    before, after = kept.read_bytes(), b"".join(map(line_of, EVERY))
    reached = set()
    while True:
        kept.write_bytes(before)
        with monkeypatch.context() as patch, commit.locked(lagoon):
            match = Folder(lagoon)
            add_entries(match, *EVERY[1:])
            Killer(patch, moment)
            try:
                match.commit()
            except Killed:
                pass
            else:
                break
        seen = Folder(lagoon).read("ledger.jsonl")
        with commit.locked(lagoon):
            assert kept.read_bytes() == seen
        assert seen in (before, after)
        reached.add(seen == after)
        moment += 1
    assert reached == {True, False}
    assert kept.read_bytes() == after


def test_the_referees_paper_is_written_for_the_referee_alone(lagoon: Path) -> None:
    with commit.locked(lagoon):
        text = Folder(lagoon).read("referee.yaml") + b"gm: gm@example.org\n"
        commit.put_referee(lagoon, text)
    assert not (lagoon / ".run.tmp").exists()
    assert stat.S_IMODE((lagoon / "referee.yaml").stat().st_mode) == 0o600
    secrets = open_match(lagoon).secrets()
    assert secrets is not None
    assert secrets.gm == "gm@example.org"


def test_what_was_taken_back_says_nothing_more() -> None:
    later = "0002-t1-movement"
    entries = [
        PhaseOpened(at=NOON, phase=PHASE),
        Taken(at=NOON, phase=PHASE, player="venice", file="sheets/venice.yaml", sheet="00"),
        Closed(at=NOON, phase=PHASE, by="gm"),
        PhaseOpened(at=NOON, phase=later),
        Amended(at=NOON, phase=later, changes=(), why="a slip"),
        HeldUp(at=NOON, why="snow"),
        Undone(at=NOON, phase=PHASE, gone=(later,), where="undone/0001", why="a slip"),
    ]
    assert standing(entries) == [entries[0], entries[1], entries[5], entries[6]]


def test_entries_are_values() -> None:
    for entry in EVERY:
        assert msgspec.structs.replace(entry) == entry
