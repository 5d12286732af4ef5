"""Playing outside any match: from files to files, or on a player's own view."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.output import content, content_of, echo, echo_problems, known_beside, show_document
from adjudicator.cli.saying import names
from adjudicator.engine.folder.errors import Faulty, problem

if TYPE_CHECKING:
    from adjudicator.engine.match.resolving import GivenFiles, Played
    from adjudicator.engine.table.rulebook import Rulebook


WAITS = 3
"""The exit status if an answer is needed first."""


def resolve(
    state: Annotated[str, typer.Argument(metavar="STATE", help="The position, as in state.yaml.")],
    sheets: Annotated[
        list[str] | None, typer.Argument(metavar="[SHEET]...", help="A sheet for each player.")
    ] = None,
    answer: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A player's answers to questions; once for each.")
    ] = None,
    dice: Annotated[
        str | None,
        typer.Option(metavar="THROWS", help="The throws in order: 4,6,2; a shuffle is a list: [a,b]."),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Throws that aren't in --dice follow from this text.")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the results go.")] = Path("resolved"),
) -> None:
    """Play a phase, and those after it that need no sheets, from files to files.

    A due player whose sheet isn't named has sent none. What players know besides is read from `for/` beside the
    position, where an earlier `resolve` or a match has put it. Status 0: played; 1: the position is faulty; 3: an
    answer is needed first. Unless it is played, nothing is written.

    Example: adjudicator resolve state.yaml venice.yaml genoa.yaml --dice 4,6,2 --out next
    """
    from msgspec.structs import replace

    from adjudicator.cli.run import throws_in
    from adjudicator.engine.folder.adjudication import missing_throw, text_of_unused_throws
    from adjudicator.engine.match.resolving import (
        folders_of,
        play,
        problems_in,
        problems_of_unread,
        read_given,
        write_results,
        written_files,
    )
    from adjudicator.engine.play.position import PositionFile, position_by_hand
    from adjudicator.engine.table.dice import OutOfDice

    throws = throws_in(dice) if dice and dice.strip() else []
    opened = position_by_hand(bytes_of([state])[state], state)
    if not isinstance(opened, PositionFile):
        raise Faulty(opened)
    home = folder_for_results(out, state)
    rulebook = opened.rulebook
    found = read_given(rulebook, opened.state, bytes_of(sheets or []), bytes_of(answer or []))
    if found.twice:
        raise typer.BadParameter(f"there are two files of {found.twice}; give only one")
    found = replace(found, known=known_of_readers(Path(state), opened.state.players))
    try:
        played, left = play(rulebook, opened.state, found.mail, throws, seed)
    except OutOfDice as error:
        if unread := problems_of_unread(rulebook, found):
            echo_problems(unread)
        raise typer.BadParameter(missing_throw(error), param_hint="--dice") from None
    problems = problems_in(rulebook, found, played)
    if problems and (played[-1].outcome.waiting or not left):
        echo_problems(problems)
    if played[-1].outcome.waiting:
        show_question(rulebook, played)
        raise typer.Exit(WAITS)
    if left:
        raise typer.BadParameter(text_of_unused_throws(left), param_hint="--dice")
    write_results(home, {name: text.encode() for name, text in written_files(rulebook, found, played)})
    for name in folders_of(played):
        echo(f"Played: {name}.")
    say_next(found, played, out)


def bytes_of(names: list[str]) -> Mapping[str, bytes]:
    """The files' bytes by name. Raises Faulty with all files that can't be read."""
    read = {name: content(name) for name in names}
    missing = [found for found in read.values() if not isinstance(found, bytes)]
    if missing:
        raise Faulty(missing)
    return {name: found for name, found in read.items() if isinstance(found, bytes)}


def known_of_readers(state: Path, players: Iterable[str]) -> Mapping[str, bytes]:
    """The texts of each reader's `known.yaml` that lie beside a position, as `resolve` and `run` write them."""
    from adjudicator.engine.folder.names import FOR, PUBLIC

    return {who: known_beside(state.with_name(FOR) / who / "view.yaml") for who in (*players, PUBLIC)}


def folder_for_results(out: Path, state: str) -> Path:
    """The folder, if the results replace only earlier results there. Raises BadParameter."""
    from adjudicator.engine.match.resolving import earlier_results

    where = Path(os.path.abspath(out))  # noqa: PTH100  so that `.` has a name, and a link stays a link
    if any((folder / "match.yaml").exists() for folder in (where, *where.parents)):
        raise typer.BadParameter(
            f"{out} is in a match folder, which only `run` writes to", param_hint="--out"
        )
    if (where / "state.yaml").exists() and (where / "state.yaml").samefile(state):
        raise typer.BadParameter(
            f"the results would replace {state}; name another folder", param_hint="--out"
        )
    if out.exists() and not out.is_dir():
        raise typer.BadParameter(f"{out} is there already and isn't a folder", param_hint="--out")
    try:
        earlier_results(where)
    except Faulty as faulty:
        one = faulty.problems[0]
        raise typer.BadParameter(f"{one.file}: {one.text}", param_hint="--out") from None
    return where


