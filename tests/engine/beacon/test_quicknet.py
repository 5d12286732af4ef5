"""Rounds of drand: their times, and that a signature is the network's own for its round."""

from __future__ import annotations

from datetime import timedelta

import pytest

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.quicknet import Beacon, DiceSource, drawn_words, normalized, problem_of
from tests.drand import ROUNDS, just_before

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize("number", ROUNDS)
def test_what_the_network_signed_is_known_for_its_own(number: int) -> None:
    assert quicknet.is_signed(number, ROUNDS[number])


def test_a_rounds_random_number_is_that_of_drand() -> None:
    known = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
    assert quicknet.randomness_of(ROUNDS[1000]) == known


@pytest.mark.parametrize(
    "signature",
    [
        ROUNDS[1001],
        "",
        "no hexadecimal",
        ROUNDS[1000][:-2],
        ROUNDS[1000] + "00",
        "c0" + "00" * 47,
        "00" * 48,
        "ff" * 48,
        ROUNDS[1000].replace("b4", "94", 1),
    ],
    ids=["another-round's", "none", "words", "short", "long", "infinity", "zeros", "ones", "negative"],
)
def test_nothing_else_is_a_signature_of_that_round(signature: str) -> None:
    assert not quicknet.is_signed(1000, signature)


@pytest.mark.parametrize("number", [1, 2, *ROUNDS])
def test_the_round_after_a_moment_lies_after_it_and_none_lies_between(number: int) -> None:
    out = quicknet.time_of(number)
    assert quicknet.round_after(out - SECOND) == number
    assert quicknet.round_after(out) == number + 1
    assert quicknet.round_after(out + 2 * SECOND) == number + 1


def test_before_the_chain_began_its_first_round_is_the_next() -> None:
    assert quicknet.round_after(quicknet.GENESIS - timedelta(days=1)) == 1


def test_a_beacon_is_that_of_the_source_that_was_named_and_of_a_round_that_was_to_come() -> None:
    source = DiceSource(drand=1000)
    good = Beacon(source, signature=ROUNDS[1000])
    assert problem_of(good, source, just_before(1000)) == ""
    assert "out already" in problem_of(good, source, quicknet.time_of(1000))
    assert "another source" in problem_of(good, DiceSource(drand=1001), just_before(1000))
    assert "signature" in problem_of(Beacon(source, signature=ROUNDS[1001]), source, just_before(1000))


def test_a_public_text_counts_without_odd_spaces_and_not_if_it_is_empty_long_or_unseen() -> None:
    assert normalized("  3  8 21\t30 ") == "3 8 21 30"
    assert normalized("") == normalized("3\x1b8") == normalized("3" * 501) == ""
    lottery = DiceSource(named="6 aus 49, 28.11.2026")
    assert problem_of(Beacon(lottery, text="3 8 21"), lottery, just_before(1000)) == ""
    assert problem_of(Beacon(lottery, text="3  8"), lottery, just_before(1000))
    assert problem_of(Beacon(lottery), lottery, just_before(1000))


@pytest.mark.parametrize(
    "spelled",
    [
        "3 8 21 30 33 47, Superzahl 5",
        "  3  8 21\t30 33 47 - superzahl: 5.",
        "03, 08, 21, 30, 33, 47 (SUPERZAHL 05)",
        "3-8-21-30-33-47 Súperzahl 5",
        "３ ８ ２１ ３０ ３３ ４７ Ｓuperzahl ５",  # noqa: RUF001  full width
        "47 33 30 21 8 3 Superzahl5",
        "3\u00a08\u00a021\u2009–\u200930/33/47 Superzahl ⁵",
    ],
)
def test_however_a_draw_is_spelled_it_counts_the_same(spelled: str) -> None:
    """Else a GM could choose among as many throws as there are spellings."""
    assert drawn_words(spelled) == "3 5 8 21 30 33 47 superzahl"
    assert drawn_words(drawn_words(spelled)) == drawn_words(spelled)


@pytest.mark.parametrize("spelled", ["", " .,-", "3 8 \u0430us 49", "٣ ٨", "3\u200b8", "a1" * 250, "3" * 501])
def test_what_can_be_spelled_in_two_ways_that_look_the_same_is_no_draw(spelled: str) -> None:
    assert drawn_words(spelled) == ""


def test_what_was_drawn_for_a_source_of_an_earlier_version_counts_as_it_was_typed() -> None:
    old, new = DiceSource(named="6 aus 49"), DiceSource(named="6 aus 49", words=True)
    assert problem_of(Beacon(old, text="08, 3"), old, just_before(1000)) == ""
    assert problem_of(Beacon(new, text="3 8"), new, just_before(1000)) == ""
    assert "as it counts" in problem_of(Beacon(new, text="08, 3"), new, just_before(1000))


def test_a_round_that_somebody_made_up_has_a_time_too() -> None:
    assert quicknet.time_of(2**70).year == 9999
    assert quicknet.time_of(-(2**70)) < quicknet.time_of(1) == quicknet.GENESIS
