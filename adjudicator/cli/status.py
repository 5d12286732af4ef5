"""`adjudicator status`: which phase is open, and who has sent what."""

from __future__ import annotations

import os
import stat
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo
from adjudicator.cli.saying import (
    sentence_of_rounds,
    sentences_of_hold,
    sentences_of_reminders,
    sentences_of_rules,
    sentences_of_undelivered,
)
from adjudicator.engine.library.texts import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudicator.engine.folder.folder import Folder
    from adjudicator.engine.folder.post import Mail
    from adjudicator.engine.play.checking import CheckResult


def status(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")], at: At = ""
) -> None:
    """Show which phase is open, who is due, and whose sheet is in and good; after the deadline, whom to remind.

    Example: adjudicator status lagoon
    """
    from adjudicator.cli.clock import time_of
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.names import REFEREE
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
        echo(sentence_of_rounds(match))
        return
    found = situation(match, now)
    for line in [
        *_lines(match),
        *sentences_of_rules(match),
        *sentences_of_hold(match, found),
        *sentences_of_reminders(match, now, found),
        *sentences_of_undelivered(match),
    ]:
        echo(line)


def is_open_to_others(folder: Path) -> bool:
    """Can others on this machine enter a match's folder? Older versions of the program left it open."""
    return os.name == "posix" and bool(folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _lines(match: Folder) -> Iterator[str]:
    from adjudicator.cli.saying import names
    from adjudicator.engine.folder.post import Post
    from adjudicator.engine.handout.times import due_text
    from adjudicator.engine.text.problem import as_text
    from adjudicator.gm.addresses import problems_of_addresses
    from adjudicator.gm.by_mail import not_mailed_yet

    state, opening = match.state(match.last), match.opening(match.last)
    yield f"turn {state.phase.turn}, phase {state.phase.name}"
    yield from _adjudicated_since(match, opening.since)
    if until := due_text(match, match.last, None):
        yield f"due: {until}"
    if unmailed := not_mailed_yet(match):
        yield f"no mail of this phase was handed over yet to {names(unmailed)}"
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
    yield sentence_of_rounds(match)
    problems = [*mail.problems, *post.problems(match.last, mail), *problems_of_addresses(match)]
    if problems:
        yield as_text(problems)


def _sheet_status(match: Folder, mail: Mail, player: str) -> str:
    """Whether the due player's sheet is in and good."""
    from adjudicator.engine.library.words import MOST_TOLD, say
    from adjudicator.engine.text.problem import counted
    from adjudicator.gm.situation import checked_sheet, faults_in, left_of_sheet

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
    from adjudicator.engine.library.words import words

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
