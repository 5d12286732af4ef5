"""Many files as one text to be sealed. Lines that stand in the open in `main` are left out, the rest is packed as one.

Two thirds of a page are styles and scripts, the same in all pages; and most of a player's map is everybody's. With them
left out, an archive is a sixth as large.
"""

from __future__ import annotations

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from adjudicator.git.running import LARGEST_MATCH, MOST_FILES

_BEGIN = b"adjudicator archive 1\n"
_LINE = re.compile(rb"[^\n>]*[\n>]|[^\n>]+")
"""What is looked up as one: a line, or in a page what comes up to the end of a tag."""
_SHORTEST = 12
"""Bytes of a line that is left out; a shorter one is shorter than saying where it stands."""
_MOST_MEMORY = 2**27


class _Archive(msgspec.Struct, frozen=True, array_like=True):
    """The names of the files in the open whose lines are left out; each file, as bytes and numbers of such lines."""

    shared: list[str]
    files: dict[str, list[bytes | int]]


_DECODER = msgspec.msgpack.Decoder(_Archive)


class BadArchive(Exception):
    """The bytes are no archive as `pack` makes it, or hold more than we read."""


def pack(files: Mapping[str, bytes], shared: Mapping[str, bytes] = {}) -> bytes:
    """The archive of files by name; `shared` are files that whoever unpacks it has."""
    numbers = {line: number for number, line in enumerate(_lines(tuple(shared.values())))}
    found: dict[str, list[bytes | int]] = {}
    for name in sorted(files):
        parts: list[bytes | int] = []
        for line in _LINE.findall(files[name]):
            number = numbers.get(line)
            if number is not None:
                parts.append(number)
            elif parts and isinstance(parts[-1], bytes):
                parts[-1] += line
            else:
                parts.append(line)
        found[name] = parts
    return _BEGIN + lzma.compress(msgspec.msgpack.encode(_Archive([*shared], found)))


def unpack(data: bytes, most: int = LARGEST_MATCH, shared: Mapping[str, bytes] = {}) -> dict[str, bytes]:
    """The files of an archive, unpacked no further than `most` bytes in all. Raises BadArchive.

    `shared` are the files in the open; an archive of an earlier release is a zip file, and needs none.
    """
    if not data.startswith(_BEGIN):
        return _unzipped(data, most)
    try:
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
        text = unpacker.decompress(data[len(_BEGIN) :], most + 1)
        if not unpacker.eof:
            raise BadArchive("it is cut off, or unpacks to more than is read")
        archive = _DECODER.decode(text)
        lines = _lines(tuple(shared[name] for name in archive.shared))
        if len(archive.files) > MOST_FILES:
            raise BadArchive(f"more than {MOST_FILES} files")
        found: dict[str, bytes] = {}
        for name, parts in archive.files.items():
            texts = [lines[part] if isinstance(part, int) else part for part in parts]
            most -= sum(map(len, texts))
            if most < 0:
                raise BadArchive("it unpacks to more than is read")
            found[name] = b"".join(texts)
    except (lzma.LZMAError, EOFError, ValueError, LookupError) as error:
        raise BadArchive(str(error)) from None
    return found


@lru_cache(maxsize=8)
def _lines(shared: tuple[bytes, ...]) -> list[bytes]:
    """The lines of texts that are worth leaving out, each once."""
    lines = (line for text in shared for line in _LINE.findall(text))
    return [*dict.fromkeys(line for line in lines if len(line) >= _SHORTEST)]


def _unzipped(data: bytes, most: int) -> dict[str, bytes]:
    """The files of an archive of an earlier release."""
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            if len(pack.infolist()) > MOST_FILES:
                raise BadArchive(f"more than {MOST_FILES} files")
            for info in pack.infolist():
                with pack.open(info) as file:
                    text = file.read(most + 1)  # the sizes that the archive gives may be false
                most -= len(text)
                if most < 0:
                    raise BadArchive("it unpacks to more than is read")
                found[info.filename] = text
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        NotImplementedError,
        RuntimeError,
        OSError,
    ) as error:
        raise BadArchive(str(error)) from None
    return found
