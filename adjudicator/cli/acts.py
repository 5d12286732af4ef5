"""What a GM does to a match besides running it: each act is one of `gm`, and the command says what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.options import At, MatchFolder, Why, say_due, time_of, wrong_values_end_with_2
from adjudicator.cli.output import content_of, echo, echo_lines, show_document
from adjudicator.cli.saying import how_to_close_by_hand, names, sentence_of_source
from adjudicator.engine.text.problem import counted

if TYPE_CHECKING:
    from adjudicator.engine.audit.verify import Difference
    from adjudicator.engine.folder.adjudication import ClosedPhase
    from adjudicator.engine.folder.folder import Folder


def replace(
    folder: MatchFolder,
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER=ADDRESS", help="Who plays now, such as 'venice=Anna <new@example.org>'."
        ),
    ],
    why: Why,
    bot: Annotated[
        bool,
        typer.Option(
            "--bot", help="A program plays now: PLAYER is the game's own bot, PLAYER=random another."
        ),
    ] = False,
    at: At = "",
) -> None:
    """Give a player's seat to somebody else; missed sheets and absences are counted from zero.

    Lists the folders that the new player should get: all that the seat may know. In a match by mail `mail turn` sends
    them, with a new token; mails with the former one no longer count.

    Example: adjudicator replace lagoon venice=new@example.org --why "three sheets missed"
    """
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm import acts
    from adjudicator.gm.by_mail import by_mail

    name, _, who = player.partition("=")
    with wrong_values_end_with_2():
        acts.replace(folder, name, "" if bot else who, time_of(at, folder), why=why, bot=who if bot else None)
    if bot:
        echo(f"A bot plays for {name} now. It orders when the match is run: adjudicator run {folder}")
        return
    echo(f"Somebody else plays {name} now{': ' + who if who else ', without an address yet'}.")
    match = open_match(folder)
    if who and by_mail(match):
        echo(
            f"The next `adjudicator mail turn {folder}` mails the new player the rules, all that the seat has got,"
        )
        echo("and the open phase with a new token. It tells the former player, whose mails no longer count.")
        return
    echo("Send the new player the files of this seat:")
    for phase in match.phases:
        if match.has(f"{phase}/for/{name}"):
            echo(f"  {folder / phase / 'for' / name}")


def schedule(
    folder: MatchFolder,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A new schedule; left out: show the present one.")
    ] = None,
    why: Annotated[str, typer.Option(help="Your reason for a new one; the next reports tell it.")] = "",
    at: At = "",
) -> None:
    """Show the schedule of a match, or give the match another one from a file.

    It holds for all phases to come. The announced deadline of the open phase stands; `extend` moves that.

    Example: adjudicator schedule lagoon weekly.yaml --why "all have asked for more time"
    """
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import written_schedule
    from adjudicator.engine.text.writing import write
    from adjudicator.gm.changing import reschedule
    from adjudicator.gm.new_schedule import read_schedule
    from adjudicator.gm.playing import phases_of

    match = open_match(folder)
    if file is None:
        if why:
            raise typer.BadParameter("name the file with the new schedule", param_hint="FILE")
        written = written_schedule(match)
        if not written:
            echo("This match has no schedule: you close its phases yourself.")
            return
        show_document(write(dict(written), brackets_from=1), nl=False)
        return
    text = content_of(str(file))
    found = read_schedule(text, str(file), phases_of(match.rulebook))[0]
    with wrong_values_end_with_2():
        reschedule(folder, found, time_of(at, folder), why=why)
    echo("The phases to come are due by this schedule.")
    say_due(folder)


def amend(folder: MatchFolder, why: Why, at: At = "") -> None:
    """Record what you have changed by hand in the last phase's state.yaml, and write its reports again.

    This also corrects the result of a match that is over.

    `verify` then makes the same change, instead of saying that the position was edited.

    Example: adjudicator amend lagoon --why "the GM had booked a sale twice"
    """
    from adjudicator.gm.changing import amend as record

    with wrong_values_end_with_2():
        entry = record(folder, time_of(at, folder), why=why)
    echo(f"Recorded for {entry.phase}: {counted(len(entry.changes), 'place')} changed.")
    for change in entry.changes:
        echo(f"  {'.'.join(change.path)}")
    echo(f"The reports in {folder / entry.phase / 'for'} are written again.")


UNDECIDED = 3
"""The status when the match comes out otherwise by the new rules, and nothing was changed."""


def upgrade(
    folder: MatchFolder,
    why: Annotated[
        str,
        typer.Option(
            help="Your reason to go on by rules under which the match would have come out otherwise."
        ),
    ] = "",
    at: At = "",
) -> None:
    """Go on with a match by the newest version of its game's rules.

    The whole match is played again in memory. If every event and position comes out as it did, the match goes on by the
    new rules. If not, this shows the first difference and changes nothing; with --why the match goes on by the new
    rules from the open phase, and the next reports tell it.

    Example: adjudicator upgrade lagoon
    """
    from adjudicator.engine.folder.entries import Upgraded
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.changing import upgrade as go_on

    with wrong_values_end_with_2():
        done = go_on(folder, time_of(at, folder), why=why)
    if isinstance(done, Upgraded):
        same = ": every phase comes out as it did" if done.same else ""
        echo(f"{folder}: from {done.phase} on by version {done.now} of the rules, and not {done.was}{same}.")
        echo(f"The reports in {folder / done.phase / 'for'} are written again.")
        return
    echo_lines(told_difference(open_match(folder), done))
    raise typer.Exit(UNDECIDED)


def told_difference(match: Folder, found: Difference) -> Iterator[str]:
    """What would come out otherwise, by which ruling, and what can be done; a sentence on each line."""
    from adjudicator.engine.folder.names import EVENTS
    from adjudicator.engine.library.rules import changed_rulings

    rulebook, was = match.rulebook, match.rules(match.last)
    newest, here = rulebook.versions[-1], match.phases[-1]
    yield f"By version {newest} of the rules of {rulebook.title}, {found.phase} would have come out otherwise:"
    if found.line:
        yield f"  {found.phase}/{EVENTS}:{found.line}"
        yield f"    was: {found.was or 'nothing more'}"
        yield f"    now: {found.now or 'nothing more'}"
    else:
        yield "  no event differs, but the position does"
    since = [each for each in changed_rulings(rulebook) if was < each[1] <= newest]
    for number, version, text in (each for each in since if each[0] in found.rules):
        yield f"  {number}, since version {version}: {text}"
    yield "Nothing was changed. You can"
    yield f"- go on from {here} by version {newest}: adjudicator upgrade {match.path} --why ..."
    if was in rulebook.versions:
        yield f"- go on by version {was}, which this program has too: adjudicator run {match.path}"
    else:
        closed = match.opening(match.last - 1).closed
        by = closed.version if closed is not None else match.card.version
        yield f"- go on by version {was}, with the program that has it: release {by}"
    yield "- or wait: until you decide, the match stays as it is."


def undo(
    folder: MatchFolder,
    why: Annotated[
        str, typer.Option(help="Your reason; the next reports tell it; needed if the match has a ledger.")
    ] = "",
    at: At = "",
) -> None:
    """Take the last phase back: it goes to undone/, and the one before is open again.

    Its sheets are still there and may be changed; the next report says what was taken back, and why. A match that is
    over can't be reopened, since its seed is published; `amend` corrects its result.

    Example: adjudicator undo lagoon --why "genoa's sheet was overlooked"
    """
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.match.undo import undo as take_back
    from adjudicator.gm import acts
    from adjudicator.gm.playing import has_clock

    with wrong_values_end_with_2():
        if why or has_clock(open_match(folder)):
            done = acts.undo(folder, time_of(at, folder), why=why)
        else:
            done = take_back(folder)
    what = ", ".join(done.folders) or "the beginning of the phase that waited for an answer"
    echo(f"Taken back: {what}; now in {folder / done.where}.")
    echo(f"Open again: {done.open}. Its sheets count again as they are when it is played.")
    echo_lines(what_next(folder))


def what_next(folder: Path) -> Iterator[str]:
    """When the phase that is open again is played, and what the GM does for that; a sentence on each line."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import hold_in_force, is_open_again, ledger_of
    from adjudicator.engine.handout.times import due_text
    from adjudicator.git.by_hand import OPENED

    match = open_match(folder)
    entries = ledger_of(match)
    still, again = hold_in_force(entries), is_open_again(entries, match.phases[-1])
    if again and still is not None:
        yield f"The match is on hold ({still.why}): nothing is played until you resume it, even if all sheets are in."
        yield f"To resume it: adjudicator resume {folder} --why ..."
    elif again:
        until = due_text(match, match.last, None)
        when = f"at its deadline, {until}," if until else "when you say so"
        yield f"It is played again {when} and not before, even if all sheets are in."
        yield f"As soon as all sheets are in: adjudicator run {folder}. {how_to_close_by_hand(folder)}"
    if (folder / OPENED).is_file():
        yield f"To tell the players, and after each run here: adjudicator git close {folder}"


