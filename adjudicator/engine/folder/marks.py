"""What leaves the GM's files of secret content: receipts of sheets, and marks and seals that are HMACs under the seed.

The formulas stand in `docs/receipts.md`; who has the published seed can do each of them again.
"""

from __future__ import annotations

import hmac

from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.engine.table.event import Player

DIGITS = 16
"""Hexadecimal digits of a receipt, a mark and a seal."""
KINDS = (SHEETS, ANSWERS)
"""What players send, by folder; in this order their receipts are sealed."""


def receipt_of(digest: str) -> str:
    """The receipt of a file that a player sent, from the file's SHA-256: its first digits. No file, no digits."""
    return digest[:DIGITS]


def names_of(player: Player) -> list[str]:
    """The names of a player's files in a phase's folder."""
    return [f"{kind}/{player}.yaml" for kind in KINDS]


def mark_of(seed: bytes, phase: str, chain: str) -> str:
    """A phase's mark, for everybody: digits that depend on every byte of all that came before.

    `phase` is the name of its folder. It is an HMAC under a key from the seed: from the chain itself, which is over
    secrets too, they could be guessed.
    """
    return _hmac(seed, "adjudicator chain", phase, chain)


def sealed(seed: bytes, phase: str, player: str, sheet: str, answers: str) -> str:
    """The receipts of what a player sent for a phase, sealed: everybody may have it, and nobody guesses a sheet by it.

    `sheet` and `answers` are receipts; a player who sent none has a seal too, so that it doesn't tell who did.
    """
    return _hmac(seed, "adjudicator receipt", phase, player, sheet, answers)


def _hmac(seed: bytes, purpose: str, *lines: str) -> str:
    key = hmac.digest(seed, purpose.encode(), "sha256")
    return hmac.digest(key, "\n".join(lines).encode(), "sha256").hex()[:DIGITS]
