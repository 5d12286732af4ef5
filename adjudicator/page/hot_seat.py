"""A match whose players share one machine: who is due, their pages, the sheets handed in, the next phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.folder.closing import closed_in
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing, open_match
from adjudicator.engine.folder.names import FOR
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.sheet_checks import look_at_answers, look_at_sheet
from adjudicator.engine.match.showing import asked_now
from adjudicator.engine.play.question_data import in_data
from adjudicator.engine.report.clock import clock
from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.report.reader_texts import ORDERS, PAGE, REPORT
from adjudicator.engine.report.template import names
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.engine.sheets.reading import Expected
from adjudicator.engine.table.event import Player
from adjudicator.gm.playing import run_by_hand
from adjudicator.page.opened import VIEW, opened

ORDER, ANSWER = "order", "answer"


class Seat(Struct, frozen=True):
    """One player: the name to show, whether a bot plays, what the match wants (an order, an answer, or nothing), and
    whether that is in.
    """

    player: Player
    name: str
    bot: bool
    asked: str
    given: bool


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
    due = (asked,) if asked else () if is_fixed(match) else tuple(match.state(match.last).phase.due)
    secrets = match.secrets()
    bots = {} if secrets is None else secrets.bots
    seats = [
        Seat(
            player,
            names(texts_of(match.rulebook)).get(player, player),
            player in bots,
            "" if player not in due else ANSWER if asked else ORDER,
            player in due and not asked and player not in missing,
        )
        for player in match.card.players
    ]
    now = str(clock(match.rulebook).now(match.rulebook.title, head.name, head.turn)).strip()
    return Seats(match.card.match, now, match.phases[-1], head.over, seats)


def papers_of(path: Path, player: Player) -> Mapping[str, Any]:
    """The data of a seat's page, by name.

    `page` is the form as a page (made now, in a match without pages), `view` the view, `question` what the player is
    asked, and `sheet` the text that the seat has handed in for this phase. Raises Faulty, also for somebody who has no
    seat.
    """
    match = open_match(path)
    check_seat(match, player)
    asked = asked_now(match, player)
    question = {} if asked is None else in_data(asked.question)
    page, view = text_of(match, player, ORDERS), text_of(match, player, VIEW) if asked is None else asked.view
    return {
        "page": page or opened(view.encode(), question=question).page(Extras()),
        "view": view,
        "question": question,
        "sheet": "" if asked else sheet_of(match, player),
    }


def report_of(path: Path, player: Player) -> str:
    """The page with a seat's last report. Raises Faulty."""
    match = open_match(path)
    check_seat(match, player)
    return text_of(match, player, PAGE) or f"<pre>{escape(text_of(match, player, REPORT))}</pre>"


def hand_in(path: Path, player: Player, text: str) -> Sequence[Mapping[str, Any]]:
    """Puts a seat's sheet, or its answers, into the match; returns what is wrong with it. Raises Faulty."""
    with changing(path) as match:
        check_seat(match, player)
        answers = match.opening(match.last).waits == player
        top, state = match.phases[-1], match.state(match.last)
        if state.phase.over:
            raise Faulty([problem(match.path, "the match is over")])
        if not answers and is_fixed(match):
            raise Faulty(
                [problem(match.path, f"{top} is closed: its sheets are fixed, and it is played next")]
            )
        kind = ANSWERS if answers else SHEETS
        name = f"{kind}/{player}.yaml"
        asked = Expected(match.rulebook, state.match, state.phase, tuple(state.players), player, file=name)
        data = text.encode()
        if answers:
            _, problems = look_at_answers(data, asked)
        else:
            _, problems = look_at_sheet(data, asked, state, "state.yaml")
        match.add(f"{top}/{name}", data)
        match.commit()
    return [msgspec.structs.asdict(each) for each in problems]


def play_on(path: Path, at: datetime, *, deadline: bool = False) -> bool:
    """Plays as far as the sheets allow, or closes the phase without the missing ones.
    Returns whether anything was played. Raises Faulty, also for a match on hold."""
    ran = run_by_hand(path, at, deadline=deadline)
    if ran.still:
        raise Faulty([problem(path, f"the match is on hold ({ran.still}); resume it first")])
    return bool(ran.adjudicated)


def is_fixed(match: Folder) -> bool:
    """Was the open phase closed, so that its sheets can't change any more?"""
    return closed_in(match, match.last) is not None


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
