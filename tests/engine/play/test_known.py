"""What a reader knows, from event to event: cards that move unseen, numbers without a bound, files that don't fit."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.contract.known import faults_of_known
from adjudicator.engine.bots import play_match
from adjudicator.engine.library import registry
from adjudicator.engine.play import known as memory, sightings
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.known import (
    Between,
    filled_in,
    guess_within,
    known_after,
    known_at_start,
    known_from_view,
)
from adjudicator.engine.play.known_file import read_known, write_known
from adjudicator.engine.play.sightings import Sighting, in_order, without
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.secret import Secret, Untold, without_secrets
from adjudicator.rulebooks.oltremare.events import Discarded, Drew, Exchanged, Played, Side
from adjudicator.rulebooks.oltremare.state import Seat, State

OLTREMARE = registry.rulebook("oltremare")
DANDOLO, GRIMANI = ("players", "dandolo", "hand"), ("players", "grimani", "hand")
PIRATES = ("players", "dandolo", "pirates")
HIDDEN = Secret.hidden()


def view(hand: int = 3, pirates: int = 0, grimani: int = 2) -> State:
    """What Contarini sees: hands of three, and a deck."""
    state = OLTREMARE.start("m", OLTREMARE.Options(), ("contarini", "dandolo", "grimani"))
    sizes = {"contarini": (2, 0), "dandolo": (hand, pirates), "grimani": (grimani, 0)}
    players = {
        name: Seat(hand=(HIDDEN,) * cards, pirates=(HIDDEN,) * below)
        for name, (cards, below) in sizes.items()
    }
    found: State = replace(state, players=players, deck=(HIDDEN,) * 9)
    return found


def after(events: list[Any], then: State, *seen: Sighting) -> dict[tuple[Any, ...], tuple[str, ...]]:
    """By places, the cards that must be there after events of a phase, of which those were seen."""
    found = known_after(OLTREMARE, replace(known_from_view(OLTREMARE, view()), sightings=seen), events, then)
    return {each.places: each.cards for each in found.sightings}


def test_a_card_that_was_seen_may_have_left_with_one_that_nobody_saw() -> None:
    seen = Sighting((DANDOLO,), ("silk-02", "salt-05"))
    event = Discarded(rule="OLT-1.1", player="dandolo", cards=(HIDDEN,))
    assert after([event], view(2, 1), seen) == {(DANDOLO, PIRATES): ("silk-02", "salt-05")}


def test_what_is_shown_is_no_longer_sought() -> None:
    seen = Sighting((DANDOLO,), ("silk-02", "salt-05"))
    event = Played(rule="OLT-3.1", player="dandolo", cards=("silk-02",))
    assert after([event], replace(view(2), in_play=("silk-02",)), seen) == {(DANDOLO,): ("salt-05",)}


def test_two_who_exchange_unseen_cards_may_each_have_what_the_other_had() -> None:
    sides = (Side(cards=(HIDDEN,)), Side(cards=(HIDDEN,)))
    event = Exchanged("dandolo-1", "dandolo", "grimani", *sides, rule="OLT-2.1")
    found = after([event], view(), Sighting((DANDOLO,), ("silk-02",)))
    assert found == {(DANDOLO, GRIMANI): ("silk-02",)}


def test_a_hand_that_draws_holds_what_it_held() -> None:
    event = Drew(rule="OLT-3.4", player="dandolo", card=HIDDEN, onto="hand")
    then = replace(view(4), deck=(HIDDEN,) * 8)
    assert after([event], then, Sighting((DANDOLO,), ("silk-02",))) == {(DANDOLO,): ("silk-02",)}


def test_cards_that_came_or_went_without_a_word_leave_nothing_certain() -> None:
    assert after([], view(4), Sighting((DANDOLO,), ("silk-02",))) == {}


def test_an_event_that_does_not_fit_leaves_nothing_certain() -> None:
    event = Discarded(rule="OLT-1.1", player="grimani", cards=(HIDDEN,) * 5)
    assert after([event], view(), Sighting((DANDOLO,), ("silk-02",))) == {}


def test_of_equal_cards_the_one_that_is_told_may_be_any() -> None:
    """Two of a kind, one in a hand, one there or on a pile: after one has left the hand, the other may be in both."""
    seen = (Sighting((DANDOLO, PIRATES), ("tax",)), Sighting((DANDOLO,), ("tax",)))
    left = in_order(without(seen, "tax", [DANDOLO]), {DANDOLO: 2, PIRATES: 2, GRIMANI: 2})
    assert left == (Sighting((DANDOLO, PIRATES), ("tax",)),)
    apart = (Sighting((DANDOLO, GRIMANI), ("tax",)), Sighting((DANDOLO, PIRATES), ("tax",)))
    left = in_order(without(apart, "tax", [DANDOLO]), {DANDOLO: 2, PIRATES: 2, GRIMANI: 2, ("deck",): 9})
    assert left == (Sighting((DANDOLO, PIRATES, GRIMANI), ("tax",)),)


def test_a_card_that_nobody_saw_leave_may_be_any_of_a_hand() -> None:
    hand = (Secret("silk-02"), HIDDEN)
    assert without_secrets(hand, [Untold()]) == (HIDDEN,)
    assert without_secrets(hand, [HIDDEN]) == (
        Secret("silk-02"),
    )  # a check knows which: the one that came unseen


def test_a_number_that_nobody_knows_is_at_least_what_came_since() -> None:
    assert Between() + 300 == Between(300)
    assert Between(300) + -500 == Between(300) - 500 == Between(0)
    assert Between(100, 400) + -50 == Between(50, 350)


def test_a_guess_keeps_to_the_bounds_of_a_number() -> None:
    rulebook = registry.rulebook("mediterranee")
    start = rulebook.start("m", rulebook.Options(), ("venice", "genoa"))
    known = known_from_view(rulebook, position_for(rulebook, start, "venice"))
    place = ("players", "genoa", "treasury")
    for bounds, held in ((Between(9000), 9000), (Between(0, 0), 0)):
        within = replace(known, state=memory.put(known.state, place, Secret(bounds)))
        assert (
            guess_within(rulebook, within, "venice", SeededChance("g")).players["genoa"].treasury.value
            == held
        )
        assert not filled_in(within).players["genoa"].treasury.known


def a_known(phases: int = 9) -> tuple[Any, Any]:
    """What Dandolo knows in the middle of a match, and the view."""
    players = OLTREMARE.tables[3][0]
    bots = dict.fromkeys(players, OLTREMARE.bot)
    found, seen = None, None
    for number, step in enumerate(play_match(OLTREMARE, players, bots, "known")):
        if found is None:
            found = known_at_start(OLTREMARE, step.before, position_for(OLTREMARE, step.before, players[1]))
        state = step.outcome.state
        seen = position_for(OLTREMARE, state, players[1])
        found = known_after(
            OLTREMARE, found, events_for(OLTREMARE, state, step.outcome.events, players[1]), seen
        )
        if number == phases:
            break
    return found, seen


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("player: dandolo", "player: grimani"),
        ("phase: ", "phase: 9"),
        ("match: known", "match: other"),
        ('format: "0.3"', 'format: "9.0"'),
        ("state: there", "state: elsewhere"),
        (".cargo.0", ".cargo.-1"),
        (".cargo.0", ".cargo.90"),
        (".cargo.0", ".cargo.x"),
        (".cargo", ".nowhere"),
        ("cards: ", "cards: &a "),
        ("match: ", "  : ["),
    ],
)
def test_a_file_of_another_view_or_that_does_not_fit_counts_for_nothing(old: str, new: str) -> None:
    found, seen = a_known()
    text = write_known(OLTREMARE, found, seen, "dandolo")
    assert read_known(OLTREMARE, text.encode(), seen, "dandolo") == found
    assert old in text
    assert read_known(OLTREMARE, text.replace(old, new, 1).encode(), seen, "dandolo") is None


def test_what_a_deck_is_without_lies_elsewhere() -> None:
    found, seen = a_known()
    text = write_known(OLTREMARE, found, seen, "dandolo")
    (box, _), line = OLTREMARE.boxes(found.state), next(each for each in text.splitlines() if "deck:" in each)
    elsewhere = Counter(line.partition("[")[2].rstrip("]}").split(", "))
    assert elsewhere >= Counter(card for _, cards in box.places(seen) for card in memory.known_of(cards))
    assert elsewhere.total() + len(found.state.deck) <= len(box.cards) + 1  # and the Venice card


def test_a_file_that_says_more_than_can_be_counts_for_nothing() -> None:
    """Whoever edits a file, or a link, gets no error from within a rule: it has no cards that the game hasn't."""
    found, seen = a_known()
    text = write_known(OLTREMARE, found, seen, "dandolo")
    for cards in ("[no-such-card]", "[gem-01, gem-01]", f"[{', '.join(['gem-01'] * 30)}]"):
        more = f"  - {{seen: players.grimani.hand, state: there, cards: {cards}}}\npiles:"
        assert read_known(OLTREMARE, text.replace("piles:", more).encode(), seen, "dandolo") is None


def test_a_false_memory_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The contract finds it if cards that were played are still remembered: of these hands all know the first cards."""
    rulebook = registry.rulebook("rome-carthage")
    players = rulebook.tables[2][0]
    steps = list(islice(play_match(rulebook, players, dict.fromkeys(players, rulebook.bot), "known"), 9))
    assert [*faults_of_known(rulebook, steps, SeededChance("known"))] == []
    monkeypatch.setattr(sightings, "without", lambda there, card, places: there)
    assert any(" knows " in said for said in faults_of_known(rulebook, steps, SeededChance("known")))
