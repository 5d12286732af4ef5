"""A match as a site: everything public and nothing secret, and the same match gives the same bytes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli.demo import send
from adjudicator.engine.bots import random_bot
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import NOTE
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.site import INDEX, file_names, write_site
from adjudicator.engine.match.undo import undo
from adjudicator.engine.play.attempts import SeededChance
from tests.engine.match_folders import SOME_GAMES, Varied
from tests.engine.parsed_html import Parsed

RUNS = {"mediterranee": 3, "rome-carthage": 6, "serenissima": 6, "oltremare": 8, "triumvirat": 9}
"""So many that there is a chart of the points in each game: into the second turn."""
SALT, NONSENSE, ADDRESS = "salt-of-mine", "nonsense-of-mine", "player@example.org"
HOSTILE = '<script>alert(1)</script> "x" \' &amp; </script> 😀 \u05e9\u05dc\u05d5\u05dd'
NOTED = "</script><script>alert(2)</script> <img src=x onerror=alert(3)> [go](javascript:alert(4))"


def played(path: Path, game: str, name: str, runs: int = 0, note: str = "") -> Path:
    """A match by bots, with a salt and an order that is no order in each sheet, and a note on each phase."""
    rulebook = registry.rulebook(game)
    players = rulebook.tables[min(rulebook.tables)][0]
    addresses = dict.fromkeys(players, ADDRESS)
    begin(game, path, players, options={"pages": "off"}, seed_text="site", name=name, addresses=addresses)
    chance, bot = SeededChance("site"), rulebook.bot or random_bot(rulebook)
    for _ in range(runs or RUNS[game]):
        match = Folder(path)
        phase = path / match.phases[-1]
        send(match, bot, chance)
        for sheet in (phase / "sheets").iterdir():
            text = sheet.read_text().replace("orders:", f"salt: {SALT}\norders:", 1)
            text = text.replace("orders:\n", f"orders:\n  - {NONSENSE}: 1\n", 1)
            sheet.write_text(text)
        if note:
            (phase / NOTE).write_text(note)
        run(path, due_text=note)
    return path


@pytest.fixture(scope="module", params=SOME_GAMES)
def match(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp(request.param) / "match", request.param, HOSTILE, note=NOTED)


def site(match: Folder, out: Path) -> dict[str, str]:
    """The site's files by name."""
    assert list(write_site(match, out)) == file_names(match)
    return {path.name: path.read_text() for path in sorted(out.iterdir())}