def show_question(rulebook: Rulebook[Any], played: list[Played]) -> None:
    """Shows the question, whom it asks, and a form for the answer."""
    from adjudicator.engine.play.view import position_for
    from adjudicator.engine.report.form import answer_form
    from adjudicator.engine.sheets.reading import folder_name

    outcome = played[-1].outcome
    who = outcome.waiting
    echo(f"{folder_name(played[-1].before.phase)} waits for an answer of {who}; nothing was written.")
    echo("Fill this in, and give it with --answer:\n")
    view = position_for(rulebook, outcome.state, who)
    if len(played) > 1:  # the answer will be read for the given phase
        view = position_for(rulebook, played[0].before, who)
    show_document(answer_form(rulebook, view, who, outcome.question).rstrip("\n"))


def say_next(found: GivenFiles, played: list[Played], out: Path) -> None:
    """Says who sent nothing, which phase is open now, and where the results are."""
    from adjudicator.engine.sheets.reading import folder_name

    if found.mail.missing:
        echo(f"No orders came from {names(found.mail.missing)}.")
    head = played[-1].outcome.state.phase
    if head.due:
        echo(f"Open now: {folder_name(head)}; due: {names(head.due)}.")
    else:
        echo("The match is over.")
    echo(f"The results are in {out}: state.yaml, events.jsonl, for/.")


OF_THE_FILE = ("SHEET", "SCHEMA")
"""Codes of what is wrong in a sheet, whatever the game makes of it."""


def try_(
    view: Annotated[str, typer.Argument(metavar="VIEW", help="Your view.yaml.")],
    sheets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SHEET]...", help="Your sheet, and sheets that you guess of others."),
    ] = None,
    dice: Annotated[
        str | None,
        typer.Option(metavar="THROWS", help="The first throws, in order: 4,6,2; the others are by chance."),
    ] = None,
    bots: Annotated[
        bool,
        typer.Option("--bots", help="Others order as the game's own bots would, by what they could know."),
    ] = False,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help="Another text gives other throws, and other hidden things.")
    ] = "",
) -> None:
    """Try out what might happen if these sheets were sent: on your own view, so that nothing secret is needed.

    What you can't know is filled in by chance, within what your earlier reports have told: `known.yaml`, beside your
    view, says that. A player without a sheet here sends none, or with --bots what a bot
    would. A sheet says whose it is by its key `player:`, or by its file's name: guess-genoa.yaml. The match isn't
    touched.

    Status 0, or 1 if anything in the sheets was wrong or refused; 2 for throws that can't be.

    Example: adjudicator try view.yaml mine.yaml guess-genoa.yaml --dice 6,1
    """
    from adjudicator.cli.run import throws_in
    from adjudicator.engine.folder.adjudication import missing_throw, text_of_unused_throws
    from adjudicator.engine.folder.post import SHEETS
    from adjudicator.engine.match.resolving import read_given
    from adjudicator.engine.match.trying_out import Impossible, guessed_position, suppose
    from adjudicator.engine.table.dice import OutOfDice
    from adjudicator.page.foreseen import bot_sheets
    from adjudicator.page.opened import NotOpened, opened

    text = content_of(view)
    try:
        seen = opened(text, view, known=known_beside(Path(view)))
    except NotOpened as bad:
        raise Faulty(bad.problems) from None
    throws = throws_in(dice) if dice and dice.strip() else []
    files = bytes_of(sheets or [])
    given = read_given(seen.rulebook, seen.view, files, {})
    if given.twice:
        raise typer.BadParameter(f"there are two files of {given.twice}; give only one")
    sent = [player for player in seen.view.players if f"{SHEETS}/{player}.yaml" in given.files]
    mine = (seen.rulebook, seen.view, seen.me)
    try:
        guess = guessed_position(*mine, seed, seen.known)
        others = bot_sheets(seen.rulebook, guess, seen.me, sent, seed) if bots else {}
        found = suppose(*mine, files, bots=others, throws=throws, seed=seed, known=seen.known)
    except OutOfDice as error:
        raise typer.BadParameter(missing_throw(error), param_hint="--dice") from None
    except Impossible as error:
        raise Faulty([problem(view, str(error))]) from None
    echo_problems(found.problems)
    if found.left:
        echo(text_of_unused_throws(found.left), err=True)
    show_document(found.report.rstrip("\n"))
    if any(each.severity == "error" or each.code in OF_THE_FILE for each in found.problems):
        raise typer.Exit(1)
