"""Settings of a process of the program, the command's own or a worker: garbage collection, and Ctrl-C."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


def collect_garbage_seldom() -> None:
    """Makes garbage collection rare: most objects live as long as the process.

    With Python's usual setting it takes an eighth of the time of a run, and a fifth of that of `check`. A run of a
    phase makes too few objects to be interrupted by it at all.
    """
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)


@contextmanager
def collect_garbage_often() -> Iterator[None]:
    """A `with` block in which garbage is collected more often, while a whole match is played: the process is then 4 MB
    smaller.
    """
    before = gc.get_threshold()
    gc.set_threshold(10_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def set_up_worker() -> None:
    """Sets up a worker process: it ignores Ctrl-C, because the command ends the whole pool."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_garbage_seldom()
