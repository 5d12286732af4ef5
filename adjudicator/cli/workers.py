"""Work done by several processes, in order: by those of this machine, or by a cluster of dask.distributed.

On this machine the work of a killed process is tried once more, alone. A cluster is the extra `cluster`; without
`--cluster` dask isn't loaded.

Results come back from a cluster as Python objects that the workers made: whoever can speak to the scheduler, or is a
worker, can run anything on the workers and on this machine. So connections to other machines must be encrypted, unless
the GM says that the network can be trusted.

Work goes out in parts of a hundred matches. If a worker is lost, another gets its part; a part that kills several
workers is given up and reported. Workers are the same program, of the same version, and see the same folders.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import typer
from msgspec import Struct

from adjudicator import __version__
from adjudicator.engine.folder.errors import Faulty
from adjudicator.process import set_up_worker

if TYPE_CHECKING:
    from concurrent.futures import Future

P = TypeVar("P")
R = TypeVar("R")
KILLED = "the process that had it was killed"


def done_by_workers(
    work: Callable[[Sequence[P]], R],
    parts: Sequence[Sequence[P]],
    jobs: int,
    *,
    again: Callable[[P], bool] = lambda item: True,
) -> Iterator[R | LostPart[Sequence[P]]]:
    """The result of each part, in order. A killed process, as on a system out of memory, breaks the whole pool.

    All parts that may have been under way are then done again, each item in a process of its own, unless `again`
    forbids it; an item that is lost twice is given up. All other parts go on. A part without items has its result too.
    """
    left = list(parts)
    while left:
        # One in each process, as many waiting for these, and one more may have left the queue.
        suspects, later = 2 * jobs + 1, list[Sequence[P]]()
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


def _results_of_pool(
    work: Callable[[Sequence[P]], R], parts: Sequence[Sequence[P]], jobs: int
) -> Iterator[R | LostPart[Sequence[P]]]:
    """The results of the parts, in order; parts that weren't done when the pool broke are lost."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
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


CHUNK = 100
"""Matches in one part of the work."""
PATIENCE = 30
"""Seconds to wait for a scheduler, and for one worker."""
LOST = "its workers were lost, one after another"

Cluster = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Let the workers of a dask scheduler do it: tls://HOST:8786. They can also run anything on this machine.",
    ),
]
ClusterTls = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="For tls://HOST:8786: the folder with the cluster's ca.pem, cert.pem and key.pem.",
    ),
]
Insecure = Annotated[
    bool,
    typer.Option("--insecure", help="Allow an unencrypted connection to a scheduler on another machine."),
]
CERTIFICATES = {"tls_ca_file": "ca.pem", "tls_client_cert": "cert.pem", "tls_client_key": "key.pem"}


class Scheduler(Struct, frozen=True):
    """A scheduler's address, and the folder with the certificates for it, if there is one."""

    address: str
    tls: Path | None = None


class LostPart(Struct, Generic[P], frozen=True):
    """A part of the work without a result, and why."""

    part: P
    why: str


def refuse_with_cluster(address: str, **others: bool) -> None:
    """Ends with status 2 if an option was given that can't be used with `--cluster`."""
    for option, given in others.items():
        if address and given:
            said = f"not with --{option.replace('_', '-')}"
            raise typer.BadParameter(said, param_hint="--cluster")


def scheduler_at(address: str, tls: Path | None, insecure: bool) -> Scheduler | None:
    """The named scheduler; None if none was named. Ends with status 2 if somebody on the way could pretend to be it."""
    protocol, _, rest = address.rpartition("://")
    host = rest.rpartition(":")[0].strip("[]")
    if not address:
        if tls or insecure:
            raise typer.BadParameter("needs a --cluster", param_hint="--cluster-tls" if tls else "--insecure")
        return None
    if protocol not in ("", "tcp", "tls") or (protocol == "tls") != (tls is not None):
        said = (
            f"{address}: tls://HOST:8786 with --cluster-tls FOLDER, or tcp://127.0.0.1:8786 on this machine"
        )
        raise typer.BadParameter(said, param_hint="--cluster")
    if tls is None and not insecure and not _is_here(host):
        said = f"{address}: unencrypted, so anybody on the way to {host} could run anything on this machine; use tls://"
        raise typer.BadParameter(f"{said}, or --insecure in a network of your own", param_hint="--cluster")
    if tls is not None and (
        missing := [name for name in CERTIFICATES.values() if not (tls / name).is_file()]
    ):
        raise typer.BadParameter(f"there is no {', '.join(missing)} in {tls}", param_hint="--cluster-tls")
    return Scheduler(address, tls)


