"""TRI-7 Pillage: what barbarians take where no regular units stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.triumvirat import fights
from adjudicator.rulebooks.triumvirat.board import OUTSIDE, RESOURCES, ProvinceId
from adjudicator.rulebooks.triumvirat.events.cards import TradeClosed
from adjudicator.rulebooks.triumvirat.events.hordes import Pillaged, Spared
from adjudicator.rulebooks.triumvirat.state import Province, State, garrisoned, owned, power

Piece = Literal["temple", "city", "market", "caravan", "influence"]
ORDERS: Mapping[str, tuple[Piece, ...]] = {
    "table": ("temple", "city", "market", "caravan", "influence"),
    "text": ("temple", "market", "caravan", "city", "influence"),
}
"""TRI-7.1: by option `pillage`."""


def close_war(t: Table[State]) -> None:
    """TRI-7.1, TRI-6.5: the pillage; then units left in Italy go home."""
    if t.state.result.by:
        return
    spared = {player: spare(t, player) for player in t.state.seats}
    for name in OUTSIDE:
        owner = t.state.provinces[name].owner
        if owner and pillaged(t.state, name):
            if name == spared[owner]:
                who = power(t.state, owner, "stop-one-pillage")
                t.play(Spared(rule="TRI-10.13", player=owner, province=name, senator=who))
            else:
                pillage(t, owner, name)
    fights.all_home(t)
    t.play(TradeClosed(rule="TRI-7.1"))


def pillaged(state: State, name: ProvinceId) -> bool:
    """TRI-7.1: do barbarians stand there without regular units?"""
    return state.provinces[name].barbarians.count > 0 and not garrisoned(state, name)


def pillage(t: Table[State], owner: Player, name: ProvinceId) -> None:
    """TRI-7.1: one piece is lost, the first there is in the order of the table, or (option) of the text."""
    here = t.state.provinces[name]
    what, on = next(pieces(here, ORDERS[t.state.options.pillage]))
    t.play(Pillaged(rule="TRI-7.1", player=owner, province=name, what=what, on=on))


def pieces(here: Province, order: tuple[Piece, ...]) -> Iterator[tuple[Piece, str]]:
    """TRI-7.1: the pieces of a province in the order in which they are lost; of several markets or caravans the one
    that is least in the board's order of resources."""
    built = {"temple": here.temple, "city": here.city, "influence": True}
    crops = {"market": here.markets, "caravan": here.caravans}
    for what in order:
        if what in crops:
            yield from ((what, crop) for crop in reversed(RESOURCES) if crop in crops[what])
        elif built[what]:
            yield what, ""


def spare(t: Table[State], player: Player) -> ProvinceId:
    """TRI-10.13: the one pillage that a senator stops: the first of `spare` that is pillaged, else the first."""
    if not power(t.state, player, "stop-one-pillage"):
        return ""
    hit = [name for name in owned(t.state, player) if pillaged(t.state, name)]
    wanted = t.reveal(t.state.players[player].standing).spare
    return next((name for name in (*wanted, *hit) if name in hit), "")
