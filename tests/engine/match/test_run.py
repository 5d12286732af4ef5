"""Runs of a match: who is due and missing, drafts, deadlines, positions edited by the GM, the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.cli.saying import sentences_of_run
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from tests.engine.match_folders import FOUR, begun, play, remarks, send, send_all, tree


def test_it_waits_for_all_who_are_due(lagoon: Path) -> None:
    before = tree(lagoon)
    assert run(lagoon).missing == ("venice", "genoa")
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert (ran.adjudicated, ran.missing, ran.open) == ((), ("venice",), "0001-t1-setup")
    assert {**tree(lagoon), "0001-t1-setup/sheets/genoa.yaml": b""} == {
        **before,
        "0001-t1-setup/sheets/genoa.yaml": b"",
    }
    send(lagoon, "venice")
    ran = run(lagoon)
    assert (ran.adjudicated, ran.open) == (("0001-t1-setup",), "0002-t1-auction")
    assert Folder(lagoon).opening(2).since == 1


def test_standing_instructions_alone_are_no_sheet(lagoon: Path) -> None:
    send(lagoon, "venice", "standing: {passage: [{grant: true}]}\norders:")
    send(lagoon, "genoa")
    assert run(lagoon).missing == ("venice",)
    run(lagoon, deadline=True)
    assert Folder(lagoon).state(2).players["venice"].standing.value.passage


def test_a_draft_starts_no_run_but_counts_at_the_deadline(lagoon: Path) -> None:
    send(lagoon, "venice", "ready: false\norders: [{place: 5, to: venice-1}]")
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert (ran.missing, ran.drafts) == (("venice",), ("venice",))
    ran = run(lagoon, deadline=True)
    assert ran.adjudicated and ran.taken == ("venice",)
    assert "Carried out although it is a draft (ready: false): the sheet of venice." in sentences_of_run(
        lagoon, ran
    )
    folder = Folder(lagoon)
    assert folder.state(2).galleys["venice-1"].sailors == 5
    told = [folder.read(f"0002-t1-auction/for/{who}/report.md").decode() for who in ("venice", "genoa")]
    assert ["it was carried out as it was" in text for text in told] == [True, False]
    assert not verify(lagoon).problems


def test_a_deadline_closes_one_phase(lagoon: Path) -> None:
    ran = run(lagoon, deadline=True, due_text="Sunday evening")
    assert (ran.adjudicated, ran.missing) == (("0001-t1-setup",), ("venice", "genoa"))
    folder = Folder(lagoon)
    assert folder.state(2).galleys["venice-1"].sailors == 4  # MED-0.3: no sheet
    closed = folder.opening(1).closed
    assert closed is not None and closed.deadline
    assert folder.opening(2).until == "Sunday evening"
    assert "Sunday evening" in folder.read("0002-t1-auction/for/venice/report.md").decode()
    assert "Sunday evening" in folder.read("0002-t1-auction/for/venice/sheet.yaml").decode()


def test_who_isnt_due_may_send_standing_instructions_alone(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", pacing="live")
    run(match, deadline=True)
    run(match, deadline=True)
    (due,) = Folder(match).state(3).phase.due
    other = "genoa" if due == "venice" else "venice"
    send(match, other, "orders: [{fly: 1}]\nstanding: {passage: [{grant: true}]}")
    assert run(match).missing == (due,)
    send(match, due)
    run(match)
    assert remarks(match, 3) == [(other, "not-due", f"sheets/{other}.yaml:2:1")]
    assert Folder(match).state(4).players[other].standing.value.passage


def test_an_edited_position_counts_and_a_wrong_one_is_a_problem(lagoon: Path) -> None:
    path = lagoon / "0001-t1-setup/state.yaml"
    text = path.read_text()
    path.write_text(text.replace("treasury: 2000", "treasury: 1500", 1))
    send_all(lagoon)
    run(lagoon)
    assert Folder(lagoon).state(2).players["venice"].treasury.value == 1500
    path = lagoon / "0002-t1-auction/state.yaml"
    text = path.read_text()
    send_all(lagoon)
    for old, new in (
        ("match: lagoon", "match: other"),
        ("number: 2", "number: 3"),
        ("sailors: 1", "sailors: 100"),
        ("turn: 1", "turn: x"),
        ("players:", "spieler:"),
        ("rulebook: mediterranee", "rulebook: chess"),
    ):
        assert old in text
        path.write_text(text.replace(old, new))
        before = tree(lagoon)
        with pytest.raises(Faulty) as faulty:
            run(lagoon)
        assert faulty.value.problems[0].file == str(path)
        assert tree(lagoon) == before


def test_a_match_ends_and_publishes_its_seed(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", FOUR, turns="1")
    assert play(match, 20).over
    last = match / Folder(match).phases[-1]
    assert last.name.endswith("-end")
    assert Folder(match).card.seed and "seed: " in (last / "seed.yaml").read_text()
    handed = ["proof.jsonl", "receipts.json", "report.md", "seed.yaml", "view.yaml"]
    assert sorted(path.name for path in (last / "for/venice").iterdir()) == handed
    before = tree(match)
    ran = run(match)
    assert ran.over and not ran.adjudicated
    assert tree(match) == before
