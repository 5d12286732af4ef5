"""`verify` finds every change of a match, except of the GM's notes and of comments."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import CARD, REFEREE, SEED, STATE, UNDONE
from adjudicator.engine.library import registry
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from tests.engine.match_folders import begun, play, report_of, send, send_all

FREE = ("note.md", ".gitignore", ".gitattributes", ".lock")
"""Files that a match doesn't depend on."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of one turn, played to its end."""
    match = begun(tmp_path_factory.mktemp("whole") / "lagoon", turns="1", treasury="open")
    ran = play(match, 30)
    assert ran.over
    assert verify(match).good
    return match


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in the middle: the market is open, and a sheet is in."""
    match = begun(tmp_path_factory.mktemp("waiting") / "lagoon")
    play(match, 2)
    send(match, "venice")
    assert verify(match).good
    return match


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of which a phase waits for an answer: its sheets are in, and stay as they are."""
    match = begun(tmp_path_factory.mktemp("asked") / "lagoon", pacing="live", stops="all")
    send_all(match)
    run(match)
    for player in ("venice", "genoa"):  # both bid the same: who goes first of them is asked
        send(match, player, "orders: [{bid: 100}]")
    run(match)
    assert Folder(match).opening(Folder(match).last).waits
    assert verify(match).good
    return match


