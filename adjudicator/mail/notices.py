"""Short mails besides a phase's own: reminders, closings, what the GM has done, and those to a player who takes a
seat over.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from msgspec.structs import replace

from adjudicator.door.seats import Seated, seats_of
from adjudicator.engine.beacon import quicknet
from adjudicator.engine.folder.adjudication import ClosedPhase, closed_text, open_closing
from adjudicator.engine.folder.entries import (
    Absent,
    Amended,
    Asked,
    Closed,
    Edited,
    Entry,
    Replaced,
    Resigned,
    Sent,
    Undone,
    Upgraded,
    of_kind,
)
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import DeadlineInForce, deadline_in_force, ledger_of, opened_at
from adjudicator.engine.folder.marks import names_of
from adjudicator.engine.folder.names import CLOSED, FOR, PUBLIC
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.handout.times import due_text, instant_text, is_told, sentences, why_told
from adjudicator.engine.library.rules import rules_md
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.reader_texts import CALENDAR
from adjudicator.engine.report.template import clock_text, environment
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.gm.by_mail import NOTICE, went
from adjudicator.gm.changing import rename
from adjudicator.mail.account import Account
from adjudicator.mail.answer import button_of, message_without_text
from adjudicator.mail.parcel import (
    CLOSING,
    FILES,
    FORM,
    PAGE,
    QUESTION,
    attach,
    form_for,
    is_kept,
    is_of_kind,
    link_for,
    subject_of,
    title_of,
    what_is_asked,
)
from adjudicator.mail.sender import is_to, message_id

LAST_CALL_LASTS = timedelta(minutes=30)
"""From the warning that all others are in to the close of the phase."""
UNTOLD = "the mails that name the dice didn't go out before the dice could be known"
ANEW = (Amended, Edited, Undone, Upgraded, Closed)
"""What a GM does that changes more than times: then the whole phase is mailed again."""
SO_FAR = "so-far.zip"
"""The file with all that the seat has got, a folder for each phase."""
_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""The date of every file in it, so that the same files give the same bytes."""
REPLACED = "mail-replaced.txt.j2"


def reminder(match: Folder, account: Account, seated: Seated, at: datetime) -> EmailMessage:
    """The reminder for the open phase, which has a deadline. Raises Faulty."""
    player, phase = seated.seat.player, match.phases[-1]
    known = deadline_in_force(ledger_of(match), phase)
    assert known is not None
    closes = closes_if_reminded(known, at)
    asked = match.opening(match.last).waits == player
    draft = not asked and player in Post(match).collect(match.last).drafts
    own = draft_text(match, player) if draft else ""
    button = button_of(account, seated)
    facts = {
        "due": instant_text(match, known.due, player),
        "closes": instant_text(match, closes, player),
        "asked": asked,
        "draft": draft,
        "address": button if account.plus else "",
        "link": "" if own else link_for(match, account, player, button),
        "own": bool(own),
        "form": own or form_for(match, player),
    }
    subject = clock_text(match.rulebook_for(player), "late", subject_of(match, player))
    message = message_without_text(account, seated, f"reminder {phase} {at:%Y%m%dT%H%M%SZ}", subject, at)
    answer_first_mail(message, match, phase, player)
    write_text(message, match, player, "mail-reminder.txt.j2", title=title_of(match, player), **facts)
    if own:
        main, sub = FILES[FORM]
        message.add_attachment(own.encode(), maintype=main, subtype=sub, filename=FORM)
    else:
        attach(message, match, player, (FORM, QUESTION), "")
    return message


def soon(match: Folder, account: Account, seated: Seated, at: datetime) -> EmailMessage:
    """The mail that reminds of the open phase's deadline before it comes. Raises Faulty."""
    player, phase = seated.seat.player, match.phases[-1]
    known = deadline_in_force(ledger_of(match), phase)
    assert known is not None
    what = f"soon {phase} {known.due:%Y%m%dT%H%M%SZ}"
    message = message_without_text(account, seated, what, subject_of(match, player), at)
    answer_first_mail(message, match, phase, player)
    facts = {
        "title": title_of(match, player),
        "due": instant_text(match, known.due, player),
        "asked": match.opening(match.last).waits == player,
        "draft": player in Post(match).collect(match.last).drafts,
    }
    write_text(message, match, player, "mail-soon.txt.j2", **facts)
    return message


