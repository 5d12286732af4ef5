"""TRI-5.1, TRI-5.2, TRI-1.2: where barbarians appear, and what it means when Italy is full of them."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.triumvirat import ending
from adjudicator.rulebooks.triumvirat.board import BOARD, CITY, ITALY, OUTSIDE, ROME, ProvinceId, Resource
from adjudicator.rulebooks.triumvirat.events.hordes import Appeared, BarbarianDrawn
from adjudicator.rulebooks.triumvirat.leading import name_order
from adjudicator.rulebooks.triumvirat.setup import lay
from adjudicator.rulebooks.triumvirat.state import State, left


def revolt(t: Table[State]) -> None:
    """TRI-1.2: a barbarian on the city of Rome, elite if one is there."""
    appear(t, ROME, CITY, rule="TRI-1.2")


def begin(t: Table[State]) -> None:
    """TRI-5.1: a card of the barbarian deck, one more for each war; then the order in which all drive them.

    In live pacing each go opens a folder of its own, all but the first with everything on the board.
    """
    if t.state.done.went:
        return
    for _ in range(1 + t.state.events.count("war")):
        if not t.state.result.by:
            draw(t)
    if not t.state.result.by:
        name_order("barbarians")(t)


def draw(t: Table[State]) -> None:
    """TRI-5.1: a barbarian in each province with the resource of the card; all eight out, the deck is shuffled anew."""
    if not t.state.barbarian_deck:
        lay(t, "barbarian_deck", t.state.barbarian_out, rule="TRI-5.1", again=True)
    resource = t.reveal(t.state.barbarian_deck[0])
    t.play(BarbarianDrawn(rule="TRI-5.1", resource=resource))
    for name in places(t.state, resource):
        if not t.state.result.by:
            appear(t, name, resource if name in ITALY else "", rule="TRI-5.1")


def places(state: State, resource: Resource) -> Iterator[ProvinceId]:
    """TRI-5.1: Italy first, then players' provinces, then neutral ones (Ruling); none where a temple stands."""
    there = [name for name in OUTSIDE if resource in BOARD.provinces[name].resources]
    yield from (name for name in ITALY if resource in BOARD.provinces[name].resources)
    open_ = [name for name in there if not state.provinces[name].temple]
    yield from (name for name in open_ if state.provinces[name].owner)
    yield from (name for name in open_ if not state.provinces[name].owner)


def appear(t: Table[State], name: ProvinceId, site: str, *, rule: str) -> None:
    """TRI-5.1: an ordinary barbarian, an elite one if one is there; in Italy it takes the other's place on the site."""
    here = t.state.provinces[name]
    if site and here.sites[site] == "elite":
        return
    among = here.sites[site] != "free" if site else here.barbarians.count > 0
    if left(t.state, "elite" if among else "barbarian"):
        t.play(Appeared(rule=rule, province=name, kind="elite" if among else "ordinary", site=site))
        ending.look_at_italy(t)
