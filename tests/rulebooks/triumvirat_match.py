"""A turn and more of Triumvirat: wishes, a trade, building, barbarians, a war in Italy, an Emperor, titles."""

from __future__ import annotations

from functools import cache
from typing import Any

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.rulebooks.triumvirat import RULEBOOK as TRIUMVIRAT
from adjudicator.rulebooks.triumvirat.board import BARBARIAN_CARDS
from tests.engine.written_match import Match, Step, Texts, played

PLAYERS = ("caesar", "crassus", "pompey")
RULEBOOK: Rulebook[Any] = TRIUMVIRAT
SHEETS: tuple[Texts, ...] = (
    {},
    {
        "caesar": "orders: [{want: [wine, tax, oil]}]\nstanding: {lead: {war: [caesar]}, keep: wine}",
        "crassus": "orders: [{want: [tax, metal]}]\nstanding: {lead: {building: [crassus]}}",
        "pompey": """
orders:
- {want: [gems, wine, tax]}
standing: {lead: {trade: 2, italy: [crassus, caesar]}}
""",
    },
    {
        "caesar": "orders: [{offer: [grain, fruit]}, {want: [{gems: crassus}, metal]}]",
        "crassus": "orders: [{offer: [gems, slaves]}, {want: [wine, oil]}]",
        "pompey": "orders: [{offer: [oil, slaves]}, {offer: [oil, oil]}, {want: [gems, grain]}]",
    },
    {
        "caesar": """
orders:
- {influence: sicilia, pay: [oil, cattle]}
- {recruit: 1, at: carthago, pay: [wine, wine, gems]}
""",
        "crassus": "orders: [{influence: arabia, pay: [grain, metal]}, {senator: lucullus, pay: taxes}]",
        "pompey": "orders: [{build: caravan, at: troas, on: cattle, pay: [grain, wine, gems]}]",
    },
    {
        "crassus": """
orders:
- {drive: 1, from: cyrenaica, via: [tripolitania], if: {cyrenaica: 1}}
- {raise: illyria}
""",
        "pompey": "orders: [{drive: 1, from: peloponnesus, via: [athenae]}, {pass: true}]",
    },
    {
        "caesar": """
orders:
- {attack: cisalpina, with: {legions: 2}, from: carthago, fixed: 2, medal: politics}
- {emperor: true}
""",
        "pompey": "orders: [{attack: troas, with: {legions: 1}, fixed: 1}, {attack: troas, with: {legions: 1}}]",
    },
    {"caesar": "orders: [{bid: {politics: 1}}]", "pompey": "orders: [{bid: {trade: 1}}]"},
    {"pompey": "orders: [{want: [oil]}]"},
    {"crassus": "orders: [{offer: [slaves, tax]}, {want: [wine]}]"},
    {"crassus": "orders: [{recruit: 1, at: alexandria, pay: [slaves, gems, fruit]}]"},
    {},
    {"crassus": "orders: [{attack: roma, with: {legions: 2}, from: alexandria}, {emperor: true}]"},
)
DECK = (
    *(
        "lucullus",
        "war",
        "pirates",
        "revolt",
        "cicero",
        "war",
        "rabirius",
        "balbus",
        "verres",
        "cato",
        "hortensius",
    ),
    *("clodius", "antonius", "labienus", "cassius", "brutus", "war", "war", "revolt", "pirates", "pirates"),
)
LOTS = (("cattle", "metal", "oil"), ("wine", "oil", "slaves"))
"""What Caesar and Pompey, absent, put out."""
DICE: tuple[Any, ...] = (DECK, BARBARIAN_CARDS, 5, 2, 4, *LOTS, 6, 5, 2, 4)


def opening(match: str = "rubicon", players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    """The position of the start."""
    return RULEBOOK.start(match, RULEBOOK.Options(**options), players)


@cache
def steps() -> tuple[Step, ...]:
    """The phases, from the box to the war of the second turn."""
    return played(RULEBOOK, opening(), SHEETS, DICE)


MATCH = Match(RULEBOOK, PLAYERS, steps)
