"""Reports that are mailed: they have a link only if its target is there."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import shown_page
from tests.engine.parsed_html import Parsed

PASS = "player: {}\norders: []\n"


def links(page: str) -> list[str]:
    return [link["href"] for link in Parsed(page).of("a")]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three phases in, of which two had to wait for sheets."""
    path = tmp_path_factory.mktemp("links") / "match"
    begin("mediterranee", path, ("venice", "genoa"), seed_text="links")
    for _ in range(2):
        folder = Folder(path)
        for player in folder.state(folder.last).phase.due:
            (path / folder.phases[-1] / "sheets" / f"{player}.yaml").write_text(PASS.format(player))
        run(path)
    return path


def test_what_a_reader_gets_links_nothing_that_the_reader_lacks(match: Path, tmp_path: Path) -> None:
    """Each folder is mailed whole, and lies alone wherever its reader has put it."""
    pages = 0
    for number, folder in enumerate(sorted(match.glob("*/for/*"))):
        alone = Path(copytree(folder, tmp_path / str(number) / folder.name))
        for page in alone.glob("*.html"):
            pages += 1
            text = page.read_text(encoding="utf-8")
            anchors = {f"#{given['id']}" for _, given in Parsed(text).elements if "id" in given}
            for link in links(text):
                there = link in anchors or link == "mailto:" or (alone / link).is_file()
                assert there and ".." not in link, (page, link)
    assert pages > 9


def test_a_report_that_lies_alone_says_which_file_to_open(match: Path) -> None:
    mine = match / Folder(match).phases[-1] / "for" / "venice" / "report.html"
    found = Parsed(mine.read_text(encoding="utf-8"))
    assert [link for link in links(mine.read_text(encoding="utf-8")) if link[0] != "#"] == ["orders.html"]
    assert "open orders.html, which came with this report" in found.text


def test_a_page_shown_again_says_the_same(match: Path) -> None:
    for who in ("venice", "public"):
        folder = match / Folder(match).phases[-1] / "for" / who / "report.html"
        assert shown_page(open_match(match), who, "") == folder.read_text(encoding="utf-8")
