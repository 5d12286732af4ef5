"""Reports again: shown as they are stored, made again, or written again for the open phase."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.marks import mark_before, seed_of
from adjudicator.engine.folder.names import FOR, PUBLIC, head_of
from adjudicator.engine.handout.for_all import hand_out
from adjudicator.engine.handout.reports import Reports
from adjudicator.engine.match.proof import add_the_end
from adjudicator.engine.match.run import Run
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.map import Picture
from adjudicator.engine.report.reader_texts import PAGE, REPORT, map_for, report_page
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import Question
from adjudicator.engine.text.problem import nearest


def write_again(path: Path, *, pages: bool | None = None) -> list[str]:
    """Writes `for/` of the last phase again; returns the files' names. Raises Faulty.

    `pages`: whether to add pages for a browser; by default the match's option decides.
    """
    with changing(path) as match:
        names = hand_out_again(match, pages=pages)
        match.commit()
    return names


def hand_out_again(match: Folder, *, pages: bool | None = None) -> list[str]:
    """Adds the players' files of the last phase, made again, to what is about to be written. Raises Faulty."""
    names = hand_out(match, match.last, waiting_for(match), pages=pages)
    if match.state(match.last).phase.over:
        add_the_end(match)
    return names


def report_of(match: Folder, who: str, phase: str) -> str:
    """A report: of `public` or a player, of a phase or (empty) the last. Raises Faulty."""
    return report_as_told(match, number_of_report(match, who, phase), who)


def report_as_told(match: Folder, number: int, who: str) -> str:
    """A report as stored in the match, in the words of its time; made again only if it is missing. Raises Faulty."""
    if match.has(f"{match.phases[number]}/{FOR}/{who}/{REPORT}"):
        return stored_text(match, number, who, REPORT)
    one = reader(match, who)
    reports = Reports(match, number, waiting_for(match) if number == match.last else None)
    return reports.text(reports.facts(one), reports.extras(one, reports.receipts(one), pages=False))


def shown_page(match: Folder, who: str, phase: str) -> str:
    """A report as a page: the stored one; if there is none, made from the report and the positions. Raises Faulty."""
    number = number_of_report(match, who, phase)
    if match.has(f"{match.phases[number]}/{FOR}/{who}/{PAGE}"):
        return stored_text(match, number, who, PAGE)
    one = reader(match, who)
    reports = Reports(match, number, waiting_for(match) if number == match.last else None)
    told, beside = reports.facts(one), reports.extras(one, reports.receipts(one), pages=True)
    rulebook = match.rulebook_for(one)
    first, report = reports.first_lines(told, beside), report_as_told(match, number, who)
    return report_page(rulebook, told, beside, report, map_for(rulebook, told), first=first)


def stored_text(match: Folder, number: int, who: str, name: str) -> str:
    """A stored text of a phase. Raises Faulty."""
    return match.read(f"{match.phases[number]}/{FOR}/{who}/{name}").decode(errors="replace")


def number_of_report(match: Folder, who: str, phase: str) -> int:
    """The last phase of that name, or of all for an empty name, at which reports were told. Raises Faulty."""
    reader(match, who)
    for number in range(match.last, -1, -1):
        folder = match.phases[number]
        if (not phase or names_folder(folder, phase)) and match.handed_out(number):
            return number
    there = ", ".join(folder for number, folder in enumerate(match.phases) if match.handed_out(number))
    raise Faulty(
        [problem(match.path, f"there is no report for {who} of {phase}; there are reports of {there}")]
    )


def map_of(match: Folder, number: int, who: Player | None) -> Picture:
    """The map of a phase as `who` may know it, with what has happened since the last reports. Raises Faulty."""
    return map_for(match.rulebook_for(who), Reports(match, number).facts(who))


def reader(match: Folder, who: str) -> Player | None:
    """The player of that name, None for `public`. Raises Faulty."""
    known = [PUBLIC, *match.card.players]
    if who not in known:
        mean = nearest(who, known)
        guess = f", did you mean {mean}?" if mean else ""
        raise Faulty(
            [
                problem(
                    match.path, f"there is no player {who or repr(who)}{guess}; there are {', '.join(known)}"
                )
            ]
        )
    return None if who == PUBLIC else who


def number_of_phase(match: Folder, phase: str) -> int:
    """The number of the last phase of that name; of the last of all for an empty name. Raises Faulty."""
    found = [number for number, folder in enumerate(match.phases) if not phase or names_folder(folder, phase)]
    if not found:
        said = f"there is no phase {phase}; there are {match.phases[0]} to {match.phases[-1]}"
        raise Faulty([problem(match.path, said)])
    return found[-1]


def names_folder(folder: str, phase: str) -> bool:
    """Does `phase` mean this folder: by the folder's name, its number or the phase's name?"""
    head = head_of(folder)
    return head is not None and phase in (folder, str(head.number), f"{head.number:04d}", head.name)


class OpenQuestion(Struct, frozen=True):
    """What a player is asked in the middle of a phase, and the text of the view of the position then."""

    question: Question[Any, Any]
    view: str


def asked_now(match: Folder, player: Player) -> OpenQuestion | None:
    """What the player is asked; None if the phase doesn't wait for the player, or the answer is in. Raises Faulty."""
    if match.opening(match.last).waits != player:
        return None
    held = played_so_far(match)
    if held.question is None or held.waiting != player:
        return None
    seed = seed_of(match)
    mark = "" if seed is None else mark_before(match, match.last, seed)
    view = replace(position_for(match.rulebook, held.state, player), chain=mark)
    return OpenQuestion(held.question, write_position(view, match.rulebook_for(player).language))


def played_so_far(match: Folder) -> Outcome:
    """The outcome of the last phase so far, from its files. Raises Faulty."""
    run = Run(match)
    return run.play(run.mail(), deadline=False)[0]


def waiting_for(match: Folder) -> Outcome | None:
    """The outcome so far of the last phase, from its files, if it waits for an answer. Raises Faulty."""
    if not match.opening(match.last).waits:
        return None
    held = played_so_far(match)
    if not held.waiting:
        raise Faulty([problem(match.path, "the answer that this phase waits for is in: run the match first")])
    return held
