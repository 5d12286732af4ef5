"""Each way by which a sheet comes, from its bytes to what its sender is told; and the states of a match it may meet."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from functools import cache
from pathlib import Path

from msgspec import Struct

import adjudicator
from adjudicator.door.seats import seats_of
from adjudicator.door.submission import kind_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.entries import Held, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import KEYS
from adjudicator.git.box import Pushed
from adjudicator.git.keys import RefereeKey, new_referee_key
from adjudicator.git.reply import reply_of
from adjudicator.git.sealed import Label, seal
from adjudicator.git.taking import take
from adjudicator.page import serving
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import GM, LocalPost


class Told(Struct, frozen=True):
    """What a sender is told: why it is held (empty: it is taken), and the words."""

    because: str
    words: str


States = Callable[[Callable[[Path], None]], Path]
"""A match in a state, made once."""
Door = Callable[[Path, str, bytes, datetime], Told]


def by_program(match: Path, player: str, data: bytes, now: datetime) -> Told:
    """A program in Python."""
    sent = adjudicator.open(match).submit(player, data, came=now)
    return Told(sent.because, sent.why)


def by_command(match: Path, player: str, data: bytes, now: datetime) -> Told:
    """The command of a GM to whom the sheet was read out."""
    file = match.parent / "handed-in.yaml"
    file.write_bytes(data)
    told = call("submit", match, file, "--player", player, "--at", f"{now:%Y-%m-%dT%H:%M:%SZ}")
    taken = told.output.startswith("Taken")
    assert told.exit_code == (0 if taken else 1), told.output
    return Told("" if taken else "held", told.output)


def by_page(match: Path, player: str, data: bytes, now: datetime) -> Told:
    """The page of `play`, which hands in what it was made for."""
    there = open_match(match)
    of = f"{there.phases[-1]}/{kind_of(data)}/{player}.yaml"
    found = serving.hand_in(match, player, of, data.decode(errors="replace"), now)
    return Told("held" if found["held"] else "", found["held"])


def by_mail(match: Path, player: str, data: bytes, now: datetime, token: str = "") -> Told:
    """A mail with the file attached, with that token or the player's own."""
    return mailed(match, player, with_files(data), now, token)


def with_files(*files: bytes) -> EmailMessage:
    """A mail with sheets attached."""
    message = EmailMessage()
    message.set_content("")
    for number, data in enumerate(files):
        name = f"sheet-{number}.yaml"
        message.add_attachment(data, maintype="application", subtype="yaml", filename=name)
    return message


def by_mails_text(match: Path, player: str, data: bytes, now: datetime) -> Told:
    """A mail with the sheet as its text, above a signature."""
    message = EmailMessage()
    message.set_content(f"{data.decode()}\n-- \nA player\n")
    return mailed(match, player, message, now)


def mailed(match: Path, player: str, message: EmailMessage, now: datetime, token: str = "") -> Told:
    """What a mail with that token, by default the player's own, is answered."""
    post = LocalPost(match.parent / "post")
    post.account(match, plus="false")
    seated = next(each for each in seats_of(open_match(match)) if each.seat.player == player)
    message["From"], message["To"] = seated.address, GM
    message["Subject"] = f"my orders {token or seated.token}"
    message["Message-ID"] = f"<{len(ledger_of(open_match(match)))}@player.example>"
    post.deliver(message)
    os.utime(post.home / GM / "new" / f"x{post.count:05d}", (now.timestamp(), now.timestamp()))
    before = len(of_kind(ledger_of(open_match(match)), Held))
    at = f"{now:%Y-%m-%dT%H:%M:%SZ}"
    told = call("mail", "fetch", match, "--at", at)
    assert told.exit_code == 0, told.output
    held = of_kind(ledger_of(open_match(match)), Held)[before:]
    (match / "mail.yaml").unlink()
    answers = post.mails_to(seated.address)
    because = held[0].because if held else "left" if ": left of " in told.output else ""
    return Told(because, answers[-1].get_content() if answers else told.output)


def by_git(match: Path, player: str, data: bytes, now: datetime, token: str = "") -> Told:
    """A file that was sealed for the open phase, with that token or the player's own, and pushed."""
    key, public = referee_key()
    (match / KEYS).write_bytes(papers.text_of(papers.Keys((public,))))
    there = open_match(match)
    seated = next(each for each in seats_of(there) if each.seat.player == player)
    answers = kind_of(data) == "answers"
    phase = there.phases[-1]
    label = Label("answer" if answers else "sheet", there.card.match, phase, player, token or seated.token)
    sealed = seal(label, data, [public])
    name = f"{phase}{'-answer' if answers else ''}.age"
    (found,) = take(match, [Pushed(player, name, str(len(ledger_of(there))), sealed)], key, now, [])
    return Told(found.because, reply_of(open_match(match), player).text)


@cache
def referee_key() -> tuple[RefereeKey, str]:
    return new_referee_key()


DOORS: dict[str, Door] = {
    "program": by_program,
    "command": by_command,
    "page": by_page,
    "mail": by_mail,
    "git": by_git,
}
