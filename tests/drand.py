"""Real rounds of drand's quicknet, and a relay of our own on the loopback that hands them out, or lies."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from adjudicator.engine.beacon import quicknet

ROUNDS = {
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    1001: "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
    1002: "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e",
    1003: "b104c82771698f45fd8dcfead083d482694c31ab519bcef077f126f3736fe98c8392fd5d45d88aeb76b56ccfcb0296d7",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
    12040883: "929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394",
    32281667: "b0f5ae301358ff87a9d3dd539ed4a07c0148b1ab4f7b61a8ca43c7e9ca7ca9553e4faae9188deb30b2cd1a7f447e3e5b",
    32285085: "81dbce51d584d90d618547f4b50391d53ace6f6b9aeb8fb67e1879427af9d0310ac0ec6f519271d9a313ee84b378d416",
    32285086: "a64d99fd7fa3e48912be7209c7b69c72c88fc5224be2516949b6f29f3a4b7e3fa069dd58b2bbb4bf2c34ae61ef631a44",
    32398885: "8f6d5ddd520329a4ce9a25db41c0552a5ac04bd56577138cbb0ec2b9326af2b8012c7dc2c5bcddc439d922c93a281d24",
}
"""Rounds by number with their signatures, as the network published them; their times lie in 2023, 2024 and 2026."""


def just_before(number: int) -> datetime:
    """A moment at which that round is the next to come out."""
    return quicknet.time_of(number) - timedelta(seconds=1)


class Relay(ThreadingHTTPServer):
    """A relay; what it answers is `answer`, made from the number of a round, and None keeps the caller waiting."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.asked: list[str] = []
        self.over = threading.Event()
        self.status, self.headers = 200, dict[str, str]()
        self.answer: Any = lambda number: json.dumps(
            {"round": number, "randomness": "", "signature": ROUNDS[number]}
        )

    @property
    def address(self) -> str:
        """Its address, as `--relay` takes it."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Answers(BaseHTTPRequestHandler):
    server: Relay

    def do_GET(self) -> None:
        relay = self.server
        relay.asked.append(self.path)
        text = relay.answer(int(self.path.rpartition("/")[2]))
        if text is None:
            relay.over.wait()
            return
        self.send_response(relay.status)
        for name, value in relay.headers.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(text.encode())
        except OSError:  # the caller has read enough
            return

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@contextmanager
def relays(count: int = 1) -> Iterator[list[Relay]]:
    """So many relays, stopped at the end."""
    found = [Relay() for _ in range(count)]
    for relay in found:
        threading.Thread(target=relay.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield found
    finally:
        for relay in found:
            relay.over.set()
            relay.shutdown()
            relay.server_close()
