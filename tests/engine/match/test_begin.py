"""Beginning a match: where it may be, and which players and options it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from tests.engine.match_folders import TWO


def test_a_match_begins_in_a_new_or_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    begin("mediterranee", tmp_path / "empty", TWO, seed_text="x")
    assert (tmp_path / "empty" / "referee.yaml").stat().st_mode & 0o777 == 0o600
    assert "referee.yaml" in (tmp_path / "empty" / ".gitignore").read_text()
    with pytest.raises(Faulty) as faulty:
        begin("mediterranee", tmp_path / "empty", TWO)
    assert "new or empty folder" in faulty.value.problems[0].text
    begin("mediterranee", tmp_path / "deep" / "er", TWO)
    assert open_match(tmp_path / "deep" / "er").card.match == "er"


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (
            ("venice",),
            {},
            "1 player can't play it; Méditerranée can be played with 2: venice, genoa; or spain, turkey; with 3: ",
        ),
        ((), {}, "no players are named"),
        (
            ("venice", "spain"),
            {},
            "venice, spain can't play it together; Méditerranée can be played with 2: venice, ",
        ),
        (("venice", "genua"), {}, "there is no player genua, did you mean genoa?"),
        (("venice", ""), {}, "there is no player ''; "),
        (("venice", "venice"), {}, "venice is named twice"),
        (TWO, {"turn": "8"}, "there is no option turn, did you mean turns?; there are pacing"),
        (TWO, {"turns": "many"}, "turns: many won't do; needed: a whole number"),
        (TWO, {"treasury": "no"}, "treasury: no won't do; needed: one of "),
        (TWO, {"powers": "spain-turkey"}, "powers: spain-turkey doesn't go with the players venice, genoa"),
    ],
)
def test_what_a_match_cannot_begin_with(
    tmp_path: Path, players: tuple[str, ...], options: dict[str, str], said: str
) -> None:
    with pytest.raises(Faulty) as faulty:
        begin("mediterranee", tmp_path / "m", players, options=options)
    assert said in faulty.value.problems[0].text
    assert list(tmp_path.iterdir()) == []
