"""What must be true of every position: no more pieces than the box has (MED-0.5), room aboard (MED-0.6),
names that exist."""

from __future__ import annotations

import re
from collections import Counter

from adjudicator.engine.table import Flaw, flaw, names_everybody
from adjudicator.engine.table.checks import purses_hold_sums
from adjudicator.rulebooks.mediterranee.board import (
    BOARD,
    CAPITAL,
    EACH_GOOD,
    FORTRESSES,
    GALLEYS,
    GOODS,
    HOLD,
    SAILORS,
)
from adjudicator.rulebooks.mediterranee.setup import sailors_to_place
from adjudicator.rulebooks.mediterranee.standing import GALLEY, STEP
from adjudicator.rulebooks.mediterranee.state import (
    State,
    goods_in_play,
    room,
    supply_of_fortresses,
    supply_of_galleys,
    supply_of_sailors,
)

BEFORE_PLACING = ("start", "setup")


def box_holds_out(state: State) -> Flaw | None:
    """MED-0.5: no more pieces on the board than there are."""
    pieces = Counter(goods_in_play(state))
    for good in GOODS:
        if pieces[good] > EACH_GOOD:
            return flaw(("galleys",), "MED-0.5", "too-many", what=good, most=EACH_GOOD)
    if supply_of_sailors(state) < 0:
        return flaw(("galleys",), "MED-0.5", "too-many", what="sailors", most=SAILORS)
    if supply_of_galleys(state) < 0:
        return flaw(("galleys",), "MED-0.5", "too-many", what="galleys", most=GALLEYS)
    if supply_of_fortresses(state) < 0:
        return flaw(("ports",), "MED-0.5", "too-many", what="fortresses", most=FORTRESSES)
    return None


def galleys_are_whole(state: State) -> Flaw | None:
    """MED-0.6: 1 to 5 pieces aboard, at least one of them a sailor; the owner plays, the zone is on the board."""
    least = 0 if state.phase.name in BEFORE_PLACING else 1
    for name, galley in state.galleys.items():
        where = ("galleys", name)
        if not re.fullmatch(GALLEY.pattern, name):
            return flaw(where, "MED-2.7", "no-galley-name", value=name)
        if galley.owner not in state.players:
            return flaw((*where, "owner"), "MED-0.1", "no-such-player", value=galley.owner)
        if galley.zone not in BOARD.zones:
            return flaw((*where, "zone"), "MED-3.1", "no-such-zone", value=galley.zone)
        if any(good not in GOODS for good in galley.cargo):
            return flaw((*where, "cargo"), "MED-0.5", "no-such-good", value=list(galley.cargo))
        if galley.sailors < least:
            return flaw((*where, "sailors"), "MED-0.6", "no-sailor", galley=name)
        if room(galley) < 0:
            return flaw(where, "MED-0.6", "overloaded", galley=name, most=HOLD)
    return None


def ports_are_whole(state: State) -> Flaw | None:
    """MED-6.1: a warehouse holds each good once, none that the port produces, no more than it has slots."""
    for name, port in state.ports.items():
        where = ("ports", name)
        if name not in BOARD.ports:
            return flaw(where, "MED-0.4", "no-such-port", value=name)
        if port.owner is not None and port.owner not in state.players:
            return flaw((*where, "owner"), "MED-0.1", "no-such-player", value=port.owner)
        if port.garrison < 0 or (port.owner is None and port.garrison):
            return flaw((*where, "garrison"), "MED-5.1", "garrison-of-nobody", port=name)
        goods = port.warehouse
        if len(set(goods)) < len(goods) or any(good not in GOODS for good in goods):
            return flaw((*where, "warehouse"), "MED-6.1", "warehouse-goods", port=name)
        if BOARD.ports[name].good in goods:
            return flaw((*where, "warehouse"), "MED-6.1", "holds-own-good", port=name)
        if len(goods) > len(BOARD.slots_of(name)):
            return flaw(
                (*where, "warehouse"), "MED-6.1", "warehouse-slots", port=name, most=len(BOARD.slots_of(name))
            )
    if len(state.ports) < len(BOARD.ports):
        missing = [name for name in BOARD.ports if name not in state.ports]
        return flaw(("ports",), "MED-0.4", "ports-missing", value=missing)
    return None


def treasuries_are_sums(state: State) -> Flaw | None:
    """Every treasury is a multiple of 100 ducats and not below 0; a hidden one can't be checked."""
    return purses_hold_sums(state, "treasury", "MED-2.2", "not-a-sum", STEP)


def turn_is_whole(state: State) -> Flaw | None:
    """MED-0.1, MED-2.6, MED-2.9: the turn is one of the match,
    and everything built or enlisted this turn is in ports."""
    if 0 < state.options.turns < state.phase.turn:
        return flaw(
            ("phase", "turn"), "MED-0.1", "turn-too-late", value=state.phase.turn, most=state.options.turns
        )
    for field, ports in (("built", state.built), ("enlisted", state.enlisted), ("landed", state.landed)):
        for port in ports:
            if port not in BOARD.ports:
                return flaw((field,), "MED-0.4", "no-such-port", value=port)
    return None


def placing_is_whole(state: State) -> Flaw | None:
    """MED-0.3: while sailors are placed nobody has more than ten."""
    if state.phase.name in BEFORE_PLACING:
        for player in state.players:
            if sailors_to_place(state, player) < 0:
                return flaw(
                    ("ports", CAPITAL[player], "garrison"), "MED-0.3", "placed-too-many", player=player
                )
    return None


def deals_are_whole(state: State) -> Flaw | None:
    """MED-2.13: an open deal is between two players of the match, its galley is there or was lost since, and its line
    is a line of a sheet."""
    galleys = {*state.galleys, *(loss.galley for loss in state.lost)}
    for index, held in enumerate(state.deals):
        where = ("deals", index)
        if not held.known:
            continue
        deal = held.value
        if not {deal.by, deal.with_} <= {*state.players} or deal.galley not in galleys:
            return flaw(where, "MED-2.13", "no-such-deal", by=deal.by, player=deal.with_, galley=deal.galley)
        if deal.at.known and not re.fullmatch(r".+:\d+:\d+", deal.at.value):
            return flaw((*where, "at"), "MED-2.13", "no-line", value=deal.at.value)
    return None


def order_is_whole(state: State) -> Flaw | None:
    """MED-0.9: the order of play names every player once."""
    return names_everybody(state, state.order, ("order",), "MED-0.9", "order")


INVARIANTS = (box_holds_out, treasuries_are_sums, order_is_whole)
CHECKS = (
    box_holds_out,
    turn_is_whole,
    galleys_are_whole,
    ports_are_whole,
    treasuries_are_sums,
    placing_is_whole,
    deals_are_whole,
    order_is_whole,
)
