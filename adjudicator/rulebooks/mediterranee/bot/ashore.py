"""The landing and the sale sheets."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import changed
from adjudicator.rulebooks.mediterranee.board import BOARD
from adjudicator.rulebooks.mediterranee.bot.fights import attacks
from adjudicator.rulebooks.mediterranee.bot.outlook import Cargo, Outlook, counted
from adjudicator.rulebooks.mediterranee.bot.worth import earlier
from adjudicator.rulebooks.mediterranee.landing import open_ports
from adjudicator.rulebooks.mediterranee.sale import A_SLOT
from adjudicator.rulebooks.mediterranee.state import galleys_of


def landings(outlook: Outlook) -> list[dict[str, Any]]:
    """MED-5.1: takes ports that are worth more than the sailor, mans the player's empty ports, and lands where an
    attack should have killed the garrison."""
    view, me = outlook.view, outlook.me
    orders: list[dict[str, Any]] = []
    taken: set[str] = set()
    for name, galley in galleys_of(view, me).items():
        forestalled = any(rival.sailors > 1 for rival in earlier(view, me, galley.zone))
        if not open_ports(view, galley.zone, me) or galley.zone in taken or forestalled:
            continue
        sailors = sailors_to_land(outlook, galley.zone, galley.sailors, counted(galley.cargo))
        if sailors:
            taken.add(galley.zone)
            orders.append({"land": sailors, "at": galley.zone, "from": name})
    return [*orders, *landings_after_fights(outlook)]


def landings_after_fights(outlook: Outlook) -> list[dict[str, Any]]:
    """MED-4.9, MED-5.1: lands one sailor where an attack of the player's has killed the garrison, if enough are left
    aboard.

    These orders are in the same sheet as the attack, so their `if` says how the fight must have ended.
    """
    least = 2 if outlook.left else 1
    orders: list[dict[str, Any]] = []
    for order in attacks(outlook):
        name = order["with"]
        zone = outlook.view.galleys[name].zone
        if zone in {each["attack"] for each in (order, *order.get("else", ()))}:
            facts = {zone: {"most": 0}, name: {"in": zone, "least": least}}
            orders.append({"land": 1, "at": zone, "from": name, "if": facts})
    return orders


def sailors_to_land(outlook: Outlook, port: str, crew: int, cargo: Cargo) -> int:
    """How many sailors to land: none, one, or two of a large crew."""
    if outlook.view.ports[port].owner == outlook.me:
        return 1 if crew > 2 or (crew == 2 and outlook.left == 0) else 0
    if outlook.landing(port, crew, cargo) <= outlook.stay(port, crew, cargo):
        return 0
    if crew == 1:
        return 1
    return 2 if crew >= 4 or (outlook.left == 0 and crew >= 3) else 1


def sales(outlook: Outlook) -> list[dict[str, Any]]:
    """MED-6.1: sells the goods that bring more here than they are likely to bring elsewhere."""
    view, me, now = outlook.view, outlook.me, outlook.view.ports
    orders: list[dict[str, Any]] = []
    for name, galley in galleys_of(view, me).items():
        # By then the warehouse holds the goods of those who sell before.
        others = {good for rival in earlier(view, me, galley.zone) for good in rival.cargo}
        goods = [good for good in galley.cargo if good not in others]
        if not goods:
            continue
        if outlook.view is not view:
            outlook = Outlook(view, me)
        sold = outlook.sales(galley.zone, galley.sailors, counted(goods))
        if sold:
            # No `at`: a galley that wasn't allowed to go on sells where it lies.
            slots = BOARD.slots_of(galley.zone)[len(now[galley.zone].warehouse) :]
            orders.append({"sell": list(sold), "from": name, "least": A_SLOT * min(slots[: len(sold)])})
            stored = view.ports[galley.zone].warehouse
            view = changed(view, "ports", galley.zone, warehouse=(*stored, *sold))
    return orders
