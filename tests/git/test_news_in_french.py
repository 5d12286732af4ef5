"""Who reads French is told by `git read` and `git send` in French; the others in theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.git.sealed import new_identity
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, joined

AT = ("--at", "2026-11-22T12:30Z")
LATE = ("--at", "2026-11-25T12:30Z")


@pytest.fixture
def club(tmp_path: Path) -> Club:
    weekly = {"zone": "UTC", "days": ["wed"], "at": "19:00"}
    return joined(tmp_path, turns="1", schedule=weekly, languages={"venice": "fr"})


def test_read_tells_each_in_their_language(club: Club) -> None:
    told = club.told("venice")
    assert "lagoon, venice : 0001-t1-setup est ouverte, jusqu’au mercredi 25/11/2026 à 19:00 (UTC)." in told
    assert "Pris : votre clé." in told
    assert "Votre formulaire : " in told
    assert "lagoon, genoa: 0001-t1-setup is open, due Wednesday 2026-11-25 19:00 (UTC)." in club.told("genoa")
    adjudicator("git", "turn", club.referee.path, *AT)
    silent = adjudicator("git", "read", club.clones["venice"].path, *LATE).output
    assert "L’arbitre n’est pas passé depuis le dimanche 22/11/2026, entre 12:30 et 13:30 UTC." in silent


def test_send_tells_each_in_their_language(club: Club) -> None:
    sheet = club.read("venice").folder / "sheet.yaml"
    sheet.write_text("player: venice\norders: [{nothing: 1}]\n")
    refused = adjudicator("git", "send", sheet, *AT)
    assert refused.exit_code == 1
    assert "cette phase n’a pas d’ordre" in refused.output
    assert "Pas envoyé. Corrigez et renvoyez" in refused.output
    sheet.write_text("player: venice\norders: []\n")
    assert (
        "Envoyé pour 0001-t1-setup, scellé pour l’arbitre. Reçu : "
        in adjudicator("git", "send", sheet, *AT).output
    )


def test_warnings_and_refusals_are_in_the_language_of_the_newest_view(club: Club) -> None:
    clone, key = club.clones["venice"].path, f"{new_identity()[0]}\n".encode()
    (clone.parent / "other.txt").write_bytes(key)
    join = ("git", "join", club.bare, "venice", clone, "--key", clone.parent / "other.txt")
    before = adjudicator(*join).output
    assert "the referee seals to another key of yours: name that with --key" in before
    club.read("venice")
    assert "l’arbitre scelle pour une autre clé à vous : donnez-la avec --key" in adjudicator(*join).output
    again = adjudicator("git", "join", club.bare, "venice", clone, *AT).output
    assert "Les lancers viennent d’une graine" in again
    assert "L’arbitre connaît votre clé." in again
    tree = club.git("rev-parse", "main^{tree}").strip()
    club.git("update-ref", "refs/heads/main", club.git("commit-tree", "-m", "another past", tree).strip())
    rewritten = adjudicator("git", "read", clone, *AT)
    assert rewritten.exit_code == 1
    assert "AVERTISSEMENT : main a été réécrit : " in rewritten.output
    assert "Si tout est en ordre : adjudicator git read --accept" in rewritten.output
