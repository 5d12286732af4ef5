"""drand's chain `quicknet`: when a round comes out, and whether a signature is that of its round.

Every three seconds the network signs the number of the round. Nobody can know a signature before its time, and anybody
can check it for ever with the network's public key. The scheme is `bls-unchained-g1-rfc9380`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from adjudicator.engine.text.extras import how_to_install, reading_a_strangers

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The SHA-256 that names the chain in addresses and in time locks."""
PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
GENESIS = datetime.fromtimestamp(1692803367, UTC)
"""When round 1 came out."""
PERIOD = timedelta(seconds=3)
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class Missing(Exception):
    """The library with which signatures are checked isn't installed; the text says how to install it."""

    def __init__(self) -> None:
        super().__init__(f"py-arkworks-bls12381 ({how_to_install('drand')})")


def round_after(moment: datetime) -> int:
    """The first round that comes out after an instant, which is no earlier than the chain's beginning."""
    return max(0, (moment - GENESIS) // PERIOD + 1) + 1


def time_of(number: int) -> datetime:
    """When a round comes out."""
    return GENESIS + (number - 1) * PERIOD


def message_of(number: int) -> bytes:
    """What the network signs for a round."""
    return sha256(number.to_bytes(8, "big")).digest()


def is_signed(number: int, signature: str) -> bool:
    """Is the signature, in hexadecimal, the network's for that round? Raises Missing."""
    try:
        from py_arkworks_bls12381 import GT, G1Point, G2Point
    except ImportError:
        raise Missing from None
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
