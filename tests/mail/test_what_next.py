"""What a sheet brings about is told by mail and in git in the same words, whatever state the phase is in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from adjudicator.cli.acts import what_next
from adjudicator.door.submission import Next, PhaseStatus
from adjudicator.door.submitting import status_of_phase
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.template import environment
from adjudicator.engine.text.problem import Problem
from adjudicator.gm import acts
from adjudicator.gm.playing import run_by_hand, run_if_due
from tests.engine.match_folders import send, send_all
from tests.gm.weeks import WEEK, told, utc, week

SUNDAY, LATE = utc("2026-11-22 13:00"), utc("2026-11-25 20:00")
FAULTS = [Problem("sheet", 1, 1, "MED-0.6", "no such order")]
NEITHER = {**WEEK, "early": False}
PAUSE = {**WEEK, "pause": "1 hour"}


def alone(match: Path) -> None:
    send(match, "venice")


def both(match: Path) -> None:
    send_all(match)


def unfinished(text: str) -> Callable[[Path], None]:
    def bring_about(match: Path) -> None:
        send_all(match)
        send(match, "venice", text)

    return bring_about


def held(match: Path) -> None:
    send_all(match)
    acts.hold(match, SUNDAY, why="a storm")


def taken_back(match: Path) -> None:
    send_all(match)
    run_by_hand(match, SUNDAY, deadline=True, why="all agree")
    acts.undo(match, SUNDAY, why="a slip")


def taken_back_on_hold(match: Path) -> None:
    send_all(match)
    run_by_hand(match, SUNDAY, deadline=True, why="all agree")
    acts.hold(match, SUNDAY, why="a storm")
    acts.undo(match, SUNDAY, why="a slip")


def taken_back_twice(match: Path) -> None:
    """The auction is open for the first time again: the one that was open before is in `undone/`."""
    for _ in range(2):
        run_by_hand(match, SUNDAY, deadline=True, why="all agree")
    for _ in range(2):
        acts.undo(match, SUNDAY, why="a slip")
    run_by_hand(match, SUNDAY, deadline=True, why="all agree")
    for player, bid in (("venice", 200), ("genoa", 100)):
        send(match, player, f"orders: [{{bid: {bid}}}]")


STATES: dict[str, tuple[Callable[[Path], None], dict[str, Any], Sequence[Problem], Any, Next]] = {
    "one is missing": (alone, WEEK, (), SUNDAY, "early"),
    "one is missing, and this one has faults": (alone, WEEK, FAULTS, SUNDAY, "faulty"),
    "all are in": (both, WEEK, (), SUNDAY, "complete"),
    "all are in, without a schedule": (both, {}, (), SUNDAY, "complete"),
    "all wait for the deadline": (both, NEITHER, (), SUNDAY, "open"),
    "there is a pause after the last": (both, PAUSE, (), SUNDAY, "early"),
    "on hold": (held, WEEK, (), SUNDAY, "held"),
    "on hold, and it has faults": (held, WEEK, FAULTS, SUNDAY, "held"),
    "taken back": (taken_back, WEEK, (), SUNDAY, "again"),
    "taken back, without a schedule": (taken_back, {}, (), SUNDAY, "again"),
    "taken back, and it has faults": (taken_back, {}, FAULTS, SUNDAY, "again"),
    "taken back while on hold": (taken_back_on_hold, WEEK, (), SUNDAY, "held"),
    "taken back twice, and played up to it again": (taken_back_twice, WEEK, (), SUNDAY, "complete"),
    "in the grace one is missing": (alone, WEEK, (), LATE, "late"),
    "in the grace it has faults": (alone, WEEK, FAULTS, LATE, "late"),
    "in the grace all are in": (both, WEEK, FAULTS, LATE, "complete"),
    "in the grace all are in after it was taken back": (taken_back, WEEK, (), LATE, "complete"),
    "a draft": (unfinished("orders: []\nready: false"), WEEK, (), SUNDAY, "unfinished"),
    "standing orders alone": (unfinished("standing: {prices: []}"), WEEK, (), SUNDAY, "unfinished"),
    "without orders, in the grace": (unfinished("ordres: []"), WEEK, (), LATE, "unfinished"),
}


@pytest.mark.parametrize("state", STATES)
def test_the_state_of_the_phase_says_what_happens_next(tmp_path: Path, state: str) -> None:
    """And it does happen: where it is told that the phase is played next, it is played; elsewhere it isn't."""
    bring_about, schedule, faults, at, expected = STATES[state]
    match = week(tmp_path / "lagoon", schedule)
    bring_about(match)
    assert ("It is played again" in told(match)) == (bring_about is taken_back)
    assert status_of_phase(open_match(match), "venice", "", faults, at).next == expected
    assert not status_of_phase(open_match(match), "venice", "nothing", faults, at).next
    if not faults and schedule is not PAUSE:  # the pause begins with the mail being answered
        assert bool(run_if_due(match, at).adjudicated) == (expected == "complete")


