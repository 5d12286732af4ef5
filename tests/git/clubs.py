"""A bare repository, the referee's clone and the players', for the tests of play in a repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from adjudicator.door.submission import with_player
from adjudicator.engine.bots import random_orders
from adjudicator.engine.match.begin import begin
from adjudicator.engine.play import attempts
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.text.writing import write
from adjudicator.git.init import NewRepository, put_into_repository
from adjudicator.git.join import join, send
from adjudicator.git.keys import RefereeKey, referee_key
from adjudicator.git.main import fetch_main
from adjudicator.git.memory import last_marked
from adjudicator.git.news import News, sentences_of_news
from adjudicator.git.read import read
from adjudicator.git.repository import Repository
from adjudicator.git.sealing import open_match as open_main
from adjudicator.git.seat import keep_seat, seat_of
from adjudicator.git.turn import JobResult, turn
from adjudicator.gm.playing import entries_of_run

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
EMPTY = b"orders: []\n"
KEPT = tempfile.TemporaryDirectory(prefix="clubs-")
MADE: dict[str, Club] = {}
"""Clubs by what was asked for: each is made once by a process, and copied for each test."""


class Club:
    """A club's bare repository with one match in it, `lagoon`; players join when they are called for."""

    def __init__(self, home: Path, begun: NewRepository) -> None:
        self.home, self.begun, self.now = home, begun, NOON
        self.bare = home / "club.git"
        self.referee = Repository(begun.clone)
        self.clones: dict[str, Repository] = {}

    @property
    def key(self) -> RefereeKey:
        return referee_key(self.begun.key, self.begun.key)

    def join(self, *players: str) -> Club:
        """These players join with their tokens, and the referee takes their keys."""
        for player in players:
            join(str(self.bare), player, self.home / player, self.now, token=self.begun.tokens[player])
            self.clones[player] = Repository(self.home / player)
        self.turn()
        return self

    def turn(self, match: str = "lagoon") -> JobResult:
        return turn(self.referee, match, self.key, self.now)

    def read(self, player: str) -> News:
        return read(self.clones[player])

    def told(self, player: str) -> str:
        return sentences_of_news(self.read(player), self.now)

    def send(self, player: str, text: bytes = EMPTY, *, answers: bool = False) -> str:
        """The player sends a sheet for the phase that is open."""
        return send(
            self.clones[player], self.read(player), with_player(text, player), self.now, answers=answers
        )

    def opened(self, name: str = "opened") -> Path:
        """The match as it lies in `main`, opened into a new folder."""
        into = self.home / name
        good = last_marked(self.referee, fetch_main(self.referee), "lagoon", self.key)
        open_main(self.referee, good, self.key, into)
        return into

    def play(self, runs: int = 100, seed: str = "bots") -> None:
        """Bots send sheets by what they read in their clones, until the match is over."""
        chances = attempts.SeededChance(seed)
        for _ in range(runs):
            news = {player: self.read(player) for player in self.clones}
            if all(one.now.over for one in news.values()):
                return
            for player, one in news.items():
                if one.form_to_fill_in is not None:
                    one.form_to_fill_in.write_bytes(sheet_by(player, one, chances))
                    self.send(
                        player,
                        one.form_to_fill_in.read_bytes(),
                        answers=one.form_to_fill_in.name == "answer.yaml",
                    )
            self.turn()

    def git(self, *words: str) -> str:
        """What git says in the bare repository."""
        return git(self.bare, *words)

    def everything(self) -> dict[str, bytes]:
        """Each object that the bare repository holds, as it is, by its number."""
        text = git_bytes(self.bare, "cat-file", "--batch-all-objects", "--batch", "--buffer")
        found, at = dict[str, bytes](), 0
        while at < len(text):
            end = text.index(b"\n", at)
            number, _, size = text[at:end].decode().split()
            found[number] = text[end + 1 : end + 1 + int(size)]
            at = end + 2 + int(size)
        return found

    def copied(self, home: Path) -> Club:
        """The same club at another place, as if it had been made there: the same match, keys and tokens."""
        shutil.copytree(self.home, home, dirs_exist_ok=True)
        clone = home / self.referee.path.name
        moved = {name: home / getattr(self.begun, name).relative_to(self.home) for name in ("key", "spare")}
        copy = Club(home, replace(self.begun, clone=clone, **moved))
        copy.clones = {player: Repository(home / player) for player in self.clones}
        for repository in (copy.referee, *copy.clones.values()):
            repository.run("config", "remote.origin.url", str(copy.bare))
        for repository in copy.clones.values():
            seat = seat_of(repository)
            keep_seat(repository, replace(seat, key=str(home / Path(seat.key).relative_to(self.home))))
        return copy


