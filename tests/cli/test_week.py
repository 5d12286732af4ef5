"""The commands of a GM's week: their output, and their exit status."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.cli import options, run
from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, send_all, tree
from tests.gm.weeks import utc, week

MONDAY = "2026-11-23T12:00Z"


@pytest.fixture(scope="module")
def first_week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return week(tmp_path_factory.mktemp("week") / "lagoon")


@pytest.fixture
def lagoon(first_week: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(first_week, tmp_path / "lagoon"))


def call(*words: object) -> Result:
    return adjudicator(*(str(word) for word in words))


def flat(result: Result) -> str:
    """All that was said, whatever its lines: messages of wrong use come in a box."""
    return " ".join(result.output.replace("│", " ").split())


def test_a_match_is_begun_with_a_schedule_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "schedule.yaml"
    file.write_text("zone: Asia/Kathmandu\nat: '20:00'\nevery: {auction: 1 day, other: 2 days}\n")
    words = ("new", "mediterranee", tmp_path / "lagoon", "--player", "venice", "--player", "genoa")
    more = ("--schedule", file, "--option", "pages=off", "--zone", "genoa=Europe/Rome", "--at", MONDAY)
    assert call(*words, *more).exit_code == 0
    assert "20:00 (Asia/Kathmandu, UTC+05:45)" in call("status", tmp_path / "lagoon").output
    assert "(Europe/Rome, UTC+01:00)" in call("report", tmp_path / "lagoon", "--player", "genoa").output
    file.write_text("zone: Asia/Katmando\nevery: {auctoin: 1 day}\n")
    result = call("new", "mediterranee", tmp_path / "pond", *words[3:], "--schedule", file)
    assert result.exit_code == 1
    assert "schedule.yaml:1:7: SCHEDULE zone: there is no time zone Asia/Katmando" in result.output
    assert "schedule.yaml:2:9: SCHEDULE there is no phase auctoin, did you mean auction?" in result.output
    assert not (tmp_path / "pond").exists()
    result = call("new", "mediterranee", tmp_path / "pond", *words[3:], "--zone", "genoa=Europe/Rom")
    assert result.exit_code == 2, result.output
    assert "did you mean Europe/Rome?" in flat(result)
    result = call("new", "mediterranee", tmp_path / "pond", *words[3:], "--zone", "gena=Europe/Rome")
    assert result.exit_code == 2, result.output
    assert "there is no player gena here" in flat(result)


def test_a_form_written_elsewhere_says_the_deadline(lagoon: Path, tmp_path: Path) -> None:
    into = tmp_path / "mine.yaml"

    result = call("form", lagoon, "genoa", "--into", into)
    assert result.exit_code == 0, result.output
    assert "Wednesday 2026-11-25 14:00 (America/New_York" in into.read_text()


def test_due_says_when_and_why_and_changes_nothing(lagoon: Path) -> None:
    before = tree(lagoon)
    said = call("due", lagoon, "--at", "2026-11-25T21:00").output
    assert "the deadline is past, but the grace isn't over" in said
    assert "Due: Wednesday 2026-11-25 20:00 (Europe/Paris, UTC+01:00)." in said
    assert "Late: venice and genoa." in said
    assert "may be absent 2 times more, 14 days in all" in said
    assert "No sheet yet from venice and genoa." in call("due", lagoon, "--at", MONDAY).output
    assert tree(lagoon) == before


MOVERS = {
    "extend": ("--to", "2026-12-05T20:00"),
    "hold": (),
    "absent": ("venice", "2026-12-05"),
}


@pytest.mark.parametrize("act", MOVERS)
def test_no_deadline_is_moved_as_if_it_werent_past(
    act: str, lagoon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two days after the close a GM knows whose sheet is missing."""
    monkeypatch.setattr(options, "by_the_clock", lambda: utc("2026-11-28 12:00"))
    why, before = () if act == "absent" else ("--why", "snow"), tree(lagoon)
    done = call(act, lagoon, *MOVERS[act], *why, "--at", MONDAY)
    assert done.exit_code == 2, done.output
    assert "which is past" in done.output
    assert tree(lagoon) == before
    monkeypatch.setattr(options, "by_the_clock", lambda: utc("2026-11-24 12:00"))
    assert call(act, lagoon, *MOVERS[act], *why, "--at", MONDAY).exit_code == 0


