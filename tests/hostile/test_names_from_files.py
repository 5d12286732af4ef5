"""No name in a file can lead to a file elsewhere: not a player's, not a sent file's, not a phase's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.gate import Gate
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from tests.cli.calling import adjudicator, everything
from tests.engine.match_folders import said
from tests.hostile.club import AT, SECRET
from tests.mail.local_post import LocalPost, in_this_process

OUT = "../../../outer"


@pytest.fixture(autouse=True)
def delivered_here(monkeypatch: pytest.MonkeyPatch) -> None:
    in_this_process(monkeypatch)


def by_mail(home: Path, game: str = "mediterranee") -> Path:
    """A match that is mailed, and beside it a folder with a report of another and a key."""
    players = registry.rulebook(game).tables[min(registry.rulebook(game).tables)][0]
    match, post = home / "lagoon", LocalPost(home / "post")
    addresses = {player: f"{number}@example.org" for number, player in enumerate(players)}
    begin(game, match, players, options={"pages": "off"}, seed_text="x", addresses=addresses)
    post.account(match)
    (home / "key").write_text(SECRET)
    (home / "outer").mkdir()
    (home / "outer/report.md").write_text(SECRET)
    return match


@pytest.mark.parametrize(
    "name", ["mail/../../../key", "../../key", "mail/../../state.yaml", "/etc/hostname", "mail/", "mail"]
)
@pytest.mark.parametrize("phase", ["0001-t1-setup", ".", "..", "../lagoon/0001-t1-setup", "0099-t9-market"])
def test_no_other_file_than_a_mail_of_the_match_is_mailed(tmp_path: Path, name: str, phase: str) -> None:
    match = by_mail(tmp_path)
    sent = {"kind": "sent", "at": "2026-05-03T18:00:00Z", "phase": phase, "to": "venice", "files": {name: ""}}
    with (match / "ledger.jsonl").open("a") as file:
        file.write(json.dumps({**sent, "message": "<1@x>", "stage": "begun"}) + "\n")
    adjudicator("mail", "send", match, "--at", AT)
    adjudicator("mail", "turn", match, "--at", AT)
    assert not any(SECRET.encode() in data for data in everything(tmp_path / "post").values())
    assert not any(b"chain:" in data for data in everything(tmp_path / "post").values())


def test_a_kept_mail_with_another_text_than_the_ledger_says_is_not_sent(tmp_path: Path) -> None:
    match = by_mail(tmp_path)
    (match / "0001-t1-setup/mail").mkdir()
    (match / "0001-t1-setup/mail/x-answer.eml").write_text(SECRET)
    sent = {"kind": "sent", "at": "2026-05-03T18:00:00Z", "phase": "0001-t1-setup", "to": "venice"}
    entry = {**sent, "files": {"mail/x-answer.eml": "0" * 64}, "message": "<1@x>", "stage": "begun"}
    (match / "ledger.jsonl").write_text(json.dumps(entry) + "\n")
    done = adjudicator("mail", "send", match, "--at", AT)
    assert done.exit_code == 1, done.output
    assert "isn't the mail that was written" in " ".join(done.output.split())
    assert not any(SECRET.encode() in data for data in everything(tmp_path / "post").values())


@pytest.mark.parametrize("game", registry.OWN)
def test_a_player_of_another_name_than_a_seat_s_opens_no_match(tmp_path: Path, game: str) -> None:
    match = by_mail(tmp_path, game)
    seat = open_match(match).card.players[0]
    for path in (match / "match.yaml", match / "referee.yaml", *match.rglob("state.yaml")):
        text = path.read_text().replace(f"{seat}:", f"{OUT}:").replace(f"{seat},", f"{OUT},")
        path.write_text(text.replace(f"{seat}]", f"{OUT}]"))
    with pytest.raises(Faulty) as faulty:
        open_match(match)
    assert faulty.value.problems[0].file == str(match / "match.yaml")
    assert "together: edited by hand" in said(faulty)
    for command in ("status", "run", "verify", "undo"):
        assert adjudicator(command, match).exit_code == 1
    assert adjudicator("mail", "send", match, "--at", AT).exit_code == 1
    assert not any(SECRET.encode() in data for data in everything(tmp_path / "post").values())
    position = next(match.glob("0001*/state.yaml"))
    done = adjudicator("resolve", position, "--seed", "x", "--out", tmp_path / "next")
    assert done.exit_code == 1 and not (tmp_path / "next").exists()
    for command in (("map", position, "--out", "-"), ("check", "--view", position, position)):
        assert adjudicator(*command).exit_code == 1


@pytest.mark.parametrize(
    "name", ["..", "a/../../key", "../key", "a\\..\\..\\key", "a/..", "../lagoon/match.yaml"]
)
def test_nothing_leads_out_of_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "lagoon/a").mkdir(parents=True)
    (tmp_path / "key").write_text(SECRET)
    gate = Gate(tmp_path / "lagoon")
    for look in (gate.kind, gate.has, gate.checked_kind, gate.read, gate.names):
        with pytest.raises(Faulty) as faulty:
            look(name)
        assert "isn't in the match" in said(faulty)
