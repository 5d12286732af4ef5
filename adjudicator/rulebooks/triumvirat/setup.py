"""TRI-0 Set-up: fixed and free starts, decks, and the box: what is left in it, and taxes that go there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from adjudicator.engine.table import Head, Player, Table, face_down
from adjudicator.rulebooks.triumvirat import board, events
from adjudicator.rulebooks.triumvirat.board import BOARD, ISSUED, SITES, TAX, TITLES, Card
from adjudicator.rulebooks.triumvirat.pieces import Options, Province, Seat
from adjudicator.rulebooks.triumvirat.state import RULES, State


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    """TRI-0.1 to 0.4: titles, Italy's free sites, unshuffled decks; with a fixed start all pieces."""
    state = State(
        match=match,
        rulebook="triumvirat",
        rules=RULES,
        phase=Head(0, "start", 1, tuple(players) if options.start == "free" else ()),
        options=options,
        players={player: Seat(medals=dict.fromkeys(TITLES, 0)) for player in players},
        seats=players,
        titles={title: each for title in TITLES for each in players if BOARD.starts[each].title == title},
        provinces={name: Province(sites=dict.fromkeys(SITES.get(name, ()), "free")) for name in board.LANDS},
        deck=face_down(card for card, count in ISSUED.items() for _ in range(count)),
        barbarian_deck=face_down(board.BARBARIAN_CARDS),
    )
    for player in players if options.start == "fixed" else ():
        state = events.StartPlaced(rule="TRI-0.2", player=player).apply(state)
    return state


def builders(state: State) -> Sequence[Player]:
    """TRI-0.2: with option `start: free` everybody builds the start."""
    return state.seats if state.options.start == "free" else ()


def fixed_start(t: Table[State]) -> None:
    """TRI-0.2: a player who sends no sheet begins with the fixed start."""
    if not t.state.owned(t.me):
        t.play(events.StartPlaced(rule="TRI-0.2", player=t.me))


def shuffle(t: Table[State]) -> None:
    """TRI-0.4: the deck and the barbarian deck are shuffled."""
    lay(t, "deck", [card.value for card in t.state.deck], rule="TRI-0.4")
    lay(t, "barbarian_deck", [card.value for card in t.state.barbarian_deck], rule="TRI-0.4")


def lay(t: Table[State], deck: board.Deck, cards: Sequence[str], *, rule: str) -> None:
    """TRI-0.4, TRI-1.1, TRI-5.1: shuffles cards and lays them as a deck."""
    t.play(events.DeckLaid(rule=rule, deck=deck, cards=face_down(t.shuffle(cards, deck, rule=rule))))


# -- the box ---------------------------------------------------------------------------------------------------------


def supply(t: Table[State]) -> Mapping[Card, int]:
    """TRI-0.5: the number of cards of each kind that are left in the box."""
    seats = t.state.players.values()
    hands = (*(seat.cards for seat in seats), *t.state.offers.values())
    held = Counter(map(t.reveal, chain.from_iterable(hands)))
    held[TAX] += sum(seat.taxes for seat in seats)
    return {card: count - held[card] if card in held else count for card, count in board.BOX.items()}


def pay_taxes(t: Table[State], cost: int, rule: str, saved: int = 0, power: str = "", by: str = "") -> None:
    """TRI-4.4 and others: a player pays taxes to the box, first those kept.

    `saved` taxes are spared by a senator's power of once a turn, which is then used, by rule `by` (TRI-10.4, TRI-10.9).
    Raises Refused.
    """
    can_pay(t, cost, rule, saved)
    if who := t.state.ready(t.me, power):
        t.play(events.Used(rule=by, player=t.me, senator=who))
    if cost > saved:
        t.play(events.Paid(rule=rule, player=t.me, taxes=cost - saved))


def can_pay(t: Table[State], cost: int, rule: str, saved: int = 0, **facts: Any) -> None:
    """TRI-4.4 and others: the taxes kept and in hand must be enough, with those that a power saves. Raises Refused."""
    held = t.state.purse(t.me) + saved
    t.require(cost <= held, rule, "not-enough-taxes", **facts, price=cost, held=held)
