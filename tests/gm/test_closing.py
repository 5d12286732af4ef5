"""A phase that is closed before it is adjudicated: its sheets stay, and nobody can choose or foresee its dice."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from adjudicator.engine.audit.comparing import check_received
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.quicknet import DiceSource
from adjudicator.engine.beacon.relays import Unreachable
from adjudicator.engine.folder.adjudication import closed_in
from adjudicator.engine.folder.entries import Closed, SourceChanged
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.names import BEACON, CLOSED
from adjudicator.engine.table.event import Thrown
from adjudicator.engine.text.resources import Missing
from adjudicator.gm import acts, changing, closing
from adjudicator.gm.changing import rename
from adjudicator.gm.closing import Dice
from adjudicator.gm.playing import close_by_hand, run_by_hand, run_if_due
from adjudicator.gm.situation import Now, situation
from tests.drand import ROUNDS, just_before
from tests.engine.match_folders import begun, play, said, send, send_all, tree
from tests.gm.weeks import entries, faults, told, utc, week

pytestmark = pytest.mark.usefixtures("nobody_reads")

NOW = timedelta(0)
LOTTERY = "6 aus 49, 28.11.2026"
DRAND = Dice(draw=ROUNDS.__getitem__, lead=NOW)
MONDAY = utc("2026-11-23 12:00")


def drand(path: Path, *rounds: int, match: Callable[..., Path] = begun, **options: str) -> Path:
    """A match whose dice come from drand, with its phases played with these rounds; all is passed."""
    found = match(path, dice="drand", **options)
    for number in rounds:
        send_all(found)
        assert run_if_due(found, just_before(number), DRAND).closed
        assert run_if_due(found, quicknet.time_of(number), DRAND).adjudicated
    return found


def named(path: Path, *drawn: str, **options: str) -> Path:
    """A match whose dice come from public texts, with its phases played with these."""
    match = begun(path, dice="named", **options)
    for text in drawn:
        send_all(match)
        close_by_hand(match, MONDAY, Dice(named=LOTTERY))
        assert run_by_hand(match, MONDAY, dice=Dice(text=text)).adjudicated
    return match


def top(match: Path) -> Path:
    return match / Folder(match).phases[-1]


def test_a_draw_of_an_earlier_version_holds_and_verify_says_that_its_spelling_was_a_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing, "named_source", lambda text: DiceSource(named=text))
    (said,) = verify(named(tmp_path / "old", "08, 3")).problems
    assert said.severity == "warning"
    assert "could choose among spellings" in said.text
    monkeypatch.undo()
    assert verify(named(tmp_path / "new", "08, 3")).problems == ()


# -- in two steps --------------------------------------------------------------------------------------------------


def test_a_phase_is_first_closed_and_played_when_its_round_is_out(tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000)
    send_all(match)
    before = tree(match)
    ran = run_if_due(match, just_before(1001), DRAND)
    assert ran.closed == "0001-t1-setup"
    assert not ran.adjudicated
    assert ran.until == quicknet.time_of(1001)
    assert {*tree(match)} - {*before} == {f"0001-t1-setup/{CLOSED}"}
    assert run_if_due(match, just_before(1001), DRAND).until == quicknet.time_of(1001)
    assert run_if_due(match, quicknet.time_of(1001), DRAND).adjudicated == ("0001-t1-setup",)
    assert faults(match) == []


def test_the_start_waits_too_so_that_nobody_chooses_the_first_deal(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", dice="drand")
    assert Folder(match).phases == ["0000-t1-start"]
    assert run_by_hand(match, just_before(1000), dice=DRAND).closed == "0000-t1-start"
    assert run_by_hand(match, quicknet.time_of(1000), dice=DRAND).open == "0001-t1-setup"


@pytest.mark.read
def test_what_is_closed_says_nothing_of_the_sheets_but_their_seals(tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000)
    send(match, "venice", "orders: []\nsalt: sea")
    send(match, "genoa")
    run_if_due(match, just_before(1001), DRAND)
    closed = closed_in(open_match(match), 1)
    run_if_due(match, quicknet.time_of(1001), DRAND)
    receipts = json.loads((top(match) / "for/public/receipts.json").read_text())
    assert closed is not None
    assert closed.seals == receipts["seals"]
    assert (
        closed.mark
        == json.loads((match / "0001-t1-setup/for/public/receipts.json").read_text())["marks"][
            "0001-t1-setup"
        ]
    )
    assert closed.dice.drand == 1001


def test_a_throw_follows_from_seed_salts_and_what_was_drawn_as_dice_md_says(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", dice="drand")
    rounds = iter(ROUNDS)
    thrown: Thrown | None = None
    while thrown is None:  # until a phase has a throw
        number = next(rounds)
        send_all(match)
        run_if_due(match, just_before(number), DRAND)
        run_if_due(match, quicknet.time_of(number), DRAND)
        folder = open_match(match)
        thrown = next((one for one in folder.events(folder.last - 1) if isinstance(one, Thrown)), None)
    seed = bytes.fromhex(folder.secrets().seed)  # type: ignore[union-attr]
    salts = ["" for _ in folder.state(folder.last - 1).phase.due]
    value = quicknet.randomness_of(ROUNDS[number])
    text = json.dumps(["lagoon", folder.last - 1, salts, value, list(thrown.what), 0], separators=(",", ":"))
    drawn = int.from_bytes(hmac.digest(seed, text.encode(), "sha256")[:8], "big")
    assert (1, 2, 3, 4, 5, 6)[drawn % 6] == thrown.face
    assert hashlib.sha256(seed).hexdigest() == folder.card.seed


def test_another_round_gives_other_throws(tmp_path: Path) -> None:
    one, two = drand(tmp_path / "one", 1000, 1001, 1002), drand(tmp_path / "two", 1000, 1001, 1003)
    events = "0002-t1-auction/events.jsonl"
    assert tree(one)[events] != tree(two)[events]


def test_with_the_seed_alone_a_phase_may_be_closed_first_too(tmp_path: Path) -> None:
    """For a repository, in which everybody sees the closing before what comes of it."""
    match = begun(tmp_path / "lagoon")
    send_all(match)
    ran = run_if_due(match, MONDAY, Dice(first=True))
    assert ran.closed == "0001-t1-setup"
    assert ran.until is None
    assert run_if_due(match, MONDAY, Dice(first=True)).adjudicated == ("0001-t1-setup",)
    other = begun(tmp_path / "other")
    send_all(other)
    run_if_due(other, MONDAY)
    events = "0001-t1-setup/events.jsonl"
    assert tree(match)[events] == tree(other)[events]
    assert faults(match) == []


def test_a_deadline_is_kept_until_the_dice_are_known(tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000)
    send(match, "venice")
    assert run_by_hand(match, just_before(1001), deadline=True, dice=DRAND).closed
    ran = run_by_hand(match, quicknet.time_of(1001), dice=DRAND)
    assert ran.adjudicated == ("0001-t1-setup",)
    assert open_match(match).by_deadline(1)
    assert faults(match) == []


def test_a_match_with_a_schedule_closes_by_it_and_the_ledger_says_when(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", dice="drand")
    lead = Dice(draw=lambda _: ROUNDS[32285085])
    at = utc("2026-09-17 15:13:37")
    run_if_due(match, at, lead)
    assert closed_in(open_match(match), 0).dice.drand == 32285085  # type: ignore[union-attr]
    run_if_due(match, at + timedelta(minutes=11), lead)
    due, closes = entries(match)[0].due, entries(match)[0].closes  # type: ignore[attr-defined]
    assert run_if_due(match, due, lead).closed == ""
    assert run_if_due(match, closes, lead).closed == "0001-t1-setup"
    assert entries(match)[-1] == Closed(
        at=closes, phase="0001-t1-setup", by="deadline", missing=("venice", "genoa")
    )
    assert situation(open_match(match), closes).now is Now.CLOSED
    assert faults(match) == []


# -- nothing changes any more --------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["other", "gone", "added"])
def test_sheets_of_a_closed_phase_stay_as_they_are(change: str, tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000)
    file = send(match, "venice", "orders: []\nsalt: sea")
    if change != "added":
        send(match, "genoa")
    run_by_hand(match, just_before(1001), deadline=True, dice=DRAND)
    if change == "other":
        file.write_text(file.read_text().replace("sea", "tide"))
    elif change == "gone":
        file.unlink()
    else:
        send(match, "genoa")
    before = tree(match)
    with pytest.raises(Faulty) as faulty:
        run_by_hand(match, quicknet.time_of(1001), dice=DRAND)
    assert "since the phase was closed" in said(faulty)
    assert tree(match) == before
    assert any("when the phase was closed" in text for text in faults(match))


def test_a_closed_position_is_not_amended(tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000)
    send_all(match)
    run_if_due(match, just_before(1001), DRAND)
    file = match / "0001-t1-setup/state.yaml"
    file.write_text(file.read_text().replace("treasury: 1", "treasury: 2", 1))
    with pytest.raises(Faulty) as faulty:
        changing.amend(match, quicknet.time_of(1001), why="a slip")
    assert "closed" in said(faulty)


def test_what_is_taken_back_is_closed_anew(tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000, 1001)
    acts.undo(match, quicknet.time_of(1001), why="a slip")
    assert not (match / "0001-t1-setup" / CLOSED).exists()
    assert (match / "undone/0001/0001-t1-setup" / BEACON).exists()
    assert run_by_hand(match, just_before(1002), dice=DRAND).closed == "0001-t1-setup"
    assert run_by_hand(match, quicknet.time_of(1002), dice=DRAND).adjudicated
    assert faults(match) == []


# -- other sources -------------------------------------------------------------------------------------------------


@pytest.mark.read
def test_a_public_text_is_named_first_and_told_afterwards(tmp_path: Path) -> None:
    match = named(tmp_path / "lagoon", "3 8 21 30 33 47")
    send_all(match)
    assert "name the source" in run_by_hand(match, MONDAY).because
    close_by_hand(match, MONDAY, Dice(named=LOTTERY))
    assert LOTTERY in run_by_hand(match, MONDAY).because
    assert run_by_hand(match, MONDAY, dice=Dice(text=" 1  2 3 4 5 6 ")).adjudicated
    assert "text: 1 2 3 4 5 6\n" in (match / "0001-t1-setup" / BEACON).read_text()
    assert "1 2 3 4 5 6" in told(match)
    assert faults(match) == []


@pytest.mark.parametrize(
    "dice", [Dice(), Dice(named="\x1b"), Dice(named="x" * 501)], ids=["none", "unseen", "long"]
)
def test_without_a_text_nothing_is_closed(dice: Dice, tmp_path: Path) -> None:
    match = named(tmp_path / "lagoon")
    before = tree(match)
    with pytest.raises(Faulty) as faulty:
        close_by_hand(match, MONDAY, dice)
    assert faulty.value.misused
    assert tree(match) == before


@pytest.mark.read
def test_without_a_network_it_waits_and_goes_on_by_another_source_with_a_reason(tmp_path: Path) -> None:
    def nobody(_: int) -> str:
        raise Unreachable("a.example: no route")

    match = drand(tmp_path / "lagoon", 1000)
    send_all(match)
    run_if_due(match, just_before(1001), DRAND)
    out = quicknet.time_of(1001)
    before = tree(match)
    assert "a.example: no route" in run_if_due(match, out, Dice(draw=nobody)).because
    assert "no network" in run_if_due(match, out).because
    assert tree(match) == before
    with pytest.raises(Faulty):
        rename(match, out, why="", named=LOTTERY)
    rename(match, out, why="the relays are gone", named=LOTTERY)
    assert entries(match)[-1] == SourceChanged(
        at=out, phase="0001-t1-setup", named=LOTTERY, why="the relays are gone"
    )
    assert run_by_hand(match, out, dice=Dice(text="3 8 21")).adjudicated
    assert "the relays are gone" in told(match, "public")
    assert faults(match) == []


def test_or_by_a_later_round_which_must_still_come(tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000)
    send_all(match)
    run_if_due(match, just_before(1001), DRAND)
    closed = rename(match, quicknet.time_of(1002), why="it was told too late", lead=NOW)
    assert closed.dice.drand == 1003
    assert run_if_due(match, quicknet.time_of(1003), DRAND).adjudicated
    assert faults(match) == []


def test_dice_that_are_known_are_not_changed_for_others(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send_all(match)
    with pytest.raises(Faulty, match="isn't closed"):
        rename(match, MONDAY, why="nothing is closed")
    run_if_due(match, MONDAY, Dice(first=True))
    with pytest.raises(Faulty) as faulty:
        rename(match, MONDAY, why="I don't like them", named=LOTTERY)
    assert "known already" in said(faulty)


# -- verified ------------------------------------------------------------------------------------------------------


def tampered(match: Path, name: str, old: str, new: str) -> list[str]:
    file = match / name
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return faults(match)


@pytest.mark.parametrize(
    ("name", "old", "new", "told_of_it"),
    [
        (BEACON, ROUNDS[1001], ROUNDS[1002], "the signature isn't the one"),
        (BEACON, "drand: 1001", "drand: 1002", "another source"),
        (CLOSED, "drand: 1001", "drand: 1000", "another source"),
        (CLOSED, "15:59:26Z", "15:59:27Z", "out already"),
        (CLOSED, "phase: 0001-t1-setup", "phase: 0002-t1-auction", "tampered with"),
        (CLOSED, "drand: 1001", "named: dice", "isn't of the match's kind"),
        (CLOSED, "venice: ", "venice: f", "when the phase was closed"),
        (CLOSED, "mark: ", "mark: f", "the mark"),
    ],
)
def test_verify_finds_what_was_changed(
    name: str, old: str, new: str, told_of_it: str, tmp_path: Path
) -> None:
    match = drand(tmp_path / "lagoon", 1000, 1001)
    found = tampered(match, f"0001-t1-setup/{name}", old, new)
    assert any(told_of_it in text for text in found), found
    assert any("changed after the phase was adjudicated" in text for text in found)


@pytest.mark.parametrize("name", [CLOSED, BEACON])
def test_and_what_is_missing(name: str, tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000, 1001)
    (match / "0001-t1-setup" / name).unlink()
    assert any(text.startswith("missing") for text in faults(match))


def test_without_the_library_the_signatures_are_said_to_be_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = drand(tmp_path / "lagoon", 1000, 1001)

    def missing(*_: object) -> bool:
        raise Missing(*quicknet.LIBRARY)

    monkeypatch.setattr(quicknet, "is_signed", missing)
    found = verify(match)
    assert found.good
    assert found.unsigned == str(Missing(*quicknet.LIBRARY))
    assert "py-arkworks-bls12381 (pip install " in found.unsigned


def whole(path: Path) -> Path:
    """A match played to its end, its dice from public texts."""
    match = begun(path, dice="named", turns="1", stops="auction,movement")
    for number in range(40):
        folder = Folder(match)
        if folder.head(folder.last).over:
            return match
        send_all(match)
        text = "orders: []\nsalt: sea" if number % 2 else "orders: []"
        for player in folder.state(folder.last).phase.due:
            send(match, player, text)
        if not folder.opening(folder.last).waits:
            close_by_hand(match, MONDAY, Dice(named=f"{LOTTERY}, {number}"))
        run_by_hand(
            match, MONDAY, deadline=bool(folder.opening(folder.last).waits), dice=Dice(text=f"{number} 3 8")
        )
    raise AssertionError("the match has no end")


def received(match: Path, who: str = "venice", *, closings: bool = True) -> list[Path]:
    """All that a player got: the folders, with what was told when each phase was closed."""
    found = []
    for phase in Folder(match).phases:
        folder = match / phase / "for" / who
        if not folder.exists():
            continue
        found.append(folder)
        for sheet in (match / phase / "sheets").glob(f"{who}.yaml"):
            (folder / sheet.name).write_bytes(sheet.read_bytes())
        if closings and (match / phase / CLOSED).exists():
            (folder / CLOSED).write_bytes((match / phase / CLOSED).read_bytes())
    return found


@pytest.mark.read
def test_a_whole_match_is_verified_and_so_is_what_a_player_received(tmp_path: Path) -> None:
    match = whole(tmp_path / "lagoon")
    assert faults(match) == []
    found = check_received(received(match), [], [])
    assert found.problems == ()
    assert found.unchecked == ()
    assert found.throws > 0


@pytest.mark.read
@pytest.mark.parametrize(
    ("old", "new"),
    [("venice: ", "venice: f"), ("named: ", "named: not "), ("mark: ", "mark: f"), ("at: 2026", "at: 2025")],
)
def test_a_player_finds_out_that_something_else_was_told_at_the_closing(
    old: str, new: str, tmp_path: Path
) -> None:
    match = whole(tmp_path / "lagoon")
    folders = received(match)
    kept = next(
        folder / CLOSED for folder in folders if (folder / CLOSED).exists() and folder.parts[-3] > "0001"
    )
    kept.write_text(kept.read_text().replace(old, new, 1))
    assert check_received(folders, [], []).problems


@pytest.mark.read
def test_a_player_finds_out_that_the_proof_was_changed(tmp_path: Path) -> None:
    match = whole(tmp_path / "lagoon")
    folders = received(match)
    proof = folders[-1] / "proof.jsonl"
    proof.write_text(proof.read_text().replace("text: 1 3 8", "text: 1 3 9", 1))
    assert check_received(folders, [], []).problems


@pytest.mark.read
@pytest.mark.parametrize("options", ["x", "[]", "{pacing: [live]}", "7"])
def test_a_view_with_any_options_is_checked(options: str, tmp_path: Path) -> None:
    """A view may hold anything: it breaks no check of the closing that lies beside it."""
    folders = received(named(tmp_path / "lagoon", "1 3 8", "2 5"))
    for view in (folder / "view.yaml" for folder in folders):
        before, _, after = view.read_text().partition("\noptions:")
        assert after
        view.write_text(f"{before}\noptions: {options}\n" + re.sub(r"\A.*\n(?:[ -].*\n)*", "", after))
    assert check_received(folders, [], []).problems == ()


GARBAGE = {
    "empty": "",
    "a list": "[]",
    "other keys": "venice: 1\n",
    "other types": "match: 5\nphase: []\nat: never\nseals: {venice: 3}\n",
    "a time without a zone": "match: lagoon\nphase: 0001-t1-setup\nat: 2026-11-22T19:00:00\nseals: {}\n",
    "a round beyond all": "source: {drand: 99999999999999999999}\nsignature: zz\n",
    "a round before all": "source: {drand: -1}\nsignature: zz\n",
    "no signature": "source: {drand: 1001}\n",
    "deep": "[" * 100,
}


@pytest.mark.ci
@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("name", [CLOSED, BEACON])
def test_whatever_stands_in_these_files_is_told_and_stops_nothing(
    name: str, text: str, tmp_path: Path
) -> None:
    match = drand(tmp_path / "lagoon", 1000, 1001)
    (match / "0001-t1-setup" / name).write_text(text)
    assert not verify(match).good
    assert faults(match)


@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE)
def test_broken_papers_of_the_open_phase_are_refused(text: str, tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000)
    send_all(match)
    run_if_due(match, just_before(1001), DRAND)
    (match / "0001-t1-setup" / CLOSED).write_text(text)
    with pytest.raises(Faulty):
        run_if_due(match, quicknet.time_of(1001), DRAND)


# -- pacing, and phases that need nobody ---------------------------------------------------------------------------


def test_phases_that_need_nobody_have_the_dice_of_the_one_before(tmp_path: Path) -> None:
    match = drand(tmp_path / "lagoon", 1000, 1001, 1002, stops="auction,movement")
    folder = open_match(match)
    closed = [number for number in range(folder.last) if closed_in(folder, number) is not None]
    assert len(closed) < folder.last
    assert faults(match) == []


def test_a_match_of_the_usual_kind_has_no_such_files(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    play(match, 2)
    assert not [name for name in tree(match) if name.endswith((CLOSED, BEACON))]


# -- sheets that are locked ----------------------------------------------------------------------------------------


def test_locked_sheets_are_not_played_before_they_can_be_opened(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", early_opening="locked")
    send_all(match)
    found = situation(open_match(match), MONDAY)
    assert found.now is Now.EARLY
    assert found.plays == utc("2026-11-26 07:00")
    assert run_if_due(match, utc("2026-11-26 07:00")).adjudicated == ("0001-t1-setup",)


def test_without_deadlines_nothing_can_be_locked(tmp_path: Path) -> None:
    with pytest.raises(Faulty) as faulty:
        begun(tmp_path / "lagoon", early_opening="locked")
    assert "needs a --schedule" in said(faulty)
