"""Which sheets of a match have evidence of who sent them: a signature of the player, or of the player's mail server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from email.message import Message
from email.parser import BytesParser

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.content import with_player
from adjudicator.engine.folder import evidence as signatures
from adjudicator.engine.folder.entries import Sent, Taken, of_kind, standing
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.evidence import Signed, is_signed, statement
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import entries_on_disk
from adjudicator.engine.folder.names import MAIL, head_of
from adjudicator.engine.folder.papers import Secrets, read_paper
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.source import Source, read
from adjudicator.mail import evidence as mails
from adjudicator.mail.finding import found_in
from adjudicator.mail.headers import addresses, plain
from adjudicator.mail.letter import letter_in
from adjudicator.mail.limits import is_beyond

ANSWERS = frozenset(("in-reply-to", "references"))
"""Headers that name the mails which a mail answers."""


class SheetEvidence(Struct, frozen=True):
    """A sheet or file of answers that was taken, and what shows who sent it: `by` are the domain of a mail server, or a
    public key.

    `wrong`: why the evidence that was kept can't be right; `unchecked`: what is missing to check it; `short`: why a
    signature that is right doesn't show it.
    """

    phase: str
    player: str
    file: str
    by: tuple[str, ...] = ()
    wrong: Problem | None = None
    unchecked: str = ""
    short: str = ""


def evidence_of(match: Folder) -> Iterator[SheetEvidence]:
    """Each sheet and each file of answers that was taken and counts, with its evidence. Raises Faulty."""
    last: dict[tuple[str, str], Taken] = {}
    for one in of_kind(standing(entries_on_disk(match)), Taken):
        if one.phase in match.phases:
            last[one.phase, one.file] = one
    for phase in match.phases:
        there = _kept(match, phase)
        for entry in last.values():
            if entry.phase == phase:
                yield _of(match, entry, there)


def _kept(match: Folder, phase: str) -> Mapping[str, str]:
    """The names of what is kept in a phase's folder, by their SHA-256."""
    folder = f"{phase}/{MAIL}"
    return {digest_of(match.read(f"{folder}/{name}")): f"{folder}/{name}" for name in match.names(folder)}


def _of(match: Folder, entry: Taken, there: Mapping[str, str]) -> SheetEvidence:
    sheet = SheetEvidence(entry.phase, entry.player, entry.file)
    name = there.get(entry.mail, "")
    try:
        if name.endswith(".sig"):
            return _by_key(match, entry, sheet, name)
        if name.endswith(".eml") and entry.keys in there:
            return _by_mail(match, entry, sheet, name, there[entry.keys])
    except (signatures.Missing, mails.Missing) as missing:
        return replace(sheet, unchecked=str(missing))
    except Faulty as faulty:
        return replace(sheet, wrong=faulty.problems[0])
    return sheet


def _by_key(match: Folder, entry: Taken, sheet: SheetEvidence, name: str) -> SheetEvidence:
    place = str(match.path / name)
    signed = read_paper(match.read(name), place, Signed)
    kind = entry.file.partition("/")[0]
    text = statement(match.card.match, entry.phase, entry.player, kind, entry.sheet)
    if is_signed(signed, text):
        return replace(sheet, by=(signed.key,))
    said = f"this isn't {entry.player}'s signature of that sheet: tampered with"
    return replace(sheet, wrong=problem(place, said))


def _by_mail(match: Folder, entry: Taken, sheet: SheetEvidence, name: str, keys: str) -> SheetEvidence:
    """A mail shows that a player sent a sheet if the server of the player's own address has signed it, and if what is
    signed says for which phase it is: the sheet itself, or the mail of ours that it answers.
    """
    data = match.read(name)
    right = mails.right_signatures(data, match.read(keys), str(match.path / keys))
    if not right:
        return sheet
    found = [] if is_beyond(data) else _pieces_in(data, entry.player)
    own = next((each for each in found if digest_of(each) == entry.sheet), None)
    if own is None:
        said = f"the sheet of {entry.player} that was taken isn't in this mail: tampered with"
        return replace(sheet, wrong=problem(match.path / name, said))
    signed_by = ", ".join(dict.fromkeys(each.domain for each in right))
    message = BytesParser().parsebytes(data, headersonly=True)
    sender = addresses(_only(message, "from"))
    secrets = match.secrets()
    known = () if secrets is None else _addresses_of(secrets, entry.player)
    theirs = [each for each in right if sender and each.speaks_for(sender[0]) and "from" in each.headers]
    if len(sender) != 1 or sender[0] not in known or not theirs:
        said = f"signed by {signed_by}, but not as a mail from the address of {entry.player}"
        return replace(sheet, short=said)
    headers = {name for each in theirs for name in ANSWERS & each.headers}
    ours = {
        each.message for each in of_kind(entries_on_disk(match), Sent, entry.phase) if each.to == entry.player
    }
    answered = {word for name in headers for word in _only(message, name).split()}
    if not (_names_phase(own, match.card.match, entry.phase) or ours & answered):
        return replace(sheet, short=f"signed by {signed_by}, but it doesn't say for which phase")
    return replace(sheet, by=tuple(dict.fromkeys(each.domain for each in theirs)))


def _only(message: Message, name: str) -> str:
    """A header that stands there once: of several, only some may be signed."""
    return plain(message, name) if len(message.get_all(name) or ()) == 1 else ""


def _addresses_of(secrets: Secrets, player: str) -> tuple[str, ...]:
    """The addresses of all who have played for a player, in small letters."""
    every = (*secrets.before.get(player, ()), secrets.addresses.get(player, ""))
    return tuple(found for each in every for found in addresses(each))


def _names_phase(text: bytes, match: str, phase: str) -> bool:
    """Does a sheet say itself that it is for that phase, and for no other match?"""
    source = read(text, "sheet")
    plain_sheet = source.plain if isinstance(source, Source) and isinstance(source.plain, dict) else {}
    head = head_of(phase)
    names = (phase, *((str(head.number), f"{head.number:04d}") if head is not None else ()))
    return str(plain_sheet.get("phase")) in names and plain_sheet.get("match", match) == match


def _pieces_in(data: bytes, player: str) -> list[bytes]:
    """The sheet and the answers in a mail, as they are taken."""
    found = found_in(letter_in(data))
    return [with_player(each.text, player) for each in (found.sheet, found.answers) if each]
