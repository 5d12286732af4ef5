"""Many matches are shown a line each, or as YAML; folders that are no matches are passed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.engine.text.source import Source, read
from adjudicator.gm import acts
from adjudicator.gm.glance import club_words
from adjudicator.gm.situation import Now
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, utc, week

pytestmark = pytest.mark.usefixtures("nobody_reads")
AT = ("--at", "2026-11-23T12:00Z")


@pytest.fixture
def club(tmp_path: Path) -> list[Path]:
    """Four folders: a match with one sheet, one on hold, one that is due earlier, and notes."""
    lagoon, held, soon = (
        week(tmp_path / name, {**WEEK, "every": every}, name=name, pages="off")
        for name, every in (("lagoon", "3 days"), ("held", "3 days"), ("soon", "2 days"))
    )
    (lagoon / "0001-t1-setup/sheets/venice.yaml").write_text("player: venice\norders: []\n")
    acts.hold(held, utc("2026-11-23 09:00"), why="snow")
    (tmp_path / "notes").mkdir()
    return [lagoon, held, soon, tmp_path / "notes"]


def test_a_line_a_match(club: list[Path]) -> None:
    told = call("status", *club, *AT)
    assert told.exit_code == 0
    lagoon, held, soon = club[:3]
    assert told.output.splitlines() == [
        f"{lagoon}: 0001-t1-setup, due 2026-11-25 19:00 UTC; sheets are due; missing genoa",
        f"{held}: 0001-t1-setup; on hold (snow); missing venice and genoa",
        f"{soon}: 0001-t1-setup, due 2026-11-24 19:00 UTC; sheets are due; missing venice and genoa",
    ]
    assert [line.partition(":")[0] for line in call("due", *club, *AT).output.splitlines()] == [
        str(soon),
        str(lagoon),
        str(held),
    ]


def test_the_same_as_yaml(club: list[Path]) -> None:
    source = read(call("status", "--yaml", *club, *AT).output.encode(), "yaml")
    assert isinstance(source, Source)
    assert source.plain[0] == {
        "folder": str(club[0]),
        "match": "lagoon",
        "phase": "0001-t1-setup",
        "now": "sheets are due",
        "due": "2026-11-25T19:00:00Z",
        "missing": ["genoa"],
    }
    assert len(source.plain) == 3


def test_one_that_cant_be_read_stops_no_other(club: list[Path]) -> None:
    (club[1] / "match.yaml").write_text("nonsense: [")
    told = call("status", *club, *AT)
    assert told.exit_code == 1
    assert f"{club[0]}: 0001-t1-setup" in told.output
    assert f"{club[2]}: 0001-t1-setup" in told.output
    assert "held/match.yaml" in told.output


def test_the_same_as_a_page(club: list[Path], tmp_path: Path) -> None:
    page = tmp_path / "club.html"
    told = call("status", *club, "--page", page, *AT)
    assert told.exit_code == 0 and told.output.startswith(str(club[0]))
    text = page.read_text(encoding="utf-8")
    rows = re.findall('<tr><th scope="row"><bdi>(.*?)</bdi>.*?</tr>', text)
    assert (
        rows == ["soon", "lagoon", "held"]
        and "<td>on hold (snow)<div><small>missing</small> venice and genoa</div></td>" in text
    )
    assert call("status", *club, "--page", page, *AT).exit_code == 0  # ours is replaced
    page.write_text("a letter")
    assert call("status", *club, "--page", page, *AT).exit_code == 1 and page.read_text() == "a letter"


@pytest.mark.parametrize(
    ("language", "said"), [("fr", "des feuilles sont attendues"), ("de", "Zugblätter werden erwartet")]
)
def test_the_page_in_the_gm_s_language(club: list[Path], tmp_path: Path, language: str, said: str) -> None:
    page = tmp_path / "club.html"
    for one in ("en", language):  # a page of ours in another language is replaced
        assert call("status", *club, "--page", page, "--language", one, *AT).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in text and said in text
    assert not re.findall("missing|Match|sheets|Due|>The ", text)


def test_english_says_what_a_match_waits_for_as_programs_read_it() -> None:
    said = club_words()
    assert {each.value for each in Now} == {said[key] for key in said if key.startswith("now.")}
