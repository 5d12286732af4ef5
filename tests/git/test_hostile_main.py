"""A player reads a `main` that somebody else has written: nothing is written outside the clone, nothing is believed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.git.running import GitFailed
from adjudicator.git.sealed import BadArchive, Label, pack, seal, unpack
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, joined
from tests.git.pushing import LINK, SUBMODULE, push

TOP = "lagoon/0002-t1-auction"
Files = Mapping[str, bytes | tuple[str, bytes]]


def archive(club: Club, files: dict[str, bytes], **other: str) -> bytes:
    """What is sealed to venice by somebody who has read the public key."""
    label = {"what": "folder", "match": "lagoon", "phase": "0002-t1-auction", "player": "venice", **other}
    key = club.read("venice").keys.players["venice"].key
    return seal(Label(**label), packed(tuple(files.items())), [key])  # type: ignore[arg-type]


@cache
def packed(files: tuple[tuple[str, bytes], ...]) -> bytes:
    return pack(dict(files))


def mine(name: str) -> str:
    return f"0002-t1-auction/for/venice/{name}"


WRITTEN: dict[str, Callable[[Club], Files]] = {
    "names that lead out": lambda club: {
        f"{TOP}/venice.age": archive(club, {mine("../../../hit"): b"", mine("/hit"): b"", mine(".git"): b""})
    },
    "a name that leads nowhere": lambda club: {
        f"{TOP}/venice.age": archive(club, {"hit": b"", "../hit": b""})
    },
    "for another player": lambda club: {
        f"{TOP}/venice.age": archive(club, {mine("hit"): b""}, player="genoa")
    },
    "of another phase": lambda club: {
        f"{TOP}/venice.age": archive(club, {mine("hit"): b""}, phase="0001-t1-setup")
    },
    "of another match": lambda club: {f"{TOP}/venice.age": archive(club, {mine("hit"): b""}, match="pond")},
    "a bomb": lambda club: {f"{TOP}/venice.age": archive(club, {mine("hit"): bytes(2**25)})},
    "no archive": lambda club: {f"{TOP}/venice.age": b"junk"},
    "links": lambda club: {
        f"{TOP}/venice.age": (LINK, b"/etc/passwd"),
        f"{TOP}/public/report.md": (LINK, b"/etc/passwd"),
        "lagoon/whole/match.yaml": (LINK, b"/etc/passwd"),
    },
    "a submodule": lambda club: {f"{TOP}/public/x": (SUBMODULE, b"")},
    "odd names in public": lambda club: {
        f"{TOP}/public/..\\hit": b"",
        f"{TOP}/public/a\nb": b"",
        f"{TOP}/public/-rf": b"",
        f"{TOP}/public/\x1b[31m": b"",
        "lagoon/whole/.git/config": b"",
        "lagoon/whole/hit": b"",
    },
    "a file in the place of the whole match": lambda club: {"lagoon/whole": b"hit"},
    "another match under its name": lambda club: {
        "lagoon/match.yaml": club.git("show", "main:lagoon/match.yaml")
        .replace("seed: ", "seed: f00")
        .encode()
    },
    "no match": lambda club: {"lagoon/match.yaml": b"[" * 10_000},
    "a phase that is none": lambda club: {"lagoon/open": b"phase: ../../hit\n"},
    "times that are none": lambda club: {"lagoon/open": b"phase: 0001-t1-setup\ndue: soon\ncloses: 2026\n"},
    "times at the end of the world": lambda club: {
        "lagoon/open": b"phase: 0001-t1-setup\ndue: '0001-01-01T00:00:00+23:59'\n"
    },
    "keys that are none": lambda club: {"lagoon/keys.yaml": b"referee: [ecdsa-x]\n"},
}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Club:
    club = joined(tmp_path_factory.mktemp("club"), turns="1")
    club.read("venice")
    return club


@pytest.mark.parametrize("what", WRITTEN)
def test_nothing_that_stands_in_main_is_written_elsewhere_or_believed(what: str, club: Club) -> None:
    good = club.git("rev-parse", "main").strip()
    before = {path for path in club.home.rglob("*") if ".git" not in path.parts}
    push(club, "refs/heads/main", WRITTEN[what](club), onto=good)
    done = adjudicator("git", "read", club.home / "venice")
    assert done.exit_code in (0, 1)
    after = {path for path in club.home.rglob("*") if ".git" not in path.parts} - before
    assert not [path for path in after if path.name == "hit" or path.is_symlink()]
    assert all(path.is_relative_to(club.home / "venice") for path in after if "club.git" not in path.parts)
    club.turn()  # and the referee puts it back as it was
    assert club.read("venice").now.phase == "0001-t1-setup"


@pytest.mark.parametrize(
    "what", ["another match under its name", "for another player", "a bomb", "no archive"]
)
def test_what_is_not_as_it_should_be_is_said(what: str, club: Club) -> None:
    push(club, "refs/heads/main", WRITTEN[what](club), onto=club.git("rev-parse", "main").strip())
    done = adjudicator("git", "read", club.home / "venice")
    assert done.exit_code == 1
    assert "WARNING" in done.output
    club.turn()


@pytest.mark.parametrize("what", ["no match", "a phase that is none", "times that are none"])
def test_what_somebody_else_wrote_for_all_is_to_be_read_again_later(what: str, club: Club) -> None:
    push(club, "refs/heads/main", WRITTEN[what](club), onto=club.git("rev-parse", "main").strip())
    done = adjudicator("git", "read", club.home / "venice")
    club.turn()
    assert done.exit_code == 1
    assert "its next job puts it right, so read again later" in done.output
    assert adjudicator("git", "read", club.home / "venice").exit_code == 0


@pytest.mark.parametrize("left", [{}, {"lagoon/x": b""}, {"lagoon/open": b"phase: 1\n"}])
def test_a_main_that_was_rewritten_is_said_whatever_is_left_of_the_match(left: Files, tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    club.read("venice")
    push(club, "refs/heads/main", {"README.md": b"", **left})
    done = adjudicator("git", "read", club.home / "venice")
    assert done.exit_code == 1
    assert "main was rewritten" in done.output


def test_an_archive_says_what_it_likes_of_its_sizes() -> None:
    """It is unpacked no further than is read, whatever stands in its table."""
    with pytest.raises(BadArchive):
        unpack(pack({"a": bytes(2**20)}), 2**10)
    with pytest.raises(BadArchive):
        unpack(b"PK junk")
    for end in range(0, 200, 7):
        with pytest.raises(BadArchive):
            unpack(pack({"a": b"text" * 100})[:-end] if end else b"")


@pytest.mark.parametrize("url", ["--upload-pack=touch hit", "ext::touch hit", "-x", "", "a\nb", "fd::17"])
def test_an_address_is_never_a_word_that_makes_git_do_more(url: str, tmp_path: Path) -> None:
    done = adjudicator("git", "join", "--", url, "venice", tmp_path / "venice")
    assert done.exit_code == 1
    assert "isn't the address of a repository" in done.output
    assert not (tmp_path / "venice").exists()


def test_a_clone_whose_key_is_gone_says_so(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    key = Path(club.read("venice").seat.key)
    key.unlink()
    with pytest.raises(Faulty) as faulty:
        club.read("venice")
    assert "without it nothing can be opened" in faulty.value.problems[0].text


def test_a_repository_that_is_gone_says_so(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    club.bare.rename(tmp_path / "elsewhere")
    with pytest.raises(GitFailed):
        club.read("venice")
    assert adjudicator("git", "turn", club.begun.clone).exit_code == 1
