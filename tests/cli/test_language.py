"""`new --language`: each player's own language, that of all others and the public, and the club's in `mail.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from tests.cli.test_week import call, flat

NEW = ("new", "oltremare")
TWO = ("--player", "contarini", "--player", "dandolo", "--option", "pages=off")


def languages(match: Path) -> dict[str, str]:
    folder = Folder(match)
    return {who or "public": folder.rulebook_for(who).language for who in (None, *folder.card.players)}


@pytest.mark.parametrize(
    ("options", "read"),
    [
        ((), {"public": "en", "contarini": "en", "dandolo": "en"}),
        (("--language", "dandolo=fr"), {"public": "en", "contarini": "en", "dandolo": "fr"}),
        (("--language", "fr"), {"public": "fr", "contarini": "fr", "dandolo": "fr"}),
        (
            ("--language", "fr", "--language", "contarini=en"),
            {"public": "fr", "contarini": "en", "dandolo": "fr"},
        ),
    ],
)
def test_everybody_reads_in_the_language_that_was_asked_for(
    options: tuple[str, ...], read: dict[str, str], tmp_path: Path
) -> None:
    assert call(*NEW, tmp_path / "pond", *TWO, *options).exit_code == 0
    assert languages(tmp_path / "pond") == read


def test_a_club_has_a_language(tmp_path: Path) -> None:
    account = tmp_path / "mail.yaml"
    account.write_text("from: gm@example.org\nmaildir: box\nsendmail: 'true'\nlanguage: fr\n")
    account.chmod(0o600)
    assert call(*NEW, tmp_path / "pond", *TWO, "--language", "dandolo=en").exit_code == 0
    assert languages(tmp_path / "pond") == {"public": "fr", "contarini": "fr", "dandolo": "en"}


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("xx", "there is no language xx; there are en"),
        ("dandolo=frr", "there is no language frr, did you mean fr?"),
        ("dandalo=fr", "there is no player dandalo here"),
    ],
)
def test_an_unknown_language_is_refused(option: str, said: str, tmp_path: Path) -> None:
    result = call(*NEW, tmp_path / "pond", *TWO, "--language", option)
    assert result.exit_code == 2
    assert said in flat(result)
    assert not (tmp_path / "pond").exists()


def test_nothing_that_was_played_depends_on_a_language(tmp_path: Path) -> None:
    """Positions, events and sheets are the same, byte by byte; reports aren't."""
    found = {}
    for language in ("en", "fr"):
        path = tmp_path / language / "pond"
        played = ("--bot", "dandolo", "--player", "contarini", "--option", "pages=off", "--seed", "x")
        assert call(*NEW, path, *played, "--language", language).exit_code == 0
        found[language] = {
            file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()
        }
    english, french = found["en"], found["fr"]
    assert english.keys() == french.keys()
    differ = {name.rpartition("/")[2] for name in english if english[name] != french[name]}
    assert {"report.md", "sheet.yaml", "referee.yaml"} <= differ
    assert differ.isdisjoint({"state.yaml", "events.jsonl", "match.yaml", "dandolo.yaml"})
    for name in english:
        if name.endswith("view.yaml"):
            assert french[name].replace(b"language: fr\n", b"", 1) == english[name]


SLIPS = {
    "orders: [\n": "trouve là où une valeur était attendue",
    "orders:\n  - buy: one\n": "one n’est pas connu ; possible ici : deck",
    "orders:\n  - bay: 1\n": "cette phase n’a pas d’ordre bay",
    "orders: 3\n": "il faut",
    "orders: []\nanswers: 3\n": "il n’y a pas",
}


@pytest.mark.parametrize("sheet", SLIPS)
def test_a_view_alone_says_in_which_language_a_sheet_is_checked(sheet: str, tmp_path: Path) -> None:
    """As a player has it, who has nothing but what came by mail."""
    assert call(*NEW, tmp_path / "pond", *TWO, "--language", "fr", "--seed", "x").exit_code == 0
    (folder,) = (tmp_path / "pond").glob("0*/for/contarini")
    (tmp_path / "view.yaml").write_bytes((folder / "view.yaml").read_bytes())
    (tmp_path / "mine.yaml").write_text(sheet)
    result = call("check", tmp_path / "mine.yaml")
    assert SLIPS[sheet] in result.output
