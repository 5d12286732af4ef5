"""`status` and `due`: which phase is open, who has sent what, and the deadline with its reason."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli import saying
from adjudicator.cli.options import At, LanguageOfPage, matches_among, time_of, usual_language
from adjudicator.cli.output import echo, echo_lines
from adjudicator.engine.folder.names import REFEREE
from adjudicator.engine.library.texts import MOST_TOLD, say, texts_of, words
from adjudicator.engine.text.problem import as_text, counted

if TYPE_CHECKING:
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.folder.folder import Folder
    from adjudicator.engine.folder.post import Mail
    from adjudicator.engine.play.checking import CheckResult
    from adjudicator.gm.glance import Glance
    from adjudicator.gm.situation import Situation


Folders = Annotated[
    list[Path], typer.Argument(metavar="FOLDER...", help="A match's folder, or those of many.")
]
Yaml = Annotated[
    bool, typer.Option("--yaml", help="A line's facts of each match as YAML, for other programs.")
]


def status(
    folders: Folders,
    yaml: Yaml = False,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write these lines as a page, for the GM alone.")
    ] = None,
    language: LanguageOfPage = "",
    at: At = "",
) -> None:
    """Show which phase is open, who is due, and whose sheet is in and good; after the deadline, whom to remind.

    Of several matches it shows a line each: phase, deadline, whose sheets are missing or have faults, mails that were
    held, players who weren't mailed, seats that are open. Folders that are no matches are passed over.

    Status 0, or 1 if a match can't be read.

    Example: adjudicator status lagoon
    """
    if yaml or page is not None or folders[1:]:
        raise typer.Exit(_at_a_glance(folders, at, yaml=yaml, page=page, language=language))
    _status_of(folders[0], at)


def _at_a_glance(
    folders: list[Path],
    at: str,
    *,
    yaml: bool,
    by_deadline: bool = False,
    page: Path | None = None,
    language: str = "",
) -> int:
    """Shows many matches, a line each, in order of their names or of their deadlines; returns the status."""
    from msgspec import json

    from adjudicator.cli.output import echo_problems, replace_own, show_document
    from adjudicator.engine.text.writing import write
    from adjudicator.gm.glance import BEGINS, club_words, glance_page, in_order_of_deadlines, line_of

    now = time_of(at, None)
    found, wrong = glances(folders, now)
    if by_deadline:
        found = in_order_of_deadlines(found)
    if page is not None:
        replace_own(page, glance_page(found, now, language or usual_language(folders)), *BEGINS)
    if yaml:
        show_document(write(json.decode(json.encode(found)), brackets_from=2), nl=False)
    else:
        said = club_words()
        echo_lines(line_of(each, said) for each in found)
    if page is not None:
        echo(f"Open {page.resolve().as_uri()}", err=yaml)
    echo_problems([problem for faulty in wrong for problem in faulty.problems])
    return 1 if wrong else 0


def glances(folders: list[Path], now: datetime) -> tuple[list[Glance], list[Faulty]]:
    """The matches among these folders at a glance, and what is wrong with those that can't be read."""
    from adjudicator.engine.folder.errors import Faulty, collecting_faults
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.glance import Glance, glance

    wrong, found = list[Faulty](), list[Glance]()
    for folder in matches_among(folders):
        with collecting_faults(folder, wrong):
            found.append(glance(open_match(folder), now))
    return found, wrong


def _status_of(folder: Path, at: str) -> None:
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.situation import situation

    now = time_of(at, folder if at else None)  # `status` works even if the clock is wrong
    match = open_match(folder)
    head = match.state(match.last).phase
    echo(f"{match.card.match}: {match.rulebook.title}, {match.phases[-1]}")
    if is_open_to_others(folder) and (not head.over or match.has(REFEREE)):  # else nothing is secret any more
        echo(f"Others on this machine can read this match, secrets too: chmod -R go-rwx {folder}")
    if match.unfinished is not None:
        echo("A run was cut short here; these are its results, and the next run puts them in place.")
    if head.over:
        from adjudicator.engine.handout.for_all import end_line
        from adjudicator.engine.report.markdown_html import plain_text

        echo(plain_text(end_line(match)))
        echo(saying.sentence_of_rounds(match))
        return
    found = situation(match, now)
    for line in [
        *_lines_of_status(match),
        *saying.sentences_of_rules(match),
        *saying.sentences_of_hold(match, found),
        *saying.sentences_of_reminders(match, now, found),
        *saying.sentences_of_undelivered(match),
    ]:
        echo(line)


