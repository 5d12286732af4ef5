"""`try`: what might happen, told on the player's own view, with nothing that the player can't know."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from adjudicator.contract.known import bad_guesses
from adjudicator.contract.options import unusual_options
from adjudicator.engine.library import registry
from adjudicator.engine.match.trying_out import suppose
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.text.writing import write
from adjudicator.page.called import call as called
from tests.cli.calling import adjudicator, everything
from tests.page.positions import some_steps

RULEBOOK = registry.rulebook("mediterranee")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A view of the first movement, and the sheets of two players, one of them as another's guess."""
    step = next(each for each in some_steps("mediterranee") if each.before.phase.name == "movement")
    me, other = step.before.phase.due[:2]
    (tmp_path / "view.yaml").write_text(write_position(position_for(RULEBOOK, step.before, me)))
    for player, name in ((me, "mine.yaml"), (other, f"guess-{other}.yaml")):
        orders = [order.plain for order in step.sheets[player].orders or ()]
        (tmp_path / name).write_text(write({"player": player, "orders": orders}))
    return tmp_path


def test_it_tells_what_own_and_guessed_orders_lead_to_and_that_it_is_a_guess(folder: Path) -> None:
    before = everything(folder)
    result = adjudicator("try", folder / "view.yaml", *sorted(folder.glob("[gm]*.yaml")))
    assert result.exit_code == 0, result.output
    assert result.output.startswith("> **Only a guess.**")
    assert "## What happened" in result.output
    assert everything(folder) == before


def test_the_same_seed_gives_the_same_report_and_a_throw_must_be_possible(folder: Path) -> None:
    call = ("try", folder / "view.yaml", folder / "mine.yaml")
    assert adjudicator(*call, "--seed", "a").output == adjudicator(*call, "--seed", "a").output
    wrong = adjudicator("try", folder / "view.yaml", "--dice", "[x")
    assert wrong.exit_code == 2


def test_a_guess_is_its_file_s_and_needn_t_say_whose_it_is(folder: Path) -> None:
    """As the help says: guess-genoa.yaml is Genoa's."""
    guess = next(folder.glob("guess-*"))
    named = adjudicator("try", folder / "view.yaml", folder / "mine.yaml", guess)
    guess.write_text(guess.read_text().partition("\n")[2])
    assert "player" not in guess.read_text()
    alone = adjudicator("try", folder / "view.yaml", folder / "mine.yaml", guess)
    assert (alone.exit_code, alone.output) == (0, named.output)


def test_throws_that_were_not_used_are_told(folder: Path) -> None:
    call = ("try", folder / "view.yaml", folder / "mine.yaml", "--dice")
    told = adjudicator(*call, ",".join("6" * 30))
    assert told.exit_code == 0
    assert told.stderr.startswith("these throws were not needed: 6")
    view = (folder / "view.yaml").read_text()
    assert (
        "not needed: 6"
        in json.loads(called("try", json.dumps({"view": view, "sheets": {}, "throws": [6] * 30})))["unused"]
    )


def test_nobody_is_asked_to_send_anything_below_a_guess(folder: Path) -> None:
    """Its reader may well be due in the phase that comes next; but only in the guess."""
    result = adjudicator("try", folder / "view.yaml", folder / "mine.yaml")
    assert "## What comes next" in result.output
    assert "send it back" not in result.output


@pytest.mark.parametrize("game", registry.OWN)
def test_the_start_of_a_match_can_be_guessed_with_every_option(game: str) -> None:
    rulebook = registry.rulebook(game)
    for chosen in unusual_options(rulebook):
        options, ran = msgspec.convert(chosen, rulebook.Options), False
        for tables in rulebook.tables.values():
            try:
                state = rulebook.start("options", options, tables[0])
            except Refused:
                continue  # these players don't fit the option
            ran = True
            assert [*bad_guesses(rulebook, state, SeededChance("options"))] == [], chosen
        assert ran, chosen


