"""The mails that say that a phase is closed: everybody gets them before its dice can be known, and is a witness."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from adjudicator.door.seats import Seated, seats_of
from adjudicator.engine.beacon import quicknet
from adjudicator.engine.folder.closing import ClosedPhase, closed_text, open_closing
from adjudicator.engine.folder.entries import Sent, of_kind
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import CLOSED, PUBLIC
from adjudicator.engine.handout.times import instant_text
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.clock import clock
from adjudicator.engine.report.template import environment
from adjudicator.gm.renaming import rename
from adjudicator.mail.account import Account
from adjudicator.mail.answer import message_without_text, with_token
from adjudicator.mail.kept_mails import CLOSING, is_of_kind
from adjudicator.mail.reminding import first_mail
from adjudicator.mail.subject import title_of
from adjudicator.mail.tokens import message_id

UNTOLD = "the mails that name the dice didn't go out before the dice could be known"


def message_id_of(closed: ClosedPhase, seated: Seated, account: Account) -> str:
    """The Message-ID of the mail to one reader about this closing."""
    return message_id(seated.seed, seated.seat, _what(closed), account.host)


def _what(closed: ClosedPhase) -> str:
    return f"closed {digest_of(closed_text(closed))}"


def closing(
    match: Folder, account: Account, seated: Seated, closed: ClosedPhase, at: datetime
) -> EmailMessage:
    """The mail to one reader, with `closed.yaml` attached."""
    who = seated.seat.player
    reader = None if who == PUBLIC else who
    texts = texts_of(match.rulebook_for(who))
    title = title_of(match, reader)
    subject = str(clock(match.rulebook_for(who)).closing(match.card.match, match.head(match.last))).strip()
    text = subject if reader is None else with_token(seated, subject)
    message = message_without_text(account, seated, _what(closed), text, at)
    if reader is None:
        del message["Reply-To"]
    message["Auto-Submitted"] = "auto-generated"
    if before := first_mail(match, closed.phase, who):
        message["In-Reply-To"] = message["References"] = before
    facts = {
        "match": match.card.match,
        "title": title,
        "closed": closed,
        "out": instant_text(match, quicknet.time_of(closed.dice.drand), reader) if closed.dice.drand else "",
    }
    message.set_content(
        environment(texts).get_template("mail-closed.txt.j2").render(**facts).strip() + "\n",
        cte="quoted-printable",
    )
    message.add_attachment(closed_text(closed), maintype="application", subtype="yaml", filename=CLOSED)
    return message


def name_anew_if_untold(path: Path, now: datetime) -> ClosedPhase | None:
    """Names another round for the dice of a closed phase if its own is out and nobody was told of it; returns the new
    closing. Raises Faulty.
    """
    match = open_match(path)
    closed = open_closing(match)
    if closed is None or not closed.dice.drand or now < quicknet.time_of(closed.dice.drand):
        return None
    sent = [one for one in of_kind(ledger_of(match), Sent, closed.phase) if is_of_kind(CLOSING, one)]
    told = any(one.stage == "done" and one.at >= closed.named_at for one in sent)
    if told or not any(each.address for each in seats_of(match)):
        return None
    return rename(path, now, why=UNTOLD)
