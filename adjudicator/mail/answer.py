"""The answer to a mail: whether it was taken or held, how it was understood, its faults, and the receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, quote

from msgspec import Struct

from adjudicator.door.seats import Seated
from adjudicator.door.submission import PhaseStatus, Submission
from adjudicator.engine.folder.names import PUBLIC
from adjudicator.engine.library.texts import Texts
from adjudicator.engine.report.template import rendered
from adjudicator.engine.text.problem import shortened, visible
from adjudicator.mail.account import Account
from adjudicator.mail.commands import Reply
from adjudicator.mail.finding import Found, Piece
from adjudicator.mail.sender import message_id, reply_address

DEADLINES = "deadlines.ics"
"""The calendar of all matches of a person, as mails attach it."""
MOST_NAMED = 20
"""Lines that weren't read: so many are written out, the others are counted."""


class AnswerFacts(Struct, frozen=True):
    """What an answer says of a mail: `because`, why it is held (empty: it was taken), what became of the files in it
    (`sent`), and all else that was found in it.

    `form` is the form to fill in instead: of an answer if the player is asked something, else of a sheet. `words`: the
    mail had a message, which was passed on to the GM. `seats` are the players at the address on file, if there are
    several, and `named` is the one whom the sheet names. `elsewhere` is the sender's address, if it isn't on file.
    `replies` say what became of commands.
    """

    phase: str
    because: str = ""
    sent: Sequence[Submission] = ()
    found: Found = Found()
    piece: Piece | None = None
    form: str = ""
    words: bool = False
    seats: Sequence[str] = ()
    named: str = ""
    elsewhere: str = ""
    replies: Sequence[Reply] = ()


def text_of(texts: Texts, seated: Seated, said: AnswerFacts, about: PhaseStatus) -> str:
    """The answer as text."""
    lines = said.piece.text.decode("utf-8", "replace").splitlines() if said.piece else []
    last = said.sent[-1] if said.sent else None
    return rendered(
        texts,
        "mail-answer.txt.j2",
        match=seated.seat.match,
        player=seated.seat.player,
        phase=said.phase,
        because=said.because,
        sent=last,
        files=[visible(name) for name in said.found.several],
        understood=last.lines if last else (),
        piece=said.piece,
        lines=[shortened(line) for line in lines],
        beside=said.found.beside,
        within=[shortened(line) for line in said.piece.left] if said.piece else [],
        left=[shortened(line) for line in said.found.left],
        below=[shortened(line) for line in said.found.below],
        mistyped=said.found.mistyped,
        most=MOST_NAMED,
        unread=[visible(name) for name in said.found.unread],
        form=said.form,
        asked=about.asked,
        about=about,
        words=said.words,
        seats=said.seats,
        too=said.named if said.named in said.seats and said.named != seated.seat.player else "",
        elsewhere=visible(said.elsewhere),
        replies=said.replies,
    )


def message_without_text(
    account: Account, seated: Seated, what: str, subject: str, at: datetime, *, token: bool = True
) -> EmailMessage:
    """A mail to a reader without its text. Its Message-ID follows from `what`, so it is the same each time.

    To a player the subject ends with the token: `lagoon 4: your movement by Tue 20:00 (k7q2m9x4ptzc)`; observers have
    none, nor has a player whose `token` doesn't count any more.
    """
    token = token and seated.seat.player != PUBLIC
    message = EmailMessage(policy=SMTP)
    message["From"] = account.address
    message["To"] = addressee(seated.name, seated.address)
    if token:
        message["Reply-To"] = button_of(account, seated)
    message["Subject"] = f"{subject} ({seated.token})" if token else subject
    message["Date"] = format_datetime(at)
    message["Message-ID"] = message_id(seated.seed, seated.seat, what, account.host)
    message["Auto-Submitted"] = "auto-generated"
    return message


def button_of(account: Account, seated: Seated) -> str:
    """The address to which a player answers, and to which the button of a page writes."""
    if not account.plus:
        return account.address
    return reply_address(account.address, seated.seat, seated.token)


def addressee(name: str, address: str) -> str:
    """A mail's receiver: `"Anna" <one@example.org>`; the address alone if there is no name, or one that a header can't
    hold.
    """
    return f'"{quote(name)}" <{address}>' if name and name.isprintable() else address


def answer_to(
    account: Account,
    seated: Seated,
    of: str,
    subject: str,
    text: str,
    at: datetime,
    *,
    which: str = "",
    files: Mapping[str, bytes] = {},
) -> EmailMessage:
    """The answer to the mail with that Message-ID, marked as a machine's answer (RFC 3834). `which` tells it from other
    answers to the same mail. `files` are pictures of maps, and calendars.
    """
    message = message_without_text(account, seated, f"answer {which}{of}", f"Re: {subject}", at)
    message.replace_header("Auto-Submitted", "auto-replied")
    message["In-Reply-To"] = message["References"] = of
    message.set_content(text, cte="quoted-printable")
    add_files(message, files)
    return message


def add_files(message: EmailMessage, files: Mapping[str, bytes]) -> None:
    """Attaches pictures of maps, and calendars."""
    for name, data in files.items():
        main, sub = ("text", "calendar") if name.endswith(".ics") else ("image", "svg+xml")
        message.add_attachment(data, maintype=main, subtype=sub, filename=name)
