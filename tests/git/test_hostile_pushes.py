"""Everything that a player pushes may be hostile: it is refused in a clear line, and the others' match goes on."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from pathlib import Path

import pyrage
import pytest

from adjudicator.door import seats
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Held, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.git import repository, running, taking
from adjudicator.git.layout import box_of
from adjudicator.git.read import read
from adjudicator.git.sealed import Label, seal
from tests.git.clubs import Club, club as club_of, git, git_bytes, joined
from tests.git.pushing import LINK, SCRIPT, SUBMODULE, boxed, push, push_box, sealed

PHASE, NEXT = "0001-t1-setup.age", "0002-t1-auction.age"
SHEET = b"player: genoa\norders: []\n"
MODULUS_0 = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQA="
ZEROS = "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z"
"""Two public keys on which the library panics: the one when it is read, the other when something is sealed to it."""
Push = Callable[[Club], None]


def _junk(club: Club) -> None:
    push_box(club, "genoa", {PHASE: b"age-encryption.org/v1\n-> X25519 junk\njunk\n--- junk\n"})


def _many_stanzas(club: Club) -> None:
    stanza = b"-> X25519 " + b"A" * 43 + b"\n" + b"A" * 43 + b"\n"
    push_box(club, "genoa", {PHASE: b"age-encryption.org/v1\n" + stanza * 2500 + b"--- " + b"A" * 43 + b"\n"})


def _a_passphrase(club: Club) -> None:
    scrypt = b"-> scrypt " + b"A" * 22 + b" 30\n" + b"A" * 43 + b"\n"
    push_box(club, "genoa", {PHASE: b"age-encryption.org/v1\n" + scrypt + b"--- " + b"A" * 43 + b"\n"})


def _plain(club: Club) -> None:
    push_box(club, "genoa", {PHASE: SHEET})


def _to_somebody_else(club: Club) -> None:
    news = club.read("genoa")
    label = Label("sheet", "lagoon", news.now.phase, "genoa", news.seat.token)
    push_box(club, "genoa", {PHASE: seal(label, SHEET, [news.keys.players["genoa"].key])})


def _without_a_label(club: Club) -> None:
    text = b'{"adjudicator":1,"what":"sheet","match":"lagoon","bytes":99999999}\n' + SHEET
    key = pyrage.x25519.Recipient.from_str(club.read("genoa").keys.referee[0])
    push_box(club, "genoa", {PHASE: pyrage.encrypt(text, [key])})


def _copied(club: Club) -> None:
    club.send("venice", b"player: venice\norders: []\n")
    push_box(club, "genoa", {PHASE: boxed(club, "venice", PHASE)})


def _of_another_match(club: Club) -> None:
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", SHEET, match="pond")})


def _of_another_phase(club: Club) -> None:
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", SHEET, phase="0002-t1-auction")})


def _with_another_token(club: Club) -> None:
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", SHEET, token=club.read("venice").seat.token)})


def _answers_unasked(club: Club) -> None:
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", b"answers: []\n", what="answer")})


def _the_referees_own_kind(club: Club) -> None:
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", b"x", what="referee")})


def _a_link(club: Club) -> None:
    push_box(club, "genoa", {PHASE: (LINK, b"/etc/passwd")})


def _a_submodule(club: Club) -> None:
    push_box(
        club,
        "genoa",
        {PHASE: (SUBMODULE, b""), ".gitmodules": b'[submodule "x"]\n\tpath = x\n\turl = ext::x\n'},
    )


def _larger_than_a_sheet(club: Club) -> None:
    push_box(club, "genoa", {PHASE: bytes(running.LARGEST_SEALED + 1)})


def _larger_than_is_fetched(club: Club) -> None:
    push_box(club, "genoa", {PHASE: bytes(2**20)})


def _a_heap_of_yaml(club: Club) -> None:
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", b"[" * 60_000)})


def _aliases(club: Club) -> None:
    text = b"a: &a [x, x]\n" + b"".join(b"b%d: &b%d [*a, *a]\n" % (n, n) for n in range(50)) + b"orders: []\n"
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", text)})


def _a_key_that_is_none(club: Club) -> None:
    push_box(
        club,
        "genoa",
        {"key.age": sealed(club, "genoa", b"ecdsa-sha2-nistp256 AAAA; $(touch hit)", what="key")},
    )


def _a_key_of_modulus_0(club: Club) -> None:
    push_box(club, "genoa", {"key.age": sealed(club, "genoa", MODULUS_0.encode(), what="key")})


def _a_key_of_zeros(club: Club) -> None:
    push_box(club, "genoa", {"key.age": sealed(club, "genoa", ZEROS.encode(), what="key")})


def _a_signing_key_that_is_none(club: Club) -> None:
    key = f"{club.read('genoa').keys.players['genoa'].key}\nssh-rsa AAAA"
    push_box(club, "genoa", {"key.age": sealed(club, "genoa", key.encode(), what="key")})


def _another_key(club: Club) -> None:
    key = club.read("venice").keys.players["venice"].key
    push_box(club, "genoa", {"key.age": sealed(club, "genoa", key.encode(), what="key")})


def _a_folder(club: Club) -> None:
    push_box(club, "genoa", {f"{PHASE}/{PHASE}": SHEET, "x": b""})


def _named_anew(club: Club) -> None:
    push_box(club, "genoa", {"0001-t1-setup (1).age": sealed(club, "genoa", SHEET)})


def _not_sealed(club: Club) -> None:
    push_box(club, "genoa", {"0001-t1-setup.yaml": SHEET})


PUSHES: dict[str, tuple[Push, str]] = {
    "junk": (_junk, "unsealed"),
    "a seal for thousands": (_many_stanzas, "unsealed"),
    "a seal with a passphrase": (_a_passphrase, "unsealed"),
    "a plain sheet": (_plain, "unsealed"),
    "a seal to somebody else": (_to_somebody_else, "unsealed"),
    "a seal without a label": (_without_a_label, "no-label"),
    "another's seal, copied": (_copied, "anothers"),
    "a seal of another match": (_of_another_match, "anothers"),
    "a seal of another phase": (_of_another_phase, "later-phase"),
    "another's token": (_with_another_token, "without-token"),
    "answers that nobody asked for": (_answers_unasked, "no-question"),
    "the referee's own kind of file": (_the_referees_own_kind, "no-label"),
    "a link": (_a_link, "a-link"),
    "a submodule": (_a_submodule, "a-link"),
    "a file larger than a sheet": (_larger_than_a_sheet, "too-large"),
    "a file larger than is fetched": (_larger_than_is_fetched, "too-large"),
    "thousands of brackets": (_a_heap_of_yaml, "not-a-sheet"),
    "aliases of aliases": (_aliases, "not-a-sheet"),
    "a key that is none": (_a_key_that_is_none, "no-key"),
    "an RSA key of modulus 0": (_a_key_of_modulus_0, "no-key"),
    "an age key of 32 zero bytes": (_a_key_of_zeros, "no-key"),
    "a key for signatures that is none": (_a_signing_key_that_is_none, "no-key"),
    "another key": (_another_key, "second-key"),
    "a folder in the sheet's place": (_a_folder, "a-link"),
    "a download that a browser named anew": (_named_anew, "misnamed"),
    "a sheet that isn't sealed": (_not_sealed, "misnamed"),
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A match of two that goes on through all of these pushes."""
    return joined(tmp_path_factory.mktemp("club"), turns="1")


