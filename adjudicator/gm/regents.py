"""Open seats: given up, or silent for too long; and the regents that play them until somebody takes them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from adjudicator.engine.folder.entries import Replaced
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.ledger import hold_in_force, ledger_of
from adjudicator.engine.report.template import clock_text
from adjudicator.gm.absences import can_have_regent
from adjudicator.gm.acts import enter, give_seat
from adjudicator.gm.bots import REGENT, name_shown
from adjudicator.gm.missed import missed_in_a_row
from adjudicator.gm.people import Person
from adjudicator.gm.playing import schedule_in_force


def open_seats(match: Folder) -> list[str]:
    """The players whose seats somebody may take: given up, silent for too long by the schedule, or a regent's. Raises
    Faulty.
    """
    if match.head(match.last).over:
        return []
    secrets = match.secrets()
    bots = secrets.bots if secrets is not None else {}
    gone = {
        each.player
        for each in missed_in_a_row(match, ledger_of(match), schedule_in_force(match))
        if each.open
    }
    return [
        each
        for each in match.card.players
        if bots.get(each, "") == REGENT or (each in gone and each not in bots)
    ]


def let_regents_play(path: Path, at: datetime) -> list[Replaced]:
    """Gives open seats to regents, if the schedule says so and the game has one; returns the entries. Raises Faulty."""
    with changing(path) as match:
        schedule, entries = schedule_in_force(match), ledger_of(match)
        if schedule is None or not schedule.regent or not can_have_regent(match):
            return []
        if hold_in_force(entries) is not None:
            return []
        secrets = match.secrets()
        vacant = [each for each in open_seats(match) if secrets is not None and each not in secrets.bots]
        person = Person(name=name_shown(REGENT))
        given = [give_open_seat(match, player, person, at, bot=REGENT) for player in vacant]
        if given:
            enter(match, *given)
        return given


def give_open_seat(match: Folder, player: str, person: Person, at: datetime, *, bot: str = "") -> Replaced:
    """Gives an open seat of a locked match to a person or a bot, and returns the entry."""
    why = clock_text(match.rulebook_for(None), "seat_was_open")
    return give_seat(match, player, person, at, why=why, bot=bot)
