"""Which sheets of a match have evidence of who sent them: a signature of the player, or of the player's mail server.

A mail server signs what it sends (DKIM); the key stands in its domain's name server (DNS), for a few months. So the key
is looked up when the mail comes, and kept beside it: then the signature can be checked for ever, without a network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.submission import with_player
from adjudicator.engine.folder.entries import Sent, Taken, of_kind, standing
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import entries_on_disk
from adjudicator.engine.folder.marks import Signed, is_signed, statement
from adjudicator.engine.folder.names import MAIL, head_of
from adjudicator.engine.folder.papers import Secrets, read_paper, text_of
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.resources import Missing, reading_a_strangers
from adjudicator.engine.text.source import Source, read
from adjudicator.mail.finding import found_in
from adjudicator.mail.letter import addresses, letter_in, plain
from adjudicator.mail.limits import is_beyond

MOST = 3
"""Signatures of a mail that are looked at: one is usual, a mailing list adds another."""
LONGEST_RECORD = 4096
SECONDS = 5
"""How long a name server may take."""
_NAME = re.compile(r"[a-z0-9_][a-z0-9._-]{0,200}\.[a-z0-9-]{1,63}")

Ask = Callable[[str, int], "bytes | None"]
"""From a name and a time in seconds to its text record in the DNS; None if there is none."""
ANSWERS = frozenset(("in-reply-to", "references"))
"""Headers that name the mails which a mail answers."""


class KeyRecords(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a mail's signatures as they were at that instant: the text records, by their names in the DNS."""

    at: datetime
    records: Mapping[str, str]


class Signature(Struct, frozen=True):
    """A signature of a mail: whose it is, and the name of its key's record. `whole`: it is for all of the mail's text;
    `headers` are those that it is for, in small letters.
    """

    number: int
    domain: str
    name: str
    whole: bool
    headers: frozenset[str] = frozenset()

    def speaks_for(self, address: str) -> bool:
        """Is it of the mail server of that address: of its domain, or of one above it?"""
        host = address.rpartition("@")[2].lower()
        return host == self.domain or host.endswith(f".{self.domain}")


def keys_in_dns(data: bytes, at: datetime, ask: Ask | None = None) -> bytes:
    """The text of the keys of a mail's signatures, as they are now; empty for a mail without any. Raises Missing."""
    names = [each.name for each in dkim_signatures(data)]
    found = {}
    for name in dict.fromkeys(names):
        try:
            record = (ask or in_dns)(name, SECONDS)
        except Missing:
            raise
        except Exception:  # a name server may answer anything, or nothing
            record = None
        if record and len(record) <= LONGEST_RECORD and (text := _plain(record)):
            found[name] = text
    comment = "The keys of this mail's signatures, as they were when it came."
    return text_of(KeyRecords(at, found), comment) if names else b""


def right_signatures(data: bytes, keys: bytes, name: str) -> tuple[Signature, ...]:
    """The signatures of a mail that are right, by the keys kept in a file of that name. Raises Faulty, Missing."""
    kept = read_paper(keys, name, KeyRecords)
    return tuple(each for each in dkim_signatures(data) if each.whole and _is_right(data, each, kept.records))


def dkim_signatures(data: bytes) -> Iterator[Signature]:
    """The first signatures of a mail; none that can't be read. Raises Missing."""
    library = _library()
    try:
        with reading_a_strangers():
            headers = library.DKIM(data).headers
    except ValueError:
        return
    tags = [value for key, value in headers if key.lower() == b"dkim-signature"]
    for number, value in enumerate(tags[:MOST]):
        try:
            with reading_a_strangers():
                found = library.util.parse_tag_value(value)
                domain, selector, signed = (found[key].decode("ascii").lower() for key in (b"d", b"s", b"h"))
        except ValueError:
            continue
        record = f"{selector}._domainkey.{domain}"
        if _NAME.fullmatch(record):
            headers = frozenset(each.strip() for each in signed.split(":"))
            yield Signature(number, domain, record, b"l" not in found, headers)


def _is_right(data: bytes, signature: Signature, records: Mapping[str, str]) -> bool:
    def kept(name: bytes, timeout: int = SECONDS) -> bytes | None:
        text = records.get(name.decode("ascii", "replace").rstrip(".").lower())
        return text.encode() if text is not None else None

    library = _library()
    try:
        with reading_a_strangers():
            return bool(library.DKIM(data).verify(signature.number, dnsfunc=kept))
    except ValueError:
        return False


def in_dns(name: str, seconds: int) -> bytes | None:
    """The text record of that name. Raises Missing, and the library's errors."""
    from dns.exception import DNSException
    from dns.resolver import resolve

    try:
        answer = resolve(name, "TXT", lifetime=seconds, raise_on_no_answer=False)
    except DNSException:
        return None
    return next((b"".join(each.strings) for each in answer), None)


def _plain(record: bytes) -> str:
    text = record.decode("ascii", "replace")
    return text if text.isprintable() and "\ufffd" not in text else ""


def _library() -> Any:
    try:
        import dkim  # type: ignore[import-untyped]
        import dns.resolver  # noqa: F401  said now, not at the first mail
    except ImportError:
        raise Missing("dkimpy", "evidence") from None
    return dkim


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
    except Missing as missing:
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
    right = right_signatures(data, match.read(keys), str(match.path / keys))
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