@pytest.mark.parametrize("what", PUSHES)
def test_a_hostile_push_is_refused_in_a_clear_line_and_changes_nothing_else(what: str, begun: Club) -> None:
    push_it, because = PUSHES[what]
    club = begun
    keys = club.git("rev-parse", "main:lagoon/keys.yaml")
    push_it(club)
    turned = club.turn()
    of_genoa = [(each.kind == "key", each.because) for each in turned.came if each.player == "genoa"]
    assert [said for _, said in of_genoa] == [because]
    assert club.git("rev-parse", "main:lagoon/keys.yaml") == keys
    assert "not taken" in club.told("genoa")
    assert club.turn().came == ()  # it is told once


@pytest.mark.parametrize("sheet", [b"nonsense", SHEET, None])
def test_a_key_is_no_sheet_when_the_reply_says_what_counts(sheet: bytes | None, tmp_path: Path) -> None:
    """As at the first push, where the key lies beside the sheet."""
    club = joined(tmp_path)
    key = club.read("genoa").keys.players["genoa"].key
    files = {"key.age": sealed(club, "genoa", key.encode(), what="key")}
    if sheet is not None:
        files[PHASE] = sealed(club, "genoa", sheet)
    push_box(club, "genoa", files)
    club.turn()
    told = club.told("genoa")
    assert "Taken: your key" in told
    assert ("No sheet of yours is in for 0001-t1-setup." in told) == (sheet == b"nonsense")