def test_others_may_order_as_bots_would(folder: Path) -> None:
    alone = adjudicator("try", folder / "view.yaml", folder / "mine.yaml")
    among = adjudicator("try", folder / "view.yaml", folder / "mine.yaml", "--bots")
    assert among.exit_code == 0, among.output
    assert len(among.output) > len(alone.output)


def test_a_view_that_is_none_is_refused(folder: Path) -> None:
    result = adjudicator("try", folder / "mine.yaml")
    assert result.exit_code == 1
    assert "mine.yaml" in result.output


@pytest.mark.parametrize("game", registry.OWN)
def test_in_each_game_it_needs_nothing_but_the_view(game: str) -> None:
    """The report is the same whatever the hidden part of the real position is: it is made from the view alone."""
    rulebook = registry.rulebook(game)
    for step in some_steps(game)[::7]:
        for player in step.before.phase.due:
            view = position_for(rulebook, step.before, player)
            plain = {"player": player, "orders": [order.plain for order in step.sheets[player].orders or ()]}
            found = suppose(rulebook, view, player, {"mine.yaml": write(plain).encode()})
            assert found.facts.who == player
            assert found.report.startswith("> **Only a guess.**")


def test_a_view_that_can_be_of_no_position_is_refused(tmp_path: Path) -> None:
    """An edited view may hide more cards than the game has."""
    rulebook = registry.rulebook("oltremare")
    state = next(step.before for step in some_steps("oltremare") if step.before.phase.due)
    me, other = state.phase.due[0], next(player for player in state.players if player != state.phase.due[0])
    view = position_for(rulebook, state, me)
    seat = replace(view.players[other], hand=view.players[other].hand * 40)
    view = replace(view, players={**view.players, other: seat})
    (tmp_path / "view.yaml").write_text(write_position(view))
    for bots in ((), ("--bots",)):
        result = adjudicator("try", tmp_path / "view.yaml", *bots)
        assert result.exit_code == 1
        assert "no position can look like this view" in result.output
    found = called("try", json.dumps({"view": write_position(view), "sheets": {}}))
    assert "no position" in json.loads(found)["why"]


@pytest.mark.parametrize(
    "text",
    ["oders: [{mve: 1}]\n", "orders: [{mve: 1}]\n", "orders: [\n", "player: nobody\norders: []\n", "- 1\n"],
)
@pytest.mark.parametrize("name", ["mine.yaml", "guess-{other}.yaml", "odd name.txt"])
def test_what_is_wrong_is_told_at_the_file_that_was_given(folder: Path, name: str, text: str) -> None:
    """Also what is wrong in orders for later phases, and in a file whose player isn't known."""
    other = next(each.stem.removeprefix("guess-") for each in folder.glob("guess-*"))
    me = (folder / "mine.yaml").read_text().split()[1]
    file = folder / name.format(other=other)
    whose = f"player: {me}\n" if "player" not in text and "guess" not in name and text[0] != "-" else ""
    file.write_text(f"{whose}{text}")
    told = adjudicator("try", folder / "view.yaml", file)
    assert told.exit_code == 1, told.output
    assert told.stderr.splitlines()
    assert all(line.startswith(f"{file}:") for line in told.stderr.splitlines())


def test_a_player_has_one_sheet_whatever_it_is_called(folder: Path) -> None:
    """A second one isn't dropped in silence, nor for that of a bot."""
    (folder / "again.yaml").write_text((folder / "mine.yaml").read_text())
    both = adjudicator("try", folder / "view.yaml", folder / "mine.yaml", folder / "again.yaml")
    assert both.exit_code == 2
    assert "there are two files of" in both.output
    guess = next(folder.glob("guess-*"))
    plain = adjudicator("try", folder / "view.yaml", guess, "--bots").output
    guess.rename(folder / "what-they-do.yaml")
    assert adjudicator("try", folder / "view.yaml", folder / "what-they-do.yaml", "--bots").output == plain
