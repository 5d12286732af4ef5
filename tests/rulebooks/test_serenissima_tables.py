"""Rules and reports of Serenissima have the tables that a player needs, with the numbers of the board."""

from __future__ import annotations

from adjudicator.engine.library.rules import rules_of
from adjudicator.rulebooks.serenissima.board import BOARD, DIE
from adjudicator.rulebooks.serenissima.fields import Stop, Target
from tests.rulebooks.serenissima_match import MATCH, RULEBOOK

RULES = {number: rule.text for number, rule in rules_of(RULEBOOK).items()}
WORDS = ("nothing", "one", "two", "three", "four", "five")


def listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def test_the_rules_say_what_each_slot_pays() -> None:
    for size, slots in BOARD.slots.items():
        assert f"{listed(slots)} in " in RULES["SER-4.1"]
        assert f"of {WORDS[size]}" in RULES["SER-4.1"]


def test_the_rules_say_what_filled_slots_pay_at_a_scoring() -> None:
    paid = BOARD.scoring[max(BOARD.scoring)]
    assert all(table == paid[: len(table)] for table in BOARD.scoring.values()), (
        "however many slots there are"
    )
    assert f"{paid[1]} ducats for one filled slot" in RULES["SER-8.1"]
    assert all(
        f"{ducats} for {WORDS[filled]}" in RULES["SER-8.1"]
        for filled, ducats in enumerate(paid)
        if filled > 1
    )


def test_the_rules_say_where_the_pawn_starts_and_scorings_are_held() -> None:
    for track in BOARD.track.values():
        *first, last = track.scorings
        assert f"on square {track.start}" in RULES["SER-7.3"] or f"on {track.start}" in RULES["SER-7.3"]
        assert f"on {listed(tuple(first))} and {last}" in RULES["SER-7.3"]


def test_the_rules_say_what_holds_where_an_order_says_nothing() -> None:
    assert f"stops with {Stop().own} sailor left" in RULES["SER-5.3"]
    assert f"{Target().land} if it is left out" in RULES["SER-5.6"]
    assert f"{sum(DIE)} faces of {len(DIE)}" in RULES["SER-5.2"]


def test_a_report_says_what_slots_pay() -> None:
    report = MATCH.report(3, 3, "blue")
    assert f"from the first on {listed(BOARD.slots[5])}, in an own port nothing" in report
    assert f"yields {listed(BOARD.scoring[5])} for none, one, two and more" in report