def test_a_sheet_under_a_wrong_name_counts_once_it_has_the_right_one(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    sheet = sealed(club, "genoa", SHEET)
    push_box(club, "genoa", {"0001-t1-setup (1).age": sheet})
    club.turn()
    assert "not taken: 0001-t1-setup (1).age, because no file of this name is ever read" in " ".join(
        club.told("genoa").split()
    )
    push_box(club, "genoa", {PHASE: sheet})
    assert [each.because for each in club.turn().came] == [""]


def _again_under_the_next_name(club: Club, older: bytes) -> None:
    push_box(club, "genoa", {PHASE: older, NEXT: older})


def _sealed_again_for_the_phase_before(club: Club, older: bytes) -> None:
    push_box(club, "genoa", {PHASE: older, NEXT: sealed(club, "genoa", SHEET, phase="0001-t1-setup")})


def _under_the_name_of_the_phase_before(club: Club, older: bytes) -> None:
    push_box(club, "genoa", {PHASE: sealed(club, "genoa", SHEET, phase="0001-t1-setup")})


def _answers_to_the_phase_before(club: Club, older: bytes) -> None:
    push_box(club, "genoa", {PHASE: older, "0001-t1-setup-answer.age": SHEET})


@pytest.mark.parametrize(
    ("push_it", "said"),
    [
        (_again_under_the_next_name, "the same sealed file came before"),
        pytest.param(
            _sealed_again_for_the_phase_before,
            "It came too late: it is for 0001-t1-setup",
            marks=pytest.mark.soak,
        ),
        (_under_the_name_of_the_phase_before, "its phase is over, so it came too late"),
        pytest.param(
            _answers_to_the_phase_before,
            "its phase is over, so it came too late",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_whatever_comes_late_is_told_once(
    push_it: Callable[[Club, bytes], None], said: str, tmp_path: Path
) -> None:
    """A player who hears nothing believes that the file counts."""
    club = joined(tmp_path, turns="1", stops="all")
    for player in ("venice", "genoa"):
        club.send(player)
    assert club.turn().phases_played == ("0001-t1-setup",)
    assert club.turn().came == ()  # what was taken in time is no news
    push_it(club, boxed(club, "genoa", PHASE))
    assert [each.player for each in club.turn().came] == ["genoa"]
    told = " ".join(club.told("genoa").split())
    assert "not taken: " in told
    assert said in told
    assert f"No sheet of yours is in for {NEXT.removesuffix('.age')}." in told
    assert club.turn().came == ()
    assert verify(club.opened()).good


@pytest.mark.parametrize("name", [pytest.param("0001-t1-setup (%d).age", marks=pytest.mark.soak), PHASE])
def test_what_is_never_read_makes_no_match_write_without_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither do files under wrong names, nor two that come again and again in turn."""
    monkeypatch.setattr(taking, "MOST_HELD_ALONE", 3)
    club = joined(tmp_path, turns="1")
    told = 0
    for number in range(8):
        push_box(club, "genoa", {name.replace("%d", str(number)): b"junk %d" % (number % 2)})
        told += len(club.turn().came)
    assert told == 3


def _armoured(data: bytes, number: int) -> bytes:
    begin, end = (b"-----%s AGE ENCRYPTED FILE-----" % word for word in (b"BEGIN", b"END"))
    return b"\n".join([begin, base64.b64encode(data), end, b"\n" * number])


JUNK: dict[str, Callable[[Club, bytes, int], dict[str, bytes]]] = {
    "unsealed": lambda club, older, number: {PHASE: b"junk %d" % number},
    "too large": lambda club, older, number: {PHASE: b"%d" % number * 2**18},
    "of Genoa": lambda club, older, number: {PHASE: sealed(club, "genoa", SHEET)},
    "without the token": lambda club, older, number: {PHASE: sealed(club, "venice", SHEET, token="x" * 12)},
    "an older sheet in another armour": lambda club, older, number: {PHASE: _armoured(older, number)},
    "an older sheet under other names": lambda club, older, number: {f"{number} (1).age": older},
}


@pytest.mark.parametrize("made", JUNK.values(), ids=JUNK)
def test_junk_in_a_players_branch_uses_nothing_that_the_player_may_send(
    made: Callable[[Club, bytes, int], dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody but the player puts an older sheet in the place of a newer one."""
    monkeypatch.setattr(taking, "MOST_HELD_ALONE", 2)
    monkeypatch.setattr(seats, "MOST_READ", 4)
    club = joined(tmp_path, turns="1")
    older = b""
    for text in (b"# older\n", b"# newer\n"):
        club.send("venice", b"player: venice\norders: []\n" + text)
        assert [each.because for each in club.turn().came] == [""]
        older = older or boxed(club, "venice", PHASE)
    for number in range(5):
        push_box(club, "venice", made(club, older, number))
        assert not [each for each in club.turn().came if not each.because]
    assert b"# newer" in (club.opened() / "0001-t1-setup/sheets/venice.yaml").read_bytes()
    receipt = club.send("venice", b"player: venice\norders: []\n# last\n")
    assert [each.sent.receipt for each in club.turn().came if each.sent] == [receipt]


def test_after_all_of_these_the_player_sends_a_sheet_and_it_counts(begun: Club) -> None:
    opened = begun.opened()
    assert not (opened / "0001-t1-setup/sheets/genoa.yaml").exists()
    assert verify(opened).good
    receipt = begun.send("genoa", SHEET)
    assert [each.sent.receipt for each in begun.turn().came if each.sent] == [receipt]
    assert receipt in begun.told("genoa")


def test_thousands_of_commits_and_odd_names_are_passed_over(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    odd = {
        "$(touch hit)": b"",
        "`touch hit`": b"",
        "-rf": b"",
        "a\nb": b"",
        "\x1b[31mred": b"",
        "é" * 80: b"",
        "hook": (SCRIPT, b"#!/bin/sh\ntouch hit\n"),
        ".gitattributes": b"* filter=x diff=x\n",
        ".git-blame-ignore-revs": b"",
        "con": b"",
    }
    push_box(club, "genoa", odd | {PHASE: sealed(club, "genoa", SHEET)}, times=3000)
    assert [each.because for each in club.turn().came] == [""]
    fetched = git(club.referee.path, "count-objects", "-v")
    assert int(fetched.split("count: ")[1].split()[0]) < 100
    assert not list(tmp_path.rglob("hit"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize("filters", ["true", "false"])
def test_a_huge_file_stops_one_player_and_no_other(
    filters: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a host can leave large files out, and where it can't."""
    club = joined(tmp_path, turns="1")
    git(club.bare, "config", "uploadpack.allowFilter", filters)
    club.send("venice", b"player: venice\norders: []\n")
    monkeypatch.setattr(repository, "LARGEST_FETCHED", 2**20)
    push_box(club, "genoa", {PHASE: os.urandom(3 * 2**20)})
    came = {each.player: each.because for each in club.turn().came}
    assert came == {"venice": "", "genoa": "too-large" if filters == "true" else "unfetched"}
    assert "not taken" in club.told("genoa")
    assert club.turn().came == ()


def test_a_sheet_that_was_taken_stays_whatever_becomes_of_the_branch(tmp_path: Path) -> None:
    """Deleted, rewritten, or with an older seal put back by somebody else: the last sheet that was sent counts."""
    club = joined(tmp_path, turns="1")
    club.send("genoa", b"player: genoa\norders: []\n# first\n")
    older = boxed(club, "genoa", PHASE)
    club.turn()
    receipt = club.send("genoa", b"player: genoa\norders: []\n# second\n")
    club.turn()
    push_box(club, "genoa", {PHASE: older})
    assert [each.because for each in club.turn().came] == ["known"]
    assert f"Your earlier sheet, with the receipt {receipt}, still counts." in club.told("genoa")
    git(club.bare, "update-ref", "-d", box_of("lagoon", "genoa"))
    assert club.turn().came == ()
    sheet = (club.opened() / "0001-t1-setup/sheets/genoa.yaml").read_text()
    assert sheet.endswith("# second\n")
    assert receipt == club.send("genoa", sheet.encode())  # and sending goes on from there
    assert [each.because for each in club.turn().came] == [""]


def test_pushes_to_other_branches_do_nothing(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    for branch in (
        "refs/heads/box/lagoon/spain",
        "refs/heads/box/pond/genoa",
        "refs/heads/genoa",
        "refs/tags/main",
    ):
        push(club, branch, {PHASE: sealed(club, "genoa", SHEET)})
    push(club, "refs/heads/refs/heads/box/lagoon/genoa", {PHASE: sealed(club, "genoa", SHEET)})
    assert club.turn().came == ()
    assert club.read("genoa").odd == []


def test_somebody_writes_into_main_and_the_referee_puts_it_back(tmp_path: Path) -> None:
    """What was written stays in the history; the founder's own files beside the matches stay as they are."""
    club = joined(tmp_path, turns="1")
    club.send("genoa", SHEET)
    good = club.git("rev-parse", "main").strip()
    tree = club.git("rev-parse", "main:lagoon")
    push(
        club,
        "refs/heads/main",
        {
            "lagoon/keys.yaml": b"referee: [age1x]\n",
            "lagoon/open": (LINK, b"/etc/passwd"),
            "lagoon/0001-t1-setup/venice.age": b"x",
            "lagoon/new": (SUBMODULE, b""),
            "README.md": b"Welcome.\n",
            "pond/match.yaml": (LINK, b"../lagoon/match.yaml"),
        },
        onto=good,
    )
    turned = club.turn()
    assert turned.put_back
    assert [each.because for each in turned.came] == [""]
    assert club.git("merge-base", "--is-ancestor", good, "main") == ""
    assert club.git("show", "main:README.md") == "Welcome.\n"
    assert club.git("rev-parse", "main~1:lagoon") == tree
    assert club.read("venice").odd == []


def test_a_job_without_memory_knows_a_forged_match_by_its_mark(tmp_path: Path) -> None:
    """Everything in it exchanged, with another seed: without the referee's key there is no mark for it."""
    club = joined(tmp_path / "one", turns="1")
    (tmp_path / "two").mkdir()
    other = club_of(tmp_path / "two", turns="1").join("venice", "genoa")
    files = other.git("ls-tree", "-r", "--name-only", "main", "lagoon").split()
    put = {name: git_bytes(other.bare, "cat-file", "blob", f"main:{name}") for name in files}
    push(club, "refs/heads/main", {"lagoon": (LINK, b"x")} | put, onto=club.git("rev-parse", "main").strip())
    assert club.turn().put_back
    assert verify(club.opened()).good


def test_nobody_can_have_a_phase_played_again_by_putting_back_how_the_match_was(tmp_path: Path) -> None:
    """Each old state bears a mark of the referee's; even all of them in their order don't count again."""
    club = joined(tmp_path, turns="1")
    for player in ("venice", "genoa"):
        club.send(player)
    club.turn()
    tree, old = club.git("rev-parse", "main:lagoon"), club.git("rev-list", "--reverse", "main").split()
    last = old[-1]
    for commit in old[:-1]:
        last = club.git("commit-tree", f"{commit}^{{tree}}", "-p", last, "-m", "x").strip()
    club.git("update-ref", "refs/heads/main", last)
    turned = club.turn()
    assert turned.put_back
    assert turned.phases_played == ()
    assert club.git("rev-parse", "main:lagoon") == tree
    assert not club.turn().put_back


def test_commits_that_were_taken_from_main_are_pushed_again(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    before = club.git("rev-parse", "main")
    club.git("update-ref", "refs/heads/main", "main~1")
    club.turn()
    assert club.git("rev-parse", "main") == before


def test_a_rewritten_main_is_told_by_every_clone_until_the_referee_puts_it_back(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    club.read("venice")
    before = club.git("rev-parse", "main").strip()
    tree = club.git("rev-parse", "main^{tree}").strip()
    club.git("update-ref", "refs/heads/main", club.git("commit-tree", "-m", "another past", tree).strip())
    news = club.read("venice")
    assert "main was rewritten" in news.odd[0]
    assert "main was rewritten" in club.read("venice").odd[0]  # not only once
    assert club.turn().put_back
    assert club.git("merge-base", "--is-ancestor", before, "main") == ""
    assert club.read("venice").odd == []
    club.git("update-ref", "refs/heads/main", club.git("commit-tree", "-m", "another past", tree).strip())
    assert read(club.clones["venice"], accept=True).odd == []
    assert club.read("venice").odd == []


def test_nobody_can_make_the_match_write_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what anybody may push only so many are entered a day."""
    monkeypatch.setattr(taking, "MOST_HELD_ALONE", 3)
    club = joined(tmp_path, turns="1")
    for number in range(5):
        push_box(club, "genoa", {PHASE: b"junk %d" % number})
        club.turn()
    before = club.git("rev-parse", "main")
    push_box(club, "genoa", {PHASE: b"junk again"})
    assert club.turn().came == ()
    assert club.git("rev-parse", "main") == before
    held = of_kind(ledger_of(open_match(club.opened())), Held)
    assert [each.because for each in held] == ["unsealed"] * 3
    receipt = club.send("genoa", SHEET)  # and nobody can silence a player so
    assert [each.sent.receipt for each in club.turn().came if each.sent] == [receipt]
