"""OLT-0 Set-up: the box, and what is drawn by lot: the first player, the markers, the first cards."""

from __future__ import annotations

from adjudicator.engine.table import Head, Player, Table, clockwise, face_down
from adjudicator.rulebooks.oltremare import events
from adjudicator.rulebooks.oltremare.board import BOARD, CARDS, HAND, PORTS, VENICE, cards_for
from adjudicator.rulebooks.oltremare.state import RULES, Options, Seat, State


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    """OLT-0.1, OLT-0.2: the houses, each with its ducats, and all cards on one pile."""
    return State(
        match=match,
        rulebook="oltremare",
        rules=RULES,
        phase=Head(0, "start", 1),
        options=options,
        players={player: Seat() for player in players},
        seats=players,
        turn_of=players[0],
        deck=face_down(cards_for(len(players))),
        turns=dict.fromkeys(players, 0),
        between=True,
    )


def open_the_box(t: Table[State]) -> None:
    """OLT-0.3 to 0.5: draws the first player by lot, lays the markers,
    turns up the first cards of cargo, deals hands and deck."""
    first = t.shuffle(t.state.seats, "first", rule="OLT-0.5")[0]
    t.play(events.SeatsTaken(rule="OLT-0.5", seats=clockwise(t.state.seats, first)))
    box = [marker for marker, count in BOARD.markers.items() for _ in range(count)]
    lot = t.shuffle(box, "markers", rule="OLT-0.3")  # the rest go into the box
    t.play(events.MarkersLaid(rule="OLT-0.3", markers=dict(zip(PORTS, lot, strict=False))))
    turn_up(t)
    deal(t)


def turn_up(t: Table[State]) -> None:
    """OLT-0.4: each in turn turns up cards until one names a port; the marker there goes into the box."""
    pile = list(t.shuffle(cards_for(len(t.state.seats)), "first cards", rule="OLT-0.4"))
    for player in t.state.seats:
        at = next(index for index, card in enumerate(pile) if CARDS[card].port)
        turned, pile = pile[: at + 1], pile[at + 1 :]
        port = CARDS[turned[-1]].port
        t.play(events.TurnedUp(rule="OLT-0.4", player=player, cards=tuple(turned), port=port))


def deal(t: Table[State]) -> None:
    """OLT-0.4: all other cards are shuffled, four dealt to each; the Venice card goes in the middle of the rest."""
    cards = t.shuffle([card.value for card in t.state.deck], "deck", rule="OLT-0.4")
    dealt = HAND * len(t.state.seats)
    middle = dealt + (len(cards) - dealt) // 2
    deck = face_down((*cards[:middle], VENICE, *cards[middle:]))
    t.play(events.DeckLaid(rule="OLT-0.4", cards=deck, source="start"))
    for player in t.state.seats:
        t.play(events.Dealt(rule="OLT-0.4", player=player, cards=t.state.deck[:HAND]))
