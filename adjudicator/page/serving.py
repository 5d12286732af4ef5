"""`adjudicator play`: the page of a match on this machine, for players who sit at it, without a host.

It listens on this machine alone, under an address that nobody can guess, and answers only requests to that address.

A match whose players share one machine: who is due, their pages, the sheets handed in, the next phase.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hmac import compare_digest
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.submission import Line, look_at
from adjudicator.door.submitting import submit_and_write
from adjudicator.door.values import bytes_of
from adjudicator.engine.folder.adjudication import closed_in
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing, open_match
from adjudicator.engine.folder.names import FOR
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.handout.for_all import end_line
from adjudicator.engine.handout.gathering import position_known
from adjudicator.engine.handout.reports import Reports, people_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.showing import asked_now
from adjudicator.engine.play.asking import in_data
from adjudicator.engine.play.known_file import KNOWN
from adjudicator.engine.report.markdown_html import plain_text
from adjudicator.engine.report.reader_texts import PAGE, REPORT
from adjudicator.engine.report.template import clock_text, names
from adjudicator.engine.sheets.sheet import ANSWERS
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.typed import decode
from adjudicator.engine.text.writing import write
from adjudicator.gm.playing import run_by_hand
from adjudicator.page.called import call
from adjudicator.page.opened import VIEW, NotOpened, opened
from adjudicator.page.site import INDEX, texts_at_this_machine
from adjudicator.page.suspected import suspects

ORDER, ANSWER = "order", "answer"


class FaultyOrder(Struct, frozen=True):
    """An order as it was understood, empty for what is wrong elsewhere in the sheet, and the reasons."""

    order: str
    reasons: Sequence[str]


class Seat(Struct, frozen=True):
    """One player: the name to show, the person's, if the GM has given one, whether a bot plays, what the match wants
    (an order, an answer, or nothing), whether that is in, and what is wrong with it.
    """

    player: Player
    name: str
    person: str
    bot: bool
    asked: str
    given: bool
    faults: Sequence[FaultyOrder]


class Seats(Struct, frozen=True):
    """The match, `now` (its game, turn and open phase in words), the open phase by its folder, whether the match is
    over, and the seats.
    """

    match: str
    now: str
    phase: str
    over: bool
    seats: Sequence[Seat]


def seats_of(path: Path) -> Seats:
    """The seats of a match as they are now. Raises Faulty."""
    match = open_match(path)
    head, asked = match.head(match.last), match.opening(match.last).waits
    missing = () if head.over else Post(match).collect(match.last).missing
    fixed = closed_in(match, match.last) is not None
    due = (asked,) if asked else () if fixed else tuple(match.state(match.last).phase.due)
    secrets = match.secrets()
    bots, people = {} if secrets is None else secrets.bots, people_of(match)
    called = names(texts_of(match.rulebook_for(None)))
    seats = [
        Seat(
            player,
            str(called.get(player)),
            people.get(player, ""),
            player in bots,
            "" if player not in due else ANSWER if asked else ORDER,
            player in due and not asked and player not in missing,
            [] if player not in due or asked else faults_in(match, player, sheet_of(match, player)),
        )
        for player in match.card.players
    ]
    return Seats(match.card.match, open_now(match), match.phases[-1], head.over, seats)


def open_now(match: Folder) -> str:
    """The game, the turn and the open phase in words, in the language of the public."""
    head, rulebook = match.head(match.last), match.rulebook_for(None)
    return clock_text(rulebook, "now", rulebook.title, head.name, head.turn)


def faults_in(match: Folder, player: Player, text: str) -> list[FaultyOrder]:
    """The orders of a sheet that the seat's own check calls wrong, and what else is wrong in it."""
    if not text:
        return []
    state, seen = match.state(match.last), position_known(match, match.last, player)
    return faulty_orders(
        look_at(match.rulebook_for(player), state, bytes_of(text, "a sheet"), player, seen=seen).lines
    )


