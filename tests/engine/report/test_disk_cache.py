"""What is kept of a game from one command to the next is what would be made anew, and a changed file makes it so."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import Texts, game_texts
from adjudicator.engine.report import disk_cache
from adjudicator.engine.report.disk_cache import cached_on_disk
from adjudicator.engine.report.map import Ground, draw_ground

WORDS = game_texts("mediterranee")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(disk_cache, "cache_folder", lambda: tmp_path / "caches")
    return tmp_path / "caches" / "adjudicator" / "things"


class Counted:
    """Makes something of a game's texts, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, texts: Texts) -> tuple[str, str]:
        self.times += 1
        return texts.game, texts.language


def fields(ground: Ground) -> list[object]:
    """All that a ground holds, its canvas as what is kept of it."""
    texts = [ground.style, ground.defs, ground.coast, ground.shore, ground.ground, ground.names]
    return [*texts, ground.canvas.__getstate__()]


@pytest.mark.parametrize("game", registry.OWN)
def test_a_kept_ground_is_the_one_that_the_templates_give(game: str) -> None:
    drawn = draw_ground(game_texts(game))
    for _ in range(2):  # as it is kept, and as it is found again
        assert fields(cached_on_disk("things", game_texts(game), draw_ground)) == fields(drawn)


def test_it_is_made_once_for_each_game_and_language(place: Path) -> None:
    make = Counted()
    for _ in range(2):
        assert cached_on_disk("things", WORDS, make) == ("mediterranee", "en")
        assert cached_on_disk("things", game_texts("serenissima"), make) == ("serenissima", "en")
    assert make.times == len(list(place.iterdir())) == 2


@pytest.mark.parametrize("change", ["text", "time", "new", "gone"])
def test_a_changed_file_makes_it_again(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    templates = tmp_path / "templates"
    shutil.copytree(registry.home("mediterranee", "templates"), templates)
    monkeypatch.setattr(disk_cache, "folders", lambda texts: [[templates]])
    make = Counted()
    cached_on_disk("things", WORDS, make)
    file = templates / "en" / "map.svg.j2"
    match change:
        case "text":
            file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        case "time":
            os.utime(file, ns=(0, 0))
        case "new":
            (templates / "en" / "more.j2").write_text("", encoding="utf-8")
        case _:
            file.unlink()
    cached_on_disk("things", WORDS, make)
    cached_on_disk("things", WORDS, make)
    assert make.times == 2


def test_engine_package_and_templates_are_looked_at() -> None:
    seen = [
        line.rpartition("/")[2].split()[0]
        for each in disk_cache.source_files(WORDS)
        for line in disk_cache.sources_in(each)
    ]
    assert {"canvas.py", "coast.json", "texts.py", "board.py", "map.svg.j2", "words.yaml"} <= {*seen}
    assert not [name for name in seen if name.endswith(".pyc")]


def test_without_a_private_place_it_is_made_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(disk_cache, "cache_folder", lambda: tmp_path / "file")
    make = Counted()
    cached_on_disk("things", WORDS, make)
    cached_on_disk("things", WORDS, make)
    assert make.times == 2
