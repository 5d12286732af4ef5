"""A group's own words in a match: named in `mail.yaml` or `match.yaml`; `games` and `run` say what is wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.library.texts import forget_texts
from tests.cli.test_week import call, flat

TWO = ("--player", "contarini", "--bot", "dandolo", "--option", "pages=off", "--seed", "x")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder with a group's words, and an account beside which matches are begun."""
    forget_texts()
    (tmp_path / "house/oltremare/it").mkdir(parents=True)
    (tmp_path / "house/oltremare/en").mkdir()
    (tmp_path / "house/oltremare/it/words.yaml").write_text(
        "names: {contarini: i Contarini}\nphases: {voyage: Viaggio}\n"
    )
    (tmp_path / "house/oltremare/en/words.yaml").write_text("names: {contarini: the Doge}\n")
    (tmp_path / "house/oltremare/en/events.md.j2").write_text(
        "{% macro Sold(run) %}{{ range(9) }}{% endmacro %}\n"
    )
    account = tmp_path / "mail.yaml"
    account.write_text("from: gm@example.org\nmaildir: box\nsendmail: 'true'\ntemplates: house\n")
    account.chmod(0o600)
    return tmp_path


def test_a_match_is_told_in_its_group_s_words(club: Path) -> None:
    result = call("new", "oltremare", club / "pond", *TWO, "--language", "contarini=it")
    assert result.exit_code == 0
    assert "templates: ../house\n" in (club / "pond/match.yaml").read_text()
    assert "oltremare/en/events.md.j2, line 1: range can't be called here" in flat(result)
    (public,) = (club / "pond").glob("0*/for/public/report.md")
    assert "the Doge" in public.read_text()
    (own,) = (club / "pond").glob("0*/for/contarini/report.md")
    assert "i Contarini" in own.read_text() and "the Doge" not in own.read_text()
    assert verify(club / "pond").good


@pytest.mark.ci
def test_games_says_how_whole_a_folder_is_and_what_is_wrong_with_it(club: Path) -> None:
    (club / "house/oltremare/en/evnts.md.j2").write_text("")
    result = call("games", "--templates", club / "house")
    assert "it (2 of " in flat(result)
    assert "range can't be called here" in flat(result)
    assert "oltremare/en/evnts.md.j2: none of our templates has this name" in flat(result)
    assert "it (" not in flat(call("games"))


@pytest.mark.ci
def test_the_folder_may_be_named_whole_and_one_that_is_missing_is_told(club: Path) -> None:
    account = club / "mail.yaml"
    account.write_text(account.read_text().replace("templates: house", f"templates: {club}/house"))
    assert call("new", "oltremare", club / "pond", *TWO, "--language", "contarini=it").exit_code == 0
    assert f"templates: {club}/house\n" in (club / "pond/match.yaml").read_text()
    account.write_text(account.read_text().replace("/house", "/hause"))
    result = call("new", "oltremare", club / "lake", *TWO)
    assert result.exit_code == 0
    assert "there is no such folder, and our words are used" in flat(result)
