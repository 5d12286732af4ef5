"""Fills in by chance what a player can't know: hands, cards laid out, wishes, bids, and the decks."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, known_of, with_values_where_hidden, without_standing
from adjudicator.rulebooks.triumvirat import board, pieces
from adjudicator.rulebooks.triumvirat.board import BOX, ISSUED, TAX
from adjudicator.rulebooks.triumvirat.state import State


def guess(view: State, me: Player, chance: Chance) -> State:
    """TRI-0.4, TRI-0.6: hidden cards are any that aren't seen; nobody has wished or bid."""
    hands = [seat.cards for seat in view.players.values()]
    kept = [TAX] * sum(seat.taxes for seat in view.players.values())
    cards = UnseenCards(cards_of_box(BOX), [*kept, *known_of(*hands, *view.offers.values())], chance)
    bought = [name for seat in view.players.values() for name in seat.senators]
    shown = (*view.used, *view.events, *view.on_offer, *bought, *known_of(view.deck))
    eight = UnseenCards(board.BARBARIAN_CARDS, [*view.barbarian_out, *known_of(view.barbarian_deck)], chance)
    players = {name: replace(seat, cards=cards.fill(seat.cards)) for name, seat in view.players.items()}
    found: State = without_standing(
        replace(
            view,
            players=players,
            offers={name: cards.fill(offer) for name, offer in view.offers.items()},
            deck=UnseenCards(cards_of_box(ISSUED), shown, chance).fill(view.deck),
            barbarian_deck=eight.fill(view.barbarian_deck),
            wishes=with_values_where_hidden(view.wishes, lambda player: ()),
            bids=with_values_where_hidden(view.bids, lambda player: {}),
        ),
        pieces.Standing,
    )
    return found


def cards_of_box(box: Mapping[str, int]) -> list[str]:
    """The cards of a box, each as often as the box has it."""
    return [card for card, count in box.items() for _ in range(count)]
