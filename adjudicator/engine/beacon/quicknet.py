"""drand's chain `quicknet`: when a round comes out, and whether a signature is that of its round.

Every three seconds the network signs the number of the round. Nobody can know a signature before its time, and anybody
can check it for ever with the network's public key. The scheme is `bls-unchained-g1-rfc9380`.

Where the dice of a phase come from, as named when the phase was closed, and what the source gave later.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from msgspec import Struct

from adjudicator.engine.text.resources import Missing, reading_a_strangers

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The SHA-256 that names the chain in addresses and in time locks."""
PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
GENESIS = datetime.fromtimestamp(1692803367, UTC)
"""When round 1 came out."""
PERIOD = timedelta(seconds=3)
LAST = (datetime.max.replace(tzinfo=UTC) - GENESIS) // PERIOD
"""The last round whose time can be written; each later one gets this time."""
LIBRARY = "py-arkworks-bls12381", "drand"
"""What checks signatures, and the extra that brings it."""
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


def round_after(moment: datetime) -> int:
    """The first round that comes out after an instant, which is no earlier than the chain's beginning."""
    return max(0, (moment - GENESIS) // PERIOD + 1) + 1


def time_of(number: int) -> datetime:
    """When a round comes out."""
    return GENESIS + (min(max(number, 0), LAST) - 1) * PERIOD


def message_of(number: int) -> bytes:
    """What the network signs for a round."""
    return sha256(number.to_bytes(8, "big")).digest()


def is_signed(number: int, signature: str) -> bool:
    """Is the signature, in hexadecimal, the network's for that round? Raises Missing."""
    try:
        from py_arkworks_bls12381 import GT, G1Point, G2Point
    except ImportError:
        raise Missing(*LIBRARY) from None
    key = G2Point.from_compressed_bytes(PUBLIC_KEY)
    try:
        with reading_a_strangers():
            point = G1Point.from_compressed_bytes(bytes.fromhex(signature))
            hashed = G1Point.hash_to_curve(message_of(number), DOMAIN)
            return bool(GT.pairing(point, G2Point()) == GT.pairing(hashed, key))
    except ValueError:
        return False


def randomness_of(signature: str) -> str:
    """A round's random number in hexadecimal, as drand itself gives it: the SHA-256 of the signature."""
    return sha256(bytes.fromhex(signature)).hexdigest()


LONGEST = 500
"""Characters of a public text."""


class DiceSource(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A round of drand, or a public text that will be known later, such as `6 aus 49, 28.11.2026`; neither: the match's
    seed alone.

    `words`: of what is drawn only the words and numbers count, however they are spelled. Earlier versions took the text
    as the GM typed it.
    """

    drand: int = 0
    named: str = ""
    words: bool = False

    @property
    def open(self) -> bool:
        """Must something become known before the dice can be thrown?"""
        return bool(self.drand or self.named)


class Beacon(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a source gave: the round's signature in hexadecimal, or the public text itself."""

    source: DiceSource
    signature: str = ""
    text: str = ""

    @property
    def value(self) -> str:
        """The value that the throws depend on; empty if the signature was edited into something impossible."""
        try:
            return randomness_of(self.signature) if self.source.drand else self.text
        except ValueError:
            return ""


def normalized(text: str) -> str:
    """A public text as it counts: without spaces at its ends, with single ones within; empty if it can't be one."""
    found = " ".join(text.split())
    return found if found.isprintable() and len(found) <= LONGEST else ""


def drawn_words(text: str) -> str:
    """What counts of a text that was drawn: its words and numbers, in small letters, without leading zeros, the shorter
    ones first, so that no spelling of one draw throws other dice than another. Empty for a text without any, and for
    one with letters or digits other than those of English, for which others could stand that look the same.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", normalized(text)).casefold())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    if any(sign.isalnum() and not sign.isascii() for sign in plain):
        return ""
    words = (word.lstrip("0") or "0" for word in re.findall(r"[0-9]+|[a-z]+", plain))
    return normalized(" ".join(sorted(words, key=lambda word: (len(word), word))))


def problem_of(beacon: Beacon, source: DiceSource, closed: datetime) -> str:
    """Why a beacon can't be what the source gave; empty if it can. `closed` is the instant at which the source was
    named.

    Raises Missing.
    """
    if beacon.source != source:
        return "it is of another source than the one that was named"
    if not source.drand:
        counts = drawn_words if source.words else normalized
        return (
            ""
            if beacon.text and beacon.text == counts(beacon.text)
            else "there is no text in it as it counts"
        )
    if not 0 < source.drand < 2**63 or time_of(source.drand) <= closed:
        return f"round {source.drand} was out already when it was named"
    if not is_signed(source.drand, beacon.signature):
        return f"the signature isn't the one that drand gave for round {source.drand}"
    return ""