@pytest.fixture(scope="module")
def files(match: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The site of the match."""
    return site(Folder(match), tmp_path_factory.mktemp("site") / "out")


def film(text: str) -> Any:
    """What the index holds for its map to play."""
    return json.loads(text.partition('id="film">')[2].partition("</script>")[0])


# -- what it holds ---------------------------------------------------------------------------------------------------


def test_a_page_for_each_report_and_a_moment_for_each_phase(match: Path, files: dict[str, str]) -> None:
    folder = Folder(match)
    told = [phase for phase in folder.phases if (match / phase / "for").is_dir()]
    assert sorted(files) == sorted([INDEX, *(f"{phase}.html" for phase in told)])
    whole = film(files[INDEX])
    moments = whole["moments"]
    assert len(moments) == len(folder.phases)
    assert {moment["page"] for moment in moments} <= set(files)
    assert len({moment["title"] for moment in moments}) > len(moments) / 2
    moves = [[line for line in moment["under"] if "<title>" in whole["lines"][line]] for moment in moments]
    assert any(moves)  # what moved is drawn in the phase before the position that it led to
    assert (moves[-1], moments[-1]["story"]) == ([], "")


def test_every_line_of_the_film_is_used_and_stands_in_it_once(files: dict[str, str]) -> None:
    found = film(files[INDEX])
    used = {number for moment in found["moments"] for number in (*moment["under"], *moment["over"])}
    assert used == set(range(len(found["lines"])))
    assert len(set(found["lines"])) == len(found["lines"])


def test_links_lead_to_files_of_the_site(files: dict[str, str]) -> None:
    for name, text in files.items():
        for link in Parsed(text).of("a"):
            page, _, anchor = link["href"].partition("#")
            assert (page or name) in files
            assert not anchor or f'id="{anchor}"' in files[page or name], (name, link)


def test_the_same_match_gives_the_same_bytes(match: Path, files: dict[str, str], tmp_path: Path) -> None:
    assert site(Folder(match), tmp_path / "other") == files


def test_pages_ask_nobody_for_anything(files: dict[str, str]) -> None:
    for text in files.values():
        for tag, attributes in Parsed(text).elements:
            for name in ("src", "href", "action"):
                assert "//" not in attributes.get(name, "").partition("data:")[0], (tag, attributes)
        assert '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; ' in text
        assert (
            re.search(r"url\((?!#|%23)", text) is None
        )  # what lies in the page itself, such as a map's pattern
        assert "@import" not in text


def test_each_rule_that_a_story_names_stands_in_the_film_once(files: dict[str, str]) -> None:
    found = film(files[INDEX])
    links = [link for moment in found["moments"] for link in Parsed(moment["story"]).of("a")]
    assert {link["href"].partition("#")[2] for link in links} == set(found["rules"]) != set()
    assert all(found["rules"].values())
    assert not any("title" in link for link in links)


# -- secrets and harm --------------------------------------------------------------------------------------------------


def test_nothing_depends_on_what_is_hidden(match: Path, files: dict[str, str], tmp_path: Path) -> None:
    assert 'id="chart"' in files[INDEX]
    assert site(Varied(match, None), tmp_path / "other") == files


def test_nobodys_sheet_nor_the_seed_is_in_it(match: Path, files: dict[str, str]) -> None:
    secrets = Folder(match).secrets()
    assert secrets is not None
    for name, text in files.items():
        for word in (SALT, NONSENSE, ADDRESS, "sheets/", secrets.seed):
            assert word not in text, (name, word)


def test_a_hostile_name_and_note_do_no_harm(files: dict[str, str]) -> None:
    for name, text in files.items():
        found = Parsed(text).elements
        assert "<script>alert" not in text
        assert "<bdi>&lt;script&gt;alert(1)" in text, name
        assert not [tag for tag, given in found if any(key.startswith("on") for key in given)]
        assert all(given.get("src", "data:").startswith("data:") for _, given in found)
        assert "javascript:" not in "".join(given.get("href", "") for _, given in found)


# -- the folder --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def short_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("short") / "match", "mediterranee", "lagoon", runs=3)


@pytest.fixture
def short(short_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(short_once, tmp_path / "match"))


@pytest.mark.ci
def test_an_earlier_site_is_replaced_and_only_that(short: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    first = site(Folder(short), out)
    (out / "notes.html").write_text("mine")
    (out / ".git").mkdir()
    undo(short)
    list(write_site(Folder(short), out))
    left = {path.name for path in out.iterdir()}
    assert left == {*file_names(Folder(short)), "notes.html", ".git"}
    assert set(first) - left
    assert (out / "notes.html").read_text() == "mine"


def others(out: Path) -> Iterator[Path]:
    """Folders that are no site of ours, and a file."""
    for name, index in (("full", "page.html"), ("another's", INDEX)):
        (out / name).mkdir(parents=True)
        (out / name / index).write_text("<!doctype html><title>mine</title>")
        yield out / name
    (out / "file").write_text("mine")
    yield out / "file"


def test_what_isnt_ours_is_left_alone(short: Path, tmp_path: Path) -> None:
    for out in others(tmp_path / "others"):
        before = sorted(out.iterdir()) if out.is_dir() else out.read_text()
        with pytest.raises(Faulty):
            list(write_site(Folder(short), out))
        assert before == (sorted(out.iterdir()) if out.is_dir() else out.read_text())


@pytest.mark.ci
def test_a_report_that_is_missing_is_made_anew(short: Path, tmp_path: Path) -> None:
    before = site(Folder(short), tmp_path / "before")
    for report in short.glob("*/for/public/report.md"):
        report.unlink()
    assert site(Folder(short), tmp_path / "after") == before
