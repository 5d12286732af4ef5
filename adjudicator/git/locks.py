"""Sheets that are locked until their phase closes: each is opened once its round of drand is out.

A sheet that can't be opened because the network has ended isn't lost: beside it lies the SHA-256 of what was locked,
and whoever sent it may push that instead, sealed but without its lock. It counts only if it is the same, bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.beacon import quicknet, timelock
from adjudicator.engine.beacon.relays import Draw, Unreachable
from adjudicator.engine.folder.folder import Folder
from adjudicator.git.box import SEALED, Pushed
from adjudicator.git.layout import AGE
from adjudicator.git.reply import reply_of

LOCKED, BROKEN = "locked", "broken-lock"
"""Why a locked sheet isn't taken: its time hasn't come, or it can't be one."""


class WithoutLocks(Struct, frozen=True):
    """What players pushed, without the locks whose time has come, and why some of these can't be opened."""

    pushed: Sequence[Pushed]
    stuck: str = ""


def without_locks(match: Folder, pushed: Sequence[Pushed], now: datetime, draw: Draw) -> WithoutLocks:
    """Opens the locks whose time has come. Raises Faulty."""
    opening = _LockOpener(match, now, draw)
    found = [each for one in pushed for each in opening.without_lock(one)]
    return WithoutLocks(found, opening.stuck)


class _LockOpener:
    """One look at all locked files; each round is asked for once."""

    def __init__(self, match: Folder, now: datetime, draw: Draw) -> None:
        self.match, self.now, self.draw = match, now, cache(draw)
        self.stuck = ""

    def without_lock(self, pushed: Pushed) -> Iterator[Pushed]:
        """The file without its lock; with `because`, if it can't be opened; nothing for a file that doesn't count."""
        if pushed.name.endswith(SEALED):
            if self._was_locked(pushed):
                yield pushed
            return
        try:
            number = timelock.lock_of(pushed.data)
            if number is None:
                yield pushed
            elif quicknet.time_of(number) > self.now:
                yield replace(pushed, because=LOCKED)
            else:
                yield replace(pushed, data=timelock.unlock(pushed.data, self.draw(number)))
        except (timelock.Unopened, OverflowError):
            yield replace(pushed, because=BROKEN)
        except (Unreachable, quicknet.Missing) as error:
            self.stuck = f"a sheet of {pushed.player} is locked, and its lock can't be opened ({error})"
            yield replace(pushed, because=LOCKED)

    def _was_locked(self, pushed: Pushed) -> bool:
        """Is this file what lay in the locked one, by the SHA-256 that was pushed with that?"""
        seen = reply_of(self.match, pushed.player).seen
        name = f"{pushed.name.removesuffix(SEALED)}{AGE}"
        return seen.get(name, "").endswith(f" {timelock.receipt_of(pushed.data)}")


def mark_of(pushed: Pushed) -> str:
    """The mark by which the referee remembers that it has told a player about a file: the file's number; for a locked
    file also its receipt."""
    return f"{pushed.number} {LOCKED} {pushed.receipt}" if pushed.because == LOCKED else pushed.number
