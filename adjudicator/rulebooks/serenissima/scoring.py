"""SER-7 End of the round: the Doge's card, wine, and galleys for players who have too few; SER-8 Scoring and end."""

from __future__ import annotations

from functools import cache

from adjudicator.engine.table import Limits, Line, Player, Table, Use, Verb, face_down, once
from adjudicator.engine.table.boxes import left_of
from adjudicator.engine.table.domain import Limit
from adjudicator.engine.table.points import show
from adjudicator.rulebooks.serenissima import events, investment
from adjudicator.rulebooks.serenissima.board import BOARD, HOURGLASSES, Card, PortId, track
from adjudicator.rulebooks.serenissima.fields import COUNT, NUMBER, PORT, numbers_free, own_ports
from adjudicator.rulebooks.serenissima.state import State

BASILICA = 5
"""SER-8.1: ducats for a basilica."""


def hold_scoring(t: Table[State]) -> None:
    """SER-8.1: each port pays its owner for its filled slots, each basilica 5 ducats."""
    t.play(events.ScoringHeld(rule="SER-7.3", number=t.state.scorings + 1))
    for player in t.state.seats:
        ports, basilicas = paying(t.state, player)
        sum_ = sum(ports.values()) + BASILICA * len(basilicas)
        t.play(events.PortsPaid(rule="SER-8.1", player=player, ports=ports, basilicas=basilicas, sum=sum_))


def paying(state: State, player: Player) -> tuple[dict[PortId, int], tuple[PortId, ...]]:
    """SER-8.1: what each port of a player pays for its slots, and the ports with a basilica."""
    ports = {port: yields(state, port) for port in state.ports_of(player)}
    return ports, tuple(port for port in ports if state.ports[port].basilica)


def held_now(state: State) -> dict[Player, tuple[Line, ...]]:
    """SER-8.1: what a scoring now would bring each player."""
    found: dict[Player, tuple[Line, ...]] = {}
    for player in state.players:
        ports, basilicas = paying(state, player)
        slots = Line("SER-8.1", "ports", len(ports), sum(ports.values()))
        found[player] = (slots, Line("SER-8.1", "basilicas", len(basilicas), BASILICA * len(basilicas)))
    return found


def yields(state: State, port: PortId) -> int:
    """SER-8.1: what the port's filled slots pay at a scoring."""
    return BOARD.scoring[BOARD.ports[port].size][len(state.ports[port].warehouse)]


def points(state: State) -> dict[Player, tuple[Line, ...]]:
    """SER-8.2: each player's ducats (None: secret), and ports, which decide between equally rich players."""
    found: dict[Player, tuple[Line, ...]] = {}
    for player, seat in state.players.items():
        ducats, ports = seat.ducats.value if seat.ducats.known else None, len(state.ports_of(player))
        found[player] = (Line("SER-8.2", "ducats", ducats, ducats), Line("SER-8.2", "ports", ports, 0))
    return found


def winners(state: State) -> tuple[Player, ...]:
    """SER-8.2: the richest player wins, of several the one with most ports;
    those still tied share the victory (Ruling)."""
    fortunes = {player: (state.purse(player), len(state.ports_of(player))) for player in state.seats}
    return tuple(player for player in state.seats if fortunes[player] == max(fortunes.values()))


def finish(t: Table[State]) -> None:
    """SER-8.2: after the third scoring the match is over, and every purse is shown."""
    for player in t.state.seats:
        t.reveal(t.state.players[player].ducats)
    show(t, points(t.state), rule="SER-8.2")
    won = winners(t.state)
    ducats = t.state.purse(won[0])
    tied = sum(t.state.purse(player) == ducats for player in t.state.seats)
    t.play(events.Finished(rule="SER-8.2", players=won, ducats=ducats, by_ports=tied > len(won)))


WINE = 3
"""SER-7.2: ducats for a wine port."""
FLEET_LEAST = 2
"""SER-7.4: players with fewer galleys may buy some between two rounds."""


