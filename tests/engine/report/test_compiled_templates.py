"""Compiled templates are used only if nobody else can have written them, and only if they are whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.library.texts import game_texts
from adjudicator.engine.report import disk_cache, template
from adjudicator.engine.report.template import template_cache

WORDS = game_texts("mediterranee")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(disk_cache, "cache_folder", lambda: tmp_path / "caches")
    return tmp_path / "caches" / "adjudicator" / "templates"


def rendered() -> list[str]:
    """The macros of a template, in an environment as a new process makes it."""
    made = template.environment.__wrapped__(WORDS)
    return sorted(name for name in vars(made.get_template("marks.svg.j2").module) if name[0] != "_")


def test_they_are_kept_and_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = rendered()
    (entry,) = place.iterdir()
    if hasattr(os, "getuid"):
        assert place.stat().st_mode & 0o777 == place.parent.stat().st_mode & 0o777 == 0o700
        assert entry.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr("jinja2.Environment.compile", None)  # nothing is compiled again
    assert rendered() == first


def damaged(entry: bytes) -> list[bytes]:
    middle = len(entry) // 2
    return [
        b"",
        entry[:10],
        entry[:-1],
        entry + b"\0",
        entry[:middle] + bytes([entry[middle] ^ 1]) + entry[middle + 1 :],
        bytes(len(entry)),
        os.urandom(64),
        bytes([entry[0] ^ 1]) + entry[1:],
    ]


def test_a_damaged_one_is_made_anew(place: Path) -> None:
    first = rendered()
    (entry,) = place.iterdir()
    whole = entry.read_bytes()
    for bad in damaged(whole):
        entry.write_bytes(bad)
        assert rendered() == first
        assert entry.read_bytes() == whole


def test_one_of_another_version_or_another_text_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered()
    (entry,) = place.iterdir()
    whole = entry.read_bytes()
    monkeypatch.setattr(disk_cache, "__version__", "another")
    rendered()
    assert entry.read_bytes() != whole


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="modes are a matter of POSIX")
@pytest.mark.parametrize("folder", ["adjudicator", "adjudicator/templates"])
def test_a_folder_that_others_can_write_to_isnt_used(place: Path, folder: str, tmp_path: Path) -> None:
    rendered()
    home = tmp_path / "caches" / folder
    for mode in (0o777, 0o1777, 0o770):
        home.chmod(mode)
        assert template_cache() is None
        assert rendered()
    home.chmod(0o755)
    assert template_cache() is not None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners are a matter of POSIX")
def test_what_isnt_the_users_own_isnt_used(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = rendered()
    (entry,) = place.iterdir()
    entry.chmod(0o666)
    assert rendered() == first
    assert entry.stat().st_mode & 0o777 == 0o600, "made anew"
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: 12345)
        assert template_cache() is None
    (tmp_path / "elsewhere").mkdir()
    kept = place.rename(tmp_path / "kept")
    place.symlink_to(kept)
    assert template_cache() is None


@pytest.mark.parametrize("named", ["", "caches", "../caches"])
def test_a_way_that_depends_on_the_current_folder_isnt_used(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.chdir(tmp_path)
    assert disk_cache.cache_folder().is_absolute()
    assert not disk_cache.cache_folder().is_relative_to(tmp_path)


def test_without_a_place_everything_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(disk_cache, "cache_folder", lambda: tmp_path / "file")
    assert template_cache() is None
    assert rendered()
