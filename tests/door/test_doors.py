"""Every way in asks the same questions in the same order, and answers in the same words."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import adjudicator
from adjudicator.engine.folder.adjudication import open_closing
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import open_match
from adjudicator.gm import acts
from adjudicator.gm.closing import Dice
from adjudicator.gm.playing import close_by_hand, run_by_hand
from tests.cli.calling import adjudicator as call
from tests.door.doors import DOORS, States, by_mails_text
from tests.engine.match_folders import send
from tests.gm.weeks import utc

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
NOW, PAST = utc("2026-11-23 12:00"), utc("2026-11-26 08:00")
GOOD = b"player: venice\norders: [{place: 1, to: venice-1}]\n"


def closed(match: Path) -> None:
    close_by_hand(match, NOW, Dice(first=True), deadline=True, why="all agree")


def held(match: Path) -> None:
    acts.hold(match, NOW, why="snow")


def asked(match: Path) -> None:
    """The phase has begun, and waits for Venice's answer."""
    run_by_hand(match, NOW, deadline=True, why="all agree")
    for player, bid in (("venice", 200), ("genoa", 100)):
        send(match, player, f"orders: [{{bid: {bid}}}]")
    run_by_hand(match, NOW)
    assert open_match(match).opening(open_match(match).last).waits == "venice"


def round_awaited(match: Path) -> None:
    """The first phase is closed, and waits for a round of drand before anybody can send anything."""
    run_by_hand(match, NOW)
    assert open_match(match).phases == ["0000-t1-start"]


def lottery_awaited(match: Path) -> None:
    """A phase is closed, and waits for the text that its dice are made of."""
    close_by_hand(match, NOW, Dice(named="6 of 49"))
    run_by_hand(match, NOW, dice=Dice(text="1, 2, 3"))
    close_by_hand(match, NOW, Dice(named="6 of 49"), deadline=True, why="all agree")
    assert open_match(match).phases[-1] == "0001-t1-setup"


def over(match: Path) -> None:
    while not run_by_hand(match, NOW, deadline=True, why="all agree").over:
        pass


def with_a_good_one(match: Path) -> None:
    adjudicator.open(match).submit("venice", GOOD, came=NOW)


def as_it_is(match: Path) -> None:
    pass