def last_call(match: Folder, account: Account, seated: Seated, at: datetime) -> EmailMessage:
    """The mail to a player who has missed sheets that all others are in, and when the phase closes."""
    player, phase = seated.seat.player, match.phases[-1]
    subject = clock_text(match.rulebook_for(player), "late", subject_of(match, player), True)
    what = f"last call {phase} {opened_at(ledger_of(match), phase)}"
    message = message_without_text(account, seated, what, subject, at)
    answer_first_mail(message, match, phase, player)
    facts = {
        "title": title_of(match, player),
        "closes": instant_text(match, at + LAST_CALL_LASTS, player),
        "form": form_for(match, player),
    }
    write_text(message, match, player, "mail-last-call.txt.j2", **facts)
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


def answer_first_mail(message: EmailMessage, match: Folder, phase: str, player: str) -> None:
    """Makes a mail an answer to the first mail of a phase to that reader, so that they are shown together."""
    sent = of_kind(ledger_of(match), Sent, phase)
    if before := next((one.message for one in sent if one.to == player and not is_kept(one)), ""):
        message["In-Reply-To"] = message["References"] = before


def write_text(message: EmailMessage, match: Folder, who: str, template: str, **facts: object) -> None:
    """Writes a template's text into a mail, in its reader's language."""
    texts = environment(texts_of(match.rulebook_for(who))).get_template(template)
    text = texts.render(match=match.card.match, **facts)
    message.set_content(text.strip() + "\n", cte="quoted-printable")


def closing_id(closed: ClosedPhase, seated: Seated, account: Account) -> str:
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
    subject = clock_text(match.rulebook_for(who), "closing", match.card.match, match.head(match.last))
    message = message_without_text(account, seated, _what(closed), subject, at)
    answer_first_mail(message, match, closed.phase, who)
    drand, title = closed.dice.drand, title_of(match, reader)
    out = instant_text(match, quicknet.time_of(drand), reader) if drand else ""
    write_text(message, match, who, "mail-closed.txt.j2", title=title, closed=closed, out=out)
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


def is_own(entries: Sequence[Entry], player: str, acts: Sequence[Entry]) -> bool:
    """Did the player do all of this by mail, so that the answer has told it, and is the deadline as it was?"""
    asked = {one.at for one in of_kind(entries, Asked) if one.player == player}
    return all(
        isinstance(one, Absent | Resigned)
        and (one.player == player and one.at in asked)
        and not (isinstance(one, Absent) and one.due)
        for one in acts
    )


def notice(
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, acts: Sequence[Entry]
) -> EmailMessage:
    """The mail that says what was done and what the deadline is now, and that everything else stays the same."""
    who = seated.seat.player
    reader = None if who == PUBLIC else who
    subject = subject_of(match, reader, acts=acts)
    message = message_without_text(account, seated, what, subject, at)
    answer_first_mail(message, match, match.phases[-1], who)
    facts = {
        **what_is_asked(match, who),
        "title": title_of(match, reader),
        "done": sentences(match, acts, reader),
        "note": match.note(match.last),
        "until": due_text(match, match.last, reader),
        "waits": match.opening(match.last).waits,
        "me": who,
    }
    write_text(message, match, who, "mail-notice.txt.j2", **facts)
    attach(message, match, who, (CALENDAR,), "")
    return message


def newcomer_id(seated: Seated, number: int, what: str, account: Account) -> str:
    """The Message-ID of a `welcome` or a `farewell`; `number` is how often the seat had changed hands before."""
    if what == "farewell":
        seated = _before(seated, number)
    return message_id(seated.seed, seated.seat, f"{what} {number}", account.host)


def _before(seated: Seated, number: int, address: str = "") -> Seated:
    """The seat as the player before had it."""
    return replace(seated, seat=replace(seated.seat, number=number), address=address, name="")


def welcome(
    match: Folder, account: Account, seated: Seated, number: int, entry: Replaced, at: datetime
) -> EmailMessage:
    """The mail to the new player: what the match is, the rules, and all that the seat has got so far."""
    player = seated.seat.player
    subject = clock_text(match.rulebook_for(player), "welcome", match.card.match, player)
    message = message_without_text(account, seated, f"welcome {number}", subject, at)
    until = due_text(match, match.last, player)
    write_text(message, match, player, REPLACED, **_facts(match, player, entry), welcome=True, until=until)
    rules = rules_md(match.rulebook_for(player)).encode()
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
    subject = clock_text(match.rulebook_for(player), "farewell", match.card.match)
    before = _before(seated, number, address)
    message = message_without_text(account, before, f"farewell {number}", subject, at, token=False)
    write_text(message, match, player, REPLACED, **_facts(match, player, entry), welcome=False)
    return message


def _facts(match: Folder, player: str, entry: Replaced) -> dict[str, object]:
    return {"player": player, "title": match.rulebook.title, "why": why_told(match, entry, player)}


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
