"""Fills in by chance what a player can't know: hands, cards laid out, wishes, bids, and the decks."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, known_of, unless_known, without_standing
from adjudicator.rulebooks.triumvirat import board, pieces
from adjudicator.rulebooks.triumvirat.board import BOX, ISSUED, TAX
from adjudicator.rulebooks.triumvirat.state import State


def guess(view: State, me: Player, chance: Chance) -> State:
    """TRI-0.4, TRI-0.6: hidden cards are any that aren't seen; nobody has wished or bid."""
    hands = [seat.cards for seat in view.players.values()]
    kept = [TAX] * sum(seat.taxes for seat in view.players.values())
    cards = UnseenCards(each_of(BOX), [*kept, *known_of(*hands, *view.offers.values())], chance)
    bought = [name for seat in view.players.values() for name in seat.senators]
    shown = (*view.used, *view.events, *view.on_offer, *bought, *known_of(view.deck))
    eight = UnseenCards(board.BARBARIAN_CARDS, [*view.barbarian_out, *known_of(view.barbarian_deck)], chance)
    players = {name: replace(seat, cards=cards.filled(seat.cards)) for name, seat in view.players.items()}
    found: State = without_standing(
        replace(
            view,
            players=players,
            offers={name: cards.filled(offer) for name, offer in view.offers.items()},
            deck=UnseenCards(each_of(ISSUED), shown, chance).filled(view.deck),
            barbarian_deck=eight.filled(view.barbarian_deck),
            wishes=unless_known(view.wishes, lambda player: ()),
            bids=unless_known(view.bids, lambda player: {}),
        ),
        pieces.Standing,
    )
    return found


def each_of(box: Mapping[str, int]) -> list[str]:
    """The cards of a box, each as often as the box has it."""
    return [card for card, count in box.items() for _ in range(count)]
