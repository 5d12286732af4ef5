"""Adjudicating one phase of a match from files: what it is made from, its dice, the order of its events.

A phase that is closed before it is adjudicated: its sheets are fixed, and the source of its dice is named.

`closed.yaml` says so, and holds no secret: everybody gets it before anything is adjudicated, and can tell later that no
sheet was changed and no throw chosen. `beacon.yaml` is what the named source gave.

A phase that waits for an answer: what is kept of it until it is played again, and what may not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from adjudicator.engine.ahead.orders_ahead import remarks_after
from adjudicator.engine.beacon.quicknet import Beacon, DiceSource
from adjudicator.engine.folder.entries import Instant
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import receipt_of, seals, seed_of
from adjudicator.engine.folder.names import ANSWERED, BEACON, CLOSED, EVENTS, STATE
from adjudicator.engine.folder.papers import read_paper, text_of
from adjudicator.engine.folder.post import SHEETS, AnsweredFile, Mail
from adjudicator.engine.library.texts import problem_at, texts_of
from adjudicator.engine.play.asking import is_meant
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.sheets.sheet import ANSWERS, Answer
from adjudicator.engine.table.dice import OutOfDice, SeededDice
from adjudicator.engine.table.event import Event, Head, Opened, Player, Remarked, Shuffled, Thrown
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import encode_secret
from adjudicator.engine.text.problem import Problem

WORDS = "For everybody, before anything is adjudicated: what was fixed, and where the dice will come from."
Paper = TypeVar("Paper", bound=Struct)
SEED = "seed"
"""The value of the option `dice` with which throws depend on the match's seed alone."""


class FormerSource(Struct, frozen=True, forbid_unknown_fields=True):
    """A source that was given up for another one: when, and why."""

    dice: DiceSource
    at: Instant
    why: str


