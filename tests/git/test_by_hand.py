"""What a GM does by hand in a match in a repository: a commit with its reason; and keys that were lost or changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.door.seats import token
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.git.by_hand import open_by_hand, renew
from adjudicator.git.join import join
from adjudicator.git.keys import keys_of, referee_key
from adjudicator.git.repository import Repository
from adjudicator.git.turn import turn
from tests.cli.calling import adjudicator
from tests.engine.match_folders import said
from tests.git.clubs import NOON, Club, joined

AT = ("--at", "2026-11-22T12:30Z")


def hands(club: Club, *acts: tuple[str, ...], name: str = "opened", why: str = "") -> str:
    """Opens the match, gives these commands on it, and closes it; returns what the last commit says."""
    open_by_hand(club.referee, "lagoon", club.home / name, club.key)
    for act in acts:
        done = adjudicator(act[0], club.home / name, *act[1:], *AT)
        assert done.exit_code == 0, done.output
    done = adjudicator("git", "close", club.home / name, *AT, *(["--why", why] if why else []))
    assert done.exit_code == 0, done.output
    return club.git("log", "-1", "--format=%s", "main").strip()


def played_once(club: Club) -> Club:
    for player in club.clones:
        club.send(player)
    club.turn()
    return club


@pytest.fixture
def club(tmp_path: Path) -> Club:
    week = {"zone": "Europe/Paris", "at": "20:00", "every": "3 days"}
    return joined(tmp_path, schedule=week, turns="1")


def test_a_phase_that_is_taken_back_is_open_again_in_all_clones(club: Club) -> None:
    played_once(club)
    assert club.read("venice").now.phase == "0002-t1-auction"
    assert hands(club, ("undo", "--why", "a sheet was overlooked")) == "lagoon: a sheet was overlooked"
    news = club.read("venice")
    assert news.now.phase == "0001-t1-setup"
    assert "a sheet was overlooked" in (news.folder / "report.md").read_text()
    assert not (news.folder.parent / "0002-t1-auction").exists()
    assert "0002-t1-auction" not in news.fresh, "what was taken back isn't told as new"
    assert (
        news.folder.parent / "undone/0001/0002-t1-auction/report.md"
    ).is_file()  # it was received, and is kept
    assert "lagoon/referee/undone-0001.age" in club.git("ls-tree", "-r", "--name-only", "main")
    asked = club.told("venice")
    assert "0001-t1-setup is open, due Wednesday 2026-11-25 19:00 (UTC)." in asked
    assert "It was taken back. It is played again at its deadline and not before" in asked
    club.send("venice", b"orders: []\n# again\n")
    assert not club.turn().phases_played
    assert "The phase was taken back before: it is played again at its deadline" in club.told("venice")
    hands(club, ("run",), name="again", why="all sheets are in")
    assert club.read("genoa").now.phase == "0002-t1-auction"
    assert verify(club.opened("last")).good


def test_a_position_is_amended_and_everybody_reads_why(club: Club) -> None:
    played_once(club)
    open_by_hand(club.referee, "lagoon", club.home / "opened", club.key)
    position = club.home / "opened/0002-t1-auction/state.yaml"
    position.write_text(position.read_text().replace("treasury: 2000", "treasury: 1900", 1))
    assert adjudicator("amend", club.home / "opened", "--why", "a slip", *AT).exit_code == 0
    assert adjudicator("git", "close", club.home / "opened", *AT).exit_code == 0
    assert "a slip" in (club.read("genoa").folder / "report.md").read_text()
    assert verify(club.opened("last")).good


def test_a_match_on_hold_is_played_by_no_job_until_it_is_resumed(club: Club) -> None:
    hands(club, ("hold", "--why", "a storm"))
    for player in club.clones:
        club.send(player)
    assert [ran.still for ran in club.turn().ran] == ["a storm"]
    told = club.told("venice")
    assert "The match is on hold (a storm): nothing is played until the GM resumes it." in told
    assert "Nothing is played until the GM resumes the match." in told
    hands(club, ("resume", "--why", "calm"), name="again")
    assert club.turn().phases_played == ("0001-t1-setup",)


def test_what_the_player_has_written_into_a_form_stays_when_it_comes_again(club: Club) -> None:
    form = club.read("venice").form_to_fill_in
    assert form is not None
    form.write_text("orders: []  # mine\n")
    hands(club, ("hold", "--why", "a storm"))
    news = club.read("venice")
    assert form.read_text() == "orders: []  # mine\n"
    assert news.kept == ["0001-t1-setup/new-sheet.yaml"]


def test_a_folder_is_not_closed_over_what_a_job_has_done_since(club: Club) -> None:
    open_by_hand(club.referee, "lagoon", club.home / "opened", club.key)
    played_once(club)
    assert adjudicator("hold", club.home / "opened", "--why", "a storm", *AT).exit_code == 0
    before = club.git("rev-parse", "main")
    done = adjudicator("git", "close", club.home / "opened", *AT)
    assert done.exit_code == 1
    assert "open it again" in done.output
    assert club.git("rev-parse", "main") == before


def test_a_change_without_a_reason_is_not_pushed_and_a_strange_file_neither(club: Club) -> None:
    open_by_hand(club.referee, "lagoon", club.home / "opened", club.key)
    assert "Nothing was changed" in adjudicator("git", "close", club.home / "opened", *AT).output
    (club.home / "opened/0001-t1-setup/note.md").write_text("A calm day.\n")
    assert adjudicator("git", "close", club.home / "opened", *AT).exit_code == 2
    (club.home / "opened/secrets.txt").write_text("x")
    done = adjudicator("git", "close", club.home / "opened", "--why", "a note", *AT)
    assert done.exit_code == 1
    assert "secrets.txt" in done.output


def test_a_player_who_has_lost_the_key_joins_again_with_a_new_token(club: Club) -> None:
    played_once(club)
    old = club.clones["venice"]
    open_by_hand(club.referee, "lagoon", club.home / "opened", club.key)
    told = adjudicator("mail", "token", club.home / "opened", "venice", "--new").output.strip()
    assert (
        adjudicator("git", "close", club.home / "opened", "--why", "a new key for venice", *AT).exit_code == 0
    )
    club.turn()
    join(str(club.bare), "venice", club.home / "venice-again", NOON, token=told)
    club.clones["venice"] = Repository(club.home / "venice-again")
    club.turn()
    news = club.read("venice")
    assert news.odd == []
    assert {*news.fresh} == {"0001-t1-setup", "0002-t1-auction"}  # what came before too
    club.send("venice", b"orders: [{bid: 0}]\n")
    assert [each.because for each in club.turn().came] == [""]
    club.clones["venice"] = old
    assert any("can't be opened with your key" in odd for odd in club.read("venice").odd)
    club.send("venice", b"orders: [{bid: 100}]\n")
    assert [each.because for each in club.turn().came] == ["expired"]


def test_a_new_player_of_a_seat_reads_all_and_the_old_one_nothing_more(club: Club) -> None:
    played_once(club)
    hands(club, ("replace", "venice=new@example.org", "--why", "moved away"))
    told = token(club.opened("look"), "venice")
    join(str(club.bare), "venice", club.home / "new", NOON, token=told)
    old, club.clones["venice"] = club.clones["venice"], Repository(club.home / "new")
    club.turn()
    assert (club.read("venice").folder / "report.md").is_file()
    club.send("venice", b"orders: [{bid: 0}]\n")
    club.send("genoa", b"orders: [{bid: 0}]\n")
    club.turn()
    club.clones["venice"] = old
    news = club.read("venice")
    assert not news.folder.exists()


def test_the_spare_key_does_all_that_the_lost_one_did(club: Club) -> None:
    spare = referee_key(club.begun.spare, club.begun.spare)
    club.begun.key.unlink()
    for player in club.clones:
        club.send(player)
    assert turn(club.referee, "lagoon", spare, NOON).phases_played == ("0001-t1-setup",)


def test_after_the_referees_keys_were_changed_the_old_ones_open_nothing_new(club: Club) -> None:
    old, spare = club.key, referee_key(club.begun.spare, club.begun.spare)
    before = keys_of(open_match(club.opened("before"))).referee
    assert renew(club.referee, spare, NOON) == ["lagoon"]
    with pytest.raises(Faulty) as faulty:
        turn(club.referee, "lagoon", old, NOON)
    assert "this is the old one" in said(faulty)
    played_once(club)
    after = club.opened("after")
    assert not {*keys_of(open_match(after)).referee} & {*before}
    assert verify(after).good
    assert club.read("venice").odd == []


def test_a_renewal_that_was_cut_short_is_finished(club: Club) -> None:
    class Killed(BaseException):
        pass

    def dying(step: str) -> Callable[[str], None]:
        def before(what: str) -> None:
            if what == step:
                raise Killed

        return before

    for step in ("push", "pushed"):
        key, club.referee.before = club.key, dying(step)
        with pytest.raises(Killed):
            renew(club.referee, key, NOON)
        club.referee.before = lambda what: None
        renew(club.referee, key, NOON)
        assert club.turn().came == ()
