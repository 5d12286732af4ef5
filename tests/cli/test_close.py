"""`close` and `run` for dice that nobody holds: what a GM types, and what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from tests.cli.calling import adjudicator as call
from tests.drand import ROUNDS, relays
from tests.engine.match_folders import begun, send_all

LOTTERY = "6 aus 49, 28.11.2026"


def test_a_public_text_is_named_and_typed_when_it_is_known(tmp_path: Path) -> None:
    match = str(begun(tmp_path / "lagoon", dice="named"))
    assert call("run", match).exit_code == 3
    assert f"Its dice: {LOTTERY}." in call("close", match, "--source", LOTTERY).output
    waits = call("run", match)
    assert waits.exit_code == 3
    assert f"it isn't known yet what came of {LOTTERY}" in waits.output
    assert "Adjudicated: 0000-t1-start." in call("run", match, "--drawn", "3 8 21").output
    assert call("verify", match).exit_code == 0


def test_for_drand_two_runs_are_enough(tmp_path: Path) -> None:
    match = str(begun(tmp_path / "lagoon", dice="drand"))
    with relays() as (relay,):
        how = ("--relay", relay.address)
        closed = call("run", match, *how, "--at", "2026-09-17T15:13:37Z")
        assert closed.exit_code == 0
        assert "round 32285085 of drand, out 2026-09-17 15:23:39 UTC" in closed.output
        assert call("run", match, *how, "--at", "2026-09-17T15:23:38Z").exit_code == 3
        assert relay.asked == []
        relay.status = 500
        assert "status 500" in call("run", match, *how, "--at", "2026-09-17T15:23:39Z").output
        relay.status = 200
        assert "Adjudicated" in call("run", match, *how, "--at", "2026-09-17T15:23:39Z").output
    assert ROUNDS[32285085] in (Path(match) / "0000-t1-start/beacon.yaml").read_text()


def test_sheets_that_are_missing_are_named_and_nothing_is_closed(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    done = call("close", str(match))
    assert done.exit_code == 3
    assert "no sheet yet from venice and genoa" in done.output
    assert call("close", str(match), "--deadline").exit_code == 0
    assert call("run", str(match)).exit_code == 0
    assert Folder(match).by_deadline(1)


@pytest.mark.parametrize(
    "words",
    [
        ("close", "--source", "a text"),
        ("close", "--again", "--why", "none is closed"),
        ("run", "--relay", "file:///etc/hostname", "--drawn", "\x1b[2J"),
    ],
)
def test_what_cant_be_is_said_in_a_line(words: tuple[str, ...], tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send_all(match)
    command, *options = words
    done = call(command, str(match), *options)
    assert "Traceback" not in done.output
    assert "\x1b" not in done.output
    assert (done.exit_code == 0) is (command == "run")
