"""The mail that reminds a player in the grace: until when a sheet still counts, and the form to answer with."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage

from adjudicator.door.seats import Seated
from adjudicator.engine.folder.entries import Sent, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.moments import DeadlineInForce, deadline_in_force
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.handout.times import instant_text
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.clock import clock
from adjudicator.engine.report.template import environment
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.mail.account import Account
from adjudicator.mail.answer import message_without_text, with_token
from adjudicator.mail.kept_mails import is_kept
from adjudicator.mail.parcel import FILES, FORM, QUESTION, attach, form_for, link_for
from adjudicator.mail.subject import subject_of, title_of
from adjudicator.mail.tokens import reply_address


def reminder(match: Folder, account: Account, seated: Seated, at: datetime) -> EmailMessage:
    """The reminder for the open phase, which has a deadline. Raises Faulty."""
    player, phase = seated.seat.player, match.phases[-1]
    known = deadline_in_force(ledger_of(match), phase)
    assert known is not None
    closes = closes_if_reminded(known, at)
    title = title_of(match, player)
    asked = match.opening(match.last).waits == player
    draft = not asked and player in Post(match).collect(match.last).drafts
    own = draft_text(match, player) if draft else ""
    texts = environment(texts_of(match.rulebook_for(player))).get_template("mail-reminder.txt.j2")
    button = reply_address(account.address, seated.seat, seated.token) if account.plus else ""
    facts = {
        "match": match.card.match,
        "title": title,
        "due": instant_text(match, known.due, player),
        "closes": instant_text(match, closes, player),
        "asked": asked,
        "draft": draft,
        "address": button,
        "link": "" if own else link_for(match, account, player, button or account.address),
        "own": bool(own),
        "form": own or form_for(match, player),
    }
    subject = str(clock(match.rulebook_for(player)).late(subject_of(match, player))).strip()
    message = message_without_text(
        account, seated, f"reminder {phase} {at:%Y%m%dT%H%M%SZ}", with_token(seated, subject), at
    )
    message["Auto-Submitted"] = "auto-generated"
    if before := first_mail(match, phase, player):
        message["In-Reply-To"] = message["References"] = before
    message.set_content(texts.render(**facts).strip() + "\n", cte="quoted-printable")
    if own:
        main, sub = FILES[FORM]
        message.add_attachment(own.encode(), maintype=main, subtype=sub, filename=FORM)
    else:
        attach(message, match, player, (FORM, QUESTION), "")
    return message


def closes_if_reminded(known: DeadlineInForce, at: datetime) -> datetime:
    """When a phase closes if somebody is reminded then: after a whole grace, and no sooner than it would have."""
    return max(known.closes, at + known.grace)


def draft_text(match: Folder, player: str) -> str:
    """The player's draft for the open phase, as it was sent; empty if the draft was sent ahead."""
    found = Post(match).sheet(match.last, player)
    if not isinstance(found, Sheet) or found.ready:
        return ""
    return match.read(f"{match.phases[-1]}/{SHEETS}/{player}.yaml").decode(errors="replace")


def first_mail(match: Folder, phase: str, player: str) -> str:
    """The Message-ID of the first mail of a phase to a player; empty if there was none."""
    sent = of_kind(ledger_of(match), Sent, phase)
    return next((one.message for one in sent if one.to == player and not is_kept(one)), "")
