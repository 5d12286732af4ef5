"""Who reads French is told by `git read` and `git send` in French; the others in theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

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
