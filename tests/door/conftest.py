"""Matches in the states that a sheet may meet, for all tests of the door."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.engine.match.begin import begin
from adjudicator.gm.playing import entries_of_run
from tests.door.doors import States
from tests.engine.match_folders import PHASE_BY_PHASE, TWO
from tests.gm.weeks import BEGUN, WEEK, utc
from tests.mail.local_post import in_this_process


@pytest.fixture(scope="module", autouse=True)
def no_command_is_started() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        in_this_process(patch)
        yield


DICE = {"round_awaited": "drand", "lottery_awaited": "named"}
"""The dice of the matches in these states; the others' follow from the seed."""


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> States:
    """A match in that state, made once."""
    home, made = tmp_path_factory.mktemp("states"), dict[str, Path]()

    def in_state(bring_about: Callable[[Path], None]) -> Path:
        name = bring_about.__name__
        if name not in made:
            begin(
                "mediterranee",
                home / name / "lagoon",
                TWO,
                options={
                    **PHASE_BY_PHASE,
                    "turns": "1",
                    "pacing": "live",
                    "dice": DICE.get(name, "seed"),
                },
                seed_text="test",
                name="lagoon",
                addresses={"venice": "venice@example.org", "genoa": "genoa@example.org"},
                schedule=WEEK,
                keep=entries_of_run(utc(BEGUN)),
            )
            bring_about(home / name / "lagoon")
            made[name] = home / name / "lagoon"
        return made[name]

    return in_state
