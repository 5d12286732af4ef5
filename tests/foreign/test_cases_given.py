"""Positions of case files: `...` at the end of a list of cards, and cards that are out of the game."""

from __future__ import annotations

from pathlib import Path

from adjudicator.contract.cases import cases_in, with_the_rest

START = {"deck": ["wine", "iron", "salt"], "players": {"red": {"hand": ["wood"]}}, "discard": []}


def test_the_rest_is_all_that_has_no_place_in_the_order_of_the_start() -> None:
    given = {"deck": ["salt", "..."], "discard": ["iron"]}
    found = with_the_rest(START, given, ())
    assert found == {"deck": ["salt", "wine"], "players": {"red": {"hand": ["wood"]}}, "discard": ["iron"]}


def test_what_is_named_is_taken_from_where_it_lay() -> None:
    found = with_the_rest(START, {"deck": ["..."], "discard": ["wood"]}, ())
    assert found == {"deck": ["wine", "iron", "salt"], "players": {"red": {"hand": []}}, "discard": ["wood"]}


def test_what_is_gone_lies_nowhere() -> None:
    found = with_the_rest(START, {"deck": ["..."]}, ("wine",))
    assert found == {**START, "deck": ["iron", "salt"]}


def test_without_the_mark_a_position_is_as_it_is_given() -> None:
    found = with_the_rest(START, {"deck": ["iron"], "discard": ["iron"]}, ("wine",))
    assert found == {**START, "deck": ["iron"], "discard": ["iron"]}


def test_a_case_file_can_say_so(tmp_path: Path) -> None:
    path = tmp_path / "CAR-0.1.yaml"
    path.write_text(
        "- case: a rest\n  phase: road\n  given: {deck: [salt, ...]}\n  gone: [iron]\n  expect: {}\n"
    )
    (case,) = cases_in(path)
    assert case.given == {"deck": ["salt", "..."]} and case.gone == ("iron",)
