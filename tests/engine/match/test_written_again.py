"""Reports can be written again no matter what happened to the old files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.showing import write_again
from tests.engine.match_folders import begun


@pytest.mark.parametrize(
    "odd",
    ["gone", "edited", pytest.param("link", marks=pytest.mark.skipif(os.name == "nt", reason="links"))],
)
def test_they_take_the_place_of_what_is_there(tmp_path: Path, odd: str) -> None:
    match = begun(tmp_path / "lagoon", pages="on")
    page = match / Folder(match).phases[-1] / "for" / "venice" / "report.html"
    text = page.read_bytes()
    page.unlink()
    if odd == "link":
        page.symlink_to(match / "referee.yaml")
    elif odd == "edited":
        page.write_bytes(b"\xff")
    write_again(match)
    assert page.read_bytes() == text
    assert not page.is_symlink()