CASES: dict[str, tuple[Callable[[Path], None], bytes, str]] = {
    "good": (as_it_is, GOOD, ""),
    "without its player's name": (as_it_is, b"orders: []\n", ""),
    "a draft": (as_it_is, b"player: venice\norders: []\nready: false\n", ""),
    "orders with faults": (as_it_is, b"player: venice\norders: [{place: 1, to: nowhere}, {bild: x}]\n", ""),
    "standing instructions alone": (as_it_is, b"player: venice\nstanding: {prices: []}\n", ""),
    "another one than before": (with_a_good_one, b"player: venice\norders: []\n", ""),
    "the same again": (with_a_good_one, GOOD, ""),
    "on hold": (held, GOOD, ""),
    "its phase by name": (as_it_is, b"player: venice\nphase: setup\norders: []\n", ""),
    "an earlier phase": (as_it_is, b"player: venice\nphase: 0000-t1-start\norders: []\n", "earlier-phase"),
    "a later phase": (as_it_is, b"player: venice\nphase: 0004-t1-movement\norders: []\n", "later-phase"),
    "a later phase by name": (as_it_is, b"player: venice\nphase: combat\norders: []\n", "later-phase"),
    "a phase of no game": (as_it_is, b"player: venice\nphase: dinner\norders: []\n", "not-a-sheet"),
    "another match": (as_it_is, b"player: venice\nmatch: alps\norders: []\n", "not-a-sheet"),
    "another player": (as_it_is, b"player: genoa\norders: []\n", "not-a-sheet"),
    "not YAML": (as_it_is, b"player: venice\norders: [\n", "not-a-sheet"),
    "a list": (as_it_is, b"- orders: []\n", "not-a-sheet"),
    "the form as it was": (as_it_is, b"player: venice\nmatch: lagoon\norders:\n", "blank"),
    "comments alone": (as_it_is, b"# Venice\n# orders:\n", "blank"),
    "empty": (as_it_is, b"", "blank"),
    "answers unasked": (as_it_is, b"player: venice\nanswers: [{seat: 1}]\n", "no-question"),
    "closed": (closed, GOOD, "closed"),
    "waiting for its dice": (lottery_awaited, GOOD, "closed"),
    "waiting for its dice, answers": (
        lottery_awaited,
        b"player: venice\nanswers: [{seat: 1}]\n",
        "no-question",
    ),
    "waiting for the first dice": (round_awaited, GOOD, "closed"),
    "waiting for the first dice, for the phase after": (
        round_awaited,
        b"phase: setup\norders: []\n",
        "later-phase",
    ),
    "orders ahead": (as_it_is, GOOD + b"later: {auction: {orders: [{bid: 100}]}}\n", ""),
    "orders ahead alone": (as_it_is, b"player: venice\nlater: {auction: {orders: []}}\n", ""),
    "orders ahead that weren't filled in": (
        as_it_is,
        b"player: venice\nlater: {auction: {orders: }}\n",
        "blank",
    ),
    "orders ahead with faults": (as_it_is, GOOD + b"later: {auction: {orders: [{bild: x}]}}\n", ""),
    "orders ahead for no phase": (as_it_is, GOOD + b"later: {dinner: {orders: []}}\n", ""),
    "two that differ in one file": (as_it_is, GOOD + b"---\nplayer: venice\norders: []\n", "not-a-sheet"),
    "orders twice": (as_it_is, GOOD + b"orders: []\n", "not-a-sheet"),
    "torn": (as_it_is, GOOD[:-12], "not-a-sheet"),
    "torn at a key": (as_it_is, b"player: venice\norders:\n- place: 1\n  to", "not-a-sheet"),
    "too large": (as_it_is, GOOD + b"#" * 2**16, "not-a-sheet"),
    "larger than a mail's text": (as_it_is, GOOD + b"# long\n" * 2**16, "not-a-sheet"),
    "closed, for an earlier phase": (closed, b"phase: 0000-t1-start\norders: []\n", "earlier-phase"),
    "the mark of another report": (as_it_is, GOOD + b"seen: 0123456789abcdef\n", ""),
    "no mark below its key": (as_it_is, GOOD + b"seen:\n", ""),
    "a mark that is none": (as_it_is, GOOD + b"seen: yesterday's\n", ""),
    "a mark that YAML reads as a number": (as_it_is, GOOD + b"seen: 1234567890123456\n", ""),
    "an answer with the mark of another report": (
        asked,
        b"player: venice\nseen: 0123456789abcdef\nanswers: [{seat: 1}]\n",
        "",
    ),
    "an answer": (asked, b"player: venice\nanswers: [{seat: 1}]\n", ""),
    "an answer that wasn't filled in": (asked, b"player: venice\nanswers:\n", "blank"),
    "a sheet while an answer is awaited": (asked, b"player: venice\norders: []\n", "frozen"),
    "over": (over, GOOD, "over"),
    "over, and not YAML": (over, b"player: venice\norders: [\n", "over"),
}


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("case", CASES)
def test_every_door_gives_the_same_answer(states: States, tmp_path: Path, case: str) -> None:
    """Taken or held for the same reason, in the same words; and what is taken lies in the match with the same bytes."""
    bring_about, data, because = CASES[case]
    told, there = {}, {}
    for name, door in DOORS.items():
        match = Path(shutil.copytree(states(bring_about), tmp_path / name / "lagoon"))
        told[name] = door(match, "venice", data, NOW)
        top = match / open_match(match).phases[-1]
        there[name] = {str(path.relative_to(top)): path.read_bytes() for path in top.glob("[as]*s/*.yaml")}
    words = plain(told["program"].words)
    assert told["program"].because == because
    assert bool(words) == bool(because)
    assert [one.because for one in told.values() if one.because != "held"] == [because] * (
        3 if because else 5
    )
    assert [name for name, one in told.items() if words not in plain(one.words)] == []
    assert [name for name, files in there.items() if files != there["program"]] == []
    if not because and "again" not in case:
        receipt = digest_of(
            next(
                text
                for name, text in there["program"].items()
                if name.endswith("venice.yaml") and (b"answers" in text) == (b"answers" in data)
            )
        )[:16]
        assert all(receipt in told[name].words for name in ("command", "mail", "git"))


