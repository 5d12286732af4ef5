"""The time when the referee last looked: in a branch of its own with hardly anything in it,
at most one commit an hour."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from adjudicator.git.repository import Repository
from adjudicator.git.running import GitFailed

LOOKED, HERE = "refs/heads/looked", "refs/remotes/origin/looked"
EVERY = 3600
"""Seconds until it is said again."""


def note_look(repository: Repository, now: datetime) -> None:
    """Says that the referee has looked. If that fails, no harm is done."""
    seconds = int(now.timestamp())
    with suppress(GitFailed):
        there = repository.branches(LOOKED).get(LOOKED, "")
        if there and there != repository.commit_of(HERE):
            repository.fetch(f"{LOOKED}:{HERE}")
        if there and 0 <= seconds - repository.time_of(there) < EVERY:
            return
        commit = repository.commit(there, {}, "The referee has looked", seconds)
        repository.push(commit, LOOKED, there)
        repository.keep(HERE, commit)


def time_of_look(repository: Repository) -> int:
    """When the referee looked last, in seconds since 1970; 0 if that isn't known."""
    with suppress(GitFailed):
        repository.fetch(f"{LOOKED}:{HERE}")
        return repository.time_of(HERE)
    return 0
