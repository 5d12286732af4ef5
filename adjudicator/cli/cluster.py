"""Work spread over a cluster of dask.distributed, the extra `cluster`. Nothing of dask is loaded without `--cluster`.

Results come back as Python objects that were made by the workers: whoever can speak to the scheduler, or is a worker,
can run anything on the workers and on this machine. So no scheduler beyond this machine is spoken with in clear, unless
the GM says that the network may be trusted.

Work goes out in parts of a hundred matches. A part whose worker is lost is given to another; one that takes several
workers with it is given up and said. Workers are the same program, of the same version, and see the same folders.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import typer
from msgspec import Struct

from adjudicator import __version__

CHUNK = 100
"""Matches in a part."""
PATIENCE = 30
"""Seconds in which a scheduler, and one worker, must be there."""
LOST = "the workers that had it were lost, one after another"
P = TypeVar("P")
R = TypeVar("R")

Cluster = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Let the workers of a dask scheduler do it, as tls://HOST:8786. They can run anything here, too.",
    ),
]
ClusterTls = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="For tls://HOST:8786: where ca.pem, cert.pem and key.pem of the cluster lie."
    ),
]
Insecure = Annotated[
    bool, typer.Option("--insecure", help="Speak with a scheduler on another machine in clear all the same.")
]
CERTIFICATES = {"tls_ca_file": "ca.pem", "tls_client_cert": "cert.pem", "tls_client_key": "key.pem"}


class Scheduler(Struct, frozen=True):
    """A scheduler by its address, and the folder with the certificates by which it is spoken with, if there is one."""

    address: str
    tls: Path | None = None


class Lost(Struct, Generic[P], frozen=True):
    """A part of the work that nothing came of, and why."""

    part: P
    why: str


def not_with(address: str, **others: bool) -> None:
    """Ends with status 2 where an option was given that doesn't go with `--cluster`."""
    for option, given in others.items():
        if address and given:
            said = f"not with --{option.replace('_', '-')}"
            raise typer.BadParameter(said, param_hint="--cluster")


def scheduler_at(address: str, tls: Path | None, insecure: bool) -> Scheduler | None:
    """The scheduler that was named; None if none was. Ends with status 2 for one that anybody on its way could be."""
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
        said = f"{address}: in clear, whoever sits on the way to {host} can run anything on this machine; use tls://"
        raise typer.BadParameter(f"{said}, or --insecure in a network of your own", param_hint="--cluster")
    if tls is not None and (
        missing := [name for name in CERTIFICATES.values() if not (tls / name).is_file()]
    ):
        raise typer.BadParameter(f"there is no {', '.join(missing)} in {tls}", param_hint="--cluster-tls")
    return Scheduler(address, tls)


def _is_here(host: str) -> bool:
    """Is it this machine?"""
    from ipaddress import ip_address

    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def chunks(items: Sequence[P]) -> list[Sequence[P]]:
    """The items in parts."""
    return [items[first : first + CHUNK] for first in range(0, len(items), CHUNK)]


def spread(scheduler: Scheduler, work: Callable[[P], R], parts: Sequence[P]) -> Iterator[R | Lost[P]]:
    """What comes of each part, in order; something must. Raises Faulty where there is no cluster that could do it."""
    with _connected(scheduler) as client:
        _same_version(client, scheduler.address)
        sent = [client.submit(_alone, work, part, pure=False) for part in parts]
        for part, future in zip(parts, sent, strict=True):
            try:
                yield _had(future) or _had(_again(client, sent, work, part)) or Lost(part, LOST)
            except Exception as error:  # whatever it is, the other parts are done all the same
                yield Lost(part, f"{type(error).__name__}: {error}")


def _had(future: Any) -> Any:
    """What came of a part; None if its workers were lost. Raises whatever the part did."""
    try:
        return future.result()
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            return None
        raise


def _again(client: Any, sent: Sequence[Any], work: Callable[[P], R], part: P) -> Any:
    """A part alone, when nothing else is under way: those that only waited for a lost worker are suspected too."""
    import_module("distributed").wait(sent)
    return client.submit(_alone, work, part, pure=False)


@contextmanager
def _connected(scheduler: Scheduler) -> Iterator[Any]:
    """A connection to a scheduler that has a worker. Raises Faulty; ends with status 2 for what can't be an address."""
    import logging

    if find_spec("distributed") is None:
        said = "dask.distributed isn't installed: pip install 'adjudicator-games[cluster]'"
        raise typer.BadParameter(said, param_hint="--cluster")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is said here
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
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.text.problem import Problem

    return Faulty([Problem(address, 0, 0, "CLUSTER", said)])


def _same_version(client: Any, address: str) -> None:
    """Workers of another version would play by other rules. Raises Faulty."""
    found = client.run(_version, on_error="return")
    other = sorted(f"{worker} has {_shown(each)}" for worker, each in found.items() if each != __version__)
    if other:
        raise _unreachable(address, f"the workers need adjudicator {__version__}: {'; '.join(other)}")


def _shown(found: Any) -> str:
    return found if isinstance(found, str) else f"none that works ({type(found).__name__}: {found})"


# -- on a worker ---------------------------------------------------------------------------------------------------

_ONE_AT_A_TIME = threading.Lock()
"""A worker may have several threads; matches are made for one, and two would be no faster."""


def _version() -> str:
    return __version__


def _alone(work: Callable[[P], R], part: P) -> R:
    with _ONE_AT_A_TIME:
        return work(part)
