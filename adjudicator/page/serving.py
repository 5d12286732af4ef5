"""`adjudicator play`: the page of a match on this machine, for players who sit at it, without a host.

It listens on this machine alone, under an address that nobody can guess, and answers only requests to that address.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.from_json import decode
from adjudicator.page import hot_seat
from adjudicator.page.called import call
from adjudicator.page.opened import NotOpened
from adjudicator.page.site import INDEX, texts_at_this_machine

HOST = "127.0.0.1"
MOST_BYTES = 2**18
"""The longest request that is read: four times the largest sheet."""
TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
    "json": "application/json",
}

_DECODER: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


class Table(ThreadingHTTPServer):
    """One match at one address. `now` says what time it is, for the ledger."""

    daemon_threads = True

    def __init__(self, match: Path, port: int, word: str, now: Callable[[], datetime]) -> None:
        super().__init__((HOST, port), Answering)
        self.match, self.word, self.now = match, word, now
        self.files = texts_at_this_machine()
        self.one_by_one = Lock()

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/{self.word}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Does nothing: a browser that went away in the middle of an answer is no fault to tell of."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def answer_to(self, name: str, given: Mapping[str, Any]) -> Any:
        """The answer to a request of the page. Raises Faulty for what the match can't do, KeyError or TypeError for
        what no page asks.
        """
        if name == "call":
            return json.loads(call(str(given["call"]), json.dumps(given["values"])))
        if name == "seats":
            return hot_seat.seats_of(self.match)
        if name == "papers":
            return hot_seat.papers_of(self.match, str(given["player"]))
        if name == "report":
            return {"page": hot_seat.report_of(self.match, str(given["player"]))}
        if name == "hand-in":
            player, of, text = (str(given[key]) for key in ("player", "of", "text"))
            return hot_seat.hand_in(self.match, player, of, text, self.now())
        if name == "go-on":
            closed = given.get("deadline") is True
            return hot_seat.play_on(self.match, self.now(), str(given["phase"]), deadline=closed)
        raise KeyError(name)


class Answering(BaseHTTPRequestHandler):
    """One request: a file of the page, or a question in JSON."""

    server: Table

    def do_GET(self) -> None:
        """Answers with a file of the page."""
        name = self.name_asked()
        if name is None or (name or INDEX) not in self.server.files:
            return self.send_answer(HTTPStatus.NOT_FOUND, b"", "text/plain")
        file = name or INDEX
        kind = TYPES[file.rpartition(".")[2]]
        return self.send_answer(HTTPStatus.OK, self.server.files[file].encode(), kind)

    def do_POST(self) -> None:
        """Answers a question, in JSON; `{"faulty": [...]}` are sentences about the match."""
        name = self.name_asked()
        length = self.headers.get("Content-Length", "")
        if name is None or not length.isdecimal() or int(length) > MOST_BYTES:
            return self.send_answer(HTTPStatus.BAD_REQUEST, b"{}", TYPES["json"])
        try:
            given = decode(_DECODER, self.rfile.read(int(length)) or b"{}")
            with self.server.one_by_one:
                found = self.server.answer_to(name, given)
        except Faulty as faulty:
            found = {"faulty": [each.text for each in faulty.problems]}
        except (KeyError, TypeError, ValueError, NotOpened):
            return self.send_answer(HTTPStatus.BAD_REQUEST, b"{}", TYPES["json"])
        return self.send_answer(HTTPStatus.OK, msgspec.json.encode(found), TYPES["json"])

    def name_asked(self) -> str | None:
        """The name asked for below our own address; None if the request is for another address."""
        ours = f"{HOST}:{self.server.server_port}"
        top, _, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        return name if top == self.server.word and self.headers.get("Host") == ours else None

    def send_answer(self, status: HTTPStatus, data: bytes, kind: str) -> None:
        """Sends an answer that no other page may show or keep."""
        self.send_response(status)
        for key, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(data))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Says nothing: the page does."""
