"""Fills in by chance what a player can't know: hands, cards laid out, wishes, bids, and the decks."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from adjudicator.engine.table import Player
from adjudicator.engine.table.boxes import Box
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, with_values_where_hidden, without_standing
from adjudicator.rulebooks.triumvirat import board, pieces
from adjudicator.rulebooks.triumvirat.board import BOX, ISSUED, TAX
from adjudicator.rulebooks.triumvirat.state import State


def cards_of_box(box: Mapping[str, int]) -> tuple[str, ...]:
    """The cards of a box, each as often as the box has it."""
    return tuple(card for card, count in box.items() for _ in range(count))


HELD, DECK = cards_of_box(BOX), cards_of_box(ISSUED)


def boxes(state: State) -> tuple[Box, ...]:
    """TRI-0.4, TRI-0.6: the cards in hands and on offer, the deck, and the barbarian deck."""
    kept = [TAX] * sum(seat.taxes for seat in state.players.values())
    bought = [name for seat in state.players.values() for name in seat.senators]
    shown = (*state.used, *state.events, *state.on_offer, *bought)
    return (
        Box(HELD, kept, hands=(("players", "*", "cards"), ("offers", "*"))),
        Box(DECK, shown, piles=(("deck",),)),
        Box(board.BARBARIAN_CARDS, state.barbarian_out, piles=(("barbarian_deck",),)),
    )


def guess(view: State, me: Player, chance: Chance) -> State:
    """TRI-0.4, TRI-0.6: hidden cards are any that aren't seen; nobody has wished or bid."""
    cards, issued, eight = (UnseenCards.of(box, view, chance) for box in boxes(view))
    players = {name: replace(seat, cards=cards.fill(seat.cards)) for name, seat in view.players.items()}
    found: State = without_standing(
        replace(
            view,
            players=players,
            offers={name: cards.fill(offer) for name, offer in view.offers.items()},
            deck=issued.fill(view.deck),
            barbarian_deck=eight.fill(view.barbarian_deck),
            wishes=with_values_where_hidden(view.wishes, lambda player: ()),
            bids=with_values_where_hidden(view.bids, lambda player: {}),
        ),
        pieces.Standing,
    )
    return found
