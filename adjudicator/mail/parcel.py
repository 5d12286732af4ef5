"""The mail of a phase: the report as the mail's text, and the attached files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from email.message import EmailMessage

from adjudicator import __version__
from adjudicator.door.seats import Seated, seats_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import FOR, KEYS, PROOF, PUBLIC, RECEIPTS, SEED
from adjudicator.engine.handout.times import due_text
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.showing import asked_now
from adjudicator.engine.play.known_file import KNOWN
from adjudicator.engine.play.question_data import in_data
from adjudicator.engine.report.markdown_html import html_of, plain_text
from adjudicator.engine.report.sealing import SealFacts, sealing_page
from adjudicator.engine.report.standalone import standalone_page
from adjudicator.engine.report.template import environment
from adjudicator.engine.report.view_links import LinkContent, link
from adjudicator.gm.missed_sheets import newly_missed
from adjudicator.mail.account import Account
from adjudicator.mail.answer import message_without_text, with_token
from adjudicator.mail.subject import is_awaited, is_given, subject_of, title_of
from adjudicator.mail.tokens import reply_address

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
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, done: str = ""
) -> EmailMessage:
    """The mail of the open phase to a player; `done` ends the subject with what the GM did since the last mail."""
    reader = seated.seat.player
    title = title_of(match, reader)
    message = message_without_text(
        account, seated, what, with_token(seated, f"{subject_of(match, reader)}{done}"), at
    )
    button = reply_address(account.address, seated.seat, seated.token) if account.plus else account.address
    form = form_for(match, reader)
    leads = link_for(match, account, reader, button)
    _add_content(message, match, account, reader, title, form, leads)
    attach(message, match, reader, FILES, button, leads)
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
    content = LinkContent(
        view=_text(match, reader, VIEW) if asked is None else asked.view,
        due=due_text(match, match.last, reader),
        gm=button,
        language=match.rulebook_for(reader).language,
        program=__version__,
        question={} if asked is None else in_data(asked.question),
        seal=seal_facts(match, reader) if match.has(KEYS) else None,
        known=_text(match, reader, KNOWN) if asked is None else "",
    )
    return link(account.page, content)


def public_parcel(
    match: Folder, account: Account, seated: Seated, what: str, at: datetime, done: str = ""
) -> EmailMessage:
    """The mail of the public report to observers; nobody sees who else gets it."""
    title = title_of(match, None)
    message = message_without_text(account, seated, what, f"{subject_of(match, None)}{done}", at)
    del message["To"], message["Reply-To"]
    message["To"] = account.address
    _add_content(message, match, account, PUBLIC, title, "", "")
    attach(message, match, PUBLIC, ("report.html",), "")
    return message


def form_for(match: Folder, player: str) -> str:
    """The form that a player may fill in: that of an answer if the player is asked something, else that of a sheet.

    Empty if neither is possible: the phase waits for somebody else's answer, or the match is over.
    """
    return _text(match, player, QUESTION) or _text(match, player, FORM)


def _add_content(
    message: EmailMessage, match: Folder, account: Account, reader: str, title: str, form: str, leads: str
) -> None:
    message["Auto-Submitted"] = "auto-generated"
    texts = environment(texts_of(match.rulebook_for(reader)))
    first, rest = first_lines_and_rest(_text(match, reader, REPORT))
    phase = match.state(match.last).phase
    facts = {
        "asked": match.opening(match.last).waits == reader,
        "due": reader in phase.due,
        "given": reader in phase.due and is_given(match, reader),
        "awaited": is_awaited(match, reader),
        "over": phase.over,
        "missed": next((seat for seat in newly_missed(match) if seat.player == reader), None),
        "page": bool(_text(match, reader, PAGE)),
        "plus": account.plus,
        "form": form,
        "link": leads,
        "title": title,
    }
    plain = texts.get_template("mail-turn.txt.j2").render(first=as_plain_mail(first), report=rest, **facts)
    page = texts.get_template("mail-turn.html.j2").render(
        first=html_of(first, {}), report=html_of(rest, {}), **facts
    )
    message.set_content(plain.strip() + "\n", cte="quoted-printable")
    message.add_alternative(page, subtype="html", cte="quoted-printable")


def first_lines_and_rest(report: str) -> tuple[str, str]:
    """A report without its title in two parts: its first lines, and everything from its first heading on."""
    _, _, text = report.partition("\n")
    first, heading, rest = text.partition(HEADING)
    return first.strip(), f"{heading}{rest}".strip()


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
            text = sealing_page(text, seal_facts(match, reader))
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
