"""Time locks: a file that nobody can open before a round of drand is out, and everybody after it.

The format is that of tlock and tlock-js: an age file (age-encryption.org/v1) whose one recipient is a round of
quicknet. Its key is encrypted for the number of the round by the scheme of Boneh and Franklin, made safe by that of
Fujisaki and Okamoto; the round's signature is the key that opens it. Here it goes around a file that is sealed already.
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.quicknet import LIBRARY
from adjudicator.engine.text.resources import Missing, reading_a_strangers

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

VERSION = b"age-encryption.org/v1\n"
BEGIN, END = b"-----BEGIN AGE ENCRYPTED FILE-----", b"-----END AGE ENCRYPTED FILE-----"
MOST = 2**20
"""Bytes of a file with a lock: more than any sealed sheet has."""
ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
"""The order of the groups of BLS12-381."""
POINT, KEY, CHUNK, TAG = 96, 16, 2**16, 16
_HEAD = re.compile(
    VERSION
    + rb"-> tlock ([1-9][0-9]{0,18}) ([0-9a-f]{64})\n([A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{43})\n"
    + rb"---"
)
_MAC = re.compile(rb" ([A-Za-z0-9+/]{43})\n")


class Unopened(ValueError):
    """A file with a lock that doesn't open: broken, of another chain, or not by this signature."""


class _Lock(Struct, frozen=True):
    """A file with a lock, in parts: the round, the encrypted key, and the content that the key opens."""

    number: int
    box: bytes
    head: bytes
    mac: bytes
    body: bytes


def lock(data: bytes, number: int) -> bytes:
    """The data, locked until that round is out, in letters that a mail can carry. Raises Missing."""
    key, nonce = secrets.token_bytes(KEY), secrets.token_bytes(KEY)
    lines = _lines(_with_padding_removed(_encrypt(key, number)))
    head = VERSION + f"-> tlock {number} {quicknet.CHAIN}\n".encode() + lines + b"---"
    mac = b" " + _with_padding_removed(_mac(key, head)) + b"\n"
    cipher = _cipher(key, nonce)
    parts = (cipher.encrypt(count, part, None) for count, part in _chunks(data, CHUNK))
    return _with_armor(head + mac + nonce + b"".join(parts))


def lock_of(data: bytes) -> int | None:
    """The round at which a file opens; None for a file without a lock. Raises Unopened for a broken one."""
    whole = _without_armor(data)
    if not whole.startswith(VERSION + b"-> tlock "):
        return None
    return _parts_of(whole).number


def unlock(data: bytes, signature: str) -> bytes:
    """The content of a file with a lock, by the signature of its round. Raises Unopened or Missing."""
    lock = _parts_of(_without_armor(data))
    if not quicknet.is_signed(lock.number, signature):
        raise Unopened(f"this isn't the signature of round {lock.number}")
    key = _decrypt(lock.box, signature)
    if not hmac.compare_digest(_mac(key, lock.head), lock.mac):
        raise Unopened("its head was changed")
    cipher = _cipher(key, lock.body[:KEY])
    found = bytearray()
    try:
        with reading_a_strangers():
            for count, part in _chunks(lock.body[KEY:], CHUNK + TAG):
                found += cipher.decrypt(count, part, None)
    except ValueError:
        raise Unopened("what is in it was changed") from None
    return bytes(found)


def receipt_of(sealed: bytes) -> str:
    """The public receipt of a sealed file that goes out locked: with it the sealed file counts even if the network ends
    and no lock can be opened.

    It is the file's SHA-256, and nobody can guess a sheet from it: a seal has a key of its own.
    """
    return sha256(sealed).hexdigest()


# -- the file ------------------------------------------------------------------------------------------------------


def _without_armor(data: bytes) -> bytes:
    """The file itself, without its armor if it has one. Raises Unopened."""
    if len(data) > 2 * MOST:
        raise Unopened("it is too large")
    text = data.strip()
    if not text.startswith(BEGIN):
        return data
    if not text.endswith(END):
        raise Unopened("its end is missing")
    try:
        return base64.b64decode(b"".join(text[len(BEGIN) : -len(END)].split()), validate=True)
    except ValueError:
        raise Unopened("there are letters in it that can't be") from None


def _parts_of(whole: bytes) -> _Lock:
    head = _HEAD.match(whole)
    mac = _MAC.match(whole, head.end()) if head else None
    if head is None or mac is None or len(whole) - mac.end() < KEY + TAG or len(whole) > MOST:
        raise Unopened("it isn't as a time lock is written")
    if head[2].decode() != quicknet.CHAIN:
        raise Unopened("it is locked by another chain of drand than quicknet")
    if int(head[1]) >= 2**63:
        raise Unopened(f"there is no round {int(head[1])}")
    return _Lock(
        int(head[1]), _decoded(head[3].replace(b"\n", b"")), head[0], _decoded(mac[1]), whole[mac.end() :]
    )