def close(
    folder: MatchFolder,
    deadline: Annotated[
        bool, typer.Option("--deadline", help="Close the phase without the missing sheets.")
    ] = False,
    source: Annotated[
        str, typer.Option(help="A public text that nobody knows yet, such as 6 aus 49, 28.11.2026.")
    ] = "",
    again: Annotated[
        bool, typer.Option("--again", help="The phase is closed already: name another source, with --why.")
    ] = False,
    why: Annotated[str, typer.Option(help="Your reason; the next reports tell it to the players.")] = "",
    lead: Annotated[
        int, typer.Option(min=0, max=86400, help="Seconds from now to the round of drand that is named.")
    ] = 600,
    at: At = "",
) -> None:
    """Close the open phase: its sheets are fixed, and the source of its dice is named. Then `run` plays it.

    Give everybody `closed.yaml` of the phase before the dice can be known; `mail turn` mails it by itself.

    Status 0, or 3 if sheets are missing.

    Example: adjudicator close lagoon --source "6 aus 49, 28.11.2026"
    """

    from adjudicator.cli.run import WAITED
    from adjudicator.gm.changing import rename
    from adjudicator.gm.closing import Dice
    from adjudicator.gm.playing import close_by_hand

    now, span = time_of(at, folder), timedelta(seconds=lead)
    with wrong_values_end_with_2():
        if again:
            _tell_closed(folder, rename(folder, now, why=why, named=source, lead=span))
            return
        dice = Dice(first=True, named=source, lead=span)
        found = close_by_hand(folder, now, dice, deadline=deadline, why=" ".join(why.split()))
    if isinstance(found, tuple):
        echo(f"Not closed: no sheet yet from {names(found)}. With --deadline it is closed without.")
        raise typer.Exit(WAITED)
    _tell_closed(folder, found)


def _tell_closed(folder: Path, closed: ClosedPhase) -> None:
    """Tells what was closed, and what to do next."""
    from adjudicator.engine.folder.names import CLOSED

    echo(f"Closed: {closed.phase}. {sentence_of_source(closed.dice)}")
    echo(f"Give everybody {folder / closed.phase / CLOSED} before that; then adjudicator run {folder}")
