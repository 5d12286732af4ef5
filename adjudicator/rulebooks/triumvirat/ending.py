"""The end of a turn and of the match: the way home from Italy (TRI-6.5, TRI-6.6), TRI-7 Pillage,
TRI-8 Titles, and TRI-9 End with TRI-5.2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from adjudicator.engine.table import Line, Player, Secret, Table, Use, Verb, highest, once
from adjudicator.engine.table.domain import Counts, Limit, Whole
from adjudicator.rulebooks.triumvirat import board, events, pieces, setup, standing
from adjudicator.rulebooks.triumvirat.state import State

BID = Counts(dict.fromkeys(board.TITLES, Whole(0)), least=0)


# -- the way home ----------------------------------------------------------------------------------------------------


def end_war(t: Table[State]) -> None:
    """TRI-6.5, TRI-6.6: units go home from freed provinces of Italy, and from an Emperor whom they didn't beat;
    elsewhere they stay where they fought (Ruling)."""
    for name in board.ITALY:
        beaten = name == board.ROME and t.state.emperor.player not in ("", t.me)
        if beaten or not t.state.barbarians(name).count:
            go_home(t, name, t.me)
    t.play(events.GoDone(rule="TRI-6.1", player=t.me))


def go_home(t: Table[State], name: board.ProvinceId, player: Player) -> None:
    """TRI-6.5: units go to the capital; if it is lost, to the player's first province in the board's order; if there is
    none, to the box (Ruling). An Emperor's units stay in Rome."""
    troops = t.state.units(name, player)
    if troops.count and not (name == board.ROME and t.state.emperor.player == player):
        capital, mine = board.BOARD.starts[player].capital, t.state.owned(player)
        end = capital if capital in mine else next(iter(mine), "")
        t.play(events.WentHome(rule="TRI-6.5", player=player, start=name, end=end, troops=troops))


# -- pillage ---------------------------------------------------------------------------------------------------------


def close_war(t: Table[State]) -> None:
    """TRI-7.1, TRI-6.5: the pillage takes one piece of each province;
    then units leave Italy also where barbarians remain (Ruling)."""
    if t.state.over():
        return
    spared = {player: spare(t, player) for player in t.state.seats}
    for name in (name for name in board.OUTSIDE if is_pillaged(t.state, name)):
        owner = t.state.provinces[name].owner or ""
        if name == spared[owner]:
            who = t.state.power(owner, "stop-one-pillage")
            t.play(events.Spared(rule="TRI-10.13", player=owner, province=name, senator=who))
        else:
            what, on = piece_to_lose(t.state.provinces[name], board.BOARD.pillage[t.state.options.pillage])
            t.play(events.Pillaged(rule="TRI-7.1", player=owner, province=name, what=what, on=on))
    for name in board.ITALY:
        for player in t.state.seats:
            go_home(t, name, player)


def is_pillaged(state: State, name: board.ProvinceId) -> bool:
    """TRI-7.1: does the province belong to a player, with barbarians in it and no regular units?"""
    here = state.provinces[name]
    return bool(here.owner) and here.barbarians != pieces.NO_BARBARIANS and not state.garrisoned(name)


def piece_to_lose(here: pieces.Province, order: tuple[board.Lost, ...]) -> tuple[board.Lost, str]:
    """TRI-7.1: the piece of a province that is lost first;
    of several markets or caravans the one that is least in the board's order of resources."""
    there = {"influence": ("",), "temple": ("",) * here.temple, "city": ("",) * here.city}
    there |= {"market": here.markets, "caravan": here.caravans}
    place = ("", *board.RESOURCES).index
    return next((what, max(there[what], key=place)) for what in order if there[what])


def spare(t: Table[State], player: Player) -> board.ProvinceId:
    """TRI-10.13: the one pillage that a senator stops:
    the first of `spare` that is pillaged, or else the first of all."""
    hit = [name for name in t.state.owned(player) if is_pillaged(t.state, name)]
    return standing.target_of_power(t, player, "stop-one-pillage", lambda own: own.spare, hit)


# -- titles ----------------------------------------------------------------------------------------------------------


def bid(t: Table[State]) -> None:
    """TRI-8.1: a player bids taxes for each domain, in secret."""
    most = Limit(t.state.purse(t.me), "TRI-8.1", "more-taxes-than-held")
    made = t.pick("bid", Counts(dict.fromkeys(board.TITLES, Whole(0, [most])), least=0), rule="TRI-8.1")
    setup.can_pay(t, sum(made.values()), "TRI-8.1")
    t.require(t.me not in t.state.bids, "TRI-8.1", "bid-already")
    t.play(events.TaxesBid(rule="TRI-8.1", player=t.me, bid=Secret(made)))


