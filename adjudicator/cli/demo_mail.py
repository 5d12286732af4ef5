"""`demo --mail`: plays two turns over a real mail server on this machine, with bots that write mails as people do."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from adjudicator.cli.output import echo

if TYPE_CHECKING:
    from email.message import EmailMessage

    from adjudicator.engine.play.attempts import SeededChance
    from adjudicator.engine.table.event import Player
    from adjudicator.engine.table.rulebook import Rulebook
    from adjudicator.mail.account import Account
    from adjudicator.mail.postoffice import PostOffice

TURNS = 2
HOST = "players.example"
GM = f"gm@{HOST}"
MAILBOXES = "mailboxes"
"""The subfolder for a copy of every mail; no run reads it."""
CANT = 3


def addresses(players: Sequence[Player]) -> dict[Player, str]:
    """The players' addresses, which exist only in the demo's own post office."""
    return {player: f"{player}@{HOST}" for player in players}


def play_by_mail(path: Path, game: Rulebook[Any], chance: SeededChance) -> None:
    """Plays two turns of a new match, and says where the mails and the reports are. Raises Faulty."""
    from adjudicator.engine.folder.errors import Faulty, problem
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.mail.dovecot import NotStarted
    from adjudicator.mail.postoffice import open_office

    persons = addresses(open_match(path).card.players)
    try:
        with open_office([GM, *persons.values()]) as office:
            for line in play_turns(path, game, office, chance):
                echo(line)
            for line in write_mails(path, office, persons):
                echo(line)
    except NotStarted as error:
        raise Faulty([problem("Dovecot", f"it didn't start: {error}")]) from None


def refuse_without_parts() -> None:
    """Says what is missing, and ends with status 3, if this machine can't run the post office."""
    if os.name == "nt":
        parts = ["Dovecot, which doesn't exist for Windows"]
    else:
        from adjudicator.mail.postoffice import missing_parts

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
    from adjudicator.cli.clock import time_of
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
    from adjudicator.mail.people import WAYS, answer_to
    from adjudicator.mail.postoffice import read

    (address,) = addresses([player]).values()
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
    from adjudicator.cli.clock import time_of
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
