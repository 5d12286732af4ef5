"""A match of an earlier release is read, upgraded, played on and verified.

`tests/releases/` has an archive of each release since 0.1.0: a few phases of each game, played by bots, as the GM has
them, without what players got. A release adds its own; one is dropped when its files needn't be read any more.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from adjudicator import __version__
from adjudicator.cli.demo import play_phases
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Upgraded
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.text import typed
from adjudicator.gm.changing import upgrade
from tests.engine.match_folders import SOME_GAMES
from tests.gm.weeks import utc

RELEASES = {
    path.name.removesuffix(".tar.xz"): path for path in Path(__file__).parent.glob("releases/*.tar.xz")
}
MORE = 2
"""How many runs a match goes on."""


@pytest.mark.parametrize("game", SOME_GAMES)
@pytest.mark.parametrize("release", sorted(RELEASES))
def test_a_match_of_an_earlier_release_goes_on_and_verifies(release: str, game: str, tmp_path: Path) -> None:
    with tarfile.open(RELEASES[release]) as archive:
        archive.extractall(tmp_path, [each for each in archive if each.name.startswith(game)], filter="data")
    path = tmp_path / game
    match = open_match(path)
    played, rules = match.last, match.rules(match.last)
    assert match.card.version == release and played > 2
    assert verify(path).good
    if rules not in match.rulebook.versions:
        done = upgrade(path, utc("2026-11-22 12:00"))
        if not isinstance(done, Upgraded):  # it would have come out otherwise
            assert done.rules
            done = upgrade(path, utc("2026-11-22 12:00"), why="all agreed")
        assert isinstance(done, Upgraded) and (done.was, done.now) == (rules, match.rulebook.versions[-1])
    for run, _ in enumerate(play_phases(path, match.rulebook, SeededChance(release)), start=1):
        if run == MORE:
            break
    found = verify(path)
    assert found.good, found.problems
    assert found.phases > played
    others = {each for stretch in found.not_replayed for each in stretch.phases}
    assert found.replayed == found.phases - len(others)
    assert others <= set(match.phases[:played])


def test_files_of_the_last_two_minor_releases_are_here_to_be_read() -> None:
    major, minor = typed.release_of(__version__)
    there = {typed.release_of(release) for release in RELEASES}
    assert {(major, each) for each in range(max(1, minor - 2), minor)} <= there
