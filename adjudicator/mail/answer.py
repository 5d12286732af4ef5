"""The answer to a mail: whether it was taken or held, how it was understood, its faults, and the receipt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, quote
from typing import Literal

from msgspec import Struct

from adjudicator.engine.library.texts import Texts
from adjudicator.engine.match.sheet_checks import below_orders
from adjudicator.engine.text.problem import Problem, visible
from adjudicator.mail.account import Account
from adjudicator.mail.finding import Found
from adjudicator.mail.sender import Seated
from adjudicator.mail.tokens import message_id, reply_address
from adjudicator.mail.written import Piece

SHEET = "sheet"
"""The file name in problems of a mailed sheet."""
_BLANKS = re.compile(r"\n{3,}")
LONGEST_LINE = 400
MOST_NAMED = 20
"""Lines that weren't read: so many are written out, the others are counted."""


class AnswerFacts(Struct, frozen=True):
    """What an answer says of a mail: `because`, why it is held (empty: it was taken), and all that was found in it.

    `form` is the form to fill in instead: of an answer if the player is asked something, else of a sheet. `words`: the
    mail had a message, which was passed on to the GM. `seats` are the players at the address on file, if there are
    several, and `named` is the one whom the sheet names. `elsewhere` is the sender's address, if it isn't on file.
    For a mail that came too late, `came` is when the server got it, and `closes` is when the phase was to close; of one
    that came before its phase was opened, only `came` is known.
    """

    phase: str
    because: str = ""
    kind: str = SHEET
    receipt: str = ""
    found: Found = Found()
    piece: Piece | None = None
    understood: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    form: str = ""
    words: bool = False
    seats: Sequence[str] = ()
    named: str = ""
    elsewhere: str = ""
    came: str = ""
    closes: str = ""


Next = Literal["", "held", "unfinished", "complete", "answered", "late", "again", "faulty", "early", "open"]
"""What becomes of a phase for which something was just taken; empty: nothing was.

`held`: the match is on hold. `unfinished`: the sheet is a draft or has no orders. `complete`: all sheets are there now;
`answered`: the answer was all that was missing. `late`: the deadline is past, but the grace isn't over. `again`: the
phase was taken back, and is played again at its deadline or by the GM. `faulty`: the sheet has faults, so the phase
waits. `early`: it is played when all are there.
"""


class PhaseStatus(Struct, frozen=True):
    """The state of the open phase, as an answer tells it: `until` is its deadline in words, empty if it has none.

    `earlier` is the receipt of what came from the player before: of answers if the player is `asked` something, else of
    a sheet. `due`: the match waits for a sheet of the player. `ahead` is the folder of the phase whose sheet brought
    orders for this one; `standing`: standing orders apply.
    """

    until: str = ""
    earlier: str = ""
    asked: bool = False
    due: bool = False
    ahead: str = ""
    standing: bool = False
    next: Next = ""


def text_of(texts: Texts, seated: Seated, said: AnswerFacts, about: PhaseStatus) -> str:
    """The answer as text."""
    from adjudicator.engine.report.template import environment

    lines = said.piece.text.decode("utf-8", "replace").splitlines() if said.piece else []
    text = (
        environment(texts)
        .get_template("mail-answer.txt.j2")
        .render(
            match=seated.seat.match,
            player=seated.seat.player,
            phase=said.phase,
            because=said.because,
            kind=said.kind,
            receipt=said.receipt,
            files=[visible(name) for name in said.found.several],
            understood=understood_in(said.piece.text if said.piece else b"", said.understood, said.problems),
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
            came=said.came,
            closes=said.closes,
        )
    )
    return _BLANKS.sub("\n\n", text).strip() + "\n"


class Line(Struct, frozen=True):
    """A line on an order as it was understood, and what is wrong with it; an empty line for what is wrong elsewhere."""

    text: str
    wrong: Sequence[str] = ()


def understood_in(text: bytes, lines: Sequence[str], problems: Sequence[Problem]) -> list[Line]:
    """How a sheet was understood, order by order, with what is wrong with each below it."""
    return [
        Line(shortened(line.removeprefix(f"{SHEET}:").lstrip()), [_with_place(problem) for problem in below])
        for line, below in below_orders(SHEET, text, lines, problems)
    ]


def _with_place(problem: Problem) -> str:
    """A problem on one line, with its place and code: `line 7, column 5: MED-0.6 text`."""
    at = f"line {problem.line}, column {problem.column}: " if problem.line else ""
    kind = "" if problem.severity == "error" else f"{problem.severity}: "
    return shortened(f"{at}{kind}{problem.code} {problem.text}")


def shortened(line: str) -> str:
    """A line of a sheet or about it, fit for printing, and not endless."""
    line = visible(line)
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."


def with_token(seated: Seated, subject: str) -> str:
    """A subject with the player's token: `lagoon 4: your movement by Tue 20:00 (k7q2m9x4ptzc)`."""
    return f"{subject} ({seated.token})"


def message_without_text(
    account: Account, seated: Seated, what: str, subject: str, at: datetime
) -> EmailMessage:
    """A mail to a player without its text. Its Message-ID follows from `what`, so it is the same each time."""
    message = EmailMessage(policy=SMTP)
    message["From"] = account.address
    message["To"] = addressee(seated.name, seated.address)
    own = account.address
    message["Reply-To"] = reply_address(own, seated.seat, seated.token) if account.plus else own
    message["Subject"] = subject
    message["Date"] = format_datetime(at)
    message["Message-ID"] = message_id(seated.seed, seated.seat, what, account.host)
    return message


def addressee(name: str, address: str) -> str:
    """A mail's receiver: `"Anna" <one@example.org>`; the address alone if there is no name, or one that a header can't
    hold.
    """
    return f'"{quote(name)}" <{address}>' if name and name.isprintable() else address


def answer_to(
    account: Account, seated: Seated, of: str, subject: str, text: str, at: datetime, *, alone: bool = False
) -> EmailMessage:
    """The answer to the mail with that Message-ID, marked as a machine's answer (RFC 3834). `alone`: the mail had no
    token; if it comes again with one, it gets another answer.
    """
    what = f"answer {'alone ' if alone else ''}{of}"
    message = message_without_text(account, seated, what, with_token(seated, f"Re: {subject}"), at)
    message["In-Reply-To"] = of
    message["References"] = of
    message["Auto-Submitted"] = "auto-replied"
    message.set_content(text, cte="quoted-printable")
    return message