OFTEN = ("good", "not YAML", "a list", "the form as it was", "torn at a key", "closed", "over")
"""The cases that are mailed as text each time; the others now and then."""


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in OFTEN else pytest.mark.ci) for case in CASES]
)
def test_the_text_of_a_mail_gets_the_same_answer(states: States, tmp_path: Path, case: str) -> None:
    """But for lines under no key of a sheet: they are a message, which goes to the GM; an empty mail has no sheet."""
    bring_about, data, because = CASES[case]
    match = Path(shutil.copytree(states(bring_about), tmp_path / "lagoon"))
    told = by_mails_text(match, "venice", data, NOW)
    otherwise = {"a list": "words", "comments alone": "words", "empty": "nothing"}
    assert told.because == otherwise.get(case, because)


@pytest.mark.parametrize("door", ["command", "mail", "git"])
def test_no_file_that_is_held_is_said_to_count(states: States, tmp_path: Path, door: str) -> None:
    """Whatever mark it names."""
    match = Path(shutil.copytree(states(as_it_is), tmp_path / "lagoon"))
    told = DOORS[door](match, "venice", b"player: genoa\nseen: 0123456789abcdef\norders: []\n", NOW)
    assert told.because
    assert "the sheet counts" not in plain(told.words)


@pytest.mark.parametrize("door", DOORS)
def test_what_is_in_already_gets_its_receipt_again(states: States, tmp_path: Path, door: str) -> None:
    """Whatever has happened since: the phase is closed, and its time has come."""
    match = Path(shutil.copytree(states(with_a_good_one), tmp_path / "lagoon"))
    closed(match)
    told = DOORS[door](match, "venice", GOOD, PAST)
    assert not told.because
    if door not in ("program", "page"):
        assert "Taken already" in told.words and digest_of(GOOD)[:16] in told.words


@pytest.mark.parametrize("case", CASES)
def test_a_file_put_into_the_folder_counts_as_at_the_doors(states: States, tmp_path: Path, case: str) -> None:
    """What is held at the doors starts nothing there, and what is taken does; `check` finds the same faults in it.

    What came when nothing can be changed any more stops the referee, and goes unread in a match that is over.
    """
    bring_about, data, because = CASES[case]
    before = open_match(states(bring_about))
    handed_in, put = (
        Path(shutil.copytree(before.path, tmp_path / name / "lagoon")) for name in ("in", "put")
    )
    sent = adjudicator.open(handed_in).submit("venice", data, came=NOW)
    file = put / before.phases[-1] / sent.file
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    if sent.lines:
        checked = json.loads(call("check", file, "--format", "json").output)
        assert [(one["code"], one["text"]) for one in checked] == [
            (one.code, one.text) for one in sent.problems
        ]
    if open_closing(before) is not None or because == "frozen":
        if sent.kind == "sheets" and before.last:
            with pytest.raises(adjudicator.Faulty, match="changed since the phase"):
                run_by_hand(put, NOW, dice=Dice(text="1, 2, 3"))
            if open_closing(before) is not None:
                assert "venice: what is in came after the phase was closed" in call("status", put).output
        return
    ran, as_handed_in = run_by_hand(put, NOW), run_by_hand(handed_in, NOW)
    assert (ran.open, ran.missing, ran.waiting) == (
        as_handed_in.open,
        as_handed_in.missing,
        as_handed_in.waiting,
    )
