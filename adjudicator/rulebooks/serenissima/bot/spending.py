"""The merchant's investments, and their worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.rulebooks.serenissima.board import BOARD, FLEET, HOLD, Building, PortId
from adjudicator.rulebooks.serenissima.bot.outlook import Outlook, Plan
from adjudicator.rulebooks.serenissima.bot.worth import SAILOR, scorings_left
from adjudicator.rulebooks.serenissima.investment import COST, NEEDS
from adjudicator.rulebooks.serenissima.scoring import BASILICA

GALLEY = 5
"""The ducats that one more galley earns until the next scoring."""
ENOUGH = 4
"""The number of galleys that a merchant wants."""
RICH = 20
"""A port that pays so much at the scorings to come is worth a fort or a stronger garrison."""
CREW = 3
"""The number of sailors that the bot wants on a galley; this leaves room for goods."""


def investment(outlook: Outlook, name: str) -> Plan:
    """The best investment in place of this galley's action."""
    view, me, left, stock = (
        outlook.view,
        outlook.me,
        outlook.ducats,
        outlook.view.stock_of_sailors(outlook.me),
    )
    order: dict[str, Any] = {"invest": int(name)}
    worth, ports = 0.0, outlook.mine
    gains: Mapping[Building, int] = {"basilica": BASILICA * scorings_left(view), "fort": RICH // HOLD}
    for what, each in gains.items():
        sites = building_sites(outlook, what)[: left // COST]
        if sites and each > COST:
            order[what], left = sites, left - COST * len(sites)
            worth += (each - COST) * len(sites)
    owned = len(view.galleys_of(me))
    free = view.free_numbers()
    if ports and free and owned < min(ENOUGH, FLEET) and left >= owned + CREW and stock >= CREW:
        home = max(ports, key=lambda port: (BOARD.ports[port].size, -list(ports).index(port)))
        crew = min(CREW, left - owned)
        order["galley"] = {"number": int(free[0]), "at": home, "crew": crew}
        left, stock = left - owned - crew, stock - crew
        worth += GALLEY * scorings_left(view) - owned
    sailors: dict[str, int] = {}
    for place, wanted, gain in wishes(outlook):
        count = min(wanted, left, stock)
        if count > 0:
            sailors[place], left, stock = count, left - count, stock - count
            worth += gain * count
    if sailors:
        order["sailors"] = sailors
    return Plan(worth, order, costs=outlook.ducats - left)


def building_sites(outlook: Outlook, what: Building) -> list[PortId]:
    """The player's ports in which a basilica can be built, or a fort that guards something."""
    view, found = outlook.view, []
    for name, port in outlook.mine.items():
        rich = what == "basilica" or outlook.pays[name] >= RICH
        built = port.basilica if what == "basilica" else port.fort
        if rich and not built and all(view.has(name, good) for good in NEEDS[what]):
            found.append(name)
    return found[: outlook.box[what]]


def wishes(outlook: Outlook) -> list[tuple[str, int, float]]:
    """The places that need sailors: galleys with few, rich ports with a thin garrison; how many, and their worth."""
    view = outlook.view
    found: list[tuple[str, int, float]] = []
    for name, galley in view.galleys_of(outlook.me).items():
        if galley.zone in outlook.mine and galley.sailors < CREW:
            found.append((name, min(CREW - galley.sailors, galley.room()), SAILOR))
    for name, port in outlook.mine.items():
        rich = outlook.pays[name]
        if rich >= HOLD and port.garrison < CREW:
            found.append((name, min(2, BOARD.ports[name].size - port.garrison), rich / RICH))
    return sorted(found, key=lambda wish: -wish[2])
