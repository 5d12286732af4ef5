"""Mails to a player who takes over a seat, with all that the seat may know, and to the one who gave it up."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from msgspec.structs import replace

from adjudicator.door.seats import Seated
from adjudicator.engine.folder.entries import Replaced
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import names_of
from adjudicator.engine.folder.names import FOR
from adjudicator.engine.handout.times import due_text
from adjudicator.engine.library.rules import rules_md
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.clock import clock
from adjudicator.engine.report.template import environment
from adjudicator.mail.account import Account
from adjudicator.mail.answer import message_without_text, with_token
from adjudicator.mail.parcel import PAGE
from adjudicator.mail.tokens import message_id

SO_FAR = "so-far.zip"
"""The file with all that the seat has got, a folder for each phase."""
_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""The date of every file in it, so that the same files give the same bytes."""


def message_id_of(seated: Seated, number: int, what: str, account: Account) -> str:
    """The Message-ID of a `welcome` or a `farewell`; `number` is how often the seat had changed hands before."""
    seat = seated.seat if what == "welcome" else replace(seated.seat, number=number)
    return message_id(seated.seed, seat, f"{what} {number}", account.host)


def welcome(
    match: Folder, account: Account, seated: Seated, number: int, entry: Replaced, at: datetime
) -> EmailMessage:
    """The mail to the new player: what the match is, the rules, and all that the seat has got so far."""
    player = seated.seat.player
    known = texts_of(match.rulebook_for(player))
    texts = environment(known).get_template("mail-replaced.txt.j2")
    subject = str(clock(match.rulebook_for(player)).welcome(match.card.match, player)).strip()
    message = message_without_text(account, seated, f"welcome {number}", with_token(seated, subject), at)
    text = texts.render(
        **_facts(match, player, entry), welcome=True, until=due_text(match, match.last, player)
    )
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text.strip() + "\n", cte="quoted-printable")
    rules = rules_md(match.rulebook.package).encode()
    message.add_attachment(rules, maintype="text", subtype="markdown", filename="rules.md")
    message.add_attachment(
        papers_so_far(match, player), maintype="application", subtype="zip", filename=SO_FAR
    )
    return message


def farewell(
    match: Folder, account: Account, seated: Seated, number: int, address: str, entry: Replaced, at: datetime
) -> EmailMessage:
    """The mail to the player whom another replaced. It has no token: the tokens of that player don't count any more."""
    player = seated.seat.player
    known = texts_of(match.rulebook_for(player))
    texts = environment(known).get_template("mail-replaced.txt.j2")
    message = EmailMessage(policy=SMTP)
    message["From"] = account.address
    message["To"] = address
    message["Subject"] = str(clock(match.rulebook_for(player)).farewell(match.card.match)).strip()
    message["Date"] = format_datetime(at)
    message["Message-ID"] = message_id_of(seated, number, "farewell", account)
    message["Auto-Submitted"] = "auto-generated"
    text = texts.render(**_facts(match, player, entry), welcome=False)
    message.set_content(text.strip() + "\n", cte="quoted-printable")
    return message


def _facts(match: Folder, player: str, entry: Replaced) -> dict[str, object]:
    return {"match": match.card.match, "player": player, "title": match.rulebook.title, "why": entry.why}


def papers_so_far(match: Folder, player: str) -> bytes:
    """A zip file with all that a seat got and sent in each phase, without the pages for orders."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as pack:
        for phase in match.phases:
            top = f"{phase}/{FOR}/{player}"
            files = {name: f"{top}/{name}" for name in sorted(match.names(top)) if name != PAGE}
            sent = {name.replace("/", "-"): f"{phase}/{name}" for name in names_of(player)}
            for name, path in {**files, **sent}.items():
                if match.has(path):
                    info = zipfile.ZipInfo(f"{phase}/{name}", _ALWAYS)
                    info.compress_type = zipfile.ZIP_DEFLATED
                    pack.writestr(info, match.read(path))
    return packed.getvalue()
