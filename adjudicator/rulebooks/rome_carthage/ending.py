"""ROM-5 End: players out, capitals held through a round, draws; and the end of a turn."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Line, Player, Table
from adjudicator.rulebooks.rome_carthage.board import CAPITALS
from adjudicator.rulebooks.rome_carthage.events import Finished, HoldingSet, Passed, TurnEnded, WentOut
from adjudicator.rulebooks.rome_carthage.state import Holding, State


def send_out(t: Table[State]) -> None:
    """ROM-5.2: a player without pieces is out and loses the hand; an alliance without pieces has lost at once."""
    for player in t.state.seats:
        if not t.state.pieces_of(player) and t.state.players[player].hand:
            hand = tuple(t.reveal(card) for card in t.state.players[player].hand)
            t.play(WentOut(rule="ROM-5.2", player=player, hand=hand))
    for number, alliance in enumerate(t.state.alliances):
        if not t.state.result and not any(t.state.pieces_of(player) for player in alliance):
            t.play(Finished(rule="ROM-5.2", players=t.state.alliances[1 - number]))


def holds(state: State, number: int) -> bool:
    """ROM-5.1: does the alliance hold both enemy capitals?"""
    enemies = state.alliances[1 - number]
    return all(state.occupier(CAPITALS[name]) for enemy in enemies for name in state.players[enemy].states)


def finish_turn(t: Table[State]) -> None:
    """ROM-5.1, ROM-5.3: checks at the end of a turn whether the match is over;
    then the next player still in has a turn (ROM-0.5)."""
    me = t.state.on_turn()
    if not t.state.steps and t.state.pieces_of(me):
        t.play(Passed(rule="ROM-1.3", player=me))
    holding = holdings_after_turn(t.state, me)
    if holding != t.state.holding:
        t.play(HoldingSet(rule="ROM-5.1", holding=holding))
    for count in holding:
        if not count.waits:
            t.play(Finished(rule="ROM-5.1", players=t.state.alliances[count.alliance]))
            return
    present = t.state.still_in()
    if all(agrees(t, player) for player in present):
        t.play(Finished(rule="ROM-5.3", players=present, draw="agreed"))
        return
    seats = t.state.seats
    index = seats.index(me)
    following = next(player for player in (*seats[index + 1 :], *seats[: index + 1]) if player in present)
    number, quiet = t.state.round or t.state.phase.turn, t.state.quiet_rounds
    full = seats.index(following) <= index
    if full:
        quiet = 0 if t.state.stirred else quiet + 1
    ended = TurnEnded(rule="ROM-0.5", player=me, following=following, round=number + full, quiet_rounds=quiet)
    t.play(ended)
    if full and quiet >= t.state.options.draw_after:
        t.play(Finished(rule="ROM-5.3", players=present, draw="quiet", rounds=quiet))
    elif full and number >= t.state.options.max_rounds:
        t.play(Finished(rule="ROM-5.3", players=present, draw="cap", rounds=number))


def agrees(t: Table[State], player: Player) -> bool:
    """ROM-5.3: do the player's standing instructions agree to a draw? In a player's
    own check an unknown answer counts as no."""
    standing = t.state.players[player].standing
    return standing.known and t.reveal(standing).draw == "agree"


def holdings_after_turn(state: State, me: Player) -> tuple[Holding, ...]:
    """ROM-5.1: the counts after this turn: a gap ends one, a new one waits for everybody still in the game.

    **Ruling**: of two counts that begin with the same turn, that of the side whose turn it was is the earlier one.
    """
    found: list[Holding] = []
    for count in state.holding:
        if holds(state, count.alliance):
            left = tuple(player for player in count.waits if player != me and player in state.still_in())
            found.append(Holding(count.alliance, left))
    known = [count.alliance for count in state.holding]
    mine = state.alliance_of(me)
    new = [number for number in (mine, 1 - mine) if number not in known and holds(state, number)]
    return (*found, *(Holding(number, state.still_in()) for number in new))


def winners(state: State) -> tuple[Player, ...]:
    """ROM-5: the alliance that has won; nobody, if the match is drawn (ROM-5.3)."""
    sides = {state.alliance_of(player) for player in state.result}
    return state.result if len(sides) == 1 else ()


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """ROM-5: how each player stands: pieces on the board, and enemy capitals held by the alliance."""
    found: dict[Player, tuple[Line, ...]] = {}
    for player in state.players:
        pieces = len(state.pieces_of(player))
        held = sum(
            1
            for number, alliance in enumerate(state.alliances)
            if player not in alliance
            for enemy in state.alliances[number]
            for name in state.players[enemy].states
            if state.occupier(CAPITALS[name])
        )
        found[player] = (Line("ROM-5.2", "pieces", pieces, pieces), Line("ROM-5.1", "capitals", held, 0))
    return found