def is_open_to_others(folder: Path) -> bool:
    """Can others on this machine enter a match's folder? Older versions of the program left it open."""
    return os.name == "posix" and bool(folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _lines_of_status(match: Folder) -> Iterator[str]:
    from adjudicator.engine.folder.post import Post
    from adjudicator.engine.handout.times import due_text
    from adjudicator.gm.by_mail import not_mailed_yet
    from adjudicator.gm.people import problems_of_addresses

    state, opening = match.state(match.last), match.opening(match.last)
    yield f"turn {state.phase.turn}, phase {state.phase.name}"
    yield from _adjudicated_since(match, opening.since)
    if until := due_text(match, match.last, None):
        yield f"due: {until}"
    if unmailed := not_mailed_yet(match):
        yield f"no mail of this phase was handed over yet to {saying.names(unmailed)}"
    post = Post(match)
    mail = post.collect(match.last)
    for player in match.card.players:
        if player in state.phase.due:
            yield f"  {player}: {_sheet_status(match, mail, player)}"
        elif player in mail.sheets:
            yield f"  {player}: not due, but a sheet is in"
    if opening.waits:
        where = f"answers/{opening.waits}.yaml"
        yield f"the phase has begun and waits for an answer by {opening.waits}, in {where}; the sheets are frozen"
    yield saying.sentence_of_rounds(match)
    problems = [*mail.problems, *post.problems(match.last, mail), *problems_of_addresses(match)]
    if problems:
        yield as_text(problems)


def _sheet_status(match: Folder, mail: Mail, player: str) -> str:
    """Whether the due player's sheet is in and good."""
    from adjudicator.engine.folder.adjudication import changed_since_closing, open_closing
    from adjudicator.gm.situation import checked_sheet, faults_in, left_of_sheet

    if open_closing(match) is not None and player in changed_since_closing(match, match.last, mail):
        if match.has(f"{match.phases[match.last]}/sheets/{player}.yaml"):
            return "what is in came after the phase was closed, and can't count; put back what was there"
        return "the sheet that was in when the phase was closed is gone; put it back"
    for found in mail.rejected:
        if found.player == player:  # such as a sheet for another phase: the reason is shown beside the name
            return f"a sheet is in, but counts as not sent: {say(found.reason, texts_of(match.rulebook))}"
    if player in mail.drafts:
        return "a draft is in (ready: false)"
    if player in mail.missing:
        gone = mail.again.get(player)
        return (
            f"asked again, because {', '.join(gone)} was lost after the orders came"
            if gone
            else "no sheet yet"
        )
    if player in mail.standing:
        return "nothing to send: standing orders cover this phase"
    if player in mail.passing:
        return "sent no orders for this phase when asked before: passes"
    checked = checked_sheet(match, mail, player)
    faults = len(faults_in(checked))
    many = f"more than {MOST_TOLD} faults" if faults > MOST_TOLD else counted(faults, "fault")
    ahead = mail.later.get(player)
    earlier = f"orders are in, with the sheet of {ahead}" if ahead else "the sheet is in"
    every = [each for each in left_of_sheet(match, mail, player) if each.state != "past"]
    open_ = sum(each.state == "open" for each in every)
    undecided = f"; {open_} of {len(every)} still to decide" if open_ else ""
    told = words_of_orders(match, checked)
    return f"{earlier}, {f'with {many}' if faults else 'and good'}{f' ({told})' if told else ''}{undecided}"


def words_of_orders(match: Folder, checked: CheckResult) -> str:
    """What becomes of a sheet's orders for the open phase, with their `else`, as far as their player can know: `2 done,
    1 nothing, 1 may change`; empty without orders.
    """
    now = [each for each in checked.accounts if not each.phase]
    said = words(texts_of(match.rulebook))["account"]
    known = Counter(said[each.outcome] for each in now if each.may is None)
    parts = [f"{count} {word}" for word, count in known.items()]
    unsure = len(now) - known.total()
    return ", ".join([*parts, *([f"{unsure} may change"] if unsure else [])])


def _adjudicated_since(match: Folder, since: int) -> Iterator[str]:
    """Which phases the run adjudicated that opened this phase."""
    done = match.phases[since : match.last]
    if done:
        played = f"{done[0]} to {done[-1]} were" if done[1:] else f"{done[0]} was"
        yield f"opened when {played} adjudicated"


MOVED = {
    "day": "the schedule has no deadlines on some days of the week",
    "holiday": "the schedule has no deadlines on those dates",
    "absence": "somebody who is due is away",
    "skipped-hour": "the clocks go forward that night, and skip the hour of the schedule",
    "repeated-hour": "the clocks go back that night, and the second of the two hours counts",
}


def due(folders: Folders, yaml: Yaml = False, at: At = "") -> None:
    """Show when the open phase is due and why, who is late, who is away, and who has missed sheets.

    Changes nothing. With --at it answers for another time. Of several matches it shows a line each, as `status` does,
    the next deadline first.

    Example: adjudicator due lagoon --at 2026-11-26T20:30
    """
    if yaml or folders[1:]:
        raise typer.Exit(_at_a_glance(folders, at, yaml=yaml, by_deadline=True))
    _deadline_of(folders[0], at)


def _deadline_of(folder: Path, at: str) -> None:
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.situation import situation

    match = open_match(folder)
    now = time_of(at, folder)
    echo(f"{match.card.match}: {match.phases[-1]}")
    echo_lines(_lines_of_deadline(match, situation(match, now), now))


def _lines_of_deadline(match: Folder, found: Situation, now: datetime) -> Iterator[str]:
    from adjudicator.engine.folder.ledger import ledger_of
    from adjudicator.engine.handout.times import instant_text
    from adjudicator.gm.bank import left_in_bank
    from adjudicator.gm.playing import schedule_in_force

    yield f"At {instant_text(match, now, None)}: {found.now.value}."
    if found.held is not None:
        yield f"Held up since {instant_text(match, found.held.at, None)}: {found.held.why}"
    elif found.deadline_in_force is not None:
        force = found.deadline_in_force
        yield f"Due: {instant_text(match, force.due, None)}."
        if force.closes != force.due:
            yield f"Closes, after the grace: {instant_text(match, force.closes, None)}."
        yield from (f"  moved: {MOVED.get(key, key)}" for key in force.moved)
        yield f"  said at {instant_text(match, force.said, None)} ({BY.get(force.by.__name__, '')})"
    if found.late:
        yield f"Late: {saying.names(found.late)}."
        yield from saying.sentences_of_reminders(match, now, found)
    elif found.missing:
        yield saying.sentence_of_missing_sheets(match.path / match.phases[-1], found.missing)
    if found.problems:
        yield as_text(found.problems)
    yield from saying.sentences_of_rules(match)
    yield from saying.sentences_of_hold(match, found)
    yield from saying.sentences_of_undelivered(match)
    for away in found.away:
        yield f"Away: {away.player}, {away.first} to {away.last}{'; a regent orders' if away.regent else ''}."
    yield from saying.sentences_of_missed(seat for seat in found.missed_in_a_row if seat.warned or seat.open)
    for player, (times, days) in found.left.items():
        yield f"  {player} may be absent {counted(max(times, 0), 'time')} more, {counted(max(days, 0), 'day')} in all"
    schedule = schedule_in_force(match)
    for player in match.card.players if schedule is not None and schedule.bank else ():
        yield f"  {player} has {left_in_bank(ledger_of(match), player, schedule)} in the bank"


BY = {
    "Banked": "when somebody took time from the bank",
    "PhaseOpened": "when the phase was opened",
    "Extended": "by the GM, who put it off",
    "Absent": "when an absence was said",
    "PutOff": "when the mail that gives it could be sent",
    "Rescheduled": "by the GM, with a new schedule",
    "Resumed": "when the match was resumed",
}
