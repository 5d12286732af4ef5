"""Files of answers: plain lists, answers to no question, and files that can't be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from tests.engine.match_folders import answer, remarks, report_of, send, send_all


@pytest.fixture(scope="module")
def asked_once(about_to_move: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = Path(shutil.copytree(about_to_move, tmp_path_factory.mktemp("asked") / "narrows"))
    run(match)
    return match


@pytest.fixture
def asked(asked_once: Path, tmp_path: Path) -> Path:
    """The same match, which waits for Venice's answer."""
    return Path(shutil.copytree(asked_once, tmp_path / "narrows"))


def test_a_plain_list_answers_too(narrows: Path) -> None:
    run(narrows)
    lines = [f"- passage: genoa-1\n  in: {zone}\n  grant: true" for zone in ("marseille", "ponente")]
    send(narrows, "venice", "\n".join(lines), "answers", head=False)
    assert run(narrows).adjudicated
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "barcelona"


def test_an_answer_that_doesnt_answer_is_told_and_can_be_bettered(narrows: Path) -> None:
    run(narrows)
    for zone, grant, problem in (
        ("marseille", "maybe", "true or false"),
        ("ragusa", "true", "doesn't answer the question"),
    ):
        answer(narrows, zone, grant)
        ran = run(narrows)
        assert ran.waiting == "venice"
        assert problem in ran.problems[0].text
    send(narrows, "venice", "answers: [", "answers")
    assert run(narrows).problems
    answer(narrows, "marseille", "false")
    assert run(narrows).adjudicated
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "marseille"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("seat two", "answers-not-a-list", "1:1"),
        ("- [", "answers-yaml", "1:4"),
        ("", "answers-empty", "1:1"),
        ("player: genoa\nanswers: []", "answers-other-player", "1:9"),
        ("player: venice\nphase: market\nanswers: []", "answers-other-phase", "2:8"),
        ("- passage two", "not-an-answer", "1:3"),
        ("- {}\n- passage: genoa-1\n", "not-an-answer", "1:3"),
        ("- pasage: genoa-1", "answers-unknown-verb", "1:3"),
        ("player: venice\nanswers:\n  - pasage: genoa-1", "answers-unknown-verb", "3:5"),
        ("player: venice\nanswers: yes please", "wrong-kind", "2:10"),
    ],
)
def test_bad_answers_are_a_remark_and_the_sheet_counts(asked: Path, text: str, key: str, line: str) -> None:
    send(asked, "venice", text, "answers", head=False)
    ran = run(asked)
    assert (ran.waiting, ran.missing, ran.adjudicated) == ("venice", (), ())
    assert ran.problems[0].file.endswith("0005-t1-movement/answers/venice.yaml")
    assert "sheet" not in ran.problems[0].text
    run(asked, deadline=True)
    assert ("venice", key, f"answers/venice.yaml:{line}") in remarks(asked, 5)
    report = report_of(asked, Folder(asked).phases[-1], "venice")
    assert f"- answers {line} " in report
    assert "not sent" not in report
    assert [problem.text.count("edited by hand") for problem in verify(asked).problems] == [
        1
    ]  # in the fixture


def test_bad_answers_dont_stop_a_phase_that_doesnt_wait(lagoon: Path) -> None:
    send_all(lagoon)
    send(lagoon, "venice", "- [", "answers", head=False)
    assert run(lagoon).adjudicated == ("0001-t1-setup",)
    assert remarks(lagoon, 1) == [("venice", "answers-yaml", "answers/venice.yaml:1:4")]


def test_a_long_reason_of_unread_answers_is_told_whole(lagoon: Path) -> None:
    send(lagoon, "venice", "- &a {seat: 1}\n- *a", "answers", head=False)
    (told,) = run(lagoon).problems
    assert not told.text.endswith("...")
