"""A phase that waits for an answer: what is frozen, who learns of it, and that it plays on as if it had not waited."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.handout.for_all import texts_for_all
from adjudicator.engine.library import registry
from adjudicator.engine.match.run import Run, run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.match.undo import undo
from adjudicator.gm.changing import upgrade
from tests.engine.match_folders import answer, said, send, tree
from tests.engine.written_match import section


def test_who_is_asked_alone_has_a_page_for_the_answer(narrows: Path) -> None:
    run(narrows)
    top = "0005-t1-movement/for"
    names = [name for name in write_again(narrows, pages=True) if name.endswith(".html")]
    assert [name for name in names if name.endswith("orders.html")] == [f"{top}/venice/orders.html"]
    assert names[-1] == f"{top}/public/report.html"
    for who, asked in (("venice", True), ("genoa", False), ("public", False)):
        text = (narrows / top / who / "report.html").read_text()
        assert ("Do you" in text) == asked
        assert ('href="orders.html"' in text) == asked


def test_who_isnt_asked_learns_nothing_of_how_far_a_waiting_phase_has_come(narrows: Path) -> None:
    match = Folder(narrows)
    before = texts_for_all(match, match.last, pages=True)
    held = Run(match).play(Run(match).mail(), deadline=False)[0]
    assert held.waiting == "venice"
    while_it_waits = texts_for_all(match, match.last, held, pages=True)
    for who in ("genoa", "public"):
        top = f"0005-t1-movement/for/{who}"
        told, still = (
            section(texts[f"{top}/report.md"], "The position") for texts in (before, while_it_waits)
        )
        assert still == told != ""
        drawn = [
            re.findall('<svg [^>]*class="map".*?</svg>', texts[f"{top}/report.html"], re.DOTALL)
            for texts in (before, while_it_waits)
        ]
        assert len(drawn[0]) == 1
        assert drawn[0] == drawn[1]
        assert "passage" not in while_it_waits[f"{top}/report.md"]
    asked = while_it_waits["0005-t1-movement/for/venice/report.md"]
    assert section(asked, "What happened") != section(
        before["0005-t1-movement/for/venice/report.md"], "What happened"
    )


def test_a_question_waits_and_every_answer_plays_on(narrows: Path) -> None:
    ran = run(narrows)
    assert (ran.adjudicated, ran.waiting, ran.open) == ((), "venice", "0005-t1-movement")
    top = narrows / "0005-t1-movement"
    opening = (top / "open.yaml").read_text()
    assert "waits: venice" in opening and "passage" not in opening
    assert (top / "for/venice/answer.yaml").is_file()
    assert not (top / "for/genoa/answer.yaml").exists()
    assert "Marseille. Do you" in (top / "for/venice/report.md").read_text()
    assert "Do you" not in (top / "for/public/report.md").read_text()
    before = tree(narrows)
    assert run(narrows).waiting == "venice"
    assert tree(narrows) == before
    answer(narrows, "marseille")
    ran = run(narrows)
    assert (ran.adjudicated, ran.waiting) == ((), "venice")
    assert "ponente" in (top / "for/venice/answer.yaml").read_text()
    answer(narrows, "ponente")  # the file need not hold the first answer any more
    ran = run(narrows)
    assert (ran.adjudicated, ran.waiting) == (("0005-t1-movement",), "")
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "barcelona"
    (edited,) = verify(narrows).problems
    assert "edited by hand" in edited.text


def test_what_a_waiting_phase_began_with_is_frozen(narrows: Path) -> None:
    run(narrows)
    sheet = narrows / "0005-t1-movement/sheets/genoa.yaml"
    good = sheet.read_bytes()
    send(narrows, "genoa")
    with pytest.raises(Faulty) as faulty:
        run(narrows)
    assert "changed since the phase began" in said(faulty)
    assert faulty.value.problems[0].file == str(sheet)
    sheet.write_bytes(good)
    send(narrows, "venice", "standing: {passage: [{grant: true}]}")
    with pytest.raises(Faulty):
        run(narrows)
    done = undo(narrows)
    assert (done.folders, done.open) == ((), "0005-t1-movement")
    assert run(narrows).adjudicated
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "barcelona"


def test_a_deadline_answers_open_questions_by_default(narrows: Path) -> None:
    run(narrows)
    ran = run(narrows, deadline=True)
    assert (ran.adjudicated, ran.waiting) == (("0005-t1-movement",), "")
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "marseille"


def test_the_same_bytes_after_waits_as_with_all_answers_at_once(narrows: Path, tmp_path: Path) -> None:
    both = "answers: [{passage: genoa-1, in: marseille, grant: true}, {passage: genoa-1, in: ponente, grant: true}]"
    send(narrows, "venice", both, "answers")
    run(narrows)
    events = (narrows / "0005-t1-movement/events.jsonl").read_bytes()
    undo(narrows)
    (narrows / "0005-t1-movement/answers/venice.yaml").unlink()
    run(narrows)
    for zone in ("marseille", "ponente"):
        answer(narrows, zone)
        run(narrows)
    assert (narrows / "0005-t1-movement/events.jsonl").read_bytes() == events


def test_reports_of_a_waiting_phase_are_written_again_alike(narrows: Path) -> None:
    run(narrows)
    before = tree(narrows)
    write_again(narrows)
    assert tree(narrows) == before


def test_a_phase_that_waits_ends_by_the_version_of_the_rules_by_which_it_began(
    narrows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(narrows)
    rulebook = Folder(narrows).rulebook
    now = int(rulebook.version)

    def has(oldest: int) -> None:
        newer = replace(rulebook, version=str(now + 1), oldest=oldest)
        monkeypatch.setattr(registry, "rulebook", lambda name: newer)

    has(now + 1)
    answer(narrows, "marseille")
    before = tree(narrows)
    with pytest.raises(Faulty) as stopped:
        run(narrows)
    assert f"is played by version {now} of" in said(stopped)
    with pytest.raises(Faulty) as stopped:
        upgrade(narrows, datetime(2026, 11, 23, tzinfo=UTC), why="all agreed")
    assert said(stopped) == "the phase has begun and waits for venice: let it end, or undo, and upgrade then"
    assert tree(narrows) == before
    has(now)
    assert run(narrows).waiting
    answer(narrows, "ponente")
    ran = run(narrows)
    match = Folder(narrows)
    assert ran.adjudicated and match.rules(5) == match.state(6).rules == now
    found = verify(narrows)
    by_hand = str(narrows / "0005-t1-movement/state.yaml")  # where the galleys were put for these tests
    assert [each.file for each in found.problems if each.severity == "error"] == [by_hand]
    assert found.replayed == found.phases
