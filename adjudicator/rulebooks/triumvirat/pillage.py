"""TRI-7 Pillage: what barbarians take where no regular units stand; and the way home from Italy (TRI-6.5, TRI-6.6)."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.table import Player, Table
from adjudicator.rulebooks.triumvirat import board, events, leading, pieces
from adjudicator.rulebooks.triumvirat.state import State


def close_war(t: Table[State]) -> None:
    """TRI-7.1, TRI-6.5: the pillage, of one piece each; where barbarians remain in Italy, units go home at its end
    (Ruling)."""
    if t.state.over():
        return
    spared = {player: spare(t, player) for player in t.state.seats}
    for name in (name for name in board.OUTSIDE if pillaged(t.state, name)):
        owner = t.state.provinces[name].owner or ""
        if name == spared[owner]:
            who = t.state.power(owner, "stop-one-pillage")
            t.play(events.Spared(rule="TRI-10.13", player=owner, province=name, senator=who))
        else:
            what, on = next(to_lose(t.state.provinces[name], board.BOARD.pillage[t.state.options.pillage]))
            t.play(events.Pillaged(rule="TRI-7.1", player=owner, province=name, what=what, on=on))
    for name in board.ITALY:
        for player in t.state.seats:
            go_home(t, name, player)
    t.play(events.PhaseDone(rule="TRI-7.1"))


def pillaged(state: State, name: board.ProvinceId) -> bool:
    """TRI-7.1: is it somebody's, and do barbarians stand there without regular units?"""
    here = state.provinces[name]
    return bool(here.owner) and here.barbarians.count > 0 and not state.garrisoned(name)


def to_lose(here: pieces.Province, order: tuple[board.Lost, ...]) -> Iterator[tuple[board.Lost, str]]:
    """TRI-7.1: the pieces of a province in the order in which they are lost; of several markets or caravans the one
    that is least in the board's order of resources."""
    built = {"temple": here.temple, "city": here.city, "influence": True}
    crops = {"market": here.markets, "caravan": here.caravans}
    for what in order:
        yield from ((what, crop) for crop in reversed(board.RESOURCES) if crop in crops.get(what, ()))
        if built.get(what):
            yield what, ""


def spare(t: Table[State], player: Player) -> board.ProvinceId:
    """TRI-10.13: the one pillage that a senator stops: the first of `spare` that is pillaged, else the first."""
    hit = [name for name in t.state.owned(player) if pillaged(t.state, name)]
    return leading.used_on(t, player, "stop-one-pillage", lambda own: own.spare, hit)


# -- the way home ----------------------------------------------------------------------------------------------------


def end_war(t: Table[State]) -> None:
    """TRI-6.5, TRI-6.6: units go home from what is freed in Italy, and from an Emperor whom they didn't beat."""
    for name in board.ITALY:
        beaten = name == board.ROME and t.state.emperor.player not in ("", t.me)
        if beaten or not t.state.barbarians(name).count:
            go_home(t, name, t.me)
    t.play(events.WarDone(rule="TRI-6.1", player=t.me))


def go_home(t: Table[State], name: board.ProvinceId, player: Player) -> None:
    """TRI-6.5: to the capital; that lost, to the own province that is first in the board's order; none: to the box
    (Ruling). An Emperor's units stay in Rome."""
    troops, mine = t.state.units(name, player), t.state.owned(player)
    if troops.count and not (name == board.ROME and t.state.emperor.player == player):
        capital = board.BOARD.starts[player].capital
        end = capital if capital in mine else next(iter(mine), "")
        t.play(events.WentHome(rule="TRI-6.5", player=player, start=name, end=end, troops=troops))
