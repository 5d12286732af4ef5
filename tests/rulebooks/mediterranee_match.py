"""Two turns of a four-player match from hand-written sheets, for tests of reports and forms."""

from __future__ import annotations

from functools import cache
from typing import Any

from adjudicator.engine.library import registry
from adjudicator.engine.table.rulebook import Rulebook
from tests.engine.written_match import Match, Step, Texts, played

PLAYERS = ("venice", "genoa", "spain", "turkey")
RULEBOOK: Rulebook[Any] = registry.rulebook("mediterranee")

SETUP_1 = {
    "venice": """
orders:
- {place: 3, to: venice-1}
- {place: 6, to: venice-2}
- {place: 4, to: venice-2}
standing:
  prices:
  - {for: genoa, good: wine, ask: 1500, floor: 200}
  - {for: spain, ask: 150}
  - {ask: 300, floor: 200}
  passage:
  - {grant: false}
""",
    "genoa": "orders: [{place: 3, to: genoa-1}, {place: 4, to: genoa-2}]",
    "spain": "orders: [{place: 2, to: spain-1}]",
    "turkey": "orders: [{place: 5, to: turkey-1}, {place: 4, to: turkey-2}]",
}
AUCTION_1 = {
    "venice": "orders: [{bid: 300, seats: [1]}]",
    "genoa": "orders: [{bid: 2100, else: [{bid: 0}]}]",
    "spain": "orders: []",
    "turkey": "orders: [{bid: 500, seats: [4, {after: venice}]}]",
}
MARKET_1 = {
    "venice": """
orders:
- buy: wien
  at: venezia
  to: venice-1
- buy: wine
  quantity: 3
  at: venezia
  to: venice-1
  else:
  - {buy: wine, quantity: 2, at: venezia, to: venice-1}
- {buy: wine, at: venezia, to: venice-2}
- {build: galley, at: venezia, crew: {venezia: 1}}
- {fly: venice-1}
""",
    "genoa": """
orders:
- {buy: iron, at: genova, to: genoa-1}
- {buy: iron, at: genova, to: genoa-2}
- {transfer: {sailors: 1}, from: genova, to: genoa-2, back: {sailors: 1}}
- {sell: iron, to: turkey, from: genoa-1}
""",
    "spain": "orders: [{buy: wood, at: valencia, to: spain-1}, {jettison: {wood: 1}, from: spain-1}]",
    "turkey": "orders: [{dismiss: 1, from: turkey-2}, {buy: cloth, at: istanbul, to: turkey-2, rounds: 3}]",
}
MOVEMENT_1 = {
    "venice": """
orders:
- {move: venice-1, via: [ragusa, corfu, sicilia]}
- {move: venice-2, via: [ragusa, corfu]}
- {move: venice-1, via: [corfu]}
- {move: venice-2, via: [ragusa, napoli]}
""",
    "genoa": """
orders:
- {move: genoa-1, via: [pisa, napoli, sicilia]}
- {move: genoa-2, via: [pisa]}
""",
    "spain": "orders: [{move: spain-1, via: [ponente, marseille]}, {move: spain-2, via: [barbary, tunis]}]",
    "turkey": """
orders:
- {move: turkey-1, via: [salonica, modon, corfu, ragusa]}
- {move: turkey-2, via: [salonica, modon]}
""",
}
COMBAT_1 = {
    "venice": "orders: []",
    "genoa": "orders: []",
    "turkey": """
orders:
- {attack: venice-2, with: turkey-1, rounds: 3, crew: 2, keep: [wine]}
- {attack: venice-1, with: turkey-2}
""",
}
LANDING_1 = {
    "venice": "orders: [{land: 1, at: sicilia, from: venice-1}]",
    "genoa": """
orders:
- {land: 1, at: sicilia, from: genoa-1}
- {land: 1, at: pisa, from: genoa-2}
- {land: 1, at: pisa, from: genoa-2}
""",
    "spain": "orders: [{land: 4, at: tunis, from: spain-2}]",
    "turkey": "orders: [{land: 1, at: modon, from: turkey-2}, {land: 1, at: corfu, from: venice-2}]",
}
SALE_1 = {
    "venice": "orders: [{sell: wine, at: sicilia, from: venice-1}]",
    "genoa": "orders: [{sell: iron, at: sicilia, from: genoa-1}, {sell: iron, at: pisa, from: genoa-2}]",
    "turkey": "orders: [{sell: cloth, at: modon, from: turkey-2, least: 900}]",
}
AUCTION_2 = {
    "venice": "orders: [{bid: 200}]",
    "genoa": "orders: [{bid: 200, seats: [2]}]",
    "spain": "orders: [{bid: 0}]",
}
MARKET_2 = {
    "venice": """
orders:
- {sell: wine, to: genoa, from: venice-1, price: {ask: 300, floor: 100}}
- {sell: wine, to: genoa, from: venice-1, price: {ask: 800}}
- {enlist: 1, at: sicilia, to: venice-1}
- {enlist: 1, at: sicilia}
""",
    "genoa": """
orders:
- {buy: wine, from: venice, to: genoa-1, price: {offer: 200}}
- {buy: wine, at: sicilia, to: genoa-1, price: {offer: 100, limit: 100}}
- {buy: wine, at: sicilia, to: genoa-1, price: {limit: 300}}
- {buy: cloth, at: pisa, to: genoa-2}
- {buy: wine, quantity: 2, from: venice, to: genoa-1, price: {offer: 100}}
""",
    "spain": "orders: [{buy: cloth, at: marseille, to: spain-1}, {buy: wood, at: tunis, to: spain-1}]",
    "turkey": "orders: [{buy: wood, at: modon, to: turkey-2, quantity: 9}, {buy: wood, at: modon, to: turkey-2}]",
}
MOVEMENT_2 = {
    "venice": "orders: [{move: venice-1, via: [napoli], if: {sicilia: {owner: turkey}}}]",
    "turkey": "orders: [{move: turkey-2, via: [ionio, sicilia]}]",
}
COMBAT_2 = {
    "genoa": "orders: [{attack: venice-1, with: genoa-1, rounds: 2, stop: {own: 2}, victory: sink}]",
    "turkey": "orders: [{attack: sicilia, with: turkey-2, rounds: 4}]",
}
SHEETS: tuple[Texts, ...] = (
    {},
    SETUP_1,
    AUCTION_1,
    MARKET_1,
    MOVEMENT_1,
    COMBAT_1,
    LANDING_1,
    SALE_1,
    AUCTION_2,
    MARKET_2,
    MOVEMENT_2,
    COMBAT_2,
    {},
    {},
)
DICE = (6, 2, 2, 1, 4, 3, 5, 1, 3, 3, 5, 2, 6, 4, 6, 6, 4, 1, 2, 5, 6, 1, 3, 6, 2, 2)


def opening(match: str = "lagoon", players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    """The position of the start."""
    return RULEBOOK.start(match, RULEBOOK.Options(**options), players)


@cache
def steps() -> tuple[Step, ...]:
    """The phases of two turns, and the first auction of the third in sight."""
    return played(RULEBOOK, opening(turns=2), SHEETS, DICE)


MATCH = Match(RULEBOOK, PLAYERS, steps)
