"""A position is read once, and named each time as the file that was asked for."""

from __future__ import annotations

from adjudicator.engine.play.position import PositionFile, read_position, write_position
from tests.cli.calling import position


def opened(text: bytes, name: str) -> PositionFile:
    found = read_position(text, name)
    assert isinstance(found, PositionFile)
    return found


def test_the_same_text_is_the_same_position_under_each_files_name() -> None:
    text = write_position(position("market")).encode()
    first, again = (opened(text, name) for name in ("alps/state.yaml", "lagoon/state.yaml"))
    assert again.state is first.state
    assert [each.source.place(("match",)).partition(":")[0] for each in (first, again)] == [
        "alps/state.yaml",
        "lagoon/state.yaml",
    ]


def test_what_is_wrong_with_one_is_told_of_each_file() -> None:
    text = write_position(position("market")).replace("turn: 1", "turn: one").encode()
    for name in ("alps/state.yaml", "lagoon/state.yaml"):
        found = read_position(text, name)
        assert isinstance(found, list)
        assert {problem.file for problem in found} == {name}
