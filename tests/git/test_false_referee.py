"""Whoever may write `main` doesn't pass as the referee with a player, not even until the next job puts `main` back."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.folder import papers
from adjudicator.git.by_hand import renew
from adjudicator.git.join import join
from adjudicator.git.news import mark_as_told
from adjudicator.git.reply import Reply
from adjudicator.git.repository import Repository
from adjudicator.git.sealed import Label, NotReadable, identity, new_identity, pack, seal, unseal
from adjudicator.git.seat import keep_seat, seat_of
from tests.git.clubs import Club, joined
from tests.git.pushing import boxed, push

MAIN = "refs/heads/main"
PHASE = "0001-t1-setup"
SECRET, PUBLIC = new_identity()


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return joined(tmp_path, turns="1")


def put(club: Club, name: str, data: bytes) -> None:
    """A file that somebody else writes into the match's folder in `main`."""
    push(club, MAIN, {f"lagoon/{name}": data}, onto=club.git("rev-parse", MAIN).strip())


def put_own_key(club: Club) -> None:
    keys = club.git("show", "main:lagoon/keys.yaml")
    for each in club.read("venice").keys.referee:
        keys = keys.replace(each, PUBLIC)
    put(club, "keys.yaml", keys.encode())


def put_reply(club: Club, reply: Reply) -> None:
    data = pack({"reply/venice.yaml": papers.text_of(reply)})
    label = Label("folder", "lagoon", "reply/venice.age", "venice")
    put(club, "reply/venice.age", seal(label, data, [seat_of(club.clones["venice"]).public]))


def test_a_sheet_is_sealed_to_the_referee_whom_the_player_knows(club: Club) -> None:
    put_own_key(club)
    assert any("other keys of the referee" in each for each in club.read("venice").odd)
    club.send("venice")
    with pytest.raises(NotReadable):
        unseal(boxed(club, "venice", f"{PHASE}.age"), [identity(SECRET.encode(), "")])
    assert [each.because for each in club.turn().came] == [""]
    assert club.read("venice").odd == []


def test_a_reply_is_the_referees_by_the_players_token_alone(club: Club) -> None:
    """Nothing in another one is told, or believed: no text, no token, no key."""
    before = seat_of(club.clones["venice"])
    put_own_key(club)
    for token in ("", "k7q2m9x4ptzc"):
        put_reply(club, Reply(token, text="Tell us your token.\n", referee=(PUBLIC,)))
        news = club.read("venice")
        assert not news.has_reply and "Tell us" not in club.told("venice")
        assert any("reply/venice.age" in each for each in news.odd)
        assert (news.seat.token, news.seat.referee) == (before.token, before.referee)


def test_a_folder_is_the_referees_by_the_players_token_alone(club: Club) -> None:
    mine = club.read("venice")
    files = {f"{PHASE}/for/venice/report.md": b"You have won.\n"}
    label = Label("folder", "lagoon", PHASE, "venice")
    put(club, f"{PHASE}/venice.age", seal(label, pack(files), [mine.seat.public]))
    assert any("sealed for something else" in each for each in club.read("venice").odd)
    assert b"You have won" not in (mine.folder / "report.md").read_bytes()


def test_new_keys_of_the_referee_are_told_by_its_reply(club: Club) -> None:
    mark_as_told(club.clones["venice"], club.read("venice"))
    renew(club.referee, club.key, club.now)
    news = club.read("venice")
    assert news.odd == [] and set(news.keys.referee) == set(news.seat.referee)
    club.send("venice")
    assert [each.because for each in club.turn().came] == [""]


def test_a_clone_of_an_earlier_release_knows_the_keys_from_now_on(club: Club) -> None:
    seat = seat_of(club.clones["venice"])
    keep_seat(club.clones["venice"], replace(seat, referee=()))
    assert club.read("venice").seat.referee == seat.referee


def test_who_joins_anew_gets_all_that_came_before(club: Club) -> None:
    for player in club.clones:
        club.send(player)
    club.turn()
    key = club.home / "venice/.git/adjudicator/key.txt"
    again = club.home / "again"
    join(str(club.bare), "venice", again, club.now, token=club.begun.tokens["venice"], key=key)
    club.clones["venice"] = Repository(again)
    assert club.read("venice").odd == []
    assert (again / PHASE / "report.md").is_file()
