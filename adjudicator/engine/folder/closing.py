"""A phase that is closed before it is adjudicated: its sheets are fixed, and the source of its dice is named.

`closed.yaml` says so, and holds no secret: everybody gets it before anything is adjudicated, and can tell later that no
sheet was changed and no throw chosen. `beacon.yaml` is what the named source gave.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeVar

from msgspec import Struct

from adjudicator.engine.beacon.sources import Beacon, DiceSource
from adjudicator.engine.folder.entries import Instant
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import mark_of, receipt_of, seals
from adjudicator.engine.folder.names import BEACON, CLOSED
from adjudicator.engine.folder.papers import read_paper, text_of
from adjudicator.engine.folder.post import SHEETS, Mail
from adjudicator.engine.table.event import Player

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


def mark_before(match: Folder, number: int, seed: bytes) -> str:
    """The mark of a phase; empty at the start, before which there is nothing."""
    return mark_of(seed, match.phases[number], match.state(number).chain) if number else ""
