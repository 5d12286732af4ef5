"""A round and more of Oltre Mare among three players: talk, a void offer, standing trades, pirates, a compass."""

from __future__ import annotations

from functools import cache
from typing import Any

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.rulebooks.oltremare import RULEBOOK as OLTREMARE
from adjudicator.rulebooks.oltremare.board import BOARD, CARDS, GOODS, MARKERS, good_of
from tests.engine.written_match import Match, Step, Texts, played

PLAYERS = ("contarini", "dandolo", "grimani")
RULEBOOK: Rulebook[Any] = OLTREMARE
SHEETS: tuple[Texts, ...] = (
    {},
    {
        "contarini": """
orders:
- {offer: dandolo, give: {cards: [gem-01], ducats: 1}, for: {goods: {olive: 1}}, says: {gem-01: [ducat, cards]}}
- {offer: all, give: {cards: [parchment-01]}, for: {goods: {silk: 1}}}
- {offer: grimani, give: {cards: [gem-01]}, for: {ducats: 4}}
- {buy: deck, times: 5}
- {buy: deck}
""",
        "grimani": "standing: {trade: [{give: {goods: {silk: 1}}, for: {goods: {gem: 1}}}], "
        "offers: [{give: {goods: {salt: 1}}, for: {ducats: 2}}]}",
    },
    {
        "dandolo": "orders: [{accept: contarini-1}, {refuse: contarini-2}]",
        "grimani": """
orders:
- {refuse: contarini-2}
- {accept: contarini-3}
- {offer: contarini, give: {cards: [silk-02]}, for: {ducats: 2}, says: {silk-02: [cards]}}
""",
    },
    {"contarini": "orders: [{accept: grimani-1}, {play: [olive-01, olive-02, parchment-01]}]"},
    {"contarini": "orders: [{load: [parchment-01, olive-02, olive-01], via: [ancona]}]"},
    {
        "dandolo": """
orders:
- {accept: grimani-1}
- {then: sail}
- {play: [gem-02, gem-01, got-1]}
- {load: [got-1, gem-02, gem-01], via: [beirut]}
"""
    },
    {},
    {
        "contarini": """
orders:
- {buy: deck}
- {discard: [salt-01]}
- {offer: dandolo, give: {ducats: 3}, for: {goods: {olive: 1}}}
"""
    },
    {"dandolo": "orders: [{offer: contarini, give: {goods: {pottery: 1}}, for: {ducats: 2}}]"},
)
FIRST = ("olive-05", "salt-08", "grain-09")
REST = tuple(card for card in CARDS if card not in FIRST)
DECK = tuple(sorted(REST, key=lambda card: (card[-2:], GOODS.index(good_of(card)))))
"""The first of each good, then the second, and so on."""
BONUS = tuple(marker for at in range(6) for marker in MARKERS if at < BOARD.markers[marker])
LOT = ("pottery-02", "gem-04", "parchment-02")
"""What Grimani, absent, plays."""
DICE: tuple[Any, ...] = (PLAYERS, BONUS, (*FIRST, *REST), DECK, LOT)


def opening(match: str = "rialto", players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    """The position of the start."""
    return RULEBOOK.start(match, RULEBOOK.Options(**options), players)


@cache
def steps() -> tuple[Step, ...]:
    """The phases, from the box to Contarini's second turn."""
    return played(RULEBOOK, opening(), SHEETS, DICE)


MATCH = Match(RULEBOOK, PLAYERS, steps)
