"""A moving picture of several pictures: an animated PNG, whose frames hold only the rows that differ."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 6: 4}
"""How many bytes a pixel has, by the kind of colour: red, green, blue, perhaps with transparency."""


def moving(pictures: Sequence[bytes], times: Sequence[int]) -> bytes:
    """The pictures one after another, again and again, each shown for so many milliseconds. They have one size."""
    first = parts_of(pictures[0])
    width, height, _, colour = struct.unpack(">IIBB", first[b"IHDR"][:10])
    stride = 1 + width * CHANNELS[colour]
    out = [SIGNATURE, part(b"IHDR", first[b"IHDR"]), part(b"acTL", struct.pack(">II", len(pictures), 0))]
    number, before = 0, b""
    for picture, time in zip(pictures, times, strict=True):
        rows = unfiltered(zlib.decompress(parts_of(picture)[b"IDAT"]), stride, CHANNELS[colour])
        top, bottom = differing(before, rows, stride) if before else (0, height)
        head = struct.pack(">IIIIIHHBB", number, width, bottom - top, 0, top, time, 1000, 0, 0)
        out.append(part(b"fcTL", head))
        data = zlib.compress(filtered(rows[top * stride : bottom * stride], stride), 9)
        out.append(part(b"fdAT", struct.pack(">I", number + 1) + data) if before else part(b"IDAT", data))
        number += 2 if before else 1
        before = rows
    return b"".join([*out, part(b"IEND", b"")])


def part(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def parts_of(picture: bytes) -> dict[bytes, bytes]:
    """The chunks of a PNG by name; those of one name joined."""
    found: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at < len(picture):
        (size,) = struct.unpack(">I", picture[at : at + 4])
        name = picture[at + 4 : at + 8]
        found[name] = found.get(name, b"") + picture[at + 8 : at + 8 + size]
        at += 12 + size
    return found


def unfiltered(data: bytes, stride: int, pixel: int) -> bytes:
    """The rows of a picture as they are, each after a 0: the filter of a row that has none."""
    found, above = bytearray(), bytes(stride - 1)
    for at in range(0, len(data), stride):
        kind, row = data[at], bytearray(data[at + 1 : at + stride])
        for index in range(len(row)):
            left = row[index - pixel] if index >= pixel else 0
            corner = above[index - pixel] if index >= pixel else 0
            row[index] = (row[index] + guess(kind, left, above[index], corner)) & 255
        found += b"\0" + row
        above = bytes(row)
    return bytes(found)


def guess(kind: int, left: int, above: int, corner: int) -> int:
    """What a filter adds to a byte: nothing, the byte at the left, above, their mean, or the nearest of three."""
    if kind < 4:
        return (0, left, above, (left + above) // 2)[kind]
    middle = left + above - corner
    return min((left, above, corner), key=lambda each: abs(middle - each))


def filtered(rows: bytes, stride: int) -> bytes:
    """Rows packed better: each as its difference from the one above it."""
    found, above = bytearray(), bytes(stride - 1)
    for row in each_row(rows, stride):
        found += b"\2" + bytes((one - other) & 255 for one, other in zip(row, above, strict=True))
        above = row
    return bytes(found)


def each_row(rows: bytes, stride: int) -> Iterator[bytes]:
    """The rows without their filters."""
    for at in range(0, len(rows), stride):
        yield rows[at + 1 : at + stride]


def differing(before: bytes, after: bytes, stride: int) -> tuple[int, int]:
    """The first row that differs, and the one after the last that does; one row, if none does."""
    rows = range(0, len(after), stride)
    changed = [at // stride for at in rows if before[at : at + stride] != after[at : at + stride]]
    return (changed[0], changed[-1] + 1) if changed else (0, 1)
