"""The mail of a phase: the report as the mail's text, and the attached files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from email.message import EmailMessage

from adjudicator.engine.folder.folder import Folder, digest_of
from adjudicator.engine.folder.names import FOR, PROOF, PUBLIC, RECEIPTS, SEED
from adjudicator.engine.folder.post import Post
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.markdown_html import html_of
from adjudicator.engine.report.standalone import standalone_page
from adjudicator.engine.report.template import environment
from adjudicator.gm.missed import just_missed
from adjudicator.mail.account import Account
from adjudicator.mail.answer import headed, subject_of
from adjudicator.mail.reading import title_of
from adjudicator.mail.sender import Seated
from adjudicator.mail.tokens import reply_address

REPORT, FORM, QUESTION, PAGE = "report.md", "sheet.yaml", "answer.yaml", "orders.html"
FILES = {
    "report.html": ("text", "html"),
    PAGE: ("text", "html"),
    FORM: ("application", "yaml"),
    QUESTION: ("application", "yaml"),
    "due.ics": ("text", "calendar"),
    RECEIPTS: ("application", "json"),
    SEED: ("application", "yaml"),
    PROOF: ("application", "x-ndjson"),
}
"""The files that are attached if they exist, with their types."""


def files_for(match: Folder, reader: str) -> dict[str, str]:
    """The SHA-256 of each file that a reader gets in the open phase, by its name in `for/<reader>/`."""
    top = f"{match.phases[-1]}/{FOR}/{reader}"
    return {
        name: digest_of(match.read(f"{top}/{name}"))
        for name in (REPORT, *FILES)
        if match.has(f"{top}/{name}")
    }


def what_of(phase: str, files: Mapping[str, str]) -> str:
    """A text that stands for a phase's mail with these files; the Message-ID follows from it."""
    return f"{phase} {digest_of(repr(sorted(files.items())).encode())}"


def parcel(
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, done: str = ""
) -> EmailMessage:
    """The mail of the open phase to a player; `done` ends the subject with what the GM did since the last mail."""
    reader = seated.seat.player
    title = title_of(match, reader)
    message = headed(account, seated, what, subject_of(seated, f"{title}{done}"), at)
    _fill(message, match, account, reader, title, form_for(match, reader))
    button = reply_address(account.address, seated.seat, seated.token) if account.plus else account.address
    attach(message, match, reader, FILES, button)
    return message


def public_parcel(
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, done: str = ""
) -> EmailMessage:
    """The mail of the public report to observers; nobody sees who else gets it."""
    title = title_of(match, None)
    message = headed(account, seated, what, f"[{match.card.match}] {title}{done}", at)
    del message["To"], message["Reply-To"]
    message["To"] = account.address
    _fill(message, match, account, PUBLIC, title, "")
    attach(message, match, PUBLIC, ("report.html",), "")
    return message


def form_for(match: Folder, player: str) -> str:
    """The form that a player may fill in: that of an answer if the player is asked something, else that of a sheet.

    Empty if neither is possible: the phase waits for somebody else's answer, or the match is over.
    """
    return _text(match, player, QUESTION) or _text(match, player, FORM)


def is_given(match: Folder, player: str) -> bool:
    """Do we already have a due player's orders (sent, ahead or standing), so that the match doesn't wait for them?

    This can be when a phase is mailed again, as after `resume`. Raises Faulty.
    """
    mail = Post(match).collect(match.last)
    own = mail.sheets.get(player)
    given = player in mail.standing or (own is not None and own.orders is not None)
    return given and player not in mail.missing


def is_awaited(match: Folder, player: str) -> bool:
    """Does the open phase wait for a player's sheet? Not if it is open again and the player sent none before."""
    return player in Post(match).collect(match.last).missing


def _fill(message: EmailMessage, match: Folder, account: Account, reader: str, title: str, form: str) -> None:
    message["Auto-Submitted"] = "auto-generated"
    texts = environment(texts_of(match.rulebook_for(reader)))
    report = _text(match, reader, REPORT)
    phase = match.state(match.last).phase
    facts = {
        "asked": match.opening(match.last).waits == reader,
        "due": reader in phase.due,
        "given": reader in phase.due and is_given(match, reader),
        "awaited": is_awaited(match, reader),
        "over": phase.over,
        "missed": next((seat for seat in just_missed(match) if seat.player == reader), None),
        "page": bool(_text(match, reader, PAGE)),
        "plus": account.plus,
        "form": form,
        "title": title,
    }
    plain = texts.get_template("mail-turn.txt.j2").render(report=report, **facts)
    page = texts.get_template("mail-turn.html.j2").render(report=html_of(report, {}), **facts)
    message.set_content(plain.strip() + "\n", cte="quoted-printable")
    message.add_alternative(page, subtype="html", cte="quoted-printable")


def attach(message: EmailMessage, match: Folder, reader: str, names: Iterable[str], button: str) -> None:
    """Attaches those of a reader's files that exist; the mail button of pages sends to the address `button`."""
    for name in names:
        text = _text(match, reader, name)
        if not text:
            continue
        main, sub = FILES[name]
        if name.endswith(".html"):
            text = standalone_page(text, button)
        message.add_attachment(text.encode(), maintype=main, subtype=sub, filename=name)


def _text(match: Folder, reader: str, name: str) -> str:
    path = f"{match.phases[-1]}/{FOR}/{reader}/{name}"
    return match.read(path).decode(errors="replace") if match.has(path) else ""
