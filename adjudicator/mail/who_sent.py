"""Which sheets of a match have evidence of who sent them: a signature of the player, or of the player's mail server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from adjudicator.engine.folder import evidence as signatures
from adjudicator.engine.folder.entries import Taken, of_kind, standing
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.evidence import Signed, is_signed, statement
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import entries_on_disk
from adjudicator.engine.folder.names import MAIL
from adjudicator.engine.folder.papers import read_paper
from adjudicator.engine.text.problem import Problem
from adjudicator.mail import evidence as mails
from adjudicator.mail.finding import found_in, with_player
from adjudicator.mail.letter import letter_in
from adjudicator.mail.limits import is_beyond


class SheetEvidence(Struct, frozen=True):
    """A sheet or file of answers that was taken, and what shows who sent it: `by` are the domain of a mail server, or a
    public key.

    `wrong`: why the evidence that was kept can't be right; `unchecked`: what is missing to check it.
    """

    phase: str
    player: str
    file: str
    by: tuple[str, ...] = ()
    wrong: Problem | None = None
    unchecked: str = ""


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
        return SheetEvidence(entry.phase, entry.player, entry.file, unchecked=str(missing))
    except Faulty as faulty:
        return SheetEvidence(entry.phase, entry.player, entry.file, wrong=faulty.problems[0])
    return sheet


def _by_key(match: Folder, entry: Taken, sheet: SheetEvidence, name: str) -> SheetEvidence:
    place = str(match.path / name)
    signed = read_paper(match.read(name), place, Signed)
    kind = entry.file.partition("/")[0]
    text = statement(match.card.match, entry.phase, entry.player, kind, entry.sheet)
    if is_signed(signed, text):
        return SheetEvidence(sheet.phase, sheet.player, sheet.file, (signed.key,))
    said = f"this isn't {entry.player}'s signature of that sheet: tampered with"
    return SheetEvidence(sheet.phase, sheet.player, sheet.file, wrong=problem(place, said))


def _by_mail(match: Folder, entry: Taken, sheet: SheetEvidence, name: str, keys: str) -> SheetEvidence:
    data = match.read(name)
    by = mails.signers(data, match.read(keys), str(match.path / keys))
    if by and entry.sheet not in _sheets_in(data, entry.player):
        said = f"the sheet of {entry.player} that was taken isn't in this mail: tampered with"
        return SheetEvidence(sheet.phase, sheet.player, sheet.file, wrong=problem(match.path / name, said))
    return SheetEvidence(sheet.phase, sheet.player, sheet.file, by)


def _sheets_in(data: bytes, player: str) -> list[str]:
    """The SHA-256 of the sheet and of the answers in a mail, as they are taken."""
    if is_beyond(data):
        return []
    found = found_in(letter_in(data))
    return [digest_of(with_player(each, player).text) for each in (found.sheet, found.answers) if each]
