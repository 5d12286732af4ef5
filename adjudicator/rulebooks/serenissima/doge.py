"""SER-7 End of the round: the Doge's card, wine, scorings (SER-8), and galleys for players who have too few."""

from __future__ import annotations

from adjudicator.engine.table import Limits, Player, Table, Use, Verb, face_down, once
from adjudicator.engine.table.domain import Limit
from adjudicator.rulebooks.serenissima import events, investment, scoring
from adjudicator.rulebooks.serenissima.board import BOARD, HOURGLASSES, track
from adjudicator.rulebooks.serenissima.fields import COUNT, NUMBER, PORT, numbers_free, own_ports
from adjudicator.rulebooks.serenissima.state import State

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
        scoring.hold_scoring(t)
    over = t.state.scorings == len(squares.scorings)
    if card == "two-shuffle" and not over:
        lay_cards(t)
    t.play(events.RoundEnded(rule="SER-7.1"))
    if over:
        scoring.finish(t)


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
