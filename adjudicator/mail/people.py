"""Mails as people write them, with a sheet somewhere in them: for demos and tests that play by mail."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from email.utils import localtime, make_msgid

QUOTED_LINES = 40
"""Lines of a mail that people leave under their answer; they cut off the rest."""
TYPOGRAPHIC = str.maketrans({"'": "’"})


def answer_to(mail: EmailMessage, sender: str, number: str = "") -> EmailMessage:
    """An answer with its headers, as mail programs make them. `number` is its Message-ID; left out: a new one."""
    message = EmailMessage()
    message["From"], message["To"] = sender, str(mail["Reply-To"] or mail["From"])
    message["Subject"] = f"Re: {mail['Subject']}"
    message["Date"] = localtime()
    message["Message-ID"] = number or make_msgid(domain=sender.rpartition("@")[2])
    message["In-Reply-To"] = message["References"] = str(mail["Message-ID"])
    return message


def attach_sheet(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes a word, and attaches the sheet as a file."""
    message.set_content("Hello,\n\nmy sheet is attached.\n\nBest wishes\n")
    message.add_attachment(sheet.encode(), maintype="application", subtype="yaml", filename="sheet.yaml")


def write_above(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes the sheet between a greeting and a signature, above the mail that is answered."""
    text = f"Hi all,\n\nhere we go:\n\n{sheet}\nSee you\n\n-- \nSent with a mail program\n"
    message.set_content(f"{text}\n{_quoted(mail)}")


def write_from_phone(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes the sheet as a phone does: with typographic apostrophes, no-break spaces and the phone's signature."""
    text = "\n".join(line.replace("  ", "\u00a0 ") for line in sheet.translate(TYPOGRAPHIC).split("\n"))
    message.set_content(f"{text}\nSent from my iPhone\n\n{_quoted(mail)}")


def write_as_html(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes the sheet as HTML alone, with a `div` for each line, as webmail does it."""
    lines = (html.escape(line).replace("  ", "&nbsp; ") or "<br>" for line in sheet.splitlines())
    boxes = "".join(f"<div>{line}</div>" for line in lines)
    message.set_content(f'<div dir="ltr"><div>Dear GM,</div><div><br></div>{boxes}</div>', subtype="html")


WAYS: Mapping[str, Callable[[EmailMessage, str, EmailMessage], None]] = {
    "with the sheet attached": attach_sheet,
    "above what is answered": write_above,
    "from a phone": write_from_phone,
    "in webmail, as HTML": write_as_html,
}
"""The ways to send a sheet, by their names in the demo's lines."""


def _quoted(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    lines = str(body.get_content()).splitlines()[:QUOTED_LINES] if body is not None else []
    return "".join(f"{'> ' + line if line else '>'}\n" for line in [f"{mail['From']} wrote:", "", *lines])
