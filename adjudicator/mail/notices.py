"""A short mail about what the GM has done to the open phase, to the readers who were mailed the phase before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage

from adjudicator.door.seats import Seated
from adjudicator.engine.folder.entries import Amended, Closed, Edited, Entry, Sent, Undone, Upgraded, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import PUBLIC
from adjudicator.engine.handout.times import due_text, is_told, sentences
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.clock import clock
from adjudicator.engine.report.reader_texts import CALENDAR
from adjudicator.engine.report.template import environment
from adjudicator.gm.by_mail import NOTICE, went
from adjudicator.mail.account import Account
from adjudicator.mail.answer import message_without_text, with_token
from adjudicator.mail.kept_mails import is_kept, is_of_kind
from adjudicator.mail.parcel import QUESTION, attach
from adjudicator.mail.reminding import first_mail
from adjudicator.mail.subject import is_awaited, is_given, subject_of, title_of
from adjudicator.mail.tokens import is_to

ANEW = (Amended, Edited, Undone, Upgraded, Closed)
"""What a GM does that changes more than times: then the whole phase is mailed again."""


def acts_since(entries: Sequence[Entry], phase: str, seated: Seated) -> list[Entry] | None:
    """What was done since a phase was last mailed to a reader with the current token, without what was taken back.

    None if no such mail was handed over.
    """
    gone = {one.message for one in of_kind(entries, Sent, phase) if went(one)}
    had = [
        index
        for index, one in enumerate(entries)
        if isinstance(one, Sent)
        and (one.phase, one.to) == (phase, seated.seat.player)
        and (not is_kept(one) or is_of_kind(NOTICE, one))
        and one.message in gone
        and is_to(seated.seed, seated.seat, one.message)
    ]
    if not had:
        return None
    done = [one for one in entries[had[-1] :] if is_told(one)]
    undone = [index for index, one in enumerate(done) if isinstance(one, Undone)]
    return done[undone[-1] :] if undone else done


def is_short(
    entries: Sequence[Entry], phase: str, player: str, files: Mapping[str, str], acts: Sequence[Entry]
) -> bool:
    """Does a short mail suffice, because the reader already has the same files except for the deadline?"""
    mails = of_kind(entries, Sent, phase)
    whole = [one for one in mails if one.to == player and not is_kept(one) and went(one)]
    if not whole or any(isinstance(one, ANEW) for one in acts):
        return False
    had = whole[-1].files
    return {*had} - {CALENDAR} == {*files} - {CALENDAR} and had.get(QUESTION) == files.get(QUESTION)


def subject_of_acts(match: Folder, acts: Sequence[Entry], reader: str) -> str:
    """The end of a mail's subject that says what was done, such as `: a new deadline`; empty if nothing was done."""
    texts = clock(match.rulebook_for(reader))
    kinds = dict.fromkeys(type(one).__name__ for one in acts)
    return f": {', '.join(str(texts.what_was_done(kind)).strip() for kind in kinds)}" if kinds else ""


def notice(
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, acts: Sequence[Entry]
) -> EmailMessage:
    """The mail that says what was done and what the deadline is now, and that everything else stays the same."""
    who = seated.seat.player
    reader = None if who == PUBLIC else who
    title = title_of(match, reader)
    subject = f"{subject_of(match, reader)}{subject_of_acts(match, acts, who)}"
    text = subject if reader is None else with_token(seated, subject)
    message = message_without_text(account, seated, what, text, at)
    if reader is None:
        del message["Reply-To"]
    message["Auto-Submitted"] = "auto-generated"
    if before := first_mail(match, match.phases[-1], who):
        message["In-Reply-To"] = message["References"] = before
    phase = match.state(match.last).phase
    facts = {
        "match": match.card.match,
        "title": title,
        "done": sentences(match, acts, reader),
        "note": match.note(match.last),
        "until": due_text(match, match.last, reader),
        "due": reader in phase.due,
        "given": reader in phase.due and is_given(match, who),
        "awaited": is_awaited(match, who),
        "waits": match.opening(match.last).waits,
        "me": who,
        "over": phase.over,
    }
    texts = environment(texts_of(match.rulebook_for(who))).get_template("mail-notice.txt.j2")
    message.set_content(texts.render(**facts).strip() + "\n", cte="quoted-printable")
    attach(message, match, who, (CALENDAR,), "")
    return message
