"""SER-7 End of the round: the Doge's card, wine, scorings (SER-8), and galleys for players who have too few."""

from __future__ import annotations

from adjudicator.engine.table.domain import OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.serenissima import scoring
from adjudicator.rulebooks.serenissima.board import BOARD, HOURGLASSES, track
from adjudicator.rulebooks.serenissima.events import CardDrawn, CardsLaid, RoundEnded, WinePaid
from adjudicator.rulebooks.serenissima.fields import COUNT, NUMBER, PORT, Purchase
from adjudicator.rulebooks.serenissima.investment import PAY, crew, launch, price
from adjudicator.rulebooks.serenissima.naming import not_your_ports, numbers_free
from adjudicator.rulebooks.serenissima.state import State, galleys_of, has, may_have, ports_of

WINE = 3
"""SER-7.2: ducats for a wine port."""
FLEET_LEAST = 2
"""SER-7.4: who has fewer galleys may buy some between two rounds."""


def end_of_round(t: Table[State]) -> None:
    """SER-7.1, SER-7.3: a card of the Doge, what it brings, and a shuffle after any scoring."""
    squares = track(len(t.state.players))
    card, before = t.reveal(t.state.doge[0]), t.state.pawn
    pawn = min(before + HOURGLASSES[card], squares.scorings[-1])
    t.play(CardDrawn(rule="SER-7.1", card=card, pawn=pawn))
    if card == "wine":
        pay_for_wine(t)
    if any(before < square <= pawn for square in squares.scorings):
        scoring.hold(t)
    if card == "two-shuffle":
        cards = t.shuffle(BOARD.doge, "doge", rule="SER-7.1")
        t.play(CardsLaid(rule="SER-7.1", cards=tuple(Secret(card) for card in cards)))
    t.play(RoundEnded(rule="SER-7.1"))
    if t.state.scorings == len(squares.scorings):
        scoring.finish(t)


def pay_for_wine(t: Table[State]) -> None:
    """SER-7.2, SER-4.4: three ducats for each own port that holds or produces wine."""
    for player in t.state.seats:
        ports = tuple(port for port in ports_of(t.state, player) if has(t.state, port, "wine"))
        if ports:
            t.play(WinePaid(rule="SER-7.2", player=player, ports=ports, sum=WINE * len(ports)))


def refit(t: Table[State]) -> None:
    """SER-7.4: a galley with its crew, at the prices of an investment, for a player with fewer than two."""
    mine = galleys_of(t.state, t.me)
    t.require(len(mine) < FLEET_LEAST, "SER-7.4", "enough-galleys", least=FLEET_LEAST)
    cost = price(t)
    number = t.pick("refit", numbers_free(t.state), rule="SER-7.4")
    ports = OneOf(list(ports_of(t.state, t.me)), but=not_your_ports(t.state, t.me))
    port = t.pick("at", ports, rule="SER-7.4")
    launch(t, Purchase(number, port, t.pick("crew", crew(t, cost), rule="SER-7.4")), cost, "SER-7.4")


def can_refit(state: State, player: Player) -> bool:
    """SER-7.4: with fewer than two galleys, a port, and what a galley and a sailor cost."""
    owned = len(galleys_of(state, player))
    return (
        owned < FLEET_LEAST and bool(ports_of(state, player)) and may_have(state, player, PAY * owned + PAY)
    )


REFIT = {"refit": Verb(refit, {"refit": NUMBER, "at": PORT, "crew": COUNT}, ("at", "crew"))}
