"""`notify` gets one line of JSON for each thing that happened, with nothing secret in it; a fault of it
stops nothing.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import adjudicator as call
from tests.mail.clubs import GENOA, GOOD, Club, club_with, turn
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


@pytest.fixture
def club(tmp_path: Path, post: LocalPost) -> Club:
    writes = tmp_path / "notify.py"
    writes.write_text(f"import sys; open({str(tmp_path / 'news')!r}, 'a').write(sys.stdin.read())")
    found = club_with(tmp_path, post, vote="majority")
    post.account(found.match, notify=f"{sys.executable} -I {writes}")
    return found


def news(club: Club) -> list[dict[str, Any]]:
    file = club.match.parent / "news"
    found = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    file.write_text("")
    return found


def test_each_thing_is_told_once(club: Club) -> None:
    club.write(GOOD)
    assert news(club) == []
    club.write("away 24.11.-26.11.\n")
    lagoon = {"match": "lagoon", "rulebook": "mediterranee", "phase": "0001-t1-setup"}
    assert news(club) == [{"what": "due", **lagoon, "due": "2026-11-27T19:00:00Z"}]
    turn(club.match, "2026-11-27T19:01Z")
    assert [each["what"] for each in news(club)] == ["late"]
    assert turn(club.match, "2026-11-27T19:30Z") == ""
    assert news(club) == []
    turn(club.match, "2026-11-28T07:02Z")
    assert [(each["what"], each["phase"]) for each in news(club)] == [("opened", "0002-t1-auction")]
    said = club.answer("resign\n", GENOA, "2026-11-28T08:00Z")
    club.write(f"resign {re.findall('`resign ([a-z2-7]{12})`', said)[0]}\n", GENOA, "2026-11-28T08:10Z")
    assert [(each["what"], each["player"]) for each in news(club)] == [("seat-open", "genoa")]
    club.write("vote end\n", at="2026-11-28T09:00Z")
    told = news(club)
    assert [each["what"] for each in told] == ["agreed"]
    assert "end" not in json.dumps(told)


def test_a_command_that_fails_is_told_and_stops_nothing(club: Club, post: LocalPost) -> None:
    post.account(club.match, notify="/bin/false")
    told = call("mail", "turn", club.match, "--at", "2026-11-25T19:01Z")
    assert told.exit_code == 1
    assert "notify: it ended with status 1" in told.output
    assert "reminded venice, genoa" in told.output


def test_a_lasting_fault_is_told_once_and_then_once_a_day(club: Club, post: LocalPost) -> None:
    (club.match / "0001-t1-setup/sheets/nobody.yaml").write_text("orders: []\n")
    post.account(club.match, nonsense="x")
    told = [
        call("mail", "turn", club.match, "--at", f"2026-11-{at}Z")
        for at in ("23T12:00", "23T12:10", "24T11:00", "24T12:05", "24T12:10")
    ]
    assert [bool(each.output.strip()) for each in told] == [True, False, False, True, False]
    assert {each.exit_code for each in told} == {1}


def test_folders_that_are_no_matches_are_no_fault_among_matches(club: Club, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    told = call("mail", "turn", club.match, tmp_path / "notes", "--at", "2026-11-23T12:00Z")
    assert (told.exit_code, told.output) == (0, "")
    told = call("mail", "turn", tmp_path / "notes", "--at", "2026-11-23T12:00Z")
    assert told.exit_code == 1
