"""The moving picture of the README: its frames follow one another, and hold only the rows that differ."""

from __future__ import annotations

import struct
import zlib

from tests.browser.moving import SIGNATURE, moving, part, parts_of

WIDTH, HEIGHT = 2, 4


def picture(*shades: int) -> bytes:
    """Rows of one shade of grey each."""
    rows = b"".join(b"\0" + bytes([shade]) * 3 * WIDTH for shade in shades)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"".join([SIGNATURE, part(b"IHDR", head), part(b"IDAT", zlib.compress(rows)), part(b"IEND", b"")])


def test_a_moving_picture_begins_with_the_first_and_goes_on_with_what_differs() -> None:
    made = moving([picture(1, 2, 3, 4), picture(1, 9, 9, 4)], [100, 200])
    found = parts_of(made)
    assert struct.unpack(">II", found[b"acTL"]) == (2, 0)
    first, second = (struct.unpack(">IIIIIHHBB", found[b"fcTL"][at : at + 26]) for at in (0, 26))
    assert first[:6] == (0, WIDTH, HEIGHT, 0, 0, 100)
    assert second[:6] == (1, WIDTH, 2, 0, 1, 200)
    number, rows = struct.unpack(">I", found[b"fdAT"][:4])[0], zlib.decompress(found[b"fdAT"][4:])
    assert number == 2
    assert rows == b"\2" + bytes([9] * 6) + b"\2" + bytes(6)
    assert zlib.decompress(found[b"IDAT"]) == b"".join(b"\2" + bytes([1] * 6) for _ in range(4))
