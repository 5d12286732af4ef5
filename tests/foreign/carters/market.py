"""CAR-1 Market: a card each, in secret, shown all at once."""

from __future__ import annotations

from adjudicator.engine.table.domain import OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table, Verb
from adjudicator.engine.table.uses import once

from .board import BOARD, GOOD
from .events import Laid, Shown
from .state import State


def lay(t: Table[State]) -> None:
    """CAR-1.1: a card of the hand."""
    hand = dict.fromkeys(card.value for card in t.state.players[t.me].hand)
    card = t.pick("lay", OneOf(tuple(hand)), rule="CAR-1.1")
    t.require(t.me not in t.state.laid, "CAR-1.1", "laid-already")
    t.play(Laid(rule="CAR-1.1", player=t.me, card=Secret(card)))


def done(t: Table[State]) -> None:
    """CAR-1.1: who has laid nothing lays the first card."""
    hand = t.state.players[t.me].hand
    if t.me not in t.state.laid and hand:
        card = hand[-1] if t.state.rules < 2 else hand[0]
        t.play(Laid(rule="CAR-1.1", player=t.me, card=card))


def close(t: Table[State]) -> None:
    """CAR-1.2: all are shown; a good that one alone has laid earns more."""
    cards = {player: t.reveal(card) for player, card in t.state.laid.items()}
    for player, card in cards.items():
        coins = BOARD.alone if list(cards.values()).count(card) == 1 else 1
        t.play(Shown(rule="CAR-1.2", player=player, card=card, coins=coins))


def can(state: State, player: Player) -> bool:
    """Who has a card can lay one."""
    return bool(state.players[player].hand)


LAID_ONCE = once("lay", "CAR-1.1", "laid-already", decide=True)
VERBS = {"lay": Verb(lay, {"lay": GOOD}, uses=(LAID_ONCE,), subject=("lay",))}