@pytest.fixture(scope="module")
def undone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in which a phase was taken back twice, and played again."""
    match = begun(tmp_path_factory.mktemp("undone") / "lagoon")
    for _ in range(2):
        play(match, 2)
        (match / Folder(match).phases[-2] / "note.md").write_text("A calm day.\n")
        undo(match)
    play(match, 1)
    assert verify(match).good
    return match


def files(match: Path) -> list[str]:
    """Every file of a match that counts, of the phases the first two and the last two."""
    folder = Folder(match)
    some = {*folder.phases[:2], *folder.phases[-2:], UNDONE}
    return [
        name
        for path in sorted(match.rglob("*"))
        if path.is_file() and path.name not in FREE
        if (name := str(path.relative_to(match))).partition("/")[0] in {*some, CARD, REFEREE}
    ]


def changed(text: str) -> Iterator[str]:
    """A text with a letter changed in the first, the middle and the last line that isn't a comment; longer; empty."""
    lines = text.splitlines(keepends=True)
    real = [
        number for number, line in enumerate(lines) if re.search(r"\w", line) and not line.startswith("#")
    ]
    for number in dict.fromkeys((real[0], real[len(real) // 2], real[-1])):
        line = lines[number]
        at = next(index for index in range(len(line) - 1, -1, -1) if line[index].isalnum())
        other = "8" if line[at] != "8" else "9"
        yield "".join([*lines[:number], line[:at] + other + line[at + 1 :], *lines[number + 1 :]])
    yield text + "another: line\n"
    yield ""


def noticed(match: Path) -> bool:
    """Does `verify` say that something isn't as it was?"""
    try:
        found = verify(match)
    except Faulty:
        return True
    return bool(found.problems or found.left_out)


@pytest.mark.parametrize("one_in", [6, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "which",
    ["waiting", "asked", *(pytest.param(each, marks=pytest.mark.soak) for each in ("whole", "undone"))],
)
def test_no_change_goes_unnoticed(
    which: str, one_in: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Of the changes of a file one in six, others for others; in `soak` all of all."""
    match = tmp_path / "lagoon"
    shutil.copytree(request.getfixturevalue(which), match)
    unnoticed, gone, tried = [], set[str](), 0
    for turn, name in enumerate(files(match)):
        if which == "waiting" and name.endswith("market/sheets/venice.yaml"):
            continue  # a sheet that is in may still be replaced
        path = match / name
        text = path.read_text()
        for number, other in enumerate(changed(text)):
            if (number + turn) % one_in:
                continue
            path.write_text(other)
            tried += 1
            if not noticed(match):
                unnoticed.append(f"{name} {number}")
        if (
            name.rpartition("/")[2] not in gone and path.name != REFEREE
        ):  # without a seed no throws are checked
            gone.add(name.rpartition("/")[2])
            path.unlink()
            if not noticed(match):
                unnoticed.append(f"{name} gone")
        path.write_text(text)
    assert unnoticed == []
    assert tried > 30, tried
    assert verify(match).good


def test_what_a_waiting_phase_has_begun_with_stays_to_the_byte(asked: Path, tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    shutil.copytree(asked, match)
    top = match / Folder(match).phases[-1]
    for name, old, new in (
        ("sheets/venice.yaml", r"\Z", "# a comment\n"),
        ("state.yaml", r"\Z", "# a comment\n"),
        ("events.jsonl", r"(?s)\A(.*\n)(.*\n)\Z", r"\1\2\2"),
        ("open.yaml", r"(sheets/venice.yaml: .{9})", r"\1 "),
        ("open.yaml", r"  sheets/venice.yaml: .*\n", ""),
        ("open.yaml", r"(?s)(\nearlier:.*: \[.{9}).", r"\1-"),
        ("open.yaml", r"(?s)(\nearlier:.*)  for/venice/report.md: .*?\n", r"\1"),
    ):
        text = (top / name).read_text()
        other = re.sub(old, new, text, count=1)
        assert other != text
        (top / name).write_text(other)
        assert not verify(match).good, (name, new)
        (top / name).write_text(text)
    assert verify(match).good


def test_the_start_is_the_rulebooks(waiting: Path, tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    shutil.copytree(waiting, match)
    path = match / "0000-t1-start" / STATE
    path.write_text(path.read_text().replace("treasury: 2000", "treasury: 9000", 1))
    said = [problem.text for problem in verify(match).problems]
    assert "this isn't the position with which such a match begins: edited by hand" in said


def test_without_a_seed_the_throws_are_not_checked(whole: Path, tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    shutil.copytree(whole, match)
    (match / REFEREE).unlink()
    (match / Folder(match).phases[-1] / SEED).unlink()
    found = verify(match)
    assert not found.seed
    assert [problem.severity for problem in found.problems] == []


def test_a_match_played_by_another_version_of_the_rulebook_is_said_to_be(whole: Path, tmp_path: Path) -> None:
    """What comes out the same by the newest version counts as replayed."""
    match = tmp_path / "lagoon"
    shutil.copytree(whole, match)
    rulebook = Folder(match).rulebook
    other = msgspec.structs.replace(rulebook, version=str(int(rulebook.version) + 1), oldest=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "rulebook", lambda name: other)
        found = verify(match)
    assert found.good
    assert found.replayed == found.phases
    (told,) = found.problems
    assert told.severity == "warning"
    phases = Folder(match).phases
    assert told.text == (
        f"{phases[0]} to {phases[-2]} ({found.phases} phases): played by version {rulebook.version} of the rules, and "
        f"replayed by version {other.version}, with the same result"
    )


def marks(report: str) -> dict[str, str]:
    """The marks of phases in a report."""
    return dict(re.findall(r"(\d{4}-t\d+-[a-z]+) `([0-9a-f]{16})`", report))


def test_reports_mark_the_chain_so_that_a_match_played_anew_is_seen(tmp_path: Path) -> None:
    found = []
    for seats in ("1", "2"):
        match = begun(tmp_path / seats / "lagoon")
        send(match, "venice", f"orders: []\nlater: {{auction: {{orders: [{{bid: 100, seats: [{seats}]}}]}}}}")
        send(match, "genoa", "orders: []\nlater: {auction: {orders: []}}")
        run(match)
        folder = Folder(match).phases[-1]
        told = marks(report_of(match, folder, "public"))
        assert marks(report_of(match, folder, "venice")) == told
        assert list(told) == ["0001-t1-setup", "0003-t1-market"]
        earlier = marks(report_of(match, "0001-t1-setup", "genoa"))
        assert list(earlier) == ["0000-t1-start", "0001-t1-setup"]
        assert earlier["0001-t1-setup"] == told["0001-t1-setup"]
        assert f"chain: {told[folder]}\n" in (match / folder / "for/genoa/view.yaml").read_text()
        assert Folder(match).state(3).chain[:16] not in (match / folder / "for/genoa/view.yaml").read_text()
        found.append(told)
    assert found[0]["0001-t1-setup"] == found[1]["0001-t1-setup"]
    assert found[0]["0003-t1-market"] != found[1]["0003-t1-market"]
