"""The folders that a player has received, wherever they were copied, and the sheets that the player has kept."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.gate import Gate, Kind, NotPlain, read_named
from adjudicator.engine.folder.marks import DIGITS, KINDS, receipt_of
from adjudicator.engine.folder.names import CARD, CLOSED, PROOF, RECEIPTS, SEED, head_of
from adjudicator.engine.folder.papers import Secrets, read_paper, yaml_in
from adjudicator.engine.match.proof import Proof, proof_in
from adjudicator.engine.play.known_file import KNOWN
from adjudicator.engine.report.reader_facts import Receipts, ToldThrow
from adjudicator.engine.report.reader_texts import CALENDAR, ORDERS, PAGE, without_addresses, without_link
from adjudicator.engine.table.event import Head
from adjudicator.engine.text.source import MOST_BYTES, Source, read
from adjudicator.engine.text.typed import decode

REPORTS = ("report.md", "report.html")
VIEW = "view.yaml"
OURS = (VIEW, KNOWN, SEED, CARD)
"""Files ending in .yaml that no player wrote."""
FORMS = ("sheet.yaml", "answer.yaml")
"""Files that their player may fill in where they lie."""
HANDED_OUT = (*REPORTS, VIEW, KNOWN, ORDERS, CALENDAR, "schema.json", RECEIPTS, CARD, SEED, *FORMS)
"""What is compared with what was handed out. (`proof.jsonl` says what that was.)"""
_DECODER = msgspec.json.Decoder(Receipts)
TOLD = re.compile(rf"(?P<phase>[^=\s]+)=(?P<receipt>[0-9a-f]{{{DIGITS}}})")


class KeptSheet(Struct, frozen=True):
    """A sheet, or answers, that a player has kept: its receipt, and the phase that it names or lies with.

    `salt` and the mark `seen` are the sheet's, empty if we don't have the sheet itself.
    """

    place: str
    kind: str
    receipt: str
    player: str = ""
    phase: str = ""
    salt: str = ""
    seen: str = ""


class ReceivedFolder(Struct, frozen=True):
    """One received folder: where it lies, what its `receipts.json` says, its phase, and its files.

    `digests` are the SHA-256 of all that was handed out, by file; of a page, also that without what a mail puts into
    it. `closed` are the texts of `closed.yaml` that lie beside them, by file.
    """

    path: Path
    receipts: Receipts
    head: Head
    reports: dict[str, str]
    view: dict[str, Any] | None
    seed: bytes | None
    proof: tuple[Proof, ...] | None
    kept: tuple[KeptSheet, ...]
    digests: Mapping[str, tuple[str, ...]] = {}
    closed: Mapping[str, bytes] = {}

    @property
    def before(self) -> str | None:
        """The phase of the reports before these, if there were any."""
        here = self.receipts
        earlier = [phase for phase in here.marks if phase != here.phase]
        return next((each for each in earlier[::-1] if each == here.told or is_after_start(each)), None)

    def throws_in(self, phase: str) -> list[ToldThrow]:
        """The throws of a phase of which it tells."""
        return [throw for throw in self.receipts.thrown if throw.phase == phase]


def is_received(path: Path) -> bool:
    """Is this a folder that somebody has received, and not a match?"""
    return path.is_dir() and Gate(path).kind(RECEIPTS) is Kind.FILE


def received_folder(path: Path) -> ReceivedFolder:
    """Reads a received folder. Raises Faulty."""
    gate, name = Gate(path), str(path / RECEIPTS)
    if gate.has(CARD) and not gate.has(RECEIPTS):
        raise Faulty(
            [problem(path, "this is a match, not what a player received; verify each match by itself")]
        )
    text = gate.read(RECEIPTS, "this isn't here, so the folder isn't one that a player received")
    receipts = receipts_in(text, name)
    head = head_of(receipts.phase)
    if head is None:
        raise Faulty([problem(name, f"{receipts.phase} isn't a phase: tampered with")])
    files = {each: gate.read(each) for each in HANDED_OUT if gate.has(each)}
    return ReceivedFolder(
        path,
        receipts,
        head,
        {each: files[each].decode(errors="replace") for each in REPORTS if each in files},
        _view(gate),
        _seed(gate),
        proof_in(gate.read(PROOF), str(path / PROOF)) if gate.has(PROOF) else None,
        tuple(_kept(gate, receipts)),
        {each: _digests_of(each, text) for each, text in files.items()},
        {
            name: gate.read(name)
            for name in gate.names()
            if name.endswith(CLOSED) and gate.kind(name) is Kind.FILE
        },
    )


def receipts_in(text: bytes, name: str) -> Receipts:
    """The content of a `receipts.json`. Raises Faulty."""
    try:
        found: Receipts = decode(_DECODER, text)
    except ValueError as error:
        raise Faulty([problem(name, f"this isn't as it was handed out: {error}")]) from None
    return found


def _digests_of(name: str, text: bytes) -> tuple[str, ...]:
    if name == PAGE:
        return (digest_of(without_link(text)),)
    if name == ORDERS:
        return digest_of(text), digest_of(without_addresses(text.decode(errors="replace")).encode())
    return (digest_of(text),)


def _view(gate: Gate) -> dict[str, Any] | None:
    if not gate.has(VIEW):
        return None
    plain = yaml_in(gate.read(VIEW), str(gate.top / VIEW)).plain
    return plain if isinstance(plain, dict) else {}


def _seed(gate: Gate) -> bytes | None:
    if not gate.has(SEED):
        return None
    try:
        return bytes.fromhex(read_paper(gate.read(SEED), str(gate.top / SEED), Secrets).seed)
    except ValueError:
        return b""


# -- sheets that were kept ---------------------------------------------------------------------------------------------


def _kept(gate: Gate, receipts: Receipts) -> Iterable[KeptSheet]:
    """The sheets in a folder: a form that was filled in there, or a file put beside it."""
    for name in gate.names():
        if name.endswith((".yaml", ".yml")) and name not in OURS and gate.kind(name) is Kind.FILE:
            found = sheet_in(gate.read(name), str(gate.top / name))
            if found is not None:
                own = {"player": found.player or receipts.reader, "phase": found.phase or receipts.phase}
                yield msgspec.structs.replace(found, **own)


def kept_sheet(path: Path) -> KeptSheet:
    """A sheet, or answers, that the player names, even if it can't be read. Raises Faulty."""
    try:
        text = read_named(path)
    except NotPlain as odd:
        raise Faulty([problem(path, str(odd))]) from None
    except OSError as error:
        raise Faulty([problem(path, f"can't be read ({error.strerror})")]) from None
    return sheet_in(text, str(path)) or KeptSheet(str(path), "", receipt_of(digest_of(text)))


