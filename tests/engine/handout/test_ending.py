"""How a match was won: the last reports, the site's index, `demo` and `status` say it in the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.cli.demo import play_phases
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.handout.for_all import end_line
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.site import index
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.report.markdown_html import plain_text
from adjudicator.engine.table.points import Won
from adjudicator.rulebooks.rome_carthage.events import Finished
from tests.cli.calling import adjudicator
from tests.engine.match_folders import SOME_GAMES
from tests.engine.parsed_html import Parsed

SHORT = {
    "mediterranee": {"turns": "1"},
    "rome-carthage": {"max_rounds": "2"},
    "serenissima": {},
    "oltremare": {"talks": "0"},
    "triumvirat": {"max_turns": "1"},
}
"""Options with which a match is soon over."""


@pytest.fixture(scope="module", params=SOME_GAMES)
def match(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of each game, played to its end."""
    game, path = request.param, tmp_path_factory.mktemp(request.param) / "match"
    rulebook = registry.rulebook(game)
    players = rulebook.tables[min(rulebook.tables)][0]
    begin(game, path, players, options={"pages": "off", **SHORT[game]}, seed_text="end", name="m")
    for _ in play_phases(path, rulebook, SeededChance("end")):
        pass
    return path


def test_it_is_said_everywhere_in_the_same_words(match: Path) -> None:
    folder = open_match(match)
    said = plain_text(end_line(folder))
    how = said.removeprefix("The match is over: ")
    assert how != said and how.endswith(").")
    assert said in Parsed(index(folder)).text
    assert said in adjudicator("status", match).output.splitlines()
    for reader in (*folder.card.players, "public"):
        report = folder.read(f"{folder.phases[-1]}/for/{reader}/report.md").decode()
        assert report.replace("*", "").count(how[:-1]) == 1, reader


def test_each_match_that_ends_has_one_event_that_ends_it(match: Path) -> None:
    folder = open_match(match)
    ends = [event for number in range(folder.last) for event in folder.events(number) if event.ends]
    assert len(ends) == 1 and ends[0] in folder.events(folder.last - 1)


def test_nothing_is_said_of_a_match_that_goes_on(tmp_path: Path) -> None:
    begin("mediterranee", tmp_path / "m", ("venice", "genoa"), options={"pages": "off"}, seed_text="x")
    assert end_line(Folder(tmp_path / "m")) == ""


def test_a_match_that_was_ended_by_hand_is_over_and_nothing_else(
    match: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Folder, "events", lambda self, number: ())
    assert end_line(open_match(match)) == "The match is over."


def test_both_final_events_are_marked() -> None:
    assert Won.ends and Finished.ends
