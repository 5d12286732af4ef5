"""Secrets of Triumvirat stay secret: hands, cards laid out and bids until they are shown, wishes, and the decks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from adjudicator.contract import matches, secrets
from adjudicator.contract.known import untrue
from adjudicator.engine.bots import Step
from adjudicator.engine.play.known import known_after, known_at_start
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.event import Event, Player, Shuffled
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.triumvirat import RULEBOOK, events
from adjudicator.rulebooks.triumvirat.board import SEATS

READERS: tuple[Player | None, ...] = (None, *SEATS)
OWN = {"PutOut": "cards", "Wished": "wishes", "TaxesBid": "bid", "Picked": "wish"}
"""Events that hold a secret of their player, and in which field."""
SHOWN = {"PutOut": ("Shown", "cards"), "TaxesBid": ("BidShown", "bid")}
"""What makes the secret of such an event public, in the same phase."""


def turns(seed: str) -> Iterator[Step]:
    """The first three turns of a match with trades, by lot too, and bids: every phase of it."""
    return islice(matches.steps(RULEBOOK, SEATS, seed, sensible=2), 18)


def secrets_in(position: Any) -> Iterator[tuple[Player | None, Secret[Any]]]:
    """Every secret of a position with the player whose it is; nobody's are the decks."""
    for player, seat in position.players.items():
        yield from ((player, each) for each in (*seat.cards, seat.standing))
    for player, cards in position.offers.items():
        yield from ((player, card) for card in cards)
    for mapping in (position.wishes, position.bids):
        yield from mapping.items()
    yield from ((None, card) for card in (*position.deck, *position.barbarian_deck))


def of_event(event: Event[Any]) -> Iterator[tuple[Player | None, Secret[Any]]]:
    """Every secret of an event, likewise."""
    name = type(event).__name__
    if name in OWN:
        field: Any = getattr(event, OWN[name])
        of: Any = event
        yield from ((of.player, each) for each in (field if isinstance(field, tuple) else (field,)))
    if name == "DeckLaid":
        deck: Any = event
        yield from ((None, each) for each in deck.cards)
    if isinstance(event, Shuffled):
        yield from ((event.what[1] if event.what[0] == "offer" else None, each) for each in event.order)


@pytest.mark.parametrize("seed", ["hand", "purse"])
def test_a_secret_is_known_to_its_player_alone(seed: str) -> None:
    counted = dict.fromkeys(("position", "events"), 0)
    for step in turns(seed):
        for who in READERS:
            told = events_for(RULEBOOK, step.outcome.state, step.outcome.events, who)
            in_events = [each for event in told for each in of_event(event)]
            in_position = list(secrets_in(position_for(RULEBOOK, step.outcome.state, who)))
            counted["events"] += len(in_events)
            counted["position"] += len(in_position)
            for owner, secret in (*in_events, *in_position):
                assert secret.known == (who is not None and owner == who)
    assert min(counted.values()) > 100


def test_what_was_put_out_or_bid_is_shown_as_it_lay_there() -> None:
    """The secret and what is told of it later are the same, and it isn't told before all are in."""
    found = dict.fromkeys(SHOWN, 0)
    for step in turns("trade"):
        events = step.outcome.events
        names = [type(event).__name__ for event in events]
        for index, event in enumerate(events):
            for shown, field in [SHOWN[names[index]]] if names[index] in SHOWN else []:
                last = max(at for at, name in enumerate(names) if name == names[index])
                of: Any = event
                opened: Any = next(
                    (each, at)
                    for at, each in enumerate(events)
                    if names[at] == shown and getattr(each, "player", "") == of.player
                )
                kept: Any = getattr(of, field)
                plain = tuple(each.value for each in kept) if isinstance(kept, tuple) else dict(kept.value)
                assert plain == getattr(opened[0], field)
                assert opened[1] > last
                found[names[index]] += 1
    assert min(found.values()) > 3


def test_no_paper_of_a_phase_with_trades_or_bids_depends_on_what_is_hidden() -> None:
    tried = 0
    for step in turns("paper"):
        if any(type(event).__name__ in SHOWN for event in step.outcome.events):
            tried += 1
            for who in READERS:
                shown = Step(step.before, {}, step.outcome)
                assert list(secrets.leaks(RULEBOOK, shown, who, pages=False)) == []
    assert tried > 3


@pytest.mark.parametrize(
    "told",
    [
        events.Paid(rule="TRI-4.4", player="crassus", taxes=2),
        events.PutAway(rule="TRI-4.5", player="crassus", kept=1),
    ],
    ids=["paid", "laid face up"],
)
def test_taxes_of_a_hand_that_come_to_light_are_looked_for_there_no_longer(told: Event[Any]) -> None:
    """TRI-4.4, TRI-4.5: their number alone is told."""
    state = next(turns("purse")).outcome.state
    made = events.Produced(rule="TRI-2.1", player="crassus", cards=("tax", "tax", "tax", "oil"))
    found = known_at_start(RULEBOOK, state, position_for(RULEBOOK, state, "caesar"))
    for event in (made, told):
        state = event.apply(state)
        found = known_after(RULEBOOK, found, [event], position_for(RULEBOOK, state, "caesar"))
        assert list(untrue(RULEBOOK, found, state)) == []
    hand = ("players", "crassus", "cards")
    (seen,) = [each.cards for each in found.sightings if each.places == (hand,)]
    assert sorted(seen) == sorted(card.value for card in state.players["crassus"].cards)
