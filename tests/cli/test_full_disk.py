"""Files that commands write outside of a match are whole, or as before; what couldn't be written is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from adjudicator.engine.folder import disk
from tests.cli.calling import adjudicator, everything
from tests.engine.match_folders import begun

resource = pytest.importorskip("resource", reason="this system has no limits of files")
FULL = 500
"""Bytes of a file for which there is room."""


@contextmanager
def full(most: int = FULL) -> Iterator[None]:
    """A disk on which no file grows beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
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

        monkeypatch.setattr("adjudicator.cli.output.disk.write", no)

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


# -- a site, which is many files ---------------------------------------------------------------------------------------


@pytest.fixture
def changed(here: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """A site, and what another one of the match has instead, which has gone on."""
    assert adjudicator("site", "lagoon", "web").exit_code == 0
    before = everything(here / "web")
    assert adjudicator("run", "lagoon", "--deadline").exit_code == 0
    assert adjudicator("site", "lagoon", "other").exit_code == 0
    after = everything(here / "other")
    assert set(before) < set(after) and all(before[name] != after[name] for name in before)
    return before, after


def test_a_disk_that_takes_some_of_its_pages_leaves_the_site_as_it_was(
    here: Path, changed: tuple[dict[str, bytes], dict[str, bytes]]
) -> None:
    before, after = changed
    sizes = sorted({len(text) for text in after.values()})
    assert len(sizes) > 1
    for most in sizes[:-1]:
        with full(most):
            result = adjudicator("site", "lagoon", "web")
            fresh = adjudicator("site", "lagoon", "fresh")
        assert (result.exit_code, fresh.exit_code) == (1, 1)
        assert everything(here / "web") == before
        assert not (here / "fresh").exists()
    assert adjudicator("site", "lagoon", "web").exit_code == 0
    assert everything(here / "web") == after


class Killed(BaseException):
    """What stops a command at a change of the disk."""


def stopped_at(patch: pytest.MonkeyPatch, number: int, error: BaseException) -> None:
    """The command stops before that change of the disk, and at every later one."""
    count = iter(range(10_000))
    for name in ("write", "mkdir", "rename", "unlink", "rmtree"):
        real = getattr(disk, name)

        def change(*args: object, real: Callable[..., None] = real, **more: object) -> None:
            if next(count) >= number:
                raise error
            real(*args, **more)

        patch.setattr(disk, name, change)


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("where", "error"),
    [
        pytest.param(where, error, id=f"{where}-{name}", marks=marks)
        for where, own in (("web", "killed"), ("fresh", "full"), ("git", ""))
        for name, error in (("killed", Killed()), ("full", OSError(28, "No space left on device")))
        for marks in [() if name == own else pytest.mark.soak]
    ],
)
def test_wherever_it_is_cut_short_the_next_one_makes_it_whole(
    here: Path,
    changed: tuple[dict[str, bytes], dict[str, bytes]],
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    error: BaseException,
    every: int,
) -> None:
    """Before every second change of the disk; in `soak` before each."""
    _, after = changed
    web = here / where
    kept = here / "kept"
    if where == "git":
        (web / ".git").mkdir(parents=True)
    if web.exists():
        shutil.copytree(web, kept)
    done = False
    for number in range(0, 100, every):
        shutil.rmtree(web, ignore_errors=True)
        if kept.exists():
            shutil.copytree(kept, web)
        for step in (number, number // 2):  # cut short, and cut short again
            with monkeypatch.context() as patch, suppress(Killed):
                stopped_at(patch, step, error)
                done |= adjudicator("site", "lagoon", where).exit_code == 0 and step == number
        result = adjudicator("site", "lagoon", where)
        assert (result.exit_code, everything(web)) == (0, after), number
        if done:
            return
    raise AssertionError("there are more changes of the disk than were tried")


def test_a_link_in_the_place_of_what_is_laid_out_isnt_followed(here: Path) -> None:
    (here / "elsewhere").mkdir()
    (here / "web").mkdir()
    (here / "web" / ".site.tmp").symlink_to(here / "elsewhere", target_is_directory=True)
    result = adjudicator("site", "lagoon", "web")
    assert not any((here / "elsewhere").iterdir())
    assert (here / "web" / "index.html").exists() == (result.exit_code == 0)
