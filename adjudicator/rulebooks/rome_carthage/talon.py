"""The talon: laying it, drawing from it, and making a new one of the spent cards (ROM-1.1, ROM-6.3)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.table import Player, Secret, Table
from adjudicator.rulebooks.rome_carthage.board import Card, worth
from adjudicator.rulebooks.rome_carthage.events import Drawn, TalonLaid
from adjudicator.rulebooks.rome_carthage.state import State, alliance_of


def lay(t: Table[State], cards: Sequence[Card], *, spent: bool = False) -> None:
    """ROM-0.3, ROM-6.3: shuffles cards into a talon; with `split_talon` into one pack for each alliance."""
    order = t.shuffle(cards, "talon", rule="ROM-1.1" if spent else "ROM-0.3")
    if not t.state.options.split_talon:
        rule = "ROM-1.1" if spent else "ROM-0.3"
        t.play(TalonLaid(rule=rule, cards=tuple(Secret(card) for card in order), spent=spent))
        return
    chosen = half(order)
    one = [order[index] for index in chosen]
    other = [card for index, card in enumerate(order) if index not in chosen]
    first = t.throw((1, 2), "pack", rule="ROM-6.3")  # the number of the alliance that gets the chosen pack
    packs = (one, other) if first == 1 else (other, one)
    cards = [card for pack in packs for card in pack]
    sizes = (len(packs[0]), len(packs[1]))
    t.play(TalonLaid(rule="ROM-6.3", cards=tuple(Secret(card) for card in cards), packs=sizes, spent=spent))


def half(cards: Sequence[Card]) -> tuple[int, ...]:
    """ROM-6.3: the places of half of the cards, with half of the points as nearly as possible; of two equally near sums
    the lower.

    If several choices give that sum, the one is taken whose last card stands earliest, of these the one whose last but
    one does, and so on.
    """
    reached: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}
    for index, card in enumerate(cards):
        for (count, points), chosen in list(reached.items()):
            reached.setdefault((count + 1, points + worth(card)), (*chosen, index))
    total = sum(worth(card) for card in cards)
    halves = [(abs(total - 2 * points), points) for count, points in reached if count == len(cards) // 2]
    return reached[len(cards) // 2, min(halves)[1]]


def draw(t: Table[State], player: Player) -> None:
    """ROM-1.1: draws one card; if the talon is empty the spent cards are shuffled first;
    if there are none either, none is drawn."""
    if t.state.options.split_talon:
        draw_from_pack(t, player)
        return
    if not t.state.talon and t.state.spent:
        lay(t, t.state.spent, spent=True)
    if t.state.talon:
        t.play(Drawn(rule="ROM-1.1", player=player, card=Secret(t.reveal(t.state.talon[0]))))


def draw_from_pack(t: Table[State], player: Player) -> None:
    """ROM-6.3: draws from the alliance's own pack; an empty pack is filled only when both are empty."""
    if not any(t.reveal(pack) for pack in t.state.talon) and t.state.spent:
        lay(t, t.state.spent, spent=True)
    number = alliance_of(t.state, player)
    pack = t.reveal(t.state.talon[number]) if t.state.talon else []
    if pack:
        t.play(Drawn(rule="ROM-6.3", player=player, card=Secret(pack[0]), pack=number))
