"""`check` of a file in which nothing is ordered or answered: it says in a sentence what such a file means."""

from pathlib import Path

import pytest

from adjudicator.cli.check import check_text
from adjudicator.engine.library import registry
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from tests.browser.written_phases import KINDS, Written, phases_of, players_of, state_of

EMPTY = (
    "",
    "orders:\n",
    "orders: []\n",
    "orders: []\nready: false\n",
    "orders: []\nlater:\n",
    "later: {}\n",
    "standing: {}\n",
    "ready: false\n",
    "answers:\n",
    "answers: []\n",
)
WRITTEN = [
    pytest.param(game, written, id=f"{game}-{written.name}")
    for game in KINDS
    for written in phases_of(game).phases
]


@pytest.mark.parametrize(("game", "written"), WRITTEN)
def test_it_is_legal_and_a_line_says_what_it_means(game: str, written: Written, tmp_path: Path) -> None:
    rulebook, state = registry.rulebook(game), state_of(game, written)
    passes = rulebook.phase(written.phase).passes_empty
    for player in players_of(game):
        view = tmp_path / f"{player}.yaml"
        view.write_text(write_position(position_for(rulebook, state, player)))
        for text in EMPTY:
            lines, problems, _ = check_text("mine.yaml", f"player: {player}\n{text}".encode(), view)
            if player in state.phase.due and "orders: []" not in text and "answers" not in text:
                assert not any(line.text for line in lines)
                (problem,) = problems
                assert (problem.severity, problem.line) == ("warning", 2 if text == "orders:\n" else 1)
                assert problem.text.startswith(f"no `orders` yet, so the match still waits for {player}: ")
                assert all(verb in problem.text for verb in rulebook.phase(written.phase).verbs)
                continue
            assert not problems
            assert len(lines) == 1, (text, lines)
            said = lines[0].text
            if text == "orders: []\n" and player not in state.phase.due:
                assert said == f"no orders, and none are asked of {player} now"
            elif text == "orders: []\n" and passes:
                assert said == f"no orders: {player} does nothing in this phase"
            elif text == "orders: []\n":
                assert said.startswith(f"no orders: the rules decide everything for {player} (")
            elif "answers" in text:
                assert said == "no answers: the question stays open"
            elif "orders: []" not in text and player not in state.phase.due:
                assert said == f"nothing is filled in; no orders are asked of {player} now"


def test_orders_that_cant_be_read_arent_called_none(tmp_path: Path) -> None:
    game, written = "mediterranee", phases_of("mediterranee").phases[0]
    view = tmp_path / "view.yaml"
    view.write_text(write_position(position_for(registry.rulebook(game), state_of(game, written), "venice")))
    lines, problems, _ = check_text("mine.yaml", b"player: venice\norders: ''\n", view)
    assert not any(line.text for line in lines)
    assert len(problems) == 1
