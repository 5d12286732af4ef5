"""`adjudicator replace`: gives a seat to somebody else."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At, Why
from adjudicator.cli.output import echo


def replace(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
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
    from adjudicator.cli.acting import wrong_values_end_with_2
    from adjudicator.cli.clock import time_of
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.acts import replace as put_in
    from adjudicator.gm.by_mail import by_mail

    name, _, who = player.partition("=")
    with wrong_values_end_with_2():
        put_in(folder, name, "" if bot else who, time_of(at, folder), why=why, bot=who if bot else None)
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
