"""What `git read` tells a player is new once, and `git send` finds the clone from anywhere."""

from pathlib import Path

import pytest

from adjudicator.git.by_hand import open_by_hand
from tests.cli.calling import adjudicator
from tests.git.clubs import EMPTY, Club, joined

AT = ("--at", "2026-11-22T12:30Z")
SHEET = b"player: venice\norders: []\n"


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return joined(tmp_path)


def read(club: Club, *words: str) -> str:
    done = adjudicator("git", "read", club.home / "venice", *words)
    assert done.exit_code == 0, done.output
    return done.output


def test_news_are_told_once_and_again_with_all(club: Club) -> None:
    first = read(club)
    assert "New: " in first
    assert "Taken: your key" in first
    again = read(club)
    assert again.startswith("Nothing is new.\n")
    assert "Taken" not in again
    assert "0001-t1-setup is open" in again
    assert "Then: adjudicator git send" in again
    assert "Taken: your key" in read(club, "--all")
    club.send("venice")
    club.turn()
    taken = read(club)
    assert not taken.startswith("Nothing is new.")
    assert "Taken: your sheet" in taken
    assert "It is played when all sheets are in" in taken
    assert "Taken: your sheet" not in read(club)


def test_what_came_while_a_sheet_was_sent_is_told_by_the_next_read(club: Club) -> None:
    read(club)
    form = club.home / "venice/0001-t1-setup/sheet.yaml"
    form.write_bytes(SHEET)
    for player in club.clones:
        club.send(player)
    club.turn()
    assert adjudicator("git", "send", form, "--anyway").exit_code in {0, 1}  # it fetches, and tells no news
    told = read(club)
    assert f"New: {club.home}/venice/0002-t1-auction" in told
    assert "New: " not in read(club)


def test_a_newer_file_beside_a_changed_one_is_told_once_also_if_a_sheet_was_sent_meanwhile(
    club: Club,
) -> None:
    read(club)
    (club.home / "venice/0001-t1-setup/sheet.yaml").write_bytes(SHEET)
    open_by_hand(club.referee, "lagoon", club.home / "opened", club.key)
    assert adjudicator("hold", club.home / "opened", "--why", "a storm", *AT).exit_code == 0
    assert adjudicator("git", "close", club.home / "opened", *AT).exit_code == 0
    club.send("venice")
    assert "the newer one lies beside it: 0001-t1-setup/new-sheet.yaml" in read(club)
    assert "new-sheet.yaml" not in read(club)


@pytest.mark.parametrize("where", ["clone", "phase", "elsewhere"])
def test_a_sheet_from_anywhere_is_sent_from_within_a_clone(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    read(club)
    sheet = tmp_path / "notes" / "mine.yaml"
    sheet.parent.mkdir()
    sheet.write_bytes(SHEET)
    home = club.home / "venice"
    monkeypatch.chdir({"clone": home, "phase": home / "0001-t1-setup", "elsewhere": tmp_path}[where])
    done = adjudicator("git", "send", sheet)
    if where == "elsewhere":
        assert done.exit_code == 1
        assert f"neither {sheet.parent} nor this folder is in a player's clone" in done.output
        assert adjudicator("git", "send", sheet, "--clone", home).exit_code == 0
        return
    assert done.exit_code == 0, done.output
    assert "Receipt: " in done.output
    assert adjudicator("git", "read").exit_code == 0


def test_a_sheet_in_a_clone_goes_out_from_there_wherever_one_stands(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(club)
    sheet = club.home / "venice/0001-t1-setup/sheet.yaml"
    sheet.write_bytes(SHEET)
    monkeypatch.chdir(club.home / "genoa")
    assert adjudicator("git", "send", sheet).exit_code == 0
    assert any(each.player == "venice" and not each.because for each in club.turn().came)


@pytest.mark.parametrize("text", [EMPTY, SHEET, b"orders: [{bid: 100}]\n", b"orders:\n- : ["])
def test_a_sheet_in_the_folder_of_a_phase_that_is_over_is_called_late(club: Club, text: bytes) -> None:
    for player in club.clones:
        club.send(player)
    read(club)
    sheet = club.home / "venice/0001-t1-setup/mine.yaml"
    sheet.write_bytes(text)
    club.turn()
    done = adjudicator("git", "send", sheet)
    assert done.exit_code == 1
    assert f"Not sent: {sheet} lies in the folder of 0001-t1-setup, which is over" in done.output
    assert (
        f"0002-t1-auction is open; its form is {club.home}/venice/0002-t1-auction/sheet.yaml" in done.output
    )


def test_standard_input_goes_out_from_the_clone_around(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    read(club)
    monkeypatch.chdir(club.home / "venice" / "0001-t1-setup")
    assert adjudicator("git", "send", "-", given=EMPTY).exit_code == 0
    monkeypatch.chdir(club.home)
    done = adjudicator("git", "send", "-", given=EMPTY)
    assert done.exit_code == 1
    assert "this folder isn't in a player's clone" in done.output
    monkeypatch.chdir(club.home / "referee")
    assert adjudicator("git", "send", "-", given=EMPTY).exit_code == 1
