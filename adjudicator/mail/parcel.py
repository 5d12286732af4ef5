"""The mail of a phase: its subject, the report as its text, and the attached files; and how other mails are kept in the
phase's folder, because they can't be made again from other files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage

from adjudicator import __version__
from adjudicator.door.seats import Seated, seats_at, seats_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.entries import Entry, Sent
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries
from adjudicator.engine.folder.names import FOR, KEYS, MAIL, PROOF, PUBLIC, RECEIPTS, SEED
from adjudicator.engine.folder.post import Post
from adjudicator.engine.handout.times import due_soon, due_text
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.showing import asked_now
from adjudicator.engine.play.asking import in_data
from adjudicator.engine.play.known_file import KNOWN
from adjudicator.engine.report.markdown_html import html_of, plain_text
from adjudicator.engine.report.page_scripts import LinkContent, SealFacts, link, sealing_page
from adjudicator.engine.report.reader_texts import standalone_page, title_of_moment
from adjudicator.engine.report.template import clock_text, environment, names
from adjudicator.engine.table.event import Player
from adjudicator.gm.by_players import is_light, light_is_usual, settings_of
from adjudicator.gm.missed import newly_missed
from adjudicator.mail.account import Account
from adjudicator.mail.answer import button_of, message_without_text

REMINDER, WELCOME, FAREWELL, CLOSING = "-reminder.eml", "-welcome.eml", "-farewell.eml", "-closed.eml"
SOON, LAST_CALL = "-soon.eml", "-last-call.eml"
"""The endings of these mails' names, with those in `gm.by_mail`; any other kept mail is an answer."""
REPORT, FORM, QUESTION, PAGE = "report.md", "sheet.yaml", "answer.yaml", "orders.html"
VIEW = "view.yaml"
HEADING = "\n## "
"""How the headings of a report begin; the first ends its first lines."""
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
LIGHT_FILES = (FORM, QUESTION, "due.ics", RECEIPTS, SEED, PROOF)
"""Those of them in light mails."""


def subject_of(
    match: Folder, reader: Player | None, *, taken: bool = True, acts: Sequence[Entry] = ()
) -> str:
    """The subject of the open phase's mail to a player: `lagoon 4: your movement by Tue 20:00`. Raises Faulty.

    It names the seat if the player's address has several: `lagoon 4, Venice: ...`. If a player's mail wasn't `taken`,
    the subject says that. It ends with what was done by these `acts`, such as `: a new deadline`.
    """
    head = match.head(match.last)
    due = match.state(match.last).phase.due
    waits = match.opening(match.last).waits
    soon = due_soon(match, match.last, reader)
    others = [waits] if waits else due
    seat = reader if reader is not None and seats_at(match, reader) else ""
    asked = asked_of(match, reader)
    asked = asked if taken or asked == "over" else "not-taken"
    rulebook = match.rulebook_for(reader)
    said = clock_text(rulebook, "subject", match.card.match, head, asked, soon, others, seat)
    kinds = dict.fromkeys(clock_text(rulebook, "what_was_done", type(one).__name__) for one in acts)
    return " ".join((clock_text(rulebook, "acts", said, kinds) if kinds else said).split())


def asked_of(match: Folder, reader: Player | None) -> str:
    """What a reader is asked for: `answer`, `sheet`, nothing since it is `given` or `not-awaited`, or the match is
    `over`; empty if others are asked. Raises Faulty."""
    if match.head(match.last).over:
        return "over"
    waits = match.opening(match.last).waits
    if reader is None or waits not in ("", reader):
        return ""
    if waits:
        return "answer"
    if reader not in match.state(match.last).phase.due:
        return ""
    if is_given(match, reader):
        return "given"
    return "sheet" if is_awaited(match, reader) else "not-awaited"


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


def title_of(match: Folder, player: str | None) -> str:
    """The title of the open phase for a player (None: for everybody): `Venice: turn 1, Set-up`, with the game's own
    word for a turn.
    """
    rulebook = match.rulebook_for(player)
    return clock_text(rulebook, "title", match.head(match.last), player or "", rulebook.title)


def keep_mail(match: Folder, to: str, message: EmailMessage, kind: str, at: datetime) -> Sent:
    """Adds a mail to the match's folder, and its entry as begun; the next commit writes both."""
    top, data = match.phases[-1], message.as_bytes()
    name = f"{MAIL}/{digest_of(data)[:16]}{kind}"
    match.add(f"{top}/{name}", data)
    files, number = {name: digest_of(data)}, str(message["Message-ID"])
    entry = Sent(at=at, phase=top, to=to, files=files, message=number, stage="begun")
    add_entries(match, entry)
    return entry


def is_kept(entry: Sent) -> bool:
    """Is the entry about a mail that is kept in the phase's folder?"""
    return any(name.startswith(f"{MAIL}/") for name in entry.files)


def is_of_kind(kind: str, entry: Sent) -> bool:
    """Is the entry about a kept mail of that kind?"""
    return any(name.endswith(kind) for name in entry.files)


def files_for(match: Folder, reader: str) -> dict[str, str]:
    """The SHA-256 of each file that a reader gets in the open phase, by its name in `for/<reader>/`."""
    top = f"{match.phases[-1]}/{FOR}/{reader}"
    return {
        name: digest_of(match.read(f"{top}/{name}"))
        for name in (REPORT, *FILES)
        if match.has(f"{top}/{name}")
    }


def identity_of_mail(phase: str, files: Mapping[str, str]) -> str:
    """A text that stands for the mail of a phase with `files`; the mail's Message-ID follows from it."""
    return f"{phase} {digest_of(repr(sorted(files.items())).encode())}"


def parcel(
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, acts: Sequence[Entry] = ()
) -> EmailMessage:
    """The mail of the open phase to a player; its subject ends with the acts since the last mail."""
    reader = seated.seat.player
    message = message_without_text(account, seated, what, subject_of(match, reader, acts=acts), at)
    button, form = button_of(account, seated), form_for(match, reader)
    leads = link_for(match, account, reader, button)
    light = is_light(settings_of(match, reader), usual=bool(leads) and light_is_usual(match, account.page))
    _add_content(message, match, account, reader, form, leads, light=light)
    attach(message, match, reader, LIGHT_FILES if light else FILES, button, leads)
    return message


def link_for(match: Folder, account: Account, reader: str, button: str) -> str:
    """The link that opens a player's form on any phone; empty if there is no address for it, or nothing is asked for.

    The page mails the finished sheet, or the answer, to the address `button`.
    """
    if not (account.page and form_for(match, reader)):
        return ""
    asked = asked_now(match, reader)
    if asked is None and _text(match, reader, QUESTION):  # the answer is in
        return ""
    rulebook = match.rulebook_for(reader)
    content = LinkContent(
        view=_text(match, reader, VIEW) if asked is None else asked.view,
        due=due_text(match, match.last, reader),
        gm=button,
        language=rulebook.language,
        program=__version__,
        question={} if asked is None else in_data(asked.question),
        seal=seal_facts(match, reader) if match.has(KEYS) else None,
        known=_text(match, reader, KNOWN) if asked is None else "",
        whose=str(names(texts_of(rulebook)).get(reader)),
        moment=title_of_moment(rulebook, match.state(match.last)),
    )
    return link(account.page, content)


def public_parcel(
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, acts: Sequence[Entry] = ()
) -> EmailMessage:
    """The mail of the public report to observers; nobody sees who else gets it."""
    message = message_without_text(account, seated, what, subject_of(match, None, acts=acts), at)
    message.replace_header("To", account.address)
    _add_content(message, match, account, PUBLIC, "", "")
    attach(message, match, PUBLIC, ("report.html",), "")
    return message


def form_for(match: Folder, player: str) -> str:
    """The form that a player may fill in: that of an answer if the player is asked something, else that of a sheet.

    Empty if neither is possible: the phase waits for somebody else's answer, or the match is over.
    """
    return _text(match, player, QUESTION) or _text(match, player, FORM)


