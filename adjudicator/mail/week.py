"""The club's week: all matches of an account at a glance, as one mail to the GM."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.text.problem import counted
from adjudicator.gm.glance import Glance, glance_page, in_order_of_deadlines, line_of, parts_of
from adjudicator.mail.account import Account
from adjudicator.mail.boxes import MailRefused
from adjudicator.mail.club import outgoing

PAGE = "club.html"


def mail_of_week(
    account: Account, found: Sequence[Glance], wrong: Sequence[str], at: datetime
) -> EmailMessage:
    """The mail: a line a match, the next deadline first, and what is wrong with those that can't be read; the page is
    attached.
    """
    going = [each for each in in_order_of_deadlines(found) if not each.over]
    busy = sum(bool(parts_of(each)) for each in going)
    lines = [*map(line_of, going), *wrong, *(line_of(each) for each in found if each.over)]
    message = EmailMessage(policy=SMTP)
    message["From"] = message["To"] = account.address
    message["Subject"] = (
        f"The week of {at:%Y-%m-%d}: {counted(len(going), 'match', 'matches')}, {busy} to see to"
    )
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<week-{at:%Y%m%dT%H%M%S}@{account.host}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(lines or ["There is no match."]) + "\n")
    page = glance_page(found, at).encode()
    message.add_attachment(page, maintype="text", subtype="html", filename=PAGE)
    return message


def send_week(account: Account, found: Sequence[Glance], wrong: Sequence[str], at: datetime) -> str:
    """Sends the mail to the account's own address; returns a sentence that says so. Raises Faulty."""
    message = mail_of_week(account, found, wrong, at)
    try:
        with outgoing(account) as out:
            out.send(message.as_bytes(), [account.address])
    except MailRefused as refused:
        raise Faulty([problem(account.file, f"the mail of the week was refused: {refused}")]) from None
    return f"the mail of the week went to {account.address}"
