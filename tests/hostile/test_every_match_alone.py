"""One faulty match stops no other match of a club: not its mail, its deadlines, or its league."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.door import seats
from adjudicator.engine.folder.errors import Faulty, collecting_faults
from adjudicator.engine.match.begin import begin
from adjudicator.gm.playing import entries_of_run
from adjudicator.mail import mails_to_send
from tests.cli.calling import adjudicator
from tests.engine.match_folders import PHASE_BY_PHASE, TWO, send_all
from tests.gm.weeks import BEGUN, WEEK, utc
from tests.mail.local_post import LocalPost, in_this_process

AT = ("--at", "2026-11-22T13:00:00Z")
SENT = {
    "kind": "sent",
    "at": "2026-11-22T12:01:00Z",
    "phase": "0001-t1-setup",
    "stage": "begun",
    "message": "<1@x>",
}


def ledger(**entry: object) -> Callable[[Path], None]:
    """One more line in the ledger."""

    def add(match: Path) -> None:
        with (match / "ledger.jsonl").open("a") as file:
            file.write(json.dumps(entry) + "\n")

    return add


def text(name: str, data: str) -> Callable[[Path], None]:
    """Another text of a file."""
    return lambda match: (match / name).write_text(data) and None


SETUP = "0001-t1-setup"
FAULTS = {
    "sent to nobody": ledger(**SENT, to="nobody"),
    "the year 1": ledger(kind="opened", at="0001-01-01T00:00:00Z", phase=SETUP, due="0001-01-01T00:00:00Z"),
    "the year 9999": ledger(
        kind="extended",
        at="2026-11-22T12:01:00Z",
        phase=SETUP,
        due="9999-12-31T23:59:59Z",
        closes="9999-12-31T23:59:59Z",
        why="x",
    ),
    "absent for ever": ledger(
        kind="absent", at="2026-11-22T12:01:00Z", player="venice", first="0001-01-01", last="9999-12-31"
    ),
    "absent on no day": ledger(
        kind="absent", at="2026-11-22T12:01:00Z", player="venice", first="tomorrow", last="2026-13-45"
    ),
    "deep JSON": text("ledger.jsonl", '{"a":' * 30_000),
    "deep YAML": text("referee.yaml", "a: " + "[" * 30_000),
    "a long list": text("match.yaml", f"players: [{'a,' * 400_000}]"),
    "a name of two lines": text("referee.yaml", 'seed: "00"\naddresses: {"ven\\nice": a@b.example}\n'),
    "a note with escapes": text(f"{SETUP}/note.md", "\x1b[2J\x00\u202e"),
    "no card": text("match.yaml", ""),
}


@pytest.fixture(autouse=True)
def delivered_here(monkeypatch: pytest.MonkeyPatch) -> None:
    in_this_process(monkeypatch)


def club(home: Path) -> list[Path]:
    """Three matches with one mailbox; that in the middle is to be hurt."""
    post, found = LocalPost(home / "post"), []
    for name in ("a", "b", "c"):
        found.append(home / name)
        addresses = {player: f"{player}@example.org" for player in TWO}
        begin(
            *("mediterranee", home / name, TWO),
            options=PHASE_BY_PHASE,
            seed_text=name,
            addresses=addresses,
            schedule=WEEK,
            keep=entries_of_run(utc(BEGUN)),
        )
    post.account(home)
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_the_others_are_mailed_and_played(tmp_path: Path, fault: str) -> None:
    folders = club(tmp_path)
    FAULTS[fault](folders[1])
    done = adjudicator("mail", "turn", *folders, *AT)
    assert "\x1b" not in done.output and "a fault of the program" not in done.output, done.output
    for folder in (folders[0], folders[2]):
        assert f"{folder}: sent to venice, genoa" in done.output
        send_all(folder)
    done = adjudicator("run", "--if-due", *folders, *AT)
    assert done.output.count("1 adjudicated, open now") == 2, done.output
    assert adjudicator("league", *folders).exit_code in (0, 1)
    for command in ("status", "due", "verify"):
        said = adjudicator(command, folders[1]).output
        assert "\x1b" not in said and "\u202e" not in said


@pytest.mark.parametrize(
    "place", [(seats, "seats_of"), (mails_to_send, "seats_of"), (mails_to_send, "players_to_remind")]
)
def test_so_they_are_where_the_program_itself_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: tuple[object, str]
) -> None:
    folders = club(tmp_path)
    rightly = getattr(*place)

    def wrongly(match: object, *more: object) -> object:
        if match.path == folders[1]:  # type: ignore[attr-defined]
            raise KeyError("oops")
        return rightly(match, *more)

    monkeypatch.setattr(*place, wrongly)
    done = adjudicator("mail", "turn", *folders, *AT)
    assert f"{folders[0]}: sent to venice, genoa" in done.output
    assert f"{folders[2]}: sent to venice, genoa" in done.output
    assert f"{folders[1]}: MATCH a fault of the program, please report it: KeyError" in done.output


def test_whatever_is_wrong_is_a_line(tmp_path: Path) -> None:
    wrong: list[Faulty] = []
    for error in (
        RecursionError("deep"),
        OSError(5, "no answer", str(tmp_path)),
        Faulty([]),
        ValueError("odd"),
    ):
        with collecting_faults(tmp_path, wrong):
            raise error
    assert [each.text for faulty in wrong for each in faulty.problems] == [
        "a fault of the program, please report it: RecursionError: deep",
        "no answer",
        "a fault of the program, please report it: ValueError: odd",
    ]
