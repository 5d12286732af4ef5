"""Players who sign with an SSH key: only what they have signed counts, and the match keeps the proof."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.marks import Signed, is_signed, statement
from adjudicator.git.join import join
from adjudicator.git.repository import Repository
from adjudicator.git.sealed import Label, public_of, seal, signature_by, unseal
from adjudicator.mail.who_sent import evidence_of
from tests.git.clubs import Club, begun
from tests.git.pushing import boxed, push_box

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
PHASE = "0001-t1-setup"
SHEET = b"player: venice\norders: []\n"


def key_in(home: Path, kind: str = "ed25519", name: str = "key") -> Path:
    words = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f", str(home / name)]
    subprocess.run(words, check=True)
    return home / name


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A match in which venice signs, and genoa doesn't."""
    home = tmp_path_factory.mktemp("club")
    found, key = begun(home), key_in(home)
    join(
        str(found.bare),
        "venice",
        home / "venice",
        found.now,
        token=found.begun.tokens["venice"],
        signing=key,
    )
    found.clones["venice"] = Repository(home / "venice")
    return found.join("genoa")


@pytest.fixture
def signing(once: Club, tmp_path: Path) -> Club:
    return once.copied(tmp_path)


def label_of(club: Club, **more: str) -> Label:
    return Label("sheet", "lagoon", PHASE, "venice", club.read("venice").seat.token, **more)


def test_a_signed_sheet_counts_and_its_signature_is_kept(signing: Club) -> None:
    signing.send("venice", SHEET)
    signing.send("genoa", SHEET.replace(b"venice", b"genoa"))
    done = signing.turn()
    assert {came.player: came.because for came in done.came} == {"venice": "", "genoa": ""}
    match = signing.opened()
    found = {sheet.player: sheet.by for sheet in evidence_of(open_match(match))}
    assert found == {"venice": (public_of(signing.home / "key"),), "genoa": ()}
    assert [each.text for each in verify(match).problems] == []


def test_what_isnt_signed_doesnt_count_whoever_knows_the_token(signing: Club) -> None:
    news = signing.read("venice")
    push_box(signing, "venice", {f"{PHASE}.age": seal(label_of(signing), SHEET, news.keys.referee)})
    assert [came.because for came in signing.turn().came] == ["unsigned"]
    assert "signed" in signing.read("venice").reply.text


@pytest.mark.parametrize("wrong", ["key", "sheet", "phase", "player", "match", "garbage"])
def test_a_signature_of_anything_else_does_not_count(wrong: str, signing: Club) -> None:
    key = key_in(signing.home, name="other") if wrong == "key" else signing.home / "key"
    said = {"match": "lagoon", "phase": PHASE, "player": "venice", "kind": "sheets", "digest": ""}
    said["digest"] = digest_of(SHEET)
    if wrong in said:
        said[wrong] = "another"
    if wrong == "sheet":
        said["digest"] = digest_of(b"another")
    signature = (
        "-----BEGIN SSH SIGNATURE-----\n%%%\n" if wrong == "garbage" else signature_by(key, statement(**said))
    )
    news = signing.read("venice")
    data = seal(label_of(signing, signature=signature), SHEET, news.keys.referee)
    push_box(signing, "venice", {f"{PHASE}.age": data})
    assert [came.because for came in signing.turn().came] == ["unsigned"]


def test_nobody_but_the_referee_sees_the_signature(signing: Club) -> None:
    """Else a sheet could be guessed, and the guess checked by the player's public key."""
    signing.send("venice", SHEET)
    data = boxed(signing, "venice", f"{PHASE}.age")
    assert b"SSH SIGNATURE" not in data
    assert unseal(data, [signing.key.identity])[0].signature.startswith("-----BEGIN SSH SIGNATURE-----")


def test_a_signature_that_was_changed_is_found(signing: Club) -> None:
    signing.send("venice", SHEET)
    signing.turn()
    match = signing.opened()
    file = next(iter((match / PHASE / "mail").glob("*.sig")))
    file.write_text(file.read_text().replace("AAAA", "AAAB"))
    assert any("the ledger has no such mail" in each.text for each in verify(match).problems)


@pytest.mark.parametrize("kind", ["ed25519", "rsa"])
def test_both_kinds_of_keys_sign(kind: str, tmp_path: Path) -> None:
    key = key_in(tmp_path, kind)
    text = statement("lagoon", PHASE, "venice", "sheets", "00")
    signature = signature_by(key, text)
    assert is_signed(Signed(public_of(key), signature), text)
    assert not is_signed(Signed(public_of(key), signature), text + b"x")


def test_a_signature_with_any_byte_changed_is_none_and_no_bug(tmp_path: Path) -> None:
    """The library checks some of what it reads by `assert`, and not all kinds of digests have a length."""
    key, text = key_in(tmp_path), statement("lagoon", PHASE, "venice", "sheets", "00")
    data = base64.b64decode("".join(signature_by(key, text).splitlines()[1:-1]))
    others = [data[:at] + b"\0" + data[at + 1 :] for at in range(len(data))]
    for other in (*others, data.replace(b"\0\0\0\x06sha512", b"\0\0\0\x09shake_128")):
        armored = f"-----BEGIN SSH SIGNATURE-----\n{base64.b64encode(other).decode()}\n-----END SSH SIGNATURE-----\n"
        assert is_signed(Signed(public_of(key), armored), text) == (other == data)


def test_a_key_that_cant_be_checked_is_refused_before_anything_is_pushed(tmp_path: Path) -> None:
    found = begun(tmp_path)
    for key in (key_in(tmp_path, "ecdsa"), tmp_path / "nothing"):
        with pytest.raises(Faulty):
            join(
                str(found.bare),
                "venice",
                tmp_path / "venice",
                found.now,
                token=found.begun.tokens["venice"],
                signing=key,
            )
    assert "box/" not in found.git("for-each-ref")
