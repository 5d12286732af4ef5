"""Every byte of a repository, and of each clone, is searched for what its reader may not know."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from adjudicator.door.seats import token
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.play import attempts
from adjudicator.git.running import STEP
from adjudicator.git.sealed import Identity, NotReadable, unseal
from adjudicator.git.seat import identity_of, seat_of
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, joined, sheet_by, sizes

PLAYERS = ("contarini", "dandolo", "grimani")
MARKED = "orders that {} wrote"
AGES_OWN = 300
"""Bytes of a sealed file that age chooses by chance."""
NOT_SHARED = ("report.md", "view.yaml", "sheet.yaml", "report.html", "orders.html")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A match with hidden hands, in the middle; each sheet has a remark that tells whose it is."""
    club = joined(tmp_path_factory.mktemp("club"), PLAYERS, game="oltremare", pages="on")
    chances = attempts.SeededChance("bots")
    for _ in range(6):
        for player in PLAYERS:
            news = club.read(player)
            if news.form_to_fill_in is not None:
                club.send(player, sheet_by(player, news, chances) + f"# {MARKED.format(player)}\n".encode())
        club.turn()
    assert not club.read(PLAYERS[0]).now.over
    for player in PLAYERS:
        club.read(player)
    return club


def words_in(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def test_the_repository_holds_nothing_secret_in_the_open(club: Club) -> None:
    """Each object, and each file of the bare repository unpacked: no sheet, hand, seed, token, secret key."""
    match = open_match(club.opened("look"))
    secrets = match.secrets()
    assert secrets is not None
    state = match.state(match.last)
    hands = [[card.value for card in state.players[player].hand] for player in PLAYERS]
    assert all(hands)
    secret = [
        secrets.seed,
        "AGE-SECRET-KEY",
        club.key.marking.hex(),
        *(token(match.path, player) for player in PLAYERS),
        *(MARKED.format(player) for player in PLAYERS),
        *(", ".join(hand) for hand in hands),
        *("".join(f"\n- {card}" for card in hand) for hand in hands),
    ]
    public = {number: words_in(data) for number, data in club.everything().items()}
    assert len(public) > 50
    assert not [(number, word) for number, text in public.items() for word in secret if word in text]
    for file in club.bare.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            text = words_in(zlib.decompress(data) if data[:1] == b"\x78" else data)
            assert not [(file, word) for word in secret if word in text]


def test_a_player_opens_only_what_is_for_that_player(club: Club) -> None:
    objects = [data for data in club.everything().values() if data.startswith(b"age-encryption.org")]
    readers = {}
    for player in PLAYERS:
        identity = identity_of(seat_of(club.clones[player]))
        labels = [label for data in objects if (label := _label(data, identity)) is not None]
        assert {label.player for label in labels} == {player}
        assert {label.what for label in labels} <= {"folder"}
        readers[player] = len(labels)
    assert all(count >= 6 for count in readers.values())
    assert sum(readers.values()) < len(objects)


def _label(data: bytes, identity: Identity) -> object:
    try:
        return unseal(data, [identity])[0]
    except NotReadable:
        return None


def test_a_clone_holds_nothing_of_others(club: Club) -> None:
    for player in PLAYERS:
        home = club.home / player
        texts = {file: words_in(file.read_bytes()) for file in home.rglob("*") if file.is_file()}
        others = [other for other in PLAYERS if other != player]
        assert not [
            (file, other) for file, text in texts.items() for other in others if MARKED.format(other) in text
        ]
        theirs = [
            file for other in others for file in (club.home / other).glob("0*/*") if file.name in NOT_SHARED
        ]
        assert theirs
        assert not {words_in(file.read_bytes()) for file in theirs} & {*texts.values()}
        mine = [file for file in texts if file.parent.parent == home and file.parent.name[0] == "0"]
        assert mine
        assert not [file for file in mine if file.stat().st_mode & 0o077]


def test_sizes_do_not_tell_who_has_something_to_decide(club: Club) -> None:
    opened = club.opened("sizes")
    forms = {
        phase: {(opened / phase / "for" / player / "sheet.yaml").is_file() for player in there}
        for phase, there in sizes(club).items()
    }
    assert {True, False} in forms.values()
    for there in sizes(club).values():
        assert max(there.values()) - min(there.values()) < AGES_OWN


def test_what_a_job_says_anybody_may_read(tmp_path: Path) -> None:
    """Its words stand in the log of a host: no token, no line of a sheet, no fault in it."""
    club = joined(tmp_path, turns="1")
    club.send("venice", b"player: venice\norders: [{bidd: 100}]\n")
    club.send("genoa", b"player: genoa\norders: [{place: 3, to: genoa-1}]\n")
    done = adjudicator("git", "turn", club.begun.clone, "--at", "2026-11-22T12:30Z")
    assert done.exit_code == 0
    assert done.output.splitlines()[:2] == ["lagoon: venice: sheet: taken", "lagoon: genoa: sheet: taken"]
    assert "bid" not in done.output


def test_sealed_sheets_have_the_same_size_whatever_is_in_them(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    sizes = set()
    for text in (b"orders: []\n", b"orders: [{place: 3, to: venice-1}]\n", b"orders: []\n" + b"# " * 1000):
        club.send("venice", text)
        sizes.add(int(club.git("cat-file", "-s", "box/lagoon/venice:0001-t1-setup.age")) // STEP)
    assert sizes == {1}  # the library adds some bytes by chance, whatever is sealed
