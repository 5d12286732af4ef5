"""The bot's wishes in Italy and in the trade. Building needs different cards, so the bot wants those that it lacks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from adjudicator.engine.table import Player
from adjudicator.rulebooks.triumvirat.board import BOX, CARDS, RESOURCES, TAX, Card
from adjudicator.rulebooks.triumvirat.standing import number
from adjudicator.rulebooks.triumvirat.state import State

ENOUGH_TAXES = 3
"""The taxes that the bot keeps for convoys and steps; more are useful only towards a senator."""


def cards_wanted(view: State, me: Player) -> list[Card]:
    """Resources that the bot lacks, the rarest first; then a few taxes; then the rest."""
    held = view.holding(me)
    new = sorted((card for card in RESOURCES if not held[card]), key=BOX.__getitem__)
    taxes = [TAX] * (held[TAX] < ENOUGH_TAXES)
    return [*new[:2], *taxes, *new[2:], *(card for card in CARDS if held[card])]


def trade(view: State, me: Player) -> list[dict[str, Any]]:
    """Lays out the cards that the bot has most of, and wants those that it lacks."""
    held, count = Counter(view.holding(me)), number(view)
    offered: list[Card] = []
    if held.total() < count:  # for a sheet sent ahead the bot doesn't know what it will have
        return [{"want": cards_wanted(view, me)}]
    for _ in range(count):
        card = max((card for card in CARDS if held[card]), key=lambda card: (held[card], card != TAX))
        held[card] -= 1
        offered.append(card)
    return [{"offer": offered}, {"want": cards_wanted(view, me)}]
