"""What proves something of a match: digests, marks and receipts under the seed, and players' signatures.

`docs/receipts.md` has the formulas; anybody with the published seed can repeat each.

Players are witnesses: their sheets and answers name the marks that they have seen (`seen`). A mark stands for
everything before its phase. Whoever names it, and keeps the sheet, can show that it was so.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.folder.names import CARD, NOTE, REFEREE, STATE, UNDONE
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.sheets.sheet import A_MARK, ANSWERS, SeenMark
from adjudicator.engine.table.dice import commitment
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.resources import Missing, reading_a_strangers


def digests_in(match: Folder, name: str) -> dict[str, str]:
    """The SHA-256 of everything below a folder of a match, by name, or of a file, under the empty name; without the
    GM's notes.
    """
    if match.kind(name) is Kind.FILE:
        return {"": digest_of(match.read(name))}
    files = [each for each in below(match, name) if not each.rpartition("/")[2].startswith((".", NOTE))]
    return {
        each.removeprefix(f"{name}/"): digest_of(match.read(each))
        for each in files
        if match.kind(each) is Kind.FILE
    }


def below(match: Folder, folder: str) -> Iterator[str]:
    """Everything below a folder of a match that isn't a folder itself; a link to a folder isn't one."""
    for name in match.names(folder):
        if match.kind(f"{folder}/{name}") is Kind.FOLDER:
            yield from below(match, f"{folder}/{name}")
        else:
            yield f"{folder}/{name}"


NAMESPACE = "adjudicator"
"""What such signatures are for, so that none made for something else counts."""


class Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """A kept signature: by which public key, and the signature itself, as `ssh-keygen -Y sign` writes it."""

    key: str
    signature: str


def statement(match: str, phase: str, player: str, kind: str, digest: str) -> bytes:
    """What a player signs: that these `sheets` or `answers`, by their SHA-256, are the player's, and for what."""
    return "\n".join(("adjudicator", match, phase, player, kind, digest, "")).encode()


def is_signed(signed: Signed, text: bytes) -> bool:
    """Is the signature one of that text by its key? Raises Missing."""
    library = _sshsig()
    try:
        with reading_a_strangers():
            keys = [library.PublicKey.from_openssh_str(signed.key)]
            library.verify(text, signed.signature, keys, NAMESPACE)
    except ValueError:
        return False
    return True


def is_public_key(key: str) -> bool:
    """Can signatures be checked by this SSH key? Raises Missing."""
    library = _sshsig()
    try:
        with reading_a_strangers():
            library.PublicKey.from_openssh_str(key)
    except ValueError:
        return False
    return True


def _sshsig() -> Any:
    try:
        import sshsig
    except ImportError:
        raise Missing("sshsig", "git") from None
    return sshsig


DIGITS = 16
"""How many hexadecimal digits a receipt, a mark and a seal have."""
KINDS = (SHEETS, ANSWERS)
"""What players send, by folder; their receipts are sealed in this order."""


def receipt_of(digest: str) -> str:
    """The receipt of a file that a player sent: the first digits of its SHA-256; empty if there is no file."""
    return digest[:DIGITS]


def names_of(player: Player) -> list[str]:
    """The names of a player's files in a phase's folder."""
    return [f"{kind}/{player}.yaml" for kind in KINDS]


def mark_of(seed: bytes, phase: str, chain: str) -> str:
    """A phase's mark, for everybody: digits that depend on every byte of everything before.

    `phase` is the name of its folder. The mark is an HMAC under a key from the seed. A hash of the chain alone would
    let people guess the secrets that the chain covers.
    """
    return _hmac(seed, "adjudicator chain", phase, chain)


def seal_of(seed: bytes, phase: str, player: str, sheet: str, answers: str) -> str:
    """The seal of what a player sent for a phase: an HMAC of the receipts under the seed.

    Everybody may have it, and nobody can guess a sheet from it. `sheet` and `answers` are receipts. A player who sent
    nothing has a seal too, so it doesn't tell who sent something.
    """
    return _hmac(seed, "adjudicator receipt", phase, player, sheet, answers)


def seals(seed: bytes, phase: str, players: Iterable[Player], files: Mapping[str, str]) -> dict[Player, str]:
    """The seal of each player for a phase, made from the receipts of everything sent for it, by name."""
    found = {}
    for player in players:
        sheet, answers = (files.get(name, "") for name in names_of(player))
        found[player] = seal_of(seed, phase, player, sheet, answers)
    return found


def _hmac(seed: bytes, purpose: str, *lines: str) -> str:
    key = hmac.digest(seed, purpose.encode(), "sha256")
    return hmac.digest(key, "\n".join(lines).encode(), "sha256").hex()[:DIGITS]


def mark_before(match: Folder, number: int, seed: bytes) -> str:
    """The mark of a phase; at the start, before which there is nothing, that of the seed alone."""
    return mark_of(seed, match.phases[number], match.state(number).chain)


def seed_of(match: Folder) -> bytes | None:
    """The referee's seed; None if this copy of the match has none. Raises Faulty if it isn't the one committed to."""
    secrets = match.secrets()
    if secrets is None:
        return None
    try:
        seed = bytes.fromhex(secrets.seed)
    except ValueError:
        seed = b""
    if commitment(seed) != match.card.seed:
        raise Faulty([problem(match.path / REFEREE, f"the seed doesn't have the SHA-256 in {CARD}")])
    return seed


def seen_told(match: Folder, number: int, post: Post, seed: bytes) -> dict[Player, SeenMark]:
    """The marks that players named in a phase, as everybody is told: by those who were due, whose sheets are no secret,
    and by all who name a mark that was never ours.
    """
    due, found = match.opening(number).due, seen_marks(match, number, post, seed)
    return {player: each for player, each in found.items() if player in due or each.is_foreign}


def seen_marks(match: Folder, number: int, post: Post, seed: bytes) -> Mapping[Player, SeenMark]:
    """The mark that each player's files of a phase name, for all who name one; the sheet's comes before the answers'.
    Raises Faulty.
    """
    named = {player: post.seen(number, player) for player in match.card.players}
    return {player: seen_mark(match, number, mark, seed) for player, mark in named.items() if mark}


def seen_mark(match: Folder, number: int, mark: str, seed: bytes) -> SeenMark:
    """The report whose mark was named in a phase: that of the phase itself, or an earlier one, or one that was taken
    back. Raises Faulty.
    """
    for each in range(number, -1, -1):
        if mark_before(match, each, seed) == mark:
            return SeenMark(match.phases[each], mark)
    if not A_MARK.fullmatch(mark):
        return SeenMark()
    return SeenMark("", mark, marks_taken_back(match, seed).get(mark, ""))


def marks_taken_back(match: Folder, seed: bytes) -> dict[str, str]:
    """The marks of reports that were taken back (`undo`), each with its phase. Raises Faulty."""
    found = {}
    for where in match.names(UNDONE) if match.has(UNDONE) else ():
        for phase in match.names(f"{UNDONE}/{where}"):
            name = f"{UNDONE}/{where}/{phase}/{STATE}"
            opened = read_position(match.read(name), str(match.path / name)) if match.has(name) else None
            if isinstance(opened, PositionFile):
                found[mark_of(seed, phase, opened.state.chain)] = phase
    return found


def mark_now(match: Folder) -> str:
    """The mark of the open phase; empty without the match's seed."""
    with suppress(Faulty):  # whoever runs the match is told of a seed that isn't the match's
        seed = seed_of(match)
        return "" if seed is None else mark_before(match, match.last, seed)
    return ""
