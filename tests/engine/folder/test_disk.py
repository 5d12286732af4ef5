"""A file is written whole or not at all and read whole,
even if the system takes or gives only a few bytes at a time."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from adjudicator.engine.folder import disk, gate

TEXT = bytes(range(256)) * 5


@pytest.fixture
def a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system writes and reads seven bytes, whatever it is asked for: it may."""
    write, read = os.write, os.read
    monkeypatch.setattr(os, "write", lambda descriptor, text: write(descriptor, text[:7]))
    monkeypatch.setattr(os, "read", lambda descriptor, most: read(descriptor, min(most, 7)))


@pytest.mark.usefixtures("a_few_at_a_time")
def test_what_is_written_and_read_in_parts_is_whole(tmp_path: Path) -> None:
    disk.write(tmp_path / "file", TEXT)
    assert (tmp_path / "file").read_bytes() == TEXT
    assert gate.read_plain(tmp_path / "file") == TEXT
    assert gate.read_plain(tmp_path / "file", most=100) == TEXT[:101]


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read
    (tmp_path / "file").write_bytes(TEXT)

    def growing(descriptor: int, most: int) -> bytes:
        if (tmp_path / "file").stat().st_size == len(TEXT):
            (tmp_path / "file").write_bytes(TEXT + b"more")
        return read(descriptor, most)

    monkeypatch.setattr(os, "read", growing)
    assert gate.read_plain(tmp_path / "file") == TEXT + b"more"


def test_of_a_file_that_the_disk_has_no_room_for_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, left = os.write, [3]

    def full(descriptor: int, text: bytes) -> int:
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, text[: left.pop()])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left") as said:
        disk.write(tmp_path / "file", TEXT)
    assert said.value.filename == str(tmp_path / "file")
    assert not (tmp_path / "file").exists()


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="a system that takes no advice")
def test_a_system_that_takes_no_advice_writes_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: int) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(os, "posix_fadvise", refused)
    disk.write(tmp_path / "file", TEXT)
    assert (tmp_path / "file").read_bytes() == TEXT


def test_a_file_that_says_it_is_empty_is_read_in_few_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those of `/proc` do, and one that begins to be written just then."""
    fstat, read, parts = os.fstat, os.read, list[bytes]()
    (tmp_path / "file").write_bytes(TEXT * 100)

    def empty(descriptor: int) -> os.stat_result:
        return os.stat_result(
            [0 if at == stat.ST_SIZE else each for at, each in enumerate(fstat(descriptor)[:10])]
        )

    def part(descriptor: int, most: int) -> bytes:
        parts.append(read(descriptor, most))
        return parts[-1]

    monkeypatch.setattr(os, "fstat", empty)
    monkeypatch.setattr(os, "read", part)
    assert gate.read_plain(tmp_path / "file") == TEXT * 100
    assert len(parts) < 10