def test_who_answers_hears_that_the_phase_goes_on(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", pacing="live")
    run_by_hand(match, SUNDAY, deadline=True, why="all agree")
    for player, bid in (("venice", 200), ("genoa", 100)):
        send(match, player, f"orders: [{{bid: {bid}}}]")
    run_if_due(match, SUNDAY)
    there = open_match(match)
    assert there.opening(there.last).waits == "venice"
    assert status_of_phase(there, "venice", "", (), SUNDAY).next == "open"
    send(match, "venice", "answers: [{seat: 1}]", "answers")
    assert status_of_phase(open_match(match), "venice", "", (), SUNDAY).next == "answered"


def test_each_state_has_its_own_words_with_a_deadline_and_without(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon")
    words = environment(texts_of(open_match(match).rulebook)).get_template("what-next.txt.j2").module
    for until in ("", "Friday"):
        said = [
            str(words.next(PhaseStatus(until, next=one), "in a mail")).strip() for one in get_args(Next)[1:]
        ]  # type: ignore[attr-defined]
        assert len({*said}) == len(said)
        assert all("deadline" not in text for text in said if not until and "is past" not in text)


def test_who_sent_what_does_not_count_reads_what_does(tmp_path: Path) -> None:
    """Of a player who isn't asked for a sheet none is missing; who is asked something misses an answer."""
    match = week(tmp_path / "lagoon", pacing="live")
    words = environment(texts_of(open_match(match).rulebook)).get_template("what-next.txt.j2").module

    def reads(player: str) -> str:
        there = open_match(match)
        status = status_of_phase(there, player, "not-a-sheet", (), SUNDAY)
        return str(words.before(status, "now")).strip()  # type: ignore[attr-defined]

    assert reads("venice") == "No sheet of yours is in for now."
    receipt = receipt_of(digest_of(send(match, "venice").read_bytes()))
    assert reads("venice") == f"Your earlier sheet, with the receipt {receipt}, still counts."
    run_by_hand(match, SUNDAY, deadline=True, why="all agree")
    for player, bid in (("venice", 200), ("genoa", 100)):
        send(match, player, f"orders: [{{bid: {bid}}}]")
    run_if_due(match, SUNDAY)
    assert reads("venice") == "Your answer isn't in yet."
    receipt = receipt_of(digest_of(send(match, "venice", "answers: [{seat: 1}]", "answers").read_bytes()))
    assert reads("venice") == f"Your earlier answers, with the receipt {receipt}, still count."
    run_if_due(match, SUNDAY)
    assert open_match(match).phases[-1] == "0003-t1-market"
    assert reads("genoa") == "You aren't asked for a sheet for now."


@pytest.mark.parametrize(("schedule", "when"), [(WEEK, "at its deadline"), ({}, "when the GM closes it")])
def test_after_undo_everybody_reads_when_it_is_played_again(
    tmp_path: Path, schedule: dict[str, Any], when: str
) -> None:
    match = week(tmp_path / "lagoon", schedule)
    taken_back(match)
    assert f"It is played again {when} and not before, even if all sheets are in." in told(match)
    to_the_gm = " ".join(what_next(match))
    mine = (
        "at its deadline, Wednesday 2026-11-25 20:00 (Europe/Paris, UTC+01:00),"
        if schedule
        else "when you say so"
    )
    assert f"It is played again {mine} and not before, even if all sheets are in." in to_the_gm
    assert f"adjudicator run {match}" in to_the_gm
    run_by_hand(match, SUNDAY, deadline=True, why="now")
    assert "It is played again" not in told(match)
    assert not list(what_next(match))


@pytest.mark.parametrize("schedule", [WEEK, {}])
def test_what_was_taken_back_on_hold_isnt_played_before_the_match_goes_on(
    tmp_path: Path, schedule: dict[str, Any]
) -> None:
    match = week(tmp_path / "lagoon", schedule)
    taken_back_on_hold(match)
    said = "The match is on hold: nothing is played until the GM resumes it, even if all sheets are in."
    assert said in told(match)
    assert list(what_next(match)) == [
        "The match is on hold (a storm): nothing is played until you resume it, even if all sheets are in.",
        f"To resume it: adjudicator resume {match} --why ...",
    ]
    acts.resume(match, SUNDAY, why="calm")
    assert said not in told(match)
    assert "It is played again" in told(match)
