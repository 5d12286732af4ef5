"""Functions marked `remembered` work out an answer once for one position, and anew for another."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.report.template import Once
from adjudicator.engine.table.remembered import MOST_KEPT, Answers, remembered, remembered_while


class Town(Struct, frozen=True):
    """A position of three fields."""

    houses: tuple[int, ...]
    walls: tuple[int, ...]
    weather: str


class Macro:
    """Stands in for a macro of a template: tells the values it is given, and counts how often it was called."""

    name = "told"

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *given: object) -> str:
        self.calls += 1
        return f"\n{given}\n"


def test_an_answer_is_kept_for_the_same_position_and_the_same_words() -> None:
    asked: list[tuple[list[int], str]] = []

    @remembered
    def count(state: list[int], of: str) -> int:
        asked.append((state, of))
        return len(state)

    one, alike = [1, 2], [1, 2]
    assert [count(one, "a"), count(one, "a"), count(one, of="a"), count(one, "b")] == [2] * 4
    assert len(asked) == 3
    assert count(alike, "a") == 2
    assert asked[-1][0] is alike


def test_each_answer_is_worked_out_when_it_is_first_looked_up() -> None:
    asked: list[str] = []

    def length(of: str) -> int:
        asked.append(of)
        return len(of)

    answers = Answers(length)
    assert [answers["wine"], answers["iron"], answers["wine"]] == [4, 4, 4]
    assert asked == ["wine", "iron"]
    answers.clear()
    assert answers["wine"] == 4
    assert asked == ["wine", "iron", "wine"]


def test_what_reads_one_field_is_asked_again_only_when_that_is_another_value() -> None:
    asked: list[Town] = []

    @remembered_while("houses")
    def size(town: Town) -> int:
        asked.append(town)
        return len(town.houses)

    first = Town(houses=(1, 2), walls=(1,), weather="rain")
    assert [size(first), size(replace(first, weather="sun")), size(first)] == [2] * 3
    assert asked == [first]
    grown = replace(first, houses=(1, 2, 3))
    walled = replace(grown, walls=(1, 2))
    assert [size(grown), size(walled), size(first)] == [3, 3, 2]
    assert asked == [first, grown]


def test_a_field_that_is_gone_lends_its_answer_to_no_other() -> None:
    @remembered_while("houses")
    def first(town: Town) -> int:
        return town.houses[0]

    for number in range(3 * MOST_KEPT):
        assert first(Town(houses=(number, number), walls=(), weather="")) == number


def test_a_position_that_is_gone_lends_its_answer_to_no_other() -> None:
    """Identities come again when a value is freed: those that answers are kept for are kept too."""

    @remembered
    def first(state: list[int]) -> int:
        return state[0]

    assert [first([number]) for number in range(20 * MOST_KEPT)] == list(range(20 * MOST_KEPT))


def test_a_macro_is_called_once_for_the_same_values() -> None:
    once, macro = Once(), Macro()
    order, ports = ["venice"], {"tunis": 1}
    assert once(macro, order, ports) == once(macro, order, ports) == "(['venice'], {'tunis': 1})"
    assert macro.calls == 1
    assert [once(macro, [number]) for number in range(2000)] == [f"([{number}],)" for number in range(2000)]
