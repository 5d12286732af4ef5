"""Undo: the last phase goes to `undone/`, and the one before is open again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.entries import Entry
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.ledger import add_entries, ledger_of
from adjudicator.engine.folder.marks import digests_in
from adjudicator.engine.folder.names import ANSWERED, BEACON, CLOSED, EVENTS, OPEN, SEED, STATE, UNDONE
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.handout.for_all import hand_out


class Undone(Struct, frozen=True):
    """What was taken back: the folders, none if only answers were awaited; where they are now; the open phase."""

    folders: tuple[str, ...]
    where: str
    open: str


def undo(path: Path, keep: Callable[[Folder, Undone], Iterable[Entry]] | None = None) -> Undone:
    """Takes back what followed from the last sheets: all phases since the one before in which somebody was due.

    If the phase waits for an answer, only its beginning is taken back, and its sheets may change again. `keep` returns
    the entries for the ledger. Raises Faulty, also at a match's end, when its seed is published.
    """
    with changing(path) as match:
        ledger_of(match)  # the phases being taken back tell whether lines of it are missing
        _check_not_published(match)
        number = _phase_to_reopen(match)
        top, where = match.phases[number], _free_name(match)
        gone = tuple(match.phases[number + 1 :])
        moves = [(folder, f"{where}/{folder}") for folder in gone]
        moves += [
            (f"{top}/{name}", f"{where}/{top}/{name}") for name in (EVENTS, OPEN, CLOSED, BEACON, ANSWERED)
        ]
        opening = match.opening(number)
        taken = {
            f"{new}/{name}".removeprefix(f"{where}/").rstrip("/"): digest
            for old, new in moves
            for name, digest in digests_in(match, old).items()
        }
        del match.phases[number + 1 :]
        opening = replace(
            opening, waits="", lines=0, dice=(), files={}, closed=None, undone=where, taken=taken
        )
        match.add_opening(number, opening)
        if not match.has(f"{top}/{SHEETS}"):  # a phase that a run passed through has none
            match.add(f"{top}/{SHEETS}/", b"")
        done = Undone(gone, where, top)
        if keep is not None:
            add_entries(match, *keep(match, done))
        hand_out(match, number)
        match.commit(moves)
        return done


def _check_not_published(match: Folder) -> None:
    """Raises Faulty if everybody knows the seed, and with it every throw to come and every player's token."""
    if match.has(f"{match.phases[-1]}/{SEED}"):
        said = "the match is over and its seed is published: everybody could know all throws, and make tokens"
        amend = f"correct {STATE} of {match.phases[-1]} instead, then `adjudicator amend {match.path.name} --why ...`"
        raise Faulty([problem(match.path, f"{said}; {amend}")])


def _phase_to_reopen(match: Folder) -> int:
    """The phase that will be open: the last earlier one in which somebody was due."""
    if match.opening(match.last).waits:
        return match.last
    for number in range(match.last - 1, -1, -1):
        if match.state(number).phase.due:
            return number
    raise Faulty([problem(match.path, "there is nothing to take back: the first phase is open")])


def _free_name(match: Folder) -> str:
    """An unused folder name in `undone/`."""
    number = 1
    while match.has(f"{UNDONE}/{number:04d}"):
        number += 1
    return f"{UNDONE}/{number:04d}"