def test_a_week_is_played_by_its_schedule(lagoon: Path) -> None:
    assert call("run", lagoon, "--if-due", "--at", MONDAY).exit_code == 3
    assert call("absent", lagoon, "venice", "2026-11-25", "--at", MONDAY).exit_code == 0
    said = call("extend", lagoon, "--to", "2026-11-27T20:00", "--why", "snow", "--at", MONDAY).output
    assert "0001-t1-setup is due: Friday 2026-11-27 20:00 (Europe/Paris, UTC+01:00)" in said
    assert call("hold", lagoon, "--why", "ill", "--at", MONDAY).exit_code == 0
    assert call("run", lagoon, "--if-due", "--at", "2027-11-23T12:00Z").exit_code == 3
    assert call("resume", lagoon, "--why", "well", "--at", "2026-11-24T12:00Z").exit_code == 0
    said = call(
        "replace", lagoon, "genoa=new@example.org", "--why", "gone", "--at", "2026-11-24T12:00Z"
    ).output
    assert str(lagoon / "0001-t1-setup" / "for" / "genoa") in said
    send_all(lagoon)
    assert call("run", lagoon, "--if-due", "--at", "2026-11-24T12:00Z").exit_code == 0
    state = lagoon / "0002-t1-auction" / "state.yaml"
    state.write_text(state.read_text().replace("treasury: 2000", "treasury: 1700", 1))
    assert call("verify", lagoon).exit_code == 1
    said = call("amend", lagoon, "--why", "a slip", "--at", "2026-11-24T12:00Z").output
    assert "1 place changed" in said and "players.venice.treasury" in said
    assert call("verify", lagoon).exit_code == 0
    assert call("undo", lagoon, "--at", "2026-11-24T12:00Z").exit_code == 2
    assert call("undo", lagoon, "--why", "a slip", "--at", "2026-11-24T12:00Z").exit_code == 0
    assert call("verify", lagoon).exit_code == 0


@pytest.mark.parametrize(
    ("words", "status", "text"),
    [
        (("due", "--at", "tomorrow"), 2, "tomorrow isn't a time"),
        (("due", "--at", "9999-12-31T23:59"), 2, "isn't a time"),
        (("due", "--at", "2027-03-28T02:30"), 2, "skip that hour"),
        (("due", "--at", "2026-11-24"), 2, "write the hour as well"),
        (("extend", "--to", "2026-12-01", "--why", "x", "--at", MONDAY), 2, "such as 2026-12-01T20:00"),
        (("extend", "--to", "20261201", "--why", "x", "--at", MONDAY), 2, "is a day"),
        (("extend", "--to", "2026-11-24T20:00", "--why", "x", "--at", MONDAY), 2, "not brought forward"),
        (("extend", "--to", "soon", "--why", "x"), 2, "soon isn't a time"),
        (("extend", "--to", "2020-01-01T00:00", "--why", "x", "--at", MONDAY), 2, "is in the past"),
        (("extend", "--to", "2026-12-01T00:00", "--why", " ", "--at", MONDAY), 2, "say why"),
        (("extend", "--to", "2026-12-01T00:00"), 2, "--why"),
        (("absent", "venise", "2026-12-01", "--at", MONDAY), 1, "did you mean venice?"),
        (("absent", "venice", "soon", "--at", MONDAY), 2, "soon isn't a day"),
        (("replace", "venice=x", "--why", "x", "--at", MONDAY), 2, "isn't a mail address"),
        (("resume", "--why", "x", "--at", MONDAY), 1, "isn't on hold"),
        (("run", "--if-due", "--deadline"), 2, "the schedule says what to close"),
    ],
)
def test_what_cannot_be_is_said(lagoon: Path, words: tuple[str, ...], status: int, text: str) -> None:
    before = tree(lagoon)
    result = call(words[0], lagoon, *words[1:])
    assert result.exit_code == status, result.output
    assert text in flat(result)
    assert tree(lagoon) == before