def sizes(club: Club) -> dict[str, dict[str, int]]:
    """How long the sealed files of players are, by phase."""
    found: dict[str, dict[str, int]] = {}
    for line in club.git("ls-tree", "-r", "--long", "main", "lagoon").splitlines():
        *_, size, path = line.split()
        phase, _, file = path.removeprefix("lagoon/").partition("/")
        if phase[0].isdigit() and file.endswith(".age"):
            found.setdefault(phase, {})[file.removesuffix(".age")] = int(size)
    return found


def sheet_by(player: str, news: News, chances: Any) -> bytes:
    """A sheet of a bot, by the player's view."""
    opened = read_position((news.folder / "view.yaml").read_bytes(), "view.yaml")
    assert isinstance(opened, PositionFile)
    if (news.folder / "answer.yaml").is_file():
        return b"answers: []\n"
    phase = opened.rulebook.phase(opened.state.phase.name)
    orders = random_orders(opened.rulebook, phase, opened.state, player, chances)
    return write({"player": player, "orders": orders}).encode()


def club(
    home: Path,
    players: Iterable[str] = ("venice", "genoa"),
    *,
    game: str = "mediterranee",
    schedule: dict[str, Any] | None = None,
    languages: dict[str, str] | None = None,
    **options: str,
) -> Club:
    """A match in a new bare repository, without a hook: the tests call the referee's job themselves."""
    match = home / "lagoon"
    begin(
        game,
        match,
        tuple(players),
        options={"pages": "off", "stops": "all", **options},
        seed_text="test",
        schedule=schedule,
        languages=languages or {},
        keep=entries_of_run(NOON),
    )
    bare = home / "club.git"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    git(bare, "config", "uploadpack.allowFilter", "true")
    git(bare, "config", "core.fsync", "none")
    return Club(home, put_into_repository(match, str(bare), home / "referee", "gitlab", [], NOON))


def begun(home: Path, players: Iterable[str] = ("venice", "genoa"), **more: Any) -> Club:
    """The same, made once. Two of these are one match: a copy has the keys of the other."""
    players = tuple(players)
    return _copy(repr(("begun", NOON, players, more)), lambda place: club(place, players, **more), home)


def joined(home: Path, players: Iterable[str] = ("venice", "genoa"), **more: Any) -> Club:
    """The same, and all players have joined."""
    players = tuple(players)
    made = repr(("joined", NOON, players, more))
    return _copy(made, lambda place: club(place, players, **more).join(*players), home)


def _copy(key: str, make: Callable[[Path], Club], home: Path) -> Club:
    if key not in MADE:
        place = Path(KEPT.name) / f"{len(MADE)}"
        place.mkdir()
        MADE[key] = make(place)
    return MADE[key].copied(home)


def git(where: Path, *words: str, given: bytes = b"") -> str:
    return git_bytes(where, *words, given=given).decode(errors="replace")


def git_bytes(where: Path, *words: str, given: bytes = b"") -> bytes:
    """What git says, called as a player calls it, with a player's own settings."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    person = {
        f"GIT_{role}_{what}": "x@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    when = {"GIT_AUTHOR_DATE": "1795348800 +0000", "GIT_COMMITTER_DATE": "1795348800 +0000"}
    words = ("-c", "gc.auto=0", "-c", "protocol.file.allow=always", *words)
    done = subprocess.run(
        ["git", *words],
        cwd=where,
        input=given,
        capture_output=True,
        env={**found, **person, **when},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout
