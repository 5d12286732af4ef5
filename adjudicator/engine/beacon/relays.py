"""Asking for a round of drand: several relays at once, none of which is trusted; the first right signature counts."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from adjudicator.engine.beacon import quicknet

if TYPE_CHECKING:
    from urllib.request import Request

ADDRESSES = ("https://api.drand.sh", "https://api2.drand.sh", "https://drand.cloudflare.com")
"""Relays of several operators."""
LONGEST = 4096
"""Bytes of an answer; a right one has about 300."""
SECONDS = 10.0
"""How long to wait for one more answer."""

Draw = Callable[[int], str]
"""From a round that is out to its signature, in hexadecimal. Raises Unreachable, or Missing."""


class Unreachable(Exception):
    """No relay gave the round's signature; the text says what each did."""


class _Answer(Struct):
    round: int
    signature: str


def drawing(addresses: Sequence[str] = ADDRESSES, seconds: float = SECONDS) -> Draw:
    """A way to ask these relays that gives up if no answer comes within so many seconds."""
    return partial(signature_of, addresses=tuple(addresses) or ADDRESSES, seconds=seconds)


def signature_of(number: int, addresses: Sequence[str], seconds: float) -> str:
    """The signature of a round, from whichever relay gives it first. Raises Unreachable or Missing."""
    answers: queue.SimpleQueue[tuple[str, str | Exception]] = queue.SimpleQueue()
    for address in addresses:
        # A relay that trickles its answer would hold us as long as it likes: so nobody waits for the thread.
        threading.Thread(target=_ask, args=(address, number, seconds, answers), daemon=True).start()
    said: dict[str, str] = {}
    while len(said) < len(addresses):
        try:
            address, found = answers.get(timeout=seconds)
        except queue.Empty:
            break
        if isinstance(found, str) and quicknet.is_signed(number, found):
            return found
        said[address] = str(found) if isinstance(found, Exception) else "its signature is wrong"
    silent = f"no answer within {seconds:g} seconds"
    raise Unreachable("; ".join(f"{address}: {said.get(address, silent)}" for address in addresses))


def _ask(
    address: str, number: int, seconds: float, answers: queue.SimpleQueue[tuple[str, str | Exception]]
) -> None:
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError

    try:
        answers.put((address, _signature(address, number, seconds)))
    except HTTPError as error:
        error.close()
        answers.put((address, Exception(f"status {error.code}")))
    except URLError as error:
        answers.put((address, Exception(str(error.reason))))
    except (OSError, ValueError, HTTPException) as error:
        answers.put((address, Exception(str(error) or type(error).__name__)))


def _signature(address: str, number: int, seconds: float) -> str:
    """The signature of the round, as a relay gives it, not checked yet. Raises ValueError, or one of the network's
    errors."""
    from urllib.request import Request  # runs without drand don't load it

    if not address.startswith(("https://", "http://")):
        raise ValueError("this isn't an address of a relay, such as https://api.drand.sh")
    url = f"{address.rstrip('/')}/{quicknet.CHAIN}/public/{number}"
    text = answer_to(Request(url, headers={"User-Agent": "adjudicator"}), seconds, LONGEST + 1)
    if len(text) > LONGEST:
        raise ValueError("its answer is too long")
    try:
        found = msgspec.json.decode(text, type=_Answer)
    except (msgspec.MsgspecError, RecursionError):
        raise ValueError("its answer isn't a round") from None
    if found.round != number:
        raise ValueError(f"it answered with round {found.round}")
    return found.signature


def answer_to(request: Request, seconds: float, most: int) -> bytes:
    """What lies at an address, cut off after so many bytes. Follows no redirection to another address. Raises the
    network's errors.
    """
    from urllib.request import HTTPRedirectHandler, build_opener

    class Here(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    with build_opener(Here).open(request, timeout=seconds) as answer:
        found: bytes = answer.read(most)
    return found
