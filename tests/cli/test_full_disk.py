"""What a command writes outside of a match is whole, or as it was before; what couldn't be written is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.calling import adjudicator, everything
from tests.engine.match_folders import begun

resource = pytest.importorskip("resource", reason="this system has no limits of files")
FULL = 500
"""Bytes of a file for which there is room."""


@contextmanager
def full() -> Iterator[None]:
    """A disk on which no file grows beyond FULL."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    begun(tmp_path / "lagoon")
    return tmp_path


OURS: dict[str, tuple[str, ...]] = {
    "map.svg": ("map", "lagoon", "--out", "map.svg"),
    "league.html": ("league", "lagoon", "--page", "league.html"),
    "web": ("site", "lagoon", "web"),
}


@pytest.mark.parametrize("name", OURS)
def test_what_was_there_before_stays_whole(here: Path, name: str) -> None:
    assert adjudicator(*OURS[name]).exit_code == 0
    before = everything(here)
    with full():
        result = adjudicator(*OURS[name])
    assert result.exit_code == 1
    assert name in result.output
    assert everything(here) == before


@pytest.mark.parametrize(
    "words",
    [("map", "lagoon", "--out", "new"), ("form", "lagoon", "venice", "--into", "new")],
    ids=["map", "form"],
)
def test_nothing_half_written_is_left(here: Path, words: tuple[str, ...]) -> None:
    before = everything(here)
    with full():
        result = adjudicator(*words)
    assert result.exit_code == 1
    assert "new" in result.output
    assert everything(here) == before


@pytest.fixture
def closed(here: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def close() -> None:
        def no(path: Path, text: bytes, mode: int = 0o666) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr("adjudicator.cli.files.disk.write", no)

    return close


def test_a_file_of_ours_in_a_folder_that_takes_no_new_one_is_still_replaced(
    here: Path, closed: Callable[[], None]
) -> None:
    words = ("map", "lagoon", "--out", "map.svg")
    assert adjudicator(*words).exit_code == 0
    whole = (here / "map.svg").read_bytes()
    (here / "map.svg").write_bytes(whole[: len(whole) // 2])
    closed()
    assert adjudicator(*words).exit_code == 0
    assert (here / "map.svg").read_bytes() == whole
