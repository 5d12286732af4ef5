"""What a GM does in many matches at once: those that are over, or in which the person doesn't play, are passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.entries import Absent, Extended, HeldUp, Resumed, of_kind
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import entries, week

pytestmark = pytest.mark.usefixtures("nobody_reads")
AT = ("--at", "2026-11-23T12:00Z")
WHY = ("--why", "the GM is ill")


@pytest.fixture
def club(tmp_path: Path) -> list[Path]:
    """Two matches that go on, and a folder that is none."""
    (tmp_path / "notes").mkdir()
    return [tmp_path / "notes", *(week(tmp_path / name, name=name) for name in ("alps", "lagoon"))]


def kinds(path: Path, kind: type) -> int:
    return len(of_kind(entries(path), kind))


def test_hold_resume_and_extend(club: list[Path]) -> None:
    for act, kind, more in (
        ("hold", HeldUp, ()),
        ("resume", Resumed, ()),
        ("extend", Extended, ("--to", "2026-12-01T20:00")),
    ):
        done = call(act, *club, *WHY, *more, *AT)
        assert done.exit_code == 0, done.output
        assert [kinds(path, kind) for path in club[1:]] == [1, 1]


def test_one_that_refuses_stops_no_other(club: list[Path]) -> None:
    assert call("hold", str(club[1]), *WHY, *AT).exit_code == 0
    done = call("hold", *club, *WHY, *AT)
    assert done.exit_code == 1
    assert "alps" in done.output
    assert "on hold already" in done.output
    assert kinds(club[2], HeldUp) == 1


def test_a_person_is_away_wherever_that_person_plays(club: list[Path]) -> None:
    secrets = club[1] / "referee.yaml"
    secrets.write_text(secrets.read_text().replace("genoa@example.org", "Other@example.org"))
    done = call("absent", *club, "genoa@example.org", "2026-11-24..2026-11-26", *AT)
    assert done.exit_code == 0, done.output
    assert [kinds(path, Absent) for path in club[1:]] == [0, 1]
    assert call("absent", *club, "other@example.org", "2026-11-24..2026-11-26", *AT).exit_code == 0
    assert kinds(club[1], Absent) == 1


@pytest.mark.parametrize("who", ["nobody@example.org", "genoa"])
def test_who_plays_in_none_of_them_is_refused(club: list[Path], who: str) -> None:
    """A seat's name is no person: somebody else may have that seat in the next match."""
    done = call("absent", *club, who, "2026-11-24", *AT)
    assert done.exit_code == 2
    assert "plays in none of these matches" in " ".join(done.output.split())
    assert not kinds(club[1], Absent)


def test_a_seat_goes_before_somebody_of_that_name_in_one_match(club: list[Path]) -> None:
    secrets = club[1] / "referee.yaml"
    secrets.write_text(secrets.read_text() + "names: {venice: Genoa}\n")
    done = call("absent", club[1], "genoa", "2026-11-24", *AT)
    assert done.exit_code == 0, done.output
    assert [each.player for each in of_kind(entries(club[1]), Absent)] == ["genoa"]
