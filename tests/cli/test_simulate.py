"""`simulate`: the same matches for every number of processes."""

import pytest

from adjudicator.cli.simulate import parts_of, play_matches
from adjudicator.engine.bots import Batch, End, Totals
from adjudicator.engine.library import registry
from tests.cli.calling import GAME, adjudicator


def test_simulate_shows_a_table() -> None:
    result = adjudicator("simulate", GAME, "-n", 2, "--players", 3, "--option", "turns=1", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "Méditerranée, 3 players: 2 matches" in result.output
    for word in ("wins", "points", "ports", "venice", "genoa", "spain"):
        assert word in result.output
    assert "turkey" not in result.output


def test_seats_are_played_by_different_bots() -> None:
    """One for all, then others for some; the game's own bot has its own name too."""

    def rows(*bots: str) -> str:
        words = [word for bot in bots for word in ("--bot", bot)]
        found = adjudicator(
            "simulate", GAME, "-n", 1, "--players", 2, "--option", "turns=2", *words, "--jobs", 1
        )
        assert found.exit_code == 0, found.output
        return found.output.partition("\n")[2]

    mixed = rows("venice=own", "genoa=random")
    assert mixed == rows("venice=trader") == rows("own", "genoa=random")
    assert len({mixed, rows("own"), rows("genoa=own"), rows()}) == 4
    assert rows() == rows("random")


def test_questions_of_live_pacing_are_decided_by_what_bots_laid_down() -> None:
    result = adjudicator(
        "simulate", GAME, "-n", 1, "--option", "turns=1", "--option", "pacing=live", "--jobs", 1
    )
    assert result.exit_code == 0, result.output
    assert "1 match," in result.output


@pytest.mark.ci
def test_processes_change_nothing() -> None:
    rulebook = registry.rulebook(GAME)
    batch = Batch(GAME, ("venice", "genoa"), "calm", rulebook.Options(turns=1), own=())  # type: ignore[call-arg]
    alone, shared = play_matches(batch, 4, 1), play_matches(batch, 4, 2)
    assert alone == shared
    assert alone.matches == 4
    assert sum(row.wins for row in alone.players.values()) == 4
    assert sum(end.matches for end in alone.ends.values()) == 4
    assert play_matches(batch, 4, 1) == alone


def test_it_says_by_which_rule_and_for_whom_matches_ended_and_in_which_turn() -> None:
    one = Totals(1, ends={("TRI-9.1", ("caesar",)): End(1, 7, 7, 7)})
    two = Totals(2, ends={("TRI-9.1", ("caesar",)): End(1, 4, 4, 4), ("TRI-5.2", ()): End(1, 3, 3, 3)})
    assert one.plus(two).ends == {
        ("TRI-9.1", ("caesar",)): End(2, 11, 4, 7),
        ("TRI-5.2", ()): End(1, 3, 3, 3),
    }
    result = adjudicator("simulate", "triumvirat", "-n", 1, "--option", "max_turns=1", "--jobs", 1)
    head, row = [line.split() for line in result.output.splitlines() if line.startswith(("ended", "TRI-9"))][
        :2
    ]
    assert head == ["ended", "by", "for", "matches", "turns:", "mean", "least", "most"]
    assert row[0] == "TRI-9.3" and row[-4:] == ["%", "1.0", "1", "1"]


def test_parts_hold_every_match_once() -> None:
    for number in (1, 7, 49, 50, 1000, 1234):
        assert [one for part in parts_of(number) for one in part] == list(range(number))


def test_nothing_added_changes_nothing() -> None:
    assert Totals().plus(Totals(1)) == Totals(1)


def test_wrong_use_of_simulate_has_status_2() -> None:
    for words in (
        ["mediteranee"],
        [GAME, "--players", 5],
        [GAME, "--option", "turns"],
        [GAME, "--option", "turn=1"],
        [GAME, "--option", "turns=x"],
        [GAME, "-n", 0],
        [GAME, "--bot", "fool"],
        [GAME, "--bot", "venice=fool"],
        [GAME, "--bot", "rome=own"],
    ):
        assert adjudicator("simulate", *words).exit_code == 2, words
