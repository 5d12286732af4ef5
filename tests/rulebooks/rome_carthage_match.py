"""Two rounds of Rome et Carthage among four players: march, sedition, betrayal, a spy, a tie, fights of all kinds."""

from __future__ import annotations

from functools import cache
from typing import Any

from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.rulebooks.rome_carthage import RULEBOOK as ROME
from tests.engine.written_match import Match, Step, Texts, played

PLAYERS = ("rome", "constantinople", "alexandria", "carthage")
RULEBOOK: Rulebook[Any] = ROME


def placed(**cities: str) -> str:
    """The orders of a placement, by piece without its state."""
    state = cities.pop("state")
    lines = [f"- {{place: {state}-{piece.replace('_', '-')}, at: {city}}}" for piece, city in cities.items()]
    return "orders:\n" + "\n".join(lines) + "\n"


PLACEMENT = {
    "rome": placed(
        state="rome",
        elephant="aquileia",
        cavalry="tarraco",
        infantry_1="massilia",
        infantry_2="roma",
        infantry_3="syracusae",
        ship_1="aleria",
        ship_2="mediolanum",
    ),
    "constantinople": placed(
        state="constantinople",
        elephant="sirmium",
        cavalry="salona",
        infantry_1="constantinopolis",
        infantry_2="thessalonica",
        infantry_3="tarsus",
        ship_1="dyrrachium",
        ship_2="mytilene",
    ),
    "alexandria": placed(
        state="alexandria",
        elephant="alexandria",
        cavalry="antiochia",
        infantry_1="berenice",
        infantry_2="damascus",
        infantry_3="memphis",
        ship_1="rhodus",
        ship_2="tyrus",
    ),
    "carthage": placed(
        state="carthage",
        elephant="carthago_nova",
        cavalry="toletum",
        infantry_1="cirta",
        infantry_2="leptis_magna",
        infantry_3="hadrumetum",
        ship_1="panormus",
        ship_2="gades",
    )
    + """standing:
  defence:
  - {with: carthage-infantry-2, cards: [spades-8, zero]}
  - {with: carthage-elephant, against: cavalry, cards: [highest, zero], spy: behind}
""",
}
SHEETS: tuple[Texts, ...] = (
    {},
    *({player: PLACEMENT[player]} for player in PLAYERS),
    {
        "rome": """
orders:
- {move: rome-infantry-3, via: [panormus]}
- {move: rome-ship-1, via: [caralis, carthago]}
- {march: [hearts-jack, hearts-4]}
- {march: [hearts-4]}
- {move: rome-ship-1, via: [caralis, carthago]}
- {fly: rome-cavalry}
standing: {draw: no}
"""
    },
    {
        "constantinople": """
orders:
- {betray: rome-elephant, via: [salona]}
- {fight: salona, cards: [diamonds-8, diamonds-4]}
- {move: constantinople-elephant, via: [naissus]}
- {move: constantinople-infantry-2, via: [athenae]}
"""
    },
    {"rome": "orders: [{fight: salona, cards: [hearts-2, hearts-jack], spy: declare}]"},
    {"rome": "orders: [{spy: salona, cards: [hearts-king, hearts-6]}]"},
    {},
    {
        "alexandria": """
orders:
- {move: alexandria-infantry-1, via: [leptis_magna]}
- {fight: leptis_magna, cards: [clubs-6, clubs-2], ties: [clubs-4, clubs-jack]}
"""
    },
    {"carthage": "orders: [{tie: leptis_magna, card: spades-10}]"},
    {
        "carthage": """
orders:
- {sedition: carthago}
- {move: carthage-cavalry, via: [tarraco]}
- {fight: tarraco, cards: [spades-jack, spades-queen]}
"""
    },
    {},
    {
        "rome": """
orders:
- {march: [hearts-8]}
- {move: rome-cavalry, via: [carthago_nova]}
- {move: rome-ship-2, via: [dyrrachium]}
- {fight: dyrrachium, cards: [hearts-10, spades-9]}
- {fight: carthago_nova, cards: [clubs-7, hearts-jack]}
"""
    },
    {"constantinople": "orders: [{fight: dyrrachium, cards: [diamonds-2, diamonds-queen], spy: behind}]"},
    {"constantinople": "orders: [{spy: dyrrachium, cards: [diamonds-king, diamonds-10]}]"},
    {"constantinople": "orders: [{fight: dyrrachium, cards: [diamonds-3, diamonds-2]}]"},
)
TALON = (
    *(
        "spades-9",
        "diamonds-3",
        "clubs-ace",
        "hearts-5",
        "clubs-7",
        "spades-ace",
        "diamonds-ace",
        "hearts-ace",
    ),
    *("clubs-3", "spades-3", "hearts-3", "diamonds-5", "clubs-5", "spades-5", "diamonds-7", "spades-7"),
    *("hearts-7", "diamonds-9", "clubs-9", "hearts-9"),
)
HARBOURS = ("brundisium", "roma", "neapolis", "ancona", "aquileia", "genua", "massilia", "tarraco", "bononia")
INLAND = ("mediolanum", "lugdunum", "tolosa", "aleria", "syracusae")
DICE = (TALON, (*HARBOURS, *INLAND))


def opening(match: str = "legions", players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    """The position of the start."""
    return RULEBOOK.start(match, RULEBOOK.Options(**options), players)


@cache
def steps() -> tuple[Step, ...]:
    """The phases, from the box to Constantinople's third turn."""
    return played(RULEBOOK, opening(first="rome"), SHEETS, DICE)


def at(name: str, count: int = 0) -> int:
    """The number of the step in which a phase of that name was played, for the first time or later."""
    found = [index for index, step in enumerate(steps()) if step.before.phase.name == name]
    return found[count]


MATCH = Match(RULEBOOK, PLAYERS, steps)
