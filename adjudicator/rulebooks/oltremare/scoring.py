"""OLT-5 and OLT-7: what prestige, cargo, pirates and markers pay, when the Venice card is found and at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.table import Line, Player, Table, total
from adjudicator.engine.table.points import Scored
from adjudicator.rulebooks.oltremare import events
from adjudicator.rulebooks.oltremare.board import AWARDS, CardId, Lot, lots
from adjudicator.rulebooks.oltremare.state import State


def pay(t: Table[State], rule: str, player: Player, ducats: int, what: events.What, count: int) -> None:
    """A player gets ducats from the bank, or pays them if they are below 0; 0 makes no event."""
    if ducats:
        t.play(events.Paid(rule=rule, player=player, ducats=ducats, what=what, count=count))


def awards(state: State, counts: Mapping[Player, int]) -> Mapping[Player, int]:
    """OLT-5.1: first, second and third place pay 6, 3, 1; equal numbers get the same, and don't use up the next place.

    **Ruling**: first and second place need at least one tile or marker; third place pays also with none, and so
    does second place with option `none_counts: second`.
    """
    places = sorted(set(counts.values()), reverse=True)
    for_none = AWARDS[-1:] if state.options.none_counts == "third" else AWARDS[1:]
    paid = {count: won for count, won in zip(places, AWARDS, strict=False) if count or won in for_none}
    return {player: paid.get(count, 0) for player, count in counts.items()}


def tiles(state: State) -> Mapping[Player, int]:
    """OLT-5.1: each player's prestige tiles."""
    return {player: state.players[player].prestige for player in state.seats}


def markers(state: State) -> Mapping[Player, int]:
    """OLT-7.4: how many bonus markers each player has collected."""
    return {player: len(seat.markers) for player, seat in state.players.items()}


def cargo(t: Table[State], player: Player) -> tuple[list[CardId], tuple[Lot, ...]]:
    """The cards of a cargo, bottom to top, and its lots from the top down."""
    cards = [t.reveal(card) for card in t.state.players[player].cargo]
    return cards, lots(cards)


# -- OLT-5 Intermediate scoring --------------------------------------------------------------------------------------


def score_venice(t: Table[State], player: Player, where: events.Where) -> None:
    """OLT-5.1 to 5.3: prestige and cargo are scored at once; the Venice card leaves the game.

    OLT-5.2: all lots of a cargo except the top one pay, and are discarded face up.
    """
    t.play(events.VeniceFound(rule="OLT-5.3", player=player, where=where))
    pay_prestige(t, "OLT-5.1")
    t.play(events.TilesReturned(rule="OLT-5.1"))
    for owner in t.state.seats:
        cards, held = cargo(t, owner)
        if len(held) > 1:
            gone = tuple(cards[: -held[0].count])
            t.play(events.Sold(rule="OLT-5.2", player=owner, lots=held[1:], cards=gone))


def venice_now(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """OLT-5.1, OLT-5.2: what the Venice card would bring each player now; a cargo that the reader can't see is None."""
    prestige, found = awards(state, tiles(state)), {}
    for player, seat in state.players.items():
        known = all(card.known for card in seat.cargo)
        held = lots([card.value for card in seat.cargo])[1:] if known else ()
        sold = sum(lot.ducats for lot in held) if known else None
        tiles_ = Line("OLT-5.1", "prestige", seat.prestige, prestige[player])
        found[player] = (tiles_, Line("OLT-5.2", "cargo", len(seat.cargo), sold))
    return found


def pay_prestige(t: Table[State], rule: str) -> None:
    """OLT-5.1, OLT-7.1: prestige tiles pay by place."""
    won = tiles(t.state)
    for player, ducats in awards(t.state, won).items():
        pay(t, rule, player, ducats, "prestige", won[player])


# -- OLT-7 Final scoring ---------------------------------------------------------------------------------------------


def settle(t: Table[State], player: Player) -> None:
    """OLT-6.1: the first player makes the final scoring, except for prestige, before the others."""
    t.play(events.Settled(rule="OLT-6.1", player=player, cargo=len(t.state.players[player].cargo)))
    score_piles(t, (player,))


def score_piles(t: Table[State], players: Sequence[Player]) -> None:
    """OLT-7.2 to 7.4: the whole cargo pays, each pirate card costs 1 ducat, the markers collected pay by place."""
    for player in players:
        if held := cargo(t, player)[1]:
            t.play(events.Sold(rule="OLT-7.2", player=player, lots=held))
    for player in players:
        pirates = len(t.state.players[player].pirates)
        pay(t, "OLT-7.3", player, -pirates, "pirates", pirates)
    collected = markers(t.state)
    won = awards(t.state, collected)
    for player in players:
        pay(t, "OLT-7.4", player, won[player], "markers", collected[player])


def score_at_end(t: Table[State]) -> None:
    """OLT-7.1 to 7.5: the final scoring; most ducats win."""
    lines = {player: result(t, player) for player in t.state.seats}
    pay_prestige(t, "OLT-7.1")
    score_piles(t, [player for player in t.state.seats if player != t.state.settled])
    for player, found in lines.items():
        t.play(Scored(rule="OLT-7.5", player=player, lines=found, total=total(found).points))
    finish(t)


def result(t: Table[State], player: Player) -> tuple[Line, ...]:
    """OLT-7: a player's ducats by source: ducats before the scoring, tiles, cargo, pirates, markers.

    OLT-6.1: a player who has settled before gets nothing more for cargo, pirates and markers.
    """
    seat, open_ = t.state.players[player], player != t.state.settled
    cards, held = cargo(t, player)
    pirates = len(seat.pirates) if open_ else 0
    sold, award = sum(lot.ducats for lot in held), awards(t.state, markers(t.state))[player]
    return (
        Line("OLT-7.5", "ducats", seat.ducats, seat.ducats),
        Line("OLT-7.1", "prestige", seat.prestige, awards(t.state, tiles(t.state))[player]),
        Line("OLT-7.2", "cargo", len(cards), sold if open_ else 0),
        Line("OLT-7.3", "pirates", pirates, -pirates),
        Line("OLT-7.4", "markers", len(seat.markers), award if open_ else 0),
    )


def finish(t: Table[State]) -> None:
    """OLT-7.5: most ducats win; a tie goes to the larger cargo,
    then to the player nearest clockwise to the first player."""
    seats = t.state.seats
    most = max(t.state.players[player].ducats for player in seats)
    tied = tuple(player for player in seats if t.state.players[player].ducats == most)
    sizes = {player: len(t.state.players[player].cargo) for player in tied}
    if t.state.settled in sizes:  # Ruling: a cargo gone by OLT-6.1 counts as it was
        sizes[t.state.settled] = t.state.settled_cargo
    winner = max(tied, key=lambda player: (sizes[player], -seats.index(player)))
    several = tied if len(tied) > 1 else ()
    t.play(events.Finished(rule="OLT-7.5", players=(winner,), ducats=most, tied=several))


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """OLT-7.5: the points of each player are the ducats, which are public."""
    ducats = {name: seat.ducats for name, seat in state.players.items()}
    return {name: (Line("OLT-7.5", "ducats", held, held),) for name, held in ducats.items()}
