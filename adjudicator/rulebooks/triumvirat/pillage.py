"""TRI-7 Pillage: what barbarians take where no regular units stand."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.table import Player, Table
from adjudicator.rulebooks.triumvirat import fights
from adjudicator.rulebooks.triumvirat.board import BOARD, OUTSIDE, RESOURCES, Lost, ProvinceId
from adjudicator.rulebooks.triumvirat.events import dealt, placed
from adjudicator.rulebooks.triumvirat.pieces import Province
from adjudicator.rulebooks.triumvirat.state import State


def close_war(t: Table[State]) -> None:
    """TRI-7.1, TRI-6.5: the pillage, of one piece each; then units left in Italy go home."""
    if t.state.result.by:
        return
    spared = {player: spare(t, player) for player in t.state.seats}
    for name in OUTSIDE:
        here = t.state.provinces[name]
        if here.owner and pillaged(t.state, name):
            if name == spared[here.owner]:
                who = t.state.power(here.owner, "stop-one-pillage")
                t.play(placed.Spared(rule="TRI-10.13", player=here.owner, province=name, senator=who))
            else:
                what, on = next(pieces(here, BOARD.pillage[t.state.options.pillage]))
                t.play(placed.Pillaged(rule="TRI-7.1", player=here.owner, province=name, what=what, on=on))
    fights.all_home(t)
    t.play(dealt.PhaseDone(rule="TRI-7.1"))


def pillaged(state: State, name: ProvinceId) -> bool:
    """TRI-7.1: do barbarians stand there without regular units?"""
    return state.provinces[name].barbarians.count > 0 and not state.garrisoned(name)


def pieces(here: Province, order: tuple[Lost, ...]) -> Iterator[tuple[Lost, str]]:
    """TRI-7.1: the pieces of a province in the order in which they are lost; of several markets or caravans the one
    that is least in the board's order of resources."""
    built = {"temple": here.temple, "city": here.city, "influence": True}
    crops = {"market": here.markets, "caravan": here.caravans}
    for what in order:
        yield from ((what, crop) for crop in reversed(RESOURCES) if crop in crops.get(what, ()))
        if built.get(what):
            yield what, ""


def spare(t: Table[State], player: Player) -> ProvinceId:
    """TRI-10.13: the one pillage that a senator stops: the first of `spare` that is pillaged, else the first."""
    if not t.state.power(player, "stop-one-pillage"):
        return ""
    hit = [name for name in t.state.owned(player) if pillaged(t.state, name)]
    wanted = t.reveal(t.state.players[player].standing).spare
    return next((name for name in (*wanted, *hit) if name in hit), "")