def sheet_in(text: bytes, name: str) -> KeptSheet | None:
    """The facts of a file that holds a sheet or answers; None for a form with nothing filled in, and anything else."""
    source = read(text, name)
    plain = source.plain if isinstance(source, Source) else None
    if len(text) > MOST_BYTES or not isinstance(plain, dict):
        return None
    sheets, answers = KINDS
    kind = answers if plain.get("answers") is not None and plain.get("orders") is None else sheets
    if not any(plain.get(key) is not None for key in ("orders", "answers", "standing")) and not _ahead(plain):
        return None
    player, phase = (str(plain[key]) if plain.get(key) is not None else "" for key in ("player", "phase"))
    # What is no text counts as none, as in sheets.
    salt, seen = (each if isinstance(each, str) else "" for each in (plain.get("salt"), plain.get("seen")))
    return KeptSheet(name, kind, receipt_of(digest_of(text)), player, phase, salt, seen)


def _ahead(plain: Mapping[str, Any]) -> bool:
    """Does `later` have any orders? The form of a stop lists there the phases up to the next one, without orders."""
    later = plain.get("later")
    if not isinstance(later, dict):
        return later is not None
    return any(not isinstance(each, dict) or each.get("orders") is not None for each in later.values())


def receipt_in(text: str) -> KeptSheet:
    """A receipt that the player got by mail: `0003-t1-market=0123456789abcdef`. Raises Faulty."""
    found = TOLD.fullmatch(text)
    if found is None:
        said = f"a phase and a receipt, as 0003-t1-market=0123456789abcdef, not {text!a}"
        raise Faulty([problem("--receipt", said)], misused=True)
    return KeptSheet(f"--receipt {text}", "", found["receipt"], phase=found["phase"])


def is_of(kept: KeptSheet, phase: str) -> bool:
    """Does a kept sheet name this phase, by its folder's name or its number?"""
    head = head_of(phase)
    return head is not None and kept.phase in (phase, str(head.number), f"{head.number:04d}")


def is_after_start(phase: str) -> bool:
    """Is the phase another one than the start, which has the seed's mark and mostly no reports?"""
    head = head_of(phase)
    return head is None or head.number > 0


class Received:
    """What a player has: the folders by phase, whatever their names are now, the first mark told of each phase, and the
    sheets kept.

    `last` is the newest folder with the seed, or else the newest of all. A check notes in `unchecked` what it can't ask
    of this, and counts: `sheets` are files of players that were used as sent, `throws` those that agree with the seed,
    `as_handed` files that are as they were handed out.
    """

    def __init__(self, folders: Iterable[ReceivedFolder], kept: Iterable[KeptSheet]) -> None:
        self.folders = sorted(
            folders, key=lambda each: (each.head.number, each.receipts.reader, str(each.path))
        )
        self.kept = [*(each for folder in self.folders for each in folder.kept), *kept]
        self.marks = ChainMap(*(dict(folder.receipts.marks) for folder in self.folders))
        self.last = next((each for each in reversed(self.folders) if each.seed is not None), self.folders[-1])
        self.seed = self.last.seed or b""
        self.unchecked: list[str] = []
        self.sheets = self.throws = self.as_handed = 0
