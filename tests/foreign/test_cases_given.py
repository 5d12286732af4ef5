"""Positions of case files: `...` at the end of a list of cards, and what is gone from the game."""

from __future__ import annotations

from pathlib import Path

from adjudicator.contract.cases import cases_in, with_the_rest

START = {"deck": ["wine", "iron", "salt"], "players": {"red": {"hand": ["wood"]}}, "discard": []}


def test_the_rest_is_all_that_the_given_lists_displace_in_the_order_of_the_start() -> None:
    given = {"deck": ["salt", "..."], "players": {"red": {"hand": ["iron"]}}, "discard": []}
    assert with_the_rest(START, given, ()) == {**given, "deck": ["salt", "wine", "wood"]}


def test_what_is_gone_lies_nowhere() -> None:
    given = {"deck": ["..."], "players": {"red": {"hand": []}}, "discard": []}
    assert with_the_rest(START, given, ("wine",)) == {**given, "deck": ["iron", "salt", "wood"]}


def test_without_the_mark_a_position_is_as_it_is_given() -> None:
    given = {"deck": [], "players": {"red": {"hand": []}}, "discard": ["iron"]}
    assert with_the_rest(START, given, ("wine",)) == given


def test_a_case_file_can_say_so(tmp_path: Path) -> None:
    path = tmp_path / "CAR-0.1.yaml"
    path.write_text("- case: a rest\n  phase: road\n  given: {deck: [salt, ...]}\n  gone: [iron]\n  expect: {}\n")
    (case,) = cases_in(path)
    assert case.given == {"deck": ["salt", "..."]} and case.gone == ("iron",)