def faulty_orders(lines: Sequence[Line]) -> list[FaultyOrder]:
    """The orders that have faults, and what else is wrong in a file."""
    return [
        FaultyOrder(line.text if line.place else "", [f"{each.text} ({each.code})" for each in errors])
        for line in lines
        if (errors := [each for each in line.problems if each.severity == "error"])
    ]


def papers_of(path: Path, player: Player) -> Mapping[str, Any]:
    """The data of a seat's page, by name.

    `page` is the form as a page, made now: a stored one may be an older program's, which our script doesn't fit. `view`
    is the view with its `known`, `question` what the player is asked, `others` the other players, `suspects` what can
    be suspected of them, and `sheet` the text that the seat has handed in for this phase. `of` is what it is made for,
    as `hand_in` asks for it. Raises Faulty, also for somebody who has no seat, and in a match that is over.
    """
    match = open_match(path)
    check_seat(match, player)
    if match.head(match.last).over:  # a window may still show the seats as they were
        raise Faulty([problem(path, plain_text(end_line(match)))])
    asked = asked_now(match, player)
    question = {} if asked is None else in_data(asked.question)
    known = text_of(match, player, KNOWN) if asked is None else ""
    view = text_of(match, player, VIEW) if asked is None else asked.view
    seen, reports = opened(view.encode(), question=question, known=known.encode()), Reports(match, match.last)
    return {
        "page": seen.page(reports.extras(player, reports.receipts(player), pages=True)),
        "others": seen.others(),
        "suspects": [*suspects(seen)],
        "view": view,
        "question": question,
        "known": known,
        "sheet": "" if asked else sheet_of(match, player),
        "of": asked_file(match, player),
    }


def report_of(path: Path, player: Player) -> str:
    """The page with a seat's last report. Raises Faulty."""
    match = open_match(path)
    check_seat(match, player)
    return text_of(match, player, PAGE) or f"<pre>{escape(text_of(match, player, REPORT))}</pre>"


def hand_in(path: Path, player: Player, of: str, text: str, at: datetime) -> Mapping[str, Any]:
    """Puts a seat's sheet, or its answers, into the match: `faults` are what is wrong with it, and `held` is why it
    wasn't taken.

    `of` is what the seat's page was made for (`asked_file`). If its phase isn't open any more, nothing is put anywhere,
    and `stale` says which is. Raises Faulty.
    """
    with changing(path) as match:
        check_seat(match, player)
        if of.partition("/")[0] != match.phases[-1]:
            return {"stale": open_now(match)}
        sent = submit_and_write(match, player, bytes_of(text, "a sheet"), at, by="play")
    return {"faults": faulty_orders(sent.lines), "held": sent.why}


def take_back(path: Path, player: Player, of: str, at: datetime) -> Mapping[str, Any]:
    """Makes a draft of the sheet that a seat has handed in: the match waits for it again. `stale` is what is open
    now, if the phase of `of` was played meanwhile. Raises Faulty.
    """
    match = open_match(path)
    check_seat(match, player)
    sheet = read(sheet_of(match, player).encode(), f"{player}.yaml")
    plain = sheet.plain if isinstance(sheet, Source) and isinstance(sheet.plain, dict) else {}
    return hand_in(path, player, of, write({**plain, "player": player, "ready": False}), at)


def asked_file(match: Folder, player: Player) -> str:
    """The file in which a seat's sheet for the open phase belongs, or its answers, if the match waits for these."""
    kind = ANSWERS if match.opening(match.last).waits == player else SHEETS
    return f"{match.phases[-1]}/{kind}/{player}.yaml"


