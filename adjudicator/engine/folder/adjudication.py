"""Adjudicating one phase of a match from files: what it is made from, its dice, the order of its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from adjudicator.engine.ahead.orders_ahead import remarks_after
from adjudicator.engine.folder.closing import beacon_for
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import ANSWERED, BEACON, CARD, CLOSED, REFEREE, STATE
from adjudicator.engine.folder.post import Mail
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.dice import OutOfDice, SeededDice, commitment
from adjudicator.engine.table.event import Event, Head, Opened, Shuffled, Thrown
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import encode_secret


class ProgressCheck:
    """Checks that a run over several phases makes progress: adjudicating a position twice would never end."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()

    def reach(self, state: Any) -> None:
        """Notes the position that the run has reached. Raises Faulty if the run has been there before."""
        head = msgspec.structs.replace(state.phase, number=0)
        place = msgspec.structs.replace(state, phase=head, chain="")
        key = msgspec.json.encode(place, enc_hook=encode_secret)
        if key in self.seen:
            said = "the match goes on without any change; that is a fault of the rulebook, and nothing was written"
            raise Faulty([problem(folder_name(state.phase), said)])
        self.seen.add(key)


def digests_of(match: Folder, number: int, mail: Mail) -> dict[str, str]:
    """The SHA-256 of everything that a phase is adjudicated from (position, sheets, answers), by name in its folder."""
    top = match.phases[number]
    kept = {
        name: digest_of(match.read(f"{top}/{name}"))
        for name in (STATE, CLOSED, BEACON, ANSWERED)
        if match.has(f"{top}/{name}")
    }
    return kept | {name.removeprefix(f"{top}/"): digest for name, digest in mail.files.items()}


def seed_of(match: Folder) -> bytes | None:
    """The referee's seed; None if this copy of the match has none. Raises Faulty if it isn't the one committed to."""
    secrets = match.secrets()
    if secrets is None:
        return None
    try:
        seed = bytes.fromhex(secrets.seed)
    except ValueError:
        seed = b""
    if commitment(seed) != match.card.seed:
        raise Faulty([problem(match.path / REFEREE, f"the seed doesn't have the SHA-256 in {CARD}")])
    return seed


def phase_dice(match: Folder, number: int, mail: Mail, seed: bytes) -> SeededDice:
    """The dice of a phase, made from the seed, the salts of the due players' sheets in player order, and what was drawn
    in public for it.
    """
    due = match.state(number).phase.due
    salts = [mail.sheets[player].salt if player in mail.sheets else "" for player in due]
    beacon = beacon_for(match, number)
    return SeededDice(seed, match.card.match, number, salts, beacon.value if beacon is not None else "")


def thrown_in(events: Sequence[Event[Any]]) -> list[Any]:
    """The throws that the events tell of, in order: a face, or for a shuffle the list."""
    found: list[Any] = []
    for event in events:
        if isinstance(event, Thrown):
            found.append(event.face)
        elif isinstance(event, Shuffled):
            found.append([item.value for item in event.order])
    return found


def with_remarks(rulebook: Rulebook[Any], head: Head, outcome: Outcome, mail: Mail) -> tuple[Event[Any], ...]:
    """All events of a phase, with the remarks on answers and on unneeded orders put before the opening of the next
    phase.

    They don't stand at the beginning with the remarks on sheets: answers come after the phase has begun, and only at
    its end do we know who had no say in it.
    """
    remarks = (*mail.remarks, *remarks_after(rulebook, head, outcome.state, mail.not_needed))
    opened = [index for index, event in enumerate(outcome.events) if isinstance(event, Opened)]
    first = opened[0] if opened else len(outcome.events)
    return (*outcome.events[:first], *remarks, *outcome.events[first:])


def missing_throw(out: OutOfDice) -> str:
    """Which throw made by hand is missing or doesn't fit."""
    faces = ", ".join(str(face) for face in out.faces)
    if out.got is None:
        return f"one more throw is needed, for {' '.join(out.what)}: one of {faces}"
    return f"{throws_text([out.got])} can't be thrown for {' '.join(out.what)}; possible: {faces}"


def text_of_unused_throws(throws: Sequence[Any]) -> str:
    """Throws made by hand that weren't needed."""
    return f"these throws were not needed: {throws_text(throws)}"


def throws_text(throws: Sequence[Any]) -> str:
    """Throws as a GM writes them: `4, 6, [salt, wine]`."""
    return ", ".join(f"[{throws_text(face)}]" if isinstance(face, list) else str(face) for face in throws)
