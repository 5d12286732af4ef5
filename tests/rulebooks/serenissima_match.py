"""Three rounds of Serenissima among four players: trade, landings, a blockade, a fight, a conquest, investments."""

from __future__ import annotations

from functools import cache
from typing import Any

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.rulebooks.serenissima import RULEBOOK as SERENISSIMA
from tests.engine.written_match import Match, Step, Texts, played

PLAYERS = ("blue", "red", "orange", "black")
RULEBOOK: Rulebook[Any] = SERENISSIMA
SHEETS: tuple[Texts, ...] = (
    {},
    {
        "blue": "orders: [{start: valencia, galley: 4}]",
        "red": "orders: [{start: valencia, galley: 7, else: [{start: genova, galley: 7}]}]",
        "orange": "orders: [{start: venezia, galley: 8}]",
        "black": "orders: [{start: constantinople, galley: 9}]",
    },
    {
        "blue": "orders: [{galley: 6}]",
        "red": "orders: [{galley: 2}]",
        "orange": "orders: [{galley: 12, else: [{galley: 10}]}]",
        "black": "orders: [{galley: 12}]",
    },
    {
        "blue": """
orders:
- {sail: 4, load: [{goods: {wood: 2}}], via: [alger], sell: {alger: [wood]}}
- {sail: 6, via: [barcelona], fight: [{port: barcelona}]}
standing: {salvage: [marble]}
""",
        "red": """
orders:
- {sail: 2, load: [{goods: {stone: 2}}, {goods: {wood: 1}}], via: [sardegna], sell: [stone]}
- {sail: 7, via: [napoli, tunis], fight: [{port: tunis, land: 2}]}
- {row: 7}
standing: {blockade: [{for: blue, declare: true}, {for: green, declare: true}]}
""",
        "orange": """
orders:
- {sail: 8, load: [{goods: {wood: 2}}], via: [ragusa], sell: [gold, wood]}
- {sail: 10, via: [ragusa, corfu], fight: [{port: corfu}]}
""",
        "black": """
orders:
- {invest: 9, sailors: {constantinople: 1, 9: 1}, fort: [constantinople]}
- {sail: 12, load: [{goods: {gold: 1}}], via: [modon], sell: [gold]}
""",
    },
    {
        "blue": """
orders:
- {sail: 4, via: [tunis], fight: [{galley: 7}, {port: tunis}]}
- {sail: 6, load: [{goods: {stone: 1}}], via: [sardegna, genova], sell: {sardegna: [stone]}}
""",
        "red": """
orders:
- {sail: 7, via: [alger]}
- {sail: 2, if: {me: {treasury: {least: 9}}}, via: [genova]}
""",
        "black": "orders: [{invest: 12, galley: {number: 13, at: constantinople, crew: 1}}]",
    },
    {"red": "orders: [{refit: 7, at: genova, crew: 2}]"},
    {
        "blue": """
orders:
- {sail: 4, load: [{goods: {marble: 1}}], via: [tripoli], fight: [{port: tripoli}]}
- {sail: 6, sell: [stone]}
""",
        "red": "orders: [{invest: 2, sailors: {genova: 2}}, {sail: 7, load: [{goods: {stone: 1}}], via: [napoli]}]",
        "orange": """
orders:
- {sail: 8, load: [{goods: {stone: 1}}, {jettison: {wood: 1}}], via: [corfu], sell: [stone]}
- {sail: 10, via: [modon], fight: [{galley: 12, rounds: 1}]}
""",
        "black": """
orders:
- {sail: 9, load: [{sailors: {13: -1}}], via: [modon], fight: [{port: modon}]}
- {sail: 12, load: [{goods: {wood: 1}}]}
- {sail: 13, via: [modon, creta], fight: [{port: creta}]}
""",
    },
)
DOGE = ("one", "two", "wine", "one", "two-shuffle")
FIGHT = (1, 0, 0)
STORM = (1, 0, 0, 0, 1, 0, 0)
SKIRMISH = (0, 0, 0, 1)
DICE = (DOGE, PLAYERS, *FIGHT, *STORM, *SKIRMISH)


def opening(match: str = "adriatic", players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    """The position of the start."""
    return RULEBOOK.start(match, RULEBOOK.Options(**options), players)


@cache
def steps() -> tuple[Step, ...]:
    """The phases, from the box to the end of the third round."""
    return played(RULEBOOK, opening(), SHEETS, DICE)


MATCH = Match(RULEBOOK, PLAYERS, steps)