def play_on(path: Path, at: datetime, phase: str, *, deadline: bool = False) -> Mapping[str, Any]:
    """Plays as far as the sheets allow, or closes that phase without the missing ones: was anything `played`?

    If another phase is open, nothing is played, and `stale` says which. Raises Faulty, also for a match on hold.
    """
    ran = run_by_hand(path, at, phase=phase, deadline=deadline)
    if ran.still:
        raise Faulty([problem(path, f"the match is on hold ({ran.still}); resume it first")])
    if not ran.adjudicated and ran.open != phase:
        return {"stale": open_now(open_match(path))}
    return {"played": bool(ran.adjudicated)}


def check_seat(match: Folder, player: Player) -> None:
    """Raises Faulty if a name from a page isn't a player's: no name becomes a path unchecked."""
    if player not in match.card.players:
        raise Faulty([problem(match.path, f"nobody called {player!a} plays here")])


def text_of(match: Folder, player: Player, name: str) -> str:
    """A file of a seat in the open phase; empty if it isn't there."""
    return text_at(match, f"{FOR}/{player}/{name}")


def sheet_of(match: Folder, player: Player) -> str:
    """A seat's sheet for the open phase; empty if there is none yet."""
    return text_at(match, f"{SHEETS}/{player}.yaml")


def text_at(match: Folder, name: str) -> str:
    """A file of the open phase; empty if it isn't there."""
    path = f"{match.phases[-1]}/{name}"
    return match.read(path).decode(errors="replace") if match.has(path) else ""


def without_faults(seats: Seats) -> Seats:
    """The seats, each still with a fault if it has any, but not what it is: that is its player's alone."""
    return replace(
        seats,
        seats=[replace(seat, faults=[FaultyOrder("", ())] if seat.faults else []) for seat in seats.seats],
    )


HOST = "127.0.0.1"
OF_A_SEAT = ("papers", "report", "hand-in", "take-back")
"""What only whoever sits there may ask for."""
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
    """One match at one address. `now` says what time it is, for the ledger. With `codes` each seat has a code, which
    whoever sits down first chooses, and which stays as long as this runs.
    """

    daemon_threads = True

    def __init__(
        self, match: Path, port: int, word: str, now: Callable[[], datetime], *, codes: bool = False
    ) -> None:
        super().__init__((HOST, port), Answering)
        self.match, self.word, self.now = match, word, now
        self.codes: dict[str, str] | None = {} if codes else None
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
        if name in OF_A_SEAT and (
            wanted := self.code_wanted(str(given["player"]), str(given.get("code", "")))
        ):
            return {"code": wanted}
        if name == "call":
            return json.loads(call(str(given["call"]), json.dumps(given["values"])))
        if name == "seats":
            found = seats_of(self.match)
            return found if self.codes is None else without_faults(found)
        if name == "papers":
            return papers_of(self.match, str(given["player"]))
        if name == "report":
            return {"page": report_of(self.match, str(given["player"]))}
        if name == "hand-in":
            player, of, text = (str(given[key]) for key in ("player", "of", "text"))
            return hand_in(self.match, player, of, text, self.now())
        if name == "take-back":
            return take_back(self.match, str(given["player"]), str(given["of"]), self.now())
        if name == "go-on":
            closed = given.get("deadline") is True
            return play_on(self.match, self.now(), str(given["phase"]), deadline=closed)
        raise KeyError(name)

    def code_wanted(self, player: Player, code: str) -> str:
        """Which code a seat still wants: a `new` one, or its `own`; empty if this one opens it. The first is kept."""
        if self.codes is None:
            return ""
        check_seat(open_match(self.match), player)
        if not code:
            return "own" if player in self.codes else "new"
        return "" if compare_digest(self.codes.setdefault(player, code).encode(), code.encode()) else "own"


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
        """The name asked for below our own address; None if the request is for another address, or by the page of
        another one.
        """
        ours = f"{HOST}:{self.server.server_port}"
        top, _, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        asker = self.headers.get("Origin", f"http://{ours}")
        meant = (top, self.headers.get("Host"), asker) == (self.server.word, ours, f"http://{ours}")
        return name if meant else None

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
