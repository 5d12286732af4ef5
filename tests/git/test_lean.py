"""A repository stays small: archives leave out what stands in the open, and their sizes tell nothing."""

from __future__ import annotations

import io
import lzma
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.git import sealing
from adjudicator.git.by_hand import close_by_hand, open_by_hand
from adjudicator.git.sealed import BadArchive, pack, unpack
from adjudicator.gm.changing import amend
from tests.git.clubs import NOON, joined, sizes


def zipped(files: Mapping[str, bytes], shared: Mapping[str, bytes] = {}) -> bytes:
    """An archive as earlier releases wrote it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in sorted(files):
            packed.writestr(name, files[name])
    return made.getvalue()


def test_what_stands_in_the_open_is_left_out_and_nothing_else_is_lost(tmp_path: Path) -> None:
    club = joined(tmp_path, pages="on")
    club.read("venice")
    assert max(size for phase in sizes(club).values() for size in phase.values()) < 30_000
    opened = club.opened()
    there = {path.name: path.read_bytes() for path in (opened / "0001-t1-setup/for/venice").iterdir()}
    ours = {name: (tmp_path / "venice/0001-t1-setup" / name).read_bytes() for name in there}
    assert len(there["orders.html"]) > 150_000
    assert there | {"orders.html": b""} == ours | {"orders.html": b""}  # which can seal there
    assert verify(opened).good


def test_what_an_earlier_release_began_goes_on_and_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its archives are zip files, and there is no file of what all pages hold."""
    with monkeypatch.context() as earlier:
        earlier.setattr(sealing, "pack", zipped)
        earlier.setattr(sealing, "_shared_by_pages", lambda sealed: {})
        club = joined(tmp_path, turns="1", pages="on", players=("genoa", "venice"))
        club.play(1)
    before = sizes(club)
    club.play(2)
    assert {phase: sizes(club)[phase] for phase in before} == before  # sealed once, and left alone
    assert len(sizes(club)) == len(before) + 2
    assert verify(club.opened()).good


def test_what_a_gm_amends_is_left_out_anew(tmp_path: Path) -> None:
    """An amended position has its reports written again, the public one too, from which archives leave lines out."""
    club = joined(tmp_path, pages="on")
    opened = tmp_path / "opened"
    open_by_hand(club.referee, "lagoon", opened, club.key)
    phase = opened / "0001-t1-setup"
    state, public = phase / "state.yaml", phase / "for" / "public" / "report.html"
    before = public.read_bytes()
    state.write_text(re.sub(r"treasury: (\d)", r"treasury: 1\1", state.read_text(), count=1))
    amend(opened, NOON, why="a slip")
    assert public.read_bytes() != before
    close_by_hand(club.referee, opened, club.key, NOON, "a slip")
    assert (club.opened("again") / public.relative_to(opened)).read_bytes() == public.read_bytes()
    assert club.read("genoa").form_to_fill_in is not None


HOSTILE = {
    "no archive": b"PK",
    "cut off": pack({"x": b"y" * 1000})[:-20],
    "many zeros": pack({"x": bytes(10**6)}),
    "a line many times": pack({"x": b"a line in the open\n" * 10**5}, {"pages/x": b"a line in the open\n"}),
    "a file that isn't there": pack({"x": b"y"}, {"nowhere": b""}),
    "a line that isn't there": b"adjudicator archive 1\n"
    + lzma.compress(msgspec.msgpack.encode([[], {"x": [7]}])),
    "other than it should be": b"adjudicator archive 1\n" + lzma.compress(msgspec.msgpack.encode({"x": "y"})),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_an_archive_that_anybody_sealed_is_read_with_limits(what: str) -> None:
    with pytest.raises(BadArchive):
        unpack(HOSTILE[what], 10**5, {"pages/x": b"a line in the open\n"})
