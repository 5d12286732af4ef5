"""Reports again: shown as they stand, or written anew for the phase that is open."""

from __future__ import annotations

from pathlib import Path

from adjudicator.engine.drawing import Picture, picture
from adjudicator.engine.event import Player, followed
from adjudicator.engine.faulty import Faulty
from adjudicator.engine.folder import Folder, head_of, problem
from adjudicator.engine.handout import FOR, PUBLIC, handout, last_told
from adjudicator.engine.match import Run
from adjudicator.engine.problem import nearest
from adjudicator.engine.referee import Outcome
from adjudicator.engine.view import events_for, position_for


def write_again(path: Path) -> list[str]:
    """Writes `for/` of the last phase again, of a match that is locked; returns the files' names. Raises Faulty."""
    match = Folder(path)
    held = waiting_for(match) if match.opening(match.last).waits else None
    for name, text in handout(match, match.last, held).items():
        match.add(name, text.encode())
    names = list(match.fresh)
    match.commit()
    return names


def shown(match: Folder, who: str, phase: str) -> str:
    """A report as it stands in the match: of `public` or a player, of a phase or (empty) the last. Raises Faulty."""
    reader(match, who)
    told = [folder for folder in match.phases if not phase or called(folder, phase)]
    told = [folder for folder in told if match.has(f"{folder}/{FOR}/{who}/report.md")]
    if not told:
        there = ", ".join(folder for folder in match.phases if match.has(f"{folder}/{FOR}"))
        raise Faulty(
            [problem(match.path, f"there is no report for {who} of {phase}; there are reports of {there}")]
        )
    return match.read(f"{told[-1]}/{FOR}/{who}/report.md").decode(errors="replace")


def mapped(match: Folder, number: int, who: Player | None) -> Picture:
    """The map of a phase as `who` may know it, with what has happened since the reports before. Raises Faulty."""
    first, events = last_told(match, number), []
    for past in range(first, number):
        events += events_for(match.rulebook, match.state(past + 1), match.events(past), who)
    before = position_for(match.rulebook, match.state(first), who)
    state = position_for(match.rulebook, match.state(number), who)
    return picture(match.rulebook, state, tuple(followed(events, before)))


def reader(match: Folder, who: str) -> Player | None:
    """The player of that name, None for `public`. Raises Faulty."""
    known = [PUBLIC, *match.card.players]
    if who not in known:
        mean = nearest(who, known)
        guess = f", did you mean {mean}?" if mean else ""
        raise Faulty([problem(match.path, f"there is no player {who}{guess}; there are {', '.join(known)}")])
    return None if who == PUBLIC else who


def numbered(match: Folder, phase: str) -> int:
    """The number of the last phase so called; of the last of all for an empty name. Raises Faulty."""
    found = [number for number, folder in enumerate(match.phases) if not phase or called(folder, phase)]
    if not found:
        said = f"there is no phase {phase}; there are {match.phases[0]} to {match.phases[-1]}"
        raise Faulty([problem(match.path, said)])
    return found[-1]


def called(folder: str, phase: str) -> bool:
    """Is this folder's phase meant by its folder's name, its number or its name?"""
    head = head_of(folder)
    return head is not None and phase in (folder, str(head.number), f"{head.number:04d}", head.name)


def waiting_for(match: Folder) -> Outcome:
    """What has come so far of a phase that waits for an answer, from its files. Raises Faulty."""
    run = Run(match)
    held = run.play(run.mail(), deadline=False)[0]
    if not held.waiting:
        raise Faulty(
            [problem(match.path, "the answer is in that this phase waited for: run the match first")]
        )
    return held
