"""`adjudicator try`: what might happen, on a player's own view, with orders that the player guesses for others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.output import echo, show_document

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
    from adjudicator.cli.files import content, known_beside
    from adjudicator.cli.resolve import bytes_of
    from adjudicator.cli.run import throws_in
    from adjudicator.engine.folder.adjudication import missing_throw, text_of_unused_throws
    from adjudicator.engine.folder.errors import Faulty, problem
    from adjudicator.engine.folder.post import SHEETS
    from adjudicator.engine.match.resolving import read_given
    from adjudicator.engine.match.sheet_checks import Impossible, suppose
    from adjudicator.engine.table.dice import OutOfDice
    from adjudicator.engine.text.problem import as_text
    from adjudicator.page.called import bot_sheets
    from adjudicator.page.opened import NotOpened, opened

    text = content(view)
    if not isinstance(text, bytes):
        raise Faulty([text])
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
        others = bot_sheets(*mine, sent, seed, seen.known) if bots else {}
        found = suppose(*mine, files, bots=others, throws=throws, seed=seed, known=seen.known)
    except OutOfDice as error:
        raise typer.BadParameter(missing_throw(error), param_hint="--dice") from None
    except Impossible as error:
        raise Faulty([problem(view, str(error))]) from None
    if found.problems:
        echo(as_text(found.problems), err=True)
    if found.left:
        echo(text_of_unused_throws(found.left), err=True)
    show_document(found.report.rstrip("\n"))
    if any(each.severity == "error" or each.code in OF_THE_FILE for each in found.problems):
        raise typer.Exit(1)
