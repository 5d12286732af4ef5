"""Work done by several processes of this machine, in order. The work of a killed process is tried once more, alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import zip_longest
from typing import TypeVar

from adjudicator.cli.cluster import LostPart
from adjudicator.process import set_up_worker

P = TypeVar("P")
R = TypeVar("R")
KILLED = "the process that had it was killed"


def always_again(item: object) -> bool:
    """Allows every item to be done again."""
    return True


def done_by_workers(
    work: Callable[[Sequence[P]], R],
    parts: Sequence[Sequence[P]],
    jobs: int,
    *,
    again: Callable[[P], bool] = always_again,
) -> Iterator[R | LostPart[Sequence[P]]]:
    """The result of each part, in order. A killed process, as on a system out of memory, breaks the whole pool.

    All parts that may have been under way are then done again, each item in a process of its own, unless `again`
    forbids it; an item that is lost twice is given up. All other parts go on. A part without items has its result too.
    """
    left = list(parts)
    while left:
        suspects, later = _most_parts_under_way(jobs), list[Sequence[P]]()
        for part, found in zip(left, _results_of_pool(work, left, jobs), strict=True):
            if not isinstance(found, LostPart):
                yield found
            elif suspects:
                suspects -= 1
                alone: list[Sequence[P]] = [[item] for item in part] or [part]
                for one in alone:
                    yield from (
                        _results_of_pool(work, [one], 1) if all(map(again, one)) else (LostPart(one, KILLED),)
                    )
            else:
                later.append(part)
        left = later


def _most_parts_under_way(jobs: int) -> int:
    """How many parts may have left the queue: one in each process, as many waiting for these, and one more."""
    return 2 * jobs + 1


def _results_of_pool(
    work: Callable[[Sequence[P]], R], parts: Sequence[Sequence[P]], jobs: int
) -> Iterator[R | LostPart[Sequence[P]]]:
    """The results of the parts, in order; parts that weren't done when the pool broke are lost."""
    from multiprocessing import get_context

    sent: list[Future[R]] = []
    with _safe_path():
        # Only `spawn` works on all systems. The workers leave Ctrl-C to us.
        pool = ProcessPoolExecutor(min(jobs, len(parts)), get_context("spawn"), initializer=set_up_worker)
        with suppress(BrokenProcessPool):  # the first processes are at work already
            for part in parts:
                sent.append(pool.submit(work, part))
    try:
        for part, future in zip_longest(parts, sent):
            try:
                yield future.result() if future is not None else LostPart(part, KILLED)
            except BrokenProcessPool:
                pool.shutdown()  # no process may still work on a part that is done again
                yield LostPart(part, KILLED)
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _safe_path() -> Iterator[None]:
    """A block whose processes import nothing from the current folder, which may be a stranger's: neither the workers
    nor the tracker that Python starts beside them. Not for ever: a GM's own commands may need what lies there.
    """
    before = os.environ.get(SAFE_PATH, "")
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        os.environ[SAFE_PATH] = before  # empty: as if it weren't there


SAFE_PATH = "PYTHONSAFEPATH"
"""The variable by which Python leaves the current folder out of where modules are looked for."""
