"""OLT-5 and OLT-7: what prestige, cargo, pirates and markers come to, at the Venice card and at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import Line, Scored, total
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.oltremare.board import AWARDS, lots
from adjudicator.rulebooks.oltremare.events import Finished, Paid, Settled, Sold, TilesReturned, VeniceFound
from adjudicator.rulebooks.oltremare.state import State


def awards(counts: Mapping[Player, int]) -> Mapping[Player, int]:
    """OLT-5.1: 6, 3, 1 for the first, second, third; equal numbers get the same, and don't use up the next place.

    Ruling: first and second place need one of what is counted; the third pays with none too.
    """
    places = sorted(set(counts.values()), reverse=True)
    last = len(AWARDS) - 1
    return {
        player: AWARDS[place] if (place := places.index(count)) == last or (place < last and count) else 0
        for player, count in counts.items()
    }


# -- OLT-5 Intermediate scoring --------------------------------------------------------------------------------------


def intermediate(
    t: Table[State], player: Player, where: Literal["hand", "pirates", "deck"], *, bought: bool = False
) -> None:
    """OLT-5.1 to 5.3: prestige and cargo are scored at once; the Venice card leaves the game."""
    t.play(VeniceFound(rule="OLT-5.3", player=player, where=where, bought=bought))
    pay_prestige(t, "OLT-5.1")
    t.play(TilesReturned(rule="OLT-5.1"))
    for owner in t.state.seats:
        sell_below_the_top(t, owner)


def pay_prestige(t: Table[State], rule: str) -> None:
    """OLT-5.1, OLT-7.1: prestige tiles pay by place."""
    tiles = {player: t.state.players[player].prestige for player in t.state.seats}
    for player, ducats in awards(tiles).items():
        if ducats:
            t.play(Paid(rule=rule, player=player, ducats=ducats, what="prestige", count=tiles[player]))


def sell_below_the_top(t: Table[State], owner: Player) -> None:
    """OLT-5.2: all lots but the top one pay, and are discarded face up."""
    cargo = [t.reveal(card) for card in t.state.players[owner].cargo]
    kept, *sold = lots(cargo) or (None,)
    if sold and kept:
        gone = tuple(cargo[: len(cargo) - kept.count])
        t.play(Sold(rule="OLT-5.2", player=owner, lots=tuple(sold), cards=gone))


# -- OLT-7 Final scoring ---------------------------------------------------------------------------------------------


def settle(t: Table[State], player: Player) -> None:
    """OLT-6.1: the final scoring of the first player, but for prestige, before the others."""
    t.play(Settled(rule="OLT-6.1", player=player, cargo=len(t.state.players[player].cargo)))
    score_piles(t, (player,))


def score_piles(t: Table[State], players: Sequence[Player]) -> None:
    """OLT-7.2 to 7.4: the whole cargo pays, each pirate card costs 1 ducat, the markers collected pay by place."""
    for player in players:
        cargo = lots([t.reveal(card) for card in t.state.players[player].cargo])
        if cargo:
            t.play(Sold(rule="OLT-7.2", player=player, lots=cargo))
    for player in players:
        pirates = len(t.state.players[player].pirates)
        if pirates:
            t.play(Paid(rule="OLT-7.3", player=player, ducats=-pirates, what="pirates", count=pirates))
    markers = {each: len(seat.markers) for each, seat in t.state.players.items()}
    for player in players:
        if ducats := awards(markers)[player]:
            t.play(Paid(rule="OLT-7.4", player=player, ducats=ducats, what="markers", count=markers[player]))


def final(t: Table[State]) -> None:
    """OLT-7.1 to 7.5: the final scoring; most ducats win."""
    before = t.state
    pay_prestige(t, "OLT-7.1")
    prestige = t.state
    score_piles(t, [player for player in t.state.seats if player != t.state.settled])
    for player in t.state.seats:
        lines = result(before, prestige, t.state, player)
        t.play(Scored(rule="OLT-7.5", player=player, lines=lines, total=total(lines).points))
    finish(t)


def result(before: State, prestige: State, end: State, player: Player) -> tuple[Line, ...]:
    """OLT-7: where a player's ducats come from: what there was, tiles, cargo, pirates, markers."""
    had, seat = before.players[player].ducats, end.players[player]
    tiles = prestige.players[player].ducats - had
    found = [Line("OLT-7.5", "ducats", had, had), Line("OLT-7.1", "prestige", seat.prestige, tiles)]
    piles = player != end.settled
    pirates = len(seat.pirates) if piles else 0
    markers = {each: len(one.markers) for each, one in end.players.items()}
    award = awards(markers)[player] if piles else 0
    cargo = seat.ducats - had - tiles + pirates - award
    return (
        *found,
        Line("OLT-7.2", "cargo", len(seat.cargo), cargo),
        Line("OLT-7.3", "pirates", pirates, -pirates),
        Line("OLT-7.4", "markers", markers[player], award),
    )


def finish(t: Table[State]) -> None:
    """OLT-7.5: most ducats; a tie goes to the larger cargo, then to who sits nearest clockwise to the first player."""
    seats = t.state.seats
    most = max(t.state.players[player].ducats for player in seats)
    tied = tuple(player for player in seats if t.state.players[player].ducats == most)
    winner = max(tied, key=lambda player: (cargo_size(t.state, player), -seats.index(player)))
    t.play(Finished(rule="OLT-7.5", players=(winner,), ducats=most, tied=tied if len(tied) > 1 else ()))


def cargo_size(state: State, player: Player) -> int:
    """OLT-7.5: cards in the cargo. Ruling: one gone by OLT-6.1 counts as it was."""
    return state.settled_cargo if player == state.settled else len(state.players[player].cargo)


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """OLT-7.5: ducats are all that counts, and public."""
    return {
        player: (Line("OLT-7.5", "ducats", seat.ducats, seat.ducats),)
        for player, seat in state.players.items()
    }


def winners(state: State) -> tuple[Player, ...]:
    """OLT-7.5: who has won."""
    return state.winners
