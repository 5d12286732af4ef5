"""Many files as one text to be sealed: a zip file, the same bytes for the same files."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from adjudicator.git.limits import LARGEST_MATCH, MOST_FILES

_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive."""


class BadArchive(Exception):
    """The bytes are no archive as `pack` makes it, or hold more than we read."""


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of files by name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as pack:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _ALWAYS)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            pack.writestr(info, files[name])
    return made.getvalue()


def unpack(data: bytes, most: int = LARGEST_MATCH) -> dict[str, bytes]:
    """The files of an archive, unpacked no further than `most` bytes in all. Raises BadArchive."""
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