def test_a_clock_that_lies_before_the_ledger_is_refused(lagoon: Path) -> None:
    assert call("hold", lagoon, "--why", "x", "--at", "2150-01-01T00:00Z").exit_code == 0
    result = call("resume", lagoon, "--why", "x")
    assert result.exit_code == 2, result.output
    assert "is the clock right?" in flat(result)


def test_a_match_that_has_no_ledger_is_run_and_undone_as_ever(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send_all(match)
    assert call("run", match).exit_code == 0
    assert call("undo", match).exit_code == 0
    assert not (match / "ledger.jsonl").exists()


# -- many ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def club(first_week: Path, tmp_path: Path) -> list[Path]:
    """Four matches: one that is complete, one that waits, one that is faulty, one that isn't there."""
    folders = [tmp_path / name for name in ("lagoon", "pond", "bay", "nowhere")]
    for folder in folders[:3]:
        shutil.copytree(first_week, folder)
    send_all(folders[0])
    (folders[2] / "0001-t1-setup" / "state.yaml").write_text("match: [")
    return folders


@pytest.mark.ci
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_of_many_a_faulty_one_stops_no_other(club: list[Path], jobs: str) -> None:
    result = call("run", *reversed(club), "--if-due", "--jobs", jobs, "--at", MONDAY)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert f"{club[0]}: 1 adjudicated, open now 0002-t1-auction" in lines
    assert f"{club[1]}: 0001-t1-setup waits for venice and genoa" in lines
    assert f"{club[2]}: faulty, nothing was changed" in lines
    assert any("no such folder" in line for line in lines)
    assert lines[-1] == "4 matches: 1 adjudicated, 1 waiting, 2 faulty."


def test_a_run_by_the_clock_says_why_it_left_a_match_alone(club: list[Path]) -> None:
    assert call("hold", club[0], "--why", "ill", "--at", MONDAY).exit_code == 0
    stray = club[1] / "0001-t1-setup" / "sheets" / "vencie.yaml"
    stray.write_text("player: venice\norders: []\n")
    many = call("run", *club[:2], "--if-due", "--at", MONDAY)
    assert f"{club[0]}: 0001-t1-setup on hold (ill)" in many.output.splitlines()
    assert f"{club[1]}: 0001-t1-setup waits for venice and genoa" in many.output.splitlines()
    for said in (many, call("run", club[1], "--if-due", "--at", MONDAY)):
        assert said.exit_code == 3
        assert "sheets/vencie.yaml" in flat(said)
    alone = call("run", club[0], "--if-due", "--at", MONDAY)
    assert alone.exit_code == 3
    assert "It is on hold (ill): nothing is played until you resume it" in flat(alone)


def test_the_status_of_many_is_the_worst(club: list[Path]) -> None:
    assert call("run", *club[:2], "--if-due", "--at", MONDAY).exit_code == 3
    send_all(club[1])
    shutil.rmtree(club[0])
    shutil.copytree(club[1], club[0])
    assert call("run", *club[:2], "--if-due", "--at", MONDAY).exit_code == 0
    assert call("run", *club[:2], "--dice", "4").exit_code == 2


def test_a_fault_of_the_program_in_one_match_stops_no_other(
    club: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = run.run_match
    monkeypatch.setattr(
        run, "run_match", lambda folder, options: 1 // 0 if folder == club[1] else real(folder, options)
    )
    result = call("run", *club[:2], "--if-due", "--at", MONDAY)
    assert result.exit_code == 1
    assert f"{club[1]}: a fault of the program" in result.output
    assert "1 adjudicated" in result.output
