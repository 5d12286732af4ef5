"""Reports written again, with the GM's words."""

from __future__ import annotations

from pathlib import Path

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


def test_reports_written_again_are_the_same(lagoon: Path) -> None:
    play(lagoon, 4)
    before = tree(lagoon)
    write_again(lagoon)
    assert tree(lagoon) == before