def _add_content(
    message: EmailMessage,
    match: Folder,
    account: Account,
    reader: str,
    form: str,
    leads: str,
    *,
    light: bool = False,
) -> None:
    texts = environment(texts_of(match.rulebook_for(reader)))
    first, rest = first_lines_and_rest(_text(match, reader, REPORT))
    facts = {
        **what_is_asked(match, reader),
        "asked": match.opening(match.last).waits == reader,
        "missed": next((seat for seat in newly_missed(match) if seat.player == reader), None),
        "page": bool(_text(match, reader, PAGE)) and not light,
        "plus": account.plus,
        "form": form,
        "link": leads,
        "light": light,
        "title": title_of(match, None if reader == PUBLIC else reader),
    }
    plain = texts.get_template("mail-turn.txt.j2").render(first=as_plain_mail(first), report=rest, **facts)
    message.set_content(plain.strip() + "\n", cte="quoted-printable")
    if light:
        return
    page = texts.get_template("mail-turn.html.j2").render(
        first=html_of(first, {}), report=html_of(rest, {}), **facts
    )
    message.add_alternative(page, subtype="html", cte="quoted-printable")


def what_is_asked(match: Folder, reader: str) -> dict[str, bool]:
    """What the templates say of a reader's sheet for the open phase. Raises Faulty."""
    phase = match.state(match.last).phase
    due = reader in phase.due
    given, awaited = due and is_given(match, reader), is_awaited(match, reader)
    return {"due": due, "given": given, "awaited": awaited, "over": phase.over}


def first_lines_and_rest(report: str) -> tuple[str, str]:
    """A report without its title in two parts: its first lines, and everything from its first heading on."""
    _, _, text = report.partition("\n")
    first, heading, rest = text.partition(HEADING)
    return first.strip(), f"{heading}{rest}".strip()


def first_lines(match: Folder, reader: str) -> str:
    """The first lines of a reader's open report, as people write them in a mail."""
    return as_plain_mail(first_lines_and_rest(_text(match, reader, REPORT))[0])


def as_plain_mail(lines: str) -> str:
    """Lines of Markdown as people write them in a mail: without marks and lists."""
    return "\n".join(_as_written(plain_text(line)) for line in lines.split("\n"))


def _as_written(line: str) -> str:
    words = line.removeprefix("- ")
    return words[:1].upper() + words[1:]


def attach(
    message: EmailMessage,
    match: Folder,
    reader: str,
    names: Iterable[str],
    mail_to: str,
    order_link: str = "",
) -> None:
    """Attaches those of a reader's files that exist.

    On pages, the button for mails writes to the address `mail_to`, and the button of a report opens `order_link`.
    """
    for name in names:
        text = _text(match, reader, name)
        if not text:
            continue
        main, sub = FILES[name]
        if name.endswith(".html"):
            text = standalone_page(text, mail_to, order_link)
        if name == PAGE and match.has(KEYS):
            text = sealing_page(text, seal_facts(match, reader), match.rulebook_for(reader).language)
        message.add_attachment(text.encode(), maintype=main, subtype=sub, filename=name)


def seal_facts(match: Folder, player: str) -> SealFacts:
    """What a player's page needs to seal a sheet, in a match that is also played in a repository. Raises Faulty."""
    keys = papers.read_paper(match.read(KEYS), str(match.path / KEYS), papers.Keys)
    phase, answer = match.phases[-1], match.opening(match.last).waits == player
    token = next(each.token for each in seats_of(match) if each.seat.player == player)
    file = f"{phase}{'-answer' if answer else ''}.age"
    return SealFacts(
        keys.referee,
        match.card.match,
        phase,
        player,
        token,
        file,
        f"box/{match.path.name}/{player}",
        answer,
    )


def _text(match: Folder, reader: str, name: str) -> str:
    path = f"{match.phases[-1]}/{FOR}/{reader}/{name}"
    return match.read(path).decode(errors="replace") if match.has(path) else ""