def end_of_round(t: Table[State]) -> None:
    """SER-7.1, SER-7.3: a card of the Doge is drawn and carried out; a shuffle comes after any scoring."""
    squares = track(len(t.state.players))
    card, before = t.reveal(t.state.doge[0]), t.state.pawn
    pawn = min(before + HOURGLASSES[card], squares.scorings[-1])
    t.play(events.CardDrawn(rule="SER-7.1", card=card, pawn=pawn))
    if card == "wine":
        pay_for_wine(t)
    if any(before < square <= pawn for square in squares.scorings):
        hold_scoring(t)
    over = t.state.scorings == len(squares.scorings)
    if card == "two-shuffle" and not over:
        lay_cards(t)
    t.play(events.RoundEnded(rule="SER-7.1"))
    if over:
        finish(t)


def last_round(state: State) -> int:
    """SER-7.3: the round with which the match ends, whatever the Doge draws; 0 as long as that depends on it."""
    squares = track(len(state.players)).scorings[-1] - state.pawn
    ends = rounds_left(squares, tuple(left_of(BOARD.doge, state.doge_out)))
    if len(ends) > 1 or state.phase.over:
        return 0
    return state.phase.turn + min(ends) - (state.phase.name != "refit")  # then this round's card is drawn


@cache
def rounds_left(squares: int, cards: tuple[Card, ...]) -> frozenset[int]:
    """SER-7.1: in how many rounds the pawn may move on by so many squares, with these cards left to draw."""
    if squares <= 0:
        return frozenset({0})
    found: set[int] = set()
    for card in {*cards}:
        left = BOARD.doge if card == "two-shuffle" else tuple(left_of(cards, [card]))
        found |= rounds_left(squares - HOURGLASSES[card], left)
    return frozenset(each + 1 for each in found)


def lay_cards(t: Table[State]) -> None:
    """SER-7.1: all five cards of the Doge are shuffled."""
    t.play(events.CardsLaid(rule="SER-7.1", cards=face_down(t.shuffle(BOARD.doge, "doge", rule="SER-7.1"))))


def pay_for_wine(t: Table[State]) -> None:
    """SER-7.2, SER-4.4: each player gets three ducats for each of his or her ports that holds or produces wine."""
    for player in t.state.seats:
        ports = tuple(port for port in t.state.ports_of(player) if t.state.has(port, "wine"))
        if ports:
            t.play(events.WinePaid(rule="SER-7.2", player=player, ports=ports, sum=WINE * len(ports)))


def refit(t: Table[State]) -> None:
    """SER-7.4: a player with fewer than two galleys may buy one with its crew, at the prices of an investment."""
    t.require(len(t.state.galleys_of(t.me)) < FLEET_LEAST, "SER-7.4", "enough-galleys", least=FLEET_LEAST)
    cost = investment.price(t)
    number = t.pick("refit", numbers_free(t.state), rule="SER-7.4")
    port = t.pick("at", own_ports(t.state, t.me), rule="SER-7.4")
    crew = t.pick("crew", investment.sailors_bought(t.state, t.me, cost), rule="SER-7.4")
    investment.launch(t, investment.Purchase(number, port, crew), cost, "SER-7.4")


def can_refit(state: State, player: Player) -> bool:
    """SER-7.4: may the player buy: fewer than two galleys, a port, a free number, a sailor in the stock, and enough
    ducats for a galley and a sailor?

    A secret purse doesn't count, so that who is due tells nothing about it (SER-0.2).
    """
    owned = len(state.galleys_of(player))
    may_pay = state.options.money == "hidden" or state.purse(player) >= investment.PAY * (owned + 1)
    # Ruling: sailors alone, for other galleys or ports, can't be bought: so without a galley to buy nobody is asked.
    left = bool(state.free_numbers()) and state.stock_of_sailors(player) > 0
    return owned < FLEET_LEAST and bool(state.ports_of(player)) and left and may_pay


REFIT = {
    "refit": Verb(
        refit,
        {"refit": NUMBER, "at": PORT, "crew": COUNT},
        ("at", "crew"),
        uses=(
            Use("fleet"),
            once("number {refit}", "SER-6.2", "number-bought"),
            Use("next-price", perhaps=True),
        ),
        subject=("at",),
        prices=lambda state, player: {"": investment.prices(state, player)["galley"]},
    )
}


def limits_of_refit(state: State, player: Player) -> Limits:
    """SER-7.4: how many galleys are lacking; the second costs more than the first."""
    lacking = FLEET_LEAST - len(state.galleys_of(player))
    return {
        "fleet": Limit(max(0, lacking), "SER-7.4", "enough-galleys", {"least": FLEET_LEAST}),
        "next-price": Limit(1, "SER-6.2", "dearer"),
    }
