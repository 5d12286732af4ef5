"""`demo`: a whole match by bots, in a real match folder, with real sheets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.output import echo
from adjudicator.cli.saying import sentence_of_rounds
from adjudicator.process import collect_garbage_often

if TYPE_CHECKING:
    from adjudicator.engine.folder.folder import Folder
    from adjudicator.engine.play.attempts import SeededChance
    from adjudicator.engine.table.event import Head
    from adjudicator.engine.table.rulebook import Bot, Rulebook

NAME = "demo"
"""The match's name. The dice follow from it too, and the same seed should play the same match in any folder."""
SITE = "site"
"""The subfolder for the match's pages; no run reads it."""


def demo(
    rulebook: Annotated[str, typer.Argument(metavar="GAME", help="The game, as in `adjudicator games`.")],
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="The match's folder, new; left out: named after the game."),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="The same text plays the same match.")] = "",
    players: Annotated[int, typer.Option(min=0, help="How many players; 0: as many as can play.")] = 0,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the match.")
    ] = None,
    mail: Annotated[
        bool, typer.Option("--mail", help="Play two turns over a real mail server on this machine.")
    ] = False,
) -> None:
    """Play a whole match by bots, with all the files of a real one, and write its pages.

    With --mail the bots get each phase by IMAP and write mails as people do. If something that this needs isn't
    installed, it says what, and ends with status 3.

    Example: adjudicator demo mediterranee lagoon --seed calm
    """
    import secrets

    from adjudicator.cli.find import game_named, options_in, table_of
    from adjudicator.cli.site import write_with_progress
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.match.begin import begin
    from adjudicator.engine.play.attempts import SeededChance

    game = game_named(rulebook)
    table = table_of(game, players)
    options_in(game, option or [])
    if folder is not None and folder.exists():
        raise typer.BadParameter(f"{folder} is there already; name a new folder", param_hint="FOLDER")
    path = folder or unused_folder(game.key)
    options = dict(word.split("=", 1) for word in option or [])
    chance = SeededChance(seed or secrets.token_hex())
    addresses, gm = {}, ""
    if mail:
        from adjudicator.cli import demo_mail

        demo_mail.refuse_without_parts()
        addresses, gm = demo_mail.addresses(table), demo_mail.GM
    begin(game.key, path, table, options=options, seed_text=seed, name=NAME, addresses=addresses, gm=gm)
    if mail:
        demo_mail.play_by_mail(path, game, chance)
        return
    with collect_garbage_often():
        for _ in play_with_progress(path, game, chance):
            pass
    match = open_match(path)
    for line in (*results(match), "", sentence_of_rounds(match), ""):
        echo(line)
    echo(f"Open {write_with_progress(match, path / SITE)}")
    if match.state(0).options.pacing != "live":
        for line in begin_for_reader(path, game, table, options):
            echo(line)


def begin_for_reader(
    path: Path, game: Rulebook[Any], table: tuple[str, ...], options: dict[str, str]
) -> Iterator[str]:
    """Begins a match beside the demo in which the reader has the first seat and bots the others; says how to play."""
    from adjudicator.cli.clock import time_of
    from adjudicator.engine.match.begin import begin
    from adjudicator.gm.bots import bots_of, name_shown
    from adjudicator.gm.playing import entries_of_run, run_by_hand

    mine, *others = table
    folder, bots = (
        unused_folder(f"{path.name}-yours", path.parent),
        dict.fromkeys(others, next(iter(bots_of(game)))),
    )
    names = {player: name_shown(bot) for player, bot in bots.items()}
    now = time_of("")
    begin(game.key, folder, table, options=options, names=names, bots=bots, keep=entries_of_run(now))
    ran = run_by_hand(folder, now)
    yield ""
    yield f"Your turn: a match against bots has begun in {folder}, and you play {mine}."
    page = folder / ran.open / "for" / mine / "orders.html"
    if page.exists():
        yield f"Order on this page: {page.resolve().as_uri()}"
        yield f"Put the sheet into {folder / ran.open / 'sheets'}, then: adjudicator run {folder}"
    yield f"Or all of it in a browser: adjudicator play {folder}"


def unused_folder(name: str, among: Path = Path()) -> Path:
    """A new folder in another, by default the current one: `mediterranee`, `mediterranee-2`, ..."""
    number = 1
    while (path := among / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return path


def play_with_progress(path: Path, game: Rulebook[Any], chance: SeededChance) -> Iterator[Head]:
    """Plays the match, with a progress bar on a terminal; yields what `play_phases` does."""
    from rich.console import Console
    from rich.progress import Progress

    from adjudicator.engine.folder.folder import open_match

    console = Console(stderr=True)
    turns = getattr(open_match(path).state(0).options, "turns", None)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(game.title, total=turns)
        for head in play_phases(path, game, chance):
            bar.update(
                task, completed=head.turn - 1, description=f"{game.title}, turn {head.turn}, {head.name}"
            )
            yield head


def play_phases(path: Path, game: Rulebook[Any], chance: SeededChance) -> Iterator[Head]:
    """Plays the match to its end, with a run whenever all sheets are in; yields the phases at which it waited."""
    from adjudicator.engine.bots import random_bot
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.match.run import run

    bot = game.bot or random_bot(game)
    while True:
        match = open_match(path)
        head: Head = match.state(match.last).phase
        if head.over:
            return
        yield head
        send(match, bot, chance)
        run(path)


def send(match: Folder, bot: Bot, chance: SeededChance) -> None:
    """Puts the due players' sheets into the phase's folder."""
    from adjudicator.gm.bots import sheet_of

    phase = match.path / match.phases[-1]
    for player in match.state(match.last).phase.due:
        text = sheet_of(match, player, bot, chance)
        (phase / "sheets" / f"{player}.yaml").write_text(text, encoding="utf-8", newline="\n")


def results(match: Folder) -> Iterator[str]:
    """How the match was won, and all points if these decided."""
    from adjudicator.engine.handout.for_all import end_line
    from adjudicator.engine.report.markdown_html import plain_text
    from adjudicator.engine.table.points import total

    yield plain_text(end_line(match))
    if match.rulebook.winners is None:
        points = match.rulebook.points(match.state(match.last))
        totals = {player: total(lines).points for player, lines in points.items()}
        ranked = sorted(totals, key=lambda player: -totals[player])
        yield f"Points: {', '.join(f'{player} {totals[player]}' for player in ranked)}."
