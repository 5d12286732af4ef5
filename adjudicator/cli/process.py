"""Settings of a process of the program, the command's own or a worker: garbage collection, and Ctrl-C."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


def seldom_tidied() -> None:
    """Makes garbage collection rare: most objects live as long as the process. The usual setting takes an eighth of
    the time of a run, and a fifth of that of `check`; a run of a phase makes fewer objects than this."""
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)


@contextmanager
def kept_small() -> Iterator[None]:
    """Collects garbage more often while a whole match is played: the process is then 4 MB smaller."""
    before = gc.get_threshold()
    gc.set_threshold(10_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def worker() -> None:
    """Sets up a worker. It ignores Ctrl-C, because the command ends the whole pool."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    seldom_tidied()
