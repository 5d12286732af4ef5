"""Once the seed is published, a player sees whether a word of a report, or a number of a view, was changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import PROOF
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.report.reader_texts import standalone_page
from tests.cli.calling import adjudicator
from tests.engine.audit.test_received import at, changed, check, faults, received
from tests.engine.match_folders import begun, play

MARKET = "0003-t1-market"


@pytest.fixture(scope="module")
def lagoon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of two to its end, with pages; the reports of its market were handed out twice."""
    match = begun(tmp_path_factory.mktemp("words") / "lagoon", turns="1", pages="on")
    for _ in range(2):
        run(match, deadline=True)
    assert Folder(match).phases[-1] == MARKET
    shutil.copytree(match / MARKET / "for", match.parent / "before")
    (match / MARKET / "note.md").write_text("A word of the GM.\n")
    write_again(match)
    assert play(match, 30).over
    return match


def test_all_is_as_it_was_handed_out(lagoon: Path, tmp_path: Path) -> None:
    for who in ("venice", "public"):
        folders = received(lagoon, tmp_path / who, who)
        found = check(folders)
        assert (found.problems, found.unchecked) == ((), ())
        own = (PROOF, "mine.yaml")
        assert found.as_handed == len(
            [file for each in folders for file in each.iterdir() if file.name not in own]
        )
    assert verify(lagoon).good


def test_what_was_handed_out_before_is_as_good(lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    old = lagoon.parent / "before" / "venice"
    assert (old / "report.md").read_bytes() != (at(folders, 3) / "report.md").read_bytes()
    for name in ("report.md", "report.html"):
        shutil.copy(old / name, at(folders, 3) / name)
    assert (check(folders).problems, check(folders).unchecked) == ((), ())


def test_what_came_by_mail_is_compared_as_it_is_mailed(lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    changed = 0
    for folder in folders:
        for name in ("report.md", "view.yaml", "schema.json"):
            (folder / name).unlink(missing_ok=True)
        for page in folder.glob("*.html"):
            text = page.read_text()
            page.write_text(standalone_page(text, "gm+lagoon@example.org", "https://club.example/#v=1"))
            changed += page.read_text() != text
    assert changed
    found = check(folders)
    assert (found.problems, found.unchecked) == ((), ())


TAMPERED: dict[str, tuple[Callable[[list[Path]], None], str]] = {
    "a word of a report": (
        lambda got: changed(at(got, 2) / "report.md", "Venice", "Genoa"),
        "0002-t1-auction: changed",
    ),
    "a word of the last report": (
        lambda got: changed(at(got, 8) / "report.md", "Venice", "Genoa"),
        "to venice in 0008",
    ),
    "a word of a page": (
        lambda got: changed(at(got, 4) / "report.html", "Venice", "Genoa"),
        "to venice in 0004",
    ),
    "a sum of a view": (
        lambda got: changed(at(got, 3) / "view.yaml", r"treasury: \d+", "treasury: 9900"),
        "in 0003",
    ),
    "a price in a page for orders": (
        lambda got: changed(at(got, 3) / "orders.html", "Market", "Harbour"),
        "to venice in 0003",
    ),
    "a value of a schema": (
        lambda got: changed(at(got, 3) / "schema.json", "venice-1", "venice-7"),
        "to venice in 0003",
    ),
    "what was published of it": (
        lambda got: changed(at(got, 8) / "proof.jsonl", r"report\.md: \W?[0-9a-f]{4}", "report.md: 0000"),
        "isn't the one that the next mark was made of",
    ),
    "what was published of the end": (
        lambda got: changed(
            at(got, 8) / "proof.jsonl", r'("for/venice/report.md":")[0-9a-f]{4}', r"\g<1>0000"
        ),
        "to venice in 0008",
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_whatever_was_changed_is_said(what: str, lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    tamper, said = TAMPERED[what]
    tamper(folders)
    found = faults(folders)
    assert any(said in text for text in found), found
    assert adjudicator("verify", *folders).exit_code == 1


def test_a_form_may_be_filled_in_but_another_form_is_told(lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    changed(at(folders, 3) / "sheet.yaml", "# ", "# Sell it all! ")
    found = check(folders)
    assert found.problems == ()
    assert [
        said for said in found.unchecked if "03/sheet.yaml: neither what was handed out nor filled in" in said
    ]
    assert adjudicator("verify", *folders).exit_code == 3


def test_before_the_seed_it_says_that_nothing_was_compared(lagoon: Path, tmp_path: Path) -> None:
    folders = [folder for folder in received(lagoon, tmp_path / "mail") if not folder.name.endswith("08")]
    changed(at(folders, 2) / "report.md", "Venice", "Genoa")
    result = adjudicator("verify", *folders)
    assert result.exit_code == 3
    assert "Not checked: files weren't compared" in result.output


def test_where_an_older_version_published_less_it_says_so(lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    proof = at(folders, 8) / "proof.jsonl"
    old = ("phase", "files", "salts", "by_hand", "lots")
    lines = [json.loads(line) for line in proof.read_text().splitlines()]
    assert any(set(line) != set(old) for line in lines)
    proof.write_text("".join(json.dumps({key: line[key] for key in old}) + "\n" for line in lines[:-1]))
    found = check(folders)
    assert found.problems == ()
    assert sum("doesn't name what was handed out" in said for said in found.unchecked) == len(folders)