def _is_here(host: str) -> bool:
    """Is the host this machine?"""
    from ipaddress import ip_address

    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def chunks(items: Sequence[P]) -> list[Sequence[P]]:
    """The items in parts."""
    return [items[first : first + CHUNK] for first in range(0, len(items), CHUNK)]


def results_of(scheduler: Scheduler, work: Callable[[P], R], parts: Sequence[P]) -> Iterator[R | LostPart[P]]:
    """The result of each part, in order; no result may be empty. Raises Faulty if no cluster can do it."""
    with _connected(scheduler) as client:
        _check_version(client, scheduler.address)
        sent = [client.submit(_result_of_one, work, part, pure=False) for part in parts]
        for part, future in zip(parts, sent, strict=True):
            try:
                yield _result(future) or _result(_repeat(client, sent, work, part)) or LostPart(part, LOST)
            except Exception as error:  # the other parts are done all the same
                yield LostPart(part, f"{type(error).__name__}: {error}")


def _result(future: Any) -> Any:
    """The result of a part; None if its workers were lost. Raises whatever the part raised."""
    try:
        return future.result()
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            return None
        raise


def _repeat(client: Any, sent: Sequence[Any], work: Callable[[P], R], part: P) -> Any:
    """A part done alone, after all others: parts that only waited at a lost worker count as lost with it, too."""
    import_module("distributed").wait(sent)
    return client.submit(_result_of_one, work, part, pure=False)


@contextmanager
def _connected(scheduler: Scheduler) -> Iterator[Any]:
    """A connection to a scheduler that has a worker. Raises Faulty; ends with status 2 for an impossible address."""
    import logging

    from adjudicator.engine.text.resources import how_to_install

    if find_spec("distributed") is None:
        said = f"dask.distributed isn't installed: {how_to_install('cluster')}"
        raise typer.BadParameter(said, param_hint="--cluster")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we report failures ourselves
    distributed: Any = import_module("distributed")
    address, tls, security = scheduler.address, scheduler.tls, None
    if tls is not None:
        files = {kind: str(tls / name) for kind, name in CERTIFICATES.items()}
        security = distributed.Security(require_encryption=True, **files)
    try:
        client = distributed.Client(address, timeout=PATIENCE, security=security)
    except ValueError as error:
        raise typer.BadParameter(f"{address}: {error}", param_hint="--cluster") from None
    except OSError:
        raise _unreachable(address, "no scheduler answers there") from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise _unreachable(address, f"the scheduler has had no worker for {PATIENCE} seconds") from None
        yield client
    finally:
        client.close()


def _unreachable(address: str, said: str) -> Exception:
    from adjudicator.engine.text.problem import Problem

    return Faulty([Problem(address, 0, 0, "CLUSTER", said)])


def _check_version(client: Any, address: str) -> None:
    """Raises Faulty if a worker has another version: it would play by other rules."""
    found = client.run(_version, on_error="return")
    other = sorted(
        f"{worker} has {_version_text(each)}" for worker, each in found.items() if each != __version__
    )
    if other:
        raise _unreachable(address, f"the workers need adjudicator {__version__}: {'; '.join(other)}")


def _version_text(found: Any) -> str:
    return found if isinstance(found, str) else f"it doesn't work ({type(found).__name__}: {found})"


# -- on a worker ---------------------------------------------------------------------------------------------------

_ONE_AT_A_TIME = threading.Lock()
"""A worker may have several threads, but matches are played in one, and two would be no faster."""


def _version() -> str:
    return __version__


def _result_of_one(work: Callable[[P], R], part: P) -> R:
    with _ONE_AT_A_TIME:
        return work(part)
