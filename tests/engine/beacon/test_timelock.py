"""Time locks: as tlock-js writes and reads them, opened by the round's signature alone, and nothing hostile gets in."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from adjudicator.engine.beacon import timelock
from adjudicator.engine.beacon.timelock import Unopened, lock, lock_of, unlock
from tests.drand import ROUNDS

FROM_TLOCK_JS = {
    "sheet.age": (1000, b"player: venice\norders:\n  - bid: 30\n"),
    "bytes.age": (32285086, bytes(count % 256 for count in range(300))),
}
HERE = Path(__file__).parent / "tlock_js"
SIZES = [0, 1, 2**16 - 1, 2**16, 2**16 + 1, 200_000]


@pytest.mark.parametrize("name", FROM_TLOCK_JS)
def test_what_tlock_js_has_locked_opens(name: str) -> None:
    number, text = FROM_TLOCK_JS[name]
    data = (HERE / name).read_bytes()
    assert lock_of(data) == number
    assert unlock(data, ROUNDS[number]) == text


@pytest.mark.parametrize("size", SIZES)
def test_what_is_locked_opens_again_whatever_its_size(size: int) -> None:
    data = bytes(count % 251 for count in range(size))
    found = lock(data, 1001)
    assert lock_of(found) == 1001
    assert unlock(found, ROUNDS[1001]) == data
    assert len(data) < 16 or data[:16] not in base64.b64decode(b"".join(found.splitlines()[1:-1]))


def test_the_same_is_locked_differently_each_time() -> None:
    assert lock(b"orders: []", 1000) != lock(b"orders: []", 1000)


def test_no_other_signature_opens_it() -> None:
    with pytest.raises(Unopened, match="signature"):
        unlock(lock(b"orders: []", 1000), ROUNDS[1001])


def test_what_has_no_lock_has_none() -> None:
    assert lock_of(b"age-encryption.org/v1\n-> X25519 abc\n") is None
    assert lock_of(b"orders: []") is None
    assert lock_of(b"") is None


def armored(whole: bytes) -> bytes:
    return timelock.BEGIN + b"\n" + base64.encodebytes(whole) + timelock.END + b"\n"


def plain() -> bytes:
    """A locked file without its armor."""
    return base64.b64decode(b"".join(lock(b"orders: []", 1000).splitlines()[1:-1]))


CHANGES = {
    "another round": (b"tlock 1000 ", b"tlock 1001 "),
    "no round": (b"tlock 1000 ", b"tlock 0 "),
    "a round beyond all": (b"tlock 1000 ", b"tlock 9999999999999999999 "),
    "another chain": (b" 52db9ba7", b" 52db9ba8"),
    "another version": (b"/v1\n", b"/v2\n"),
    "one recipient more": (b"\n---", b"\n-> X25519 abcd\nabcd\n---"),
    "a line end more": (b"\n---", b"\n\n---"),
    "carriage returns": (b"\n", b"\r\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_head_is_refused(change: str) -> None:
    old, new = CHANGES[change]
    whole = plain()
    assert old in whole
    for data in (whole.replace(old, new), armored(whole.replace(old, new))):
        with pytest.raises(Unopened):
            for signature in (ROUNDS[1000], ROUNDS[1001]):
                unlock(data, signature)


@pytest.mark.parametrize("place", range(0, 400, 7))
def test_a_changed_byte_is_found(place: int) -> None:
    whole = bytearray(plain())
    whole[place % len(whole)] ^= 1
    with pytest.raises(Unopened):
        unlock(bytes(whole), ROUNDS[1000])


@pytest.mark.parametrize("length", range(0, 400, 11))
def test_a_torn_file_is_refused(length: int) -> None:
    whole = plain()
    with pytest.raises(Unopened):
        unlock(whole[: length % len(whole)], ROUNDS[1000])


def test_a_torn_armor_is_refused() -> None:
    data = lock(b"orders: []", 1000)
    for text in (data[: len(data) // 2], data.replace(b"\nY", b"\n\xff", 1), data.replace(b"\n", b"\n!", 1)):
        with pytest.raises(Unopened):
            lock_of(text)


def test_a_file_beyond_all_sheets_is_refused_before_it_is_read() -> None:
    with pytest.raises(Unopened, match="large"):
        lock_of(b"x" * (2 * timelock.MOST + 1))