def _with_armor(whole: bytes) -> bytes:
    return b"\n".join((BEGIN, _lines(base64.b64encode(whole)).rstrip(b"\n"), END, b""))


def _lines(text: bytes) -> bytes:
    return b"".join(text[at : at + 64] + b"\n" for at in range(0, len(text), 64))


def _with_padding_removed(data: bytes) -> bytes:
    return base64.b64encode(data).rstrip(b"=")


def _decoded(text: bytes) -> bytes:
    return base64.b64decode(text + b"=" * (-len(text) % 4))


def _mac(key: bytes, head: bytes) -> bytes:
    return hmac.digest(_derived_key(key, b"", b"header"), head, "sha256")


def _cipher(key: bytes, nonce: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(_derived_key(key, nonce, b"payload"))


def _derived_key(key: bytes, salt: bytes, what: bytes) -> bytes:
    """32 bytes by HKDF-SHA256 (RFC 5869); for so few bytes that is two HMACs."""
    first = hmac.digest(salt or bytes(32), key, "sha256")
    return hmac.digest(first, what + b"\x01", "sha256")


def _chunks(data: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a file, each with the number that its cipher needs; the last one is marked as such."""
    count = max(1, -(-len(data) // size))
    for number in range(count):
        last = number == count - 1
        yield number.to_bytes(11, "big") + bytes([last]), data[number * size : (number + 1) * size]


# -- the key ---------------------------------------------------------------------------------------------------------


def _encrypt(key: bytes, number: int) -> bytes:
    """The file's key, encrypted for a round."""
    curve = _curve()
    sigma = secrets.token_bytes(KEY)
    scalar = _h3(sigma, key)
    round_point = curve.G1Point.hash_to_curve(quicknet.message_of(number), quicknet.DOMAIN)
    network = curve.G2Point.from_compressed_bytes(quicknet.PUBLIC_KEY)
    shared = curve.GT.pairing(round_point * scalar, network)
    point = bytes((curve.G2Point() * scalar).to_compressed_bytes())
    return point + _xor(sigma, _h2(shared)) + _xor(key, _h4(sigma))


def _decrypt(box: bytes, signature: str) -> bytes:
    """The file's key, by the signature of its round, which was checked. Raises Unopened."""
    curve = _curve()
    signed = curve.G1Point.from_compressed_bytes(bytes.fromhex(signature))
    try:
        with reading_a_strangers():
            point = curve.G2Point.from_compressed_bytes(box[:POINT])
            sigma = _xor(box[POINT : POINT + KEY], _h2(curve.GT.pairing(signed, point)))
            key = _xor(box[POINT + KEY :], _h4(sigma))
            good = curve.G2Point() * _h3(sigma, key) == point
    except ValueError:
        good = False
    if not good:
        raise Unopened("its key is broken")
    return key


def _curve() -> Any:
    try:
        import cryptography  # noqa: F401  the cipher: said now, not halfway
        import py_arkworks_bls12381
    except ImportError:
        raise Missing(*LIBRARY) from None
    return py_arkworks_bls12381


def _xor(one: bytes, two: bytes) -> bytes:
    """Exclusive or of two texts of bytes."""
    return bytes(left ^ right for left, right in zip(one, two, strict=True))


def _h2(shared: Any) -> bytes:
    """The hash that tlock calls H2. Its twelve coordinates go highest first, each with its highest byte first; the
    library writes them the other way round.
    """
    return sha256(b"IBE-H2" + bytes.fromhex(str(shared))[::-1]).digest()[:KEY]


def _h4(sigma: bytes) -> bytes:
    """The hash that tlock calls H4."""
    return sha256(b"IBE-H4" + sigma).digest()[:KEY]


def _h3(sigma: bytes, key: bytes) -> Any:
    """The hash that tlock calls H3: the first number below the order of the curve in a chain of hashes."""
    data = sha256(b"IBE-H3" + sigma + key).digest()
    for count in range(1, 2**16 - 1):
        data = sha256(count.to_bytes(2, "little") + data).digest()
        data = bytes([data[0] >> 1]) + data[1:]
        if int.from_bytes(data, "big") < ORDER:
            return _curve().Scalar.from_be_bytes(data)
    raise AssertionError("a hash chain without a number below the order")
