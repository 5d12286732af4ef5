"""`demo`: a whole match by bots, in a real match folder, with real sheets."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.options import time_of
from adjudicator.cli.output import echo, echo_lines
from adjudicator.cli.saying import sentence_of_rounds
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.process import collect_garbage_often

if TYPE_CHECKING:
    from email.message import EmailMessage

    from adjudicator.cli.post_office import PostOffice
    from adjudicator.engine.folder.folder import Folder
    from adjudicator.engine.play.attempts import SeededChance
    from adjudicator.engine.table.event import Head, Player
    from adjudicator.engine.table.rulebook import Bot, Rulebook
    from adjudicator.mail.account import Account


NAME = "demo"
"""The match's name. The dice follow from it too, and the same seed should play the same match in any folder."""
SITE = "site"
"""The subfolder for the match's pages; no run reads it."""
TURNS = 2
HOST = "players.example"
GM = f"gm@{HOST}"
MAILBOXES = "mailboxes"
"""The subfolder for a copy of every mail; no run reads it."""
CANT = 3


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

    from adjudicator.cli.rules import game_named, options_in, table_of
    from adjudicator.cli.written import write_with_progress
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
        refuse_without_parts()
        addresses, gm = addresses_of(table), GM
    begin(game.key, path, table, options=options, seed_text=seed, name=NAME, addresses=addresses, gm=gm)
    if mail:
        play_by_mail(path, game, chance)
        return
    with collect_garbage_often():
        for _ in play_with_progress(path, game, chance):
            pass
    match = open_match(path)
    echo_lines([*results(match), "", sentence_of_rounds(match), ""])
    echo(f"Open {write_with_progress(match, path / SITE)}")
    if match.state(0).options.pacing != "live":
        echo_lines(begin_for_reader(path, game, table, options))


def begin_for_reader(
    path: Path, game: Rulebook[Any], table: tuple[str, ...], options: dict[str, str]
) -> Iterator[str]:
    """Begins a match beside the demo in which the reader has the first seat and bots the others; says how to play."""
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


def addresses_of(players: Sequence[Player]) -> dict[Player, str]:
    """The players' addresses, which exist only in the demo's own post office."""
    return {player: f"{player}@{HOST}" for player in players}


def play_by_mail(path: Path, game: Rulebook[Any], chance: SeededChance) -> None:
    """Plays two turns of a new match, and says where the mails and the reports are. Raises Faulty."""
    from adjudicator.cli.post_office import NotStarted, open_office
    from adjudicator.engine.folder.folder import open_match

    persons = addresses_of(open_match(path).card.players)
    try:
        with open_office([GM, *persons.values()]) as office:
            echo_lines(play_turns(path, game, office, chance))
            echo_lines(write_mails(path, office, persons))
    except NotStarted as error:
        raise Faulty([problem("Dovecot", f"it didn't start: {error}")]) from None


def refuse_without_parts() -> None:
    """Says what is missing, and ends with status 3, if this machine can't run the post office."""
    if os.name == "nt":
        parts = ["Dovecot, which doesn't exist for Windows"]
    else:
        from adjudicator.cli.post_office import missing_parts

        parts = missing_parts()
    if not parts:
        return
    echo(
        "This plays over a real mail server on your own machine, and needs these, which aren't installed:",
        err=True,
    )
    for part in parts:
        echo(f"  {part}", err=True)
    echo("Leave out --mail to play without mails.", err=True)
    raise typer.Exit(CANT)


def play_turns(path: Path, game: Rulebook[Any], office: PostOffice, chance: SeededChance) -> Iterator[str]:
    """Plays, and yields a line for each mail and each phase."""
    from adjudicator.engine.bots import random_bot
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.bots import sheet_of
    from adjudicator.mail.sending import send

    account, bot, written = office.account(GM), game.bot or random_bot(game), 0
    send(path, account, time_of(""))
    while True:
        match = open_match(path)
        head = match.state(match.last).phase
        if head.over or head.turn > TURNS:
            return
        yield f"{match.phases[-1]}: mailed to everybody."
        for player in head.due:
            sheet = sheet_of(match, player, bot, chance)
            yield f"  {player} answers {answer_last_mail(office, player, sheet, written)}."
            written += 1
        yield from (f"  {line}" for line in turn(path, account))
        if open_match(path).phases == match.phases:
            return  # the match waits for an answer, and bots don't answer questions


def answer_last_mail(office: PostOffice, player: Player, sheet: str, number: int) -> str:
    """A bot answers the last phase in its mailbox, each time in another way; returns the way's name."""
    from adjudicator.cli.post_office import WAYS, answer_to, read

    (address,) = addresses_of([player]).values()
    phase = [mail for mail in map(read, office.mails(address)) if _has_form(mail)][-1]
    how = list(WAYS)[number % len(WAYS)]
    message = answer_to(phase, address)
    WAYS[how](message, sheet, phase)
    office.send(message)
    return how


def _has_form(mail: EmailMessage) -> bool:
    return any(part.get_filename() == "sheet.yaml" for part in mail.iter_attachments())


def turn(path: Path, account: Account) -> Iterator[str]:
    """Fetches, adjudicates as `mail turn` does (by hand if a sheet has faults) and sends; yields what was done.

    Raises Faulty.
    """
    from adjudicator.gm.playing import run_by_hand, run_if_due
    from adjudicator.mail.fetching import fetch
    from adjudicator.mail.sending import send
    from adjudicator.mail.settling import MailOutcome

    came: list[MailOutcome] = []
    for faulty in fetch(account, [path], time_of(""), came.append)[0]:
        raise faulty
    for each in came:
        if each.what != "ours":
            yield f"{each.what}, and answered: the mail of {each.player}{f' ({each.because})' * bool(each.because)}"
    ran = run_if_due(path, time_of(""))
    if ran.because:  # bots don't correct their sheets
        yield f"closed by hand, for {ran.because}"
        ran = run_by_hand(path, time_of(""), deadline=True)
    send(path, account, time_of(""))
    yield f"adjudicated: {', '.join(ran.adjudicated)}" if ran.adjudicated else f"{ran.open} waits"


def write_mails(path: Path, office: PostOffice, persons: Mapping[Player, str]) -> Iterator[str]:
    """Writes every mail as a file, and says where the mails and the reports are."""
    from adjudicator.engine.folder.folder import open_match

    match = open_match(path)
    yield ""
    for player, address in persons.items():
        mails = office.write_files(address, path / MAILBOXES / player)
        last = path / match.phases[-1] / "for" / player
        report = next(file for name in ("report.html", "report.md") if (file := last / name).is_file())
        yield f"{player} got {len(mails)} mails: {mails[0].parent.resolve().as_uri()}"
        yield f"  the last report: {report.resolve().as_uri()}"
    mails = office.write_files(GM, path / MAILBOXES / "gm")
    yield f"The GM got {len(mails)} mails, a copy of all that went out among them: {mails[0].parent.resolve().as_uri()}"
    yield f"A mail program opens them; the match is in {path}, its mail in mail/ of each phase."
