"""The matches in `games/`: they verify, and every report, view and form is what the program writes today."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.verify import verify
from adjudicator.engine.report.for_all import handout
from adjudicator.engine.table.event import Thrown

GAMES = Path(__file__).parent.parent / "games"
MATCHES = sorted(path.parent for path in GAMES.glob("*/*/match.yaml"))


def test_every_rulebook_has_a_match_to_read() -> None:
    assert MATCHES


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_golden_match_verifies(path: Path) -> None:
    found = verify(path)
    assert found.problems == (), "make golden, and say in the commit why it changed"


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_players_got_is_what_they_would_get_now(path: Path) -> None:
    match = open_match(path)
    stale = []
    for number, folder in enumerate(match.phases):
        if (path / folder / "for").is_dir():
            for name, text in handout(match, number).items():
                if not name.endswith("schema.json") and (path / name).read_text(encoding="utf-8") != text:
                    stale.append(name)
    assert stale == [], "make golden, and say in the commit why it changed"


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_throw_can_be_done_again_by_hand_as_docs_dice_says(path: Path) -> None:
    match = open_match(path)
    seed = bytes.fromhex(str(match.secrets().seed))  # type: ignore[union-attr]
    assert sha256(seed).hexdigest() == match.card.seed
    done = 0
    for number in range(match.last):
        due = match.state(number).phase.due
        counters: dict[tuple[str, ...], int] = {}
        for event in match.events(number):
            if isinstance(event, Thrown):
                count = counters.setdefault(event.what, 0)
                counters[event.what] += 1
                words = [match.card.match, number, [""] * len(due), list(event.what), count]
                text = json.dumps(words, separators=(",", ":"))
                faces = len(match.card.players) if event.what == ("first",) else 6
                drawn = int.from_bytes(hmac.digest(seed, text.encode(), "sha256")[:8], "big")
                assert event.face == 1 + drawn % faces
                done += 1
    assert done
