"""Reports that are handed out again, of an open phase or of the end, verify:
`verify` doesn't call them tampered with."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.match.undo import undo
from tests.engine.match_folders import begun, play


@pytest.mark.parametrize("over", [True, False])
def test_reports_written_again_with_other_words_verify(tmp_path: Path, over: bool) -> None:
    match = begun(tmp_path / "lagoon", turns="1")
    assert play(match, 30 if over else 3).over == over
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
