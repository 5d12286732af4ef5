"""What may leave the GM's secret files: receipts of sheets, and marks and seals, which are HMACs under the seed.

`docs/receipts.md` has the formulas; anybody with the published seed can repeat each.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping

from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.engine.table.event import Player

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
