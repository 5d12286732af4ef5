"""What is handed out again, of an open phase or of the end, verifies: nobody is said to have tampered with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.match.undo import undo
from adjudicator.engine.match.verify import verify
from tests.engine.match_folders import begun, play


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = begun(tmp_path_factory.mktemp("played") / "lagoon", turns="1")
    assert play(match, 30).over
    return match


@pytest.mark.parametrize("over", [True, False])
def test_reports_written_again_with_other_words_verify(played: Path, tmp_path: Path, over: bool) -> None:
    match = Path(shutil.copytree(played, tmp_path / "lagoon"))
    if not over:
        undo(match)
    for words in ("A word.", "Another word.", ""):
        (match / open_match(match).phases[-1] / "note.md").write_text(words)
        write_again(match)
        opening = open_match(match).opening(open_match(match).last)
        assert opening.earlier and opening.told
        assert verify(match).problems == ()
    write_again(match, pages=True)
    assert verify(match).problems == ()
    run(match, deadline=not over)
    assert verify(match).problems == ()
