"""Reports written again, with the GM's words."""

from __future__ import annotations

from pathlib import Path

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from tests.engine.match_folders import play, report_of, send_all, tree


def test_the_first_report_has_no_empty_story(lagoon: Path) -> None:
    assert "What happened" not in report_of(lagoon, "0001-t1-setup", "venice")


def test_the_gms_words_head_the_next_reports_once(lagoon: Path) -> None:
    (lagoon / "0001-t1-setup/note.md").write_text("Welcome to the lagoon.\n")
    write_again(lagoon)
    report = "for/public/report.md"
    assert "Welcome to the lagoon." in (lagoon / "0001-t1-setup" / report).read_text()
    send_all(lagoon)
    run(lagoon)
    assert "Welcome" not in (lagoon / "0002-t1-auction" / report).read_text()
    (lagoon / "0002-t1-auction/note.md").write_text("Genoa was late.\n")
    send_all(lagoon)
    run(lagoon)
    assert "Genoa was late." in (lagoon / "0003-t1-market" / report).read_text()


def test_a_note_is_told_though_an_earlier_report_has_the_same_words(lagoon: Path) -> None:
    """Whether a note was told is written down: neither the words of a report decide it, nor whether it is there."""
    told = "0001-t1-setup/for/public/report.md"
    (lagoon / "0001-t1-setup/note.md").write_text("Venice")  # written after the reports, which name Venice
    assert "Venice" in (lagoon / told).read_text()
    send_all(lagoon)
    run(lagoon)
    assert report_of(lagoon, "0002-t1-auction", "public").count("\n> Venice\n") == 1
    (lagoon / "0002-t1-auction/note.md").write_text("Genoa was late.\n")
    write_again(lagoon)
    (lagoon / "0002-t1-auction/for/public/report.md").unlink()
    send_all(lagoon)
    run(lagoon)
    assert "Genoa was late." not in report_of(lagoon, "0003-t1-market", "public")


def test_a_note_changed_since_is_told_again_and_verifies(lagoon: Path) -> None:
    (lagoon / "0001-t1-setup/note.md").write_text("Welcome.\n")
    write_again(lagoon)
    assert verify(lagoon).good
    paper = lagoon / "0001-t1-setup/open.yaml"
    noted = Folder(lagoon).opening(1).noted
    text = paper.read_text()
    paper.write_text(text.replace(noted, "0" * 64))
    assert [problem.text for problem in verify(lagoon).problems] == [
        "this isn't what it said was handed out: tampered with"
    ]
    paper.write_text(text)
    (lagoon / "0001-t1-setup/note.md").write_text("Welcome to all.\n")
    send_all(lagoon)
    run(lagoon)
    assert "Welcome to all." in report_of(lagoon, "0002-t1-auction", "public")
    assert verify(lagoon).good


def test_a_match_that_never_wrote_down_what_it_told_tells_its_last_note_once_more(lagoon: Path) -> None:
    (lagoon / "0001-t1-setup/note.md").write_text("Welcome.\n")
    write_again(lagoon)
    paper = lagoon / "0001-t1-setup/open.yaml"
    lines = paper.read_text().splitlines(keepends=True)
    paper.write_text("".join(line for line in lines if not line.startswith(("noted:", "told:"))))
    told = []
    for phase in ("0002-t1-auction", "0003-t1-market"):
        send_all(lagoon)
        run(lagoon)
        told.append("Welcome." in report_of(lagoon, phase, "public"))
    assert told == [True, False]


def test_reports_written_again_are_the_same(lagoon: Path) -> None:
    play(lagoon, 4)
    before = tree(lagoon)
    write_again(lagoon)
    assert tree(lagoon) == before