class ClosedPhase(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`closed.yaml`: what was fixed of a phase at the instant `at`, before it was adjudicated.

    `seals` are those of all players' sheets as in the reports; in a match that waits for answers, without answers,
    which come later. `mark` is the phase's: that of everything before it. `dice` is the source of its throws, and
    `renamed` are those that were named before. `deadline`: nobody whose sheet is missing is waited for.
    """

    match: str
    phase: str
    at: Instant
    seals: Mapping[Player, str]
    mark: str = ""
    deadline: bool = False
    dice: DiceSource = DiceSource()
    renamed: tuple[FormerSource, ...] = ()

    @property
    def named_at(self) -> datetime:
        """When the source of the phase's dice was named."""
        return self.renamed[-1].at if self.renamed else self.at


def closed_in(match: Folder, number: int) -> ClosedPhase | None:
    """What was fixed when a phase was closed; None if it was never closed separately. Raises Faulty."""
    return _in(match, f"{match.phases[number]}/{CLOSED}", ClosedPhase)


def open_closing(match: Folder) -> ClosedPhase | None:
    """The closing of the open phase, if it isn't played yet and waits for nobody's answer."""
    return None if match.opening(match.last).waits else closed_in(match, match.last)


def beacon_in(match: Folder, number: int) -> Beacon | None:
    """What the source gave that was named when this phase was closed; None if nothing yet. Raises Faulty."""
    return _in(match, f"{match.phases[number]}/{BEACON}", Beacon)


def _in(match: Folder, name: str, kind: type[Paper]) -> Paper | None:
    return read_paper(match.read(name), str(match.path / name), kind) if match.has(name) else None


def beacon_for(match: Folder, number: int) -> Beacon | None:
    """What the throws of a phase depend on: its own beacon, or that of the phase with which the run to it began, whose
    closing fixed the orders for both.

    None if the throws depend on the seed alone. Raises Faulty.
    """
    if match.card.options.get("dice", SEED) == SEED:
        return None
    while not match.has(f"{match.phases[number]}/{CLOSED}") and match.opening(number).since != number:
        number = match.opening(number).since
    return beacon_in(match, number)


def closed_text(closed: ClosedPhase) -> bytes:
    """The text of `closed.yaml`."""
    return text_of(closed, WORDS)


def beacon_text(beacon: Beacon) -> bytes:
    """The text of `beacon.yaml`."""
    return text_of(beacon, "What came of the source that was named for the dice.")


def is_undrawn(match: Folder, number: int) -> bool:
    """Do the throws of a phase with which a run begins wait for something public, or for its source to be named?"""
    closed = closed_in(match, number)
    if closed is None:
        return bool(match.card.options.get("dice", SEED) != SEED) and not match.opening(number).waits
    return closed.dice.open and beacon_in(match, number) is None


def seals_of(match: Folder, number: int, mail: Mail, seed: bytes) -> dict[Player, str]:
    """The seals of what has come in for a phase, as `closed.yaml` has them."""
    top = match.phases[number]
    files = {name.removeprefix(f"{top}/"): receipt_of(digest) for name, digest in mail.files.items()}
    if match.state(number).options.pacing == "live":
        files = {name: receipt for name, receipt in files.items() if name.startswith(f"{SHEETS}/")}
    return seals(seed, top, match.card.players, files)


def changed_since_closing(match: Folder, number: int, mail: Mail) -> list[Player]:
    """The players whose sheets aren't those that were fixed when a phase was closed; none if it wasn't, or in a copy of
    the match without its seed. Raises Faulty.
    """
    closed, seed = closed_in(match, number), seed_of(match)
    if closed is None or seed is None:
        return []
    now = seals_of(match, number, mail, seed)
    return [player for player in match.card.players if now[player] != closed.seals.get(player)]


def final_events(outcome: Outcome) -> tuple[Event[Any], ...]:
    """The events of a waiting phase, without remarks on the answer it waits for: a better one may still come."""
    events = list(outcome.events)
    while events and isinstance(events[-1], Remarked) and events[-1].place.startswith(f"{ANSWERS}/"):
        events.pop()
    return tuple(events)


def answers_given(outcome: Outcome, mail: Mail) -> AnsweredFile:
    """The answers given in a waiting phase, except those to the question it waits for: these weren't good."""
    found: dict[Player, tuple[Answer, ...]] = {}
    for player, answers in mail.answers.items():
        for answer in answers:
            known = [each.fields for each in found.get(player, ())]
            if answer.fields not in known and not (
                player == outcome.waiting
                and outcome.question is not None
                and is_meant(answer, outcome.question)
            ):
                found[player] = (*found.get(player, ()), answer)
    return AnsweredFile(found)


def problems_with_answer(match: Folder, number: int, outcome: Outcome, mail: Mail) -> list[Problem]:
    """Why the asked player's file doesn't answer the question, reported to the GM."""
    player, texts = outcome.waiting, texts_of(match.rulebook)
    top = match.path / match.phases[number]
    if not any(name.endswith(f"/{ANSWERS}/{player}.yaml") for name in mail.files):
        return []
    bad = [event for event in outcome.events[len(final_events(outcome)) :] if isinstance(event, Remarked)]
    if bad:
        return [problem_at(f"{top}/{event.place}", event.reason, texts) for event in bad]
    if any(event.player == player for event in mail.remarks):
        return []
    said = f"it doesn't answer the question: for/{player}/answer.yaml shows how to answer"
    return [problem(top / ANSWERS / f"{player}.yaml", said)]


def fixed_files(files: dict[str, str]) -> dict[str, str]:
    """The files of a phase that can't change while it waits: all but the answers."""
    return {
        name: digest for name, digest in files.items() if not name.startswith(ANSWERS) and name != ANSWERED
    }


def recorded_lines(match: Folder) -> list[bytes]:
    """The lines of events already final while the open phase waits; none if it doesn't."""
    opening = match.opening(match.last)
    return match.read(f"{match.phases[-1]}/{EVENTS}").splitlines()[: opening.lines] if opening.waits else []


def check_as_before(match: Folder, lines: list[bytes]) -> None:
    """Checks that the open phase, played again, has the same events up to where it waited. Raises Faulty."""
    for number, line in enumerate(recorded_lines(match)):
        if number >= len(lines) or lines[number] != line:
            said = "played again, the phase doesn't come out as before; undo takes its beginning back"
            place = str(match.path / match.phases[-1] / EVENTS)
            raise Faulty([Problem(place, number + 1, 1, "MATCH", said)])


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