def close(t: Table[State]) -> None:
    """TRI-8.1, TRI-8.2, TRI-9: titles change hands, cards are put away, the turn ends."""
    bids = {player: show_bid(t, player) for player in t.state.seats}
    for title in board.TITLES:
        award(t, title, {player: total(t.state, player, title, bids[player]) for player in bids})
    for player in t.state.seats:
        put_away(t, player)
    look_at_turn(t)


def show_bid(t: Table[State], player: Player) -> Mapping[str, int]:
    """TRI-8.1: shows a player's bid, which is then paid; returns the bid."""
    if player not in t.state.bids:
        return {}
    made = t.reveal(t.state.bids[player])
    t.play(events.BidShown(rule="TRI-8.1", player=player, bid=made))
    if sum(made.values()):
        t.play(events.Paid(rule="TRI-8.1", player=player, taxes=sum(made.values())))
    return made


def total(state: State, player: Player, title: board.Title, made: Mapping[str, int]) -> int:
    """TRI-8.1: a player's points for a title, of the general, medals and senators, and one for each tax. TRI-10.7:
    rivals need two taxes for one."""
    return state.score(player, (title,)) + made.get(title, 0) // point_price(state, player)


def point_price(state: State, player: Player) -> int:
    """TRI-8.1, TRI-10.7: the taxes that a point for a title costs."""
    return board.BOARD.numbers["dear"] if dear_for(state, player) else board.BOARD.costs["title"]


def dear_for(state: State, player: Player) -> bool:
    """TRI-10.7: does a rival have the senator who makes bids dearer?"""
    return any(state.power(other, "dear-titles") for other in state.seats if other != player)


def award(t: Table[State], title: board.Title, sums: Mapping[Player, int]) -> None:
    """TRI-8.1: the highest sum takes the title, without a claim; a tie leaves it where it is (both Ruling)."""
    best = [player for player, made in sums.items() if made == max(sums.values())]
    before, tied = t.state.titles[title], len(best) > 1
    player = before if tied else best[0]
    t.play(events.TitleAwarded(player, title, sums, before, tied, rule="TRI-8.1"))


def put_away(t: Table[State], player: Player) -> None:
    """TRI-8.2: all cards are discarded except those won in Italy in this turn, a card that a senator keeps (TRI-10.8),
    and one tax for each of the player's temples."""
    seat = t.state.players[player]
    rest = Counter(map(t.reveal, seat.cards)) - Counter(t.state.won.get(player, ()))
    temples = sum(t.state.provinces[name].temple for name in t.state.owned(player))
    standing.discard(t, player, rest, "TRI-8.2", taxes=max(0, seat.taxes - temples), kept=0)


# -- the end ---------------------------------------------------------------------------------------------------------


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """TRI-9.1: each player's points of influence: the general's, medals, senators."""
    return {player: state.points(player) for player in state.seats}


def look_at_italy(t: Table[State]) -> None:
    """TRI-5.2: if barbarians hold all seven sites of Italy, all lose at once."""
    if not t.state.free_sites():
        t.play(events.Ended(winners=(), rule="TRI-5.2"))


def look_at_points(t: Table[State], player: Player) -> None:
    """TRI-9.1: a player with more than 10 points of influence is perpetual dictator, at once."""
    count = t.state.score(player)
    if count > board.MOST_POINTS:
        t.play(events.Ended(winners=(player,), points=count, rule="TRI-9.1"))


def look_at_turn(t: Table[State]) -> None:
    """TRI-9.2: an Emperor who holds Rome to the end of the next turn wins. TRI-9.3:
    after the last turn the most points win."""
    emperor, turn = t.state.emperor, t.state.phase.turn
    if emperor.player and turn > emperor.turn:
        t.play(events.Ended(winners=(emperor.player,), rule="TRI-9.2"))
    elif turn >= t.state.options.max_turns:
        best = highest(points(t.state))
        t.play(events.Ended(winners=best, points=t.state.score(best[0]), rule="TRI-9.3"))


VERBS = {
    "bid": Verb(
        bid,
        {"bid": BID},
        uses=(once("bid", "TRI-8.1", "bid-already", decide=True), Use("taxes", "bid", bounds=True)),
        subject=(),
        prices=lambda state, player: {"": point_price(state, player)},
    )
}
