"""A referee who notes how each order fared, and what its player couldn't know at that moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import Referee
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.dice import Dice, Die
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Rulebook, Unfit
from adjudicator.engine.table.secret import Secret


class OrderResult(Struct, frozen=True):
    """How an order fared.

    `refused` is the first reason for refusing it, or a part of it. What its player couldn't know: others had acted
    before (`others`), an earlier order of the sheet had asked or thrown (`earlier`), or the order itself did
    (`itself`).
    """

    place: str
    player: Player
    order: Order
    refused: Reason | None
    others: bool
    earlier: bool
    itself: bool

    @property
    def knowable(self) -> bool:
        """Could the order's player know all that mattered to the order?"""
        return not (self.others or self.earlier or self.itself)


class Witness(Referee):
    """The referee, who notes how each order fared and what its player couldn't know. `tried` are the places of the
    orders that were tried, and whether they or their `else` did anything."""

    def __init__(self, rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice) -> None:
        super().__init__(rulebook, state, inbox, dice)
        self.fared: dict[str, OrderResult] = {}
        self.tried: dict[str, bool] = {}
        self.unknown = Counter[Player]()
        self.acted: set[Player] = set()
        self.begun: dict[str, tuple[bool, int]] = {}
        self.turns: dict[Player, Any] = {}

    def orders(self, player: Player) -> Sequence[Order]:
        """The player's orders. Keeps the position that others have led to when the player's own turn begins."""
        if self.acted and player not in self.acted:
            self.turns.setdefault(player, self.state)
        return super().orders(player)

    def carry_out(
        self, player: Player, order: Order, verbs: Any = None, *, unfit: Unfit | None = None
    ) -> bool:
        """Notes what had happened before, and that the order was carried out."""
        place = order.place()
        self.begun[place] = (bool(self.acted - {player}), self.unknown[player])
        self.acted.add(player)
        done = super().carry_out(player, order, verbs, unfit=unfit)
        if id(order) not in self.refused:
            self._note(order, None)
        self.tried[place] = done
        return done

    def _refuse(self, order: Order, refused: Refused, *, part: bool = False) -> None:
        self._note(order, refused.reason)
        super()._refuse(order, refused, part=part)

    def _note(self, order: Order, why: Reason | None) -> None:
        place = order.place()
        others, before = self.begun[place]
        self.fared.setdefault(
            place,
            OrderResult(place, self.me, order, why, others, before > 0, self.unknown[self.me] > before),
        )

    def finish(
        self, player: Player, *, absent: bool = False, present: bool = False, again: bool = False
    ) -> None:
        """Notes that a player has acted, even by doing nothing."""
        super().finish(player, absent=absent, present=present, again=again)
        self.acted.add(player)

    def ask(self, who: Player, question: Any) -> Any:
        """Counts the answer as unknown: nobody knows it beforehand."""
        self.unknown[self.me] += 1
        return super().ask(who, question)

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> int:
        """Counts the throw as unknown: nobody knows it beforehand."""
        self.unknown[self.me] += 1
        return super().throw(die, *what, rule=rule, player=player)

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> tuple[str, ...]:
        """Counts the draw as unknown: nobody knows it beforehand."""
        self.unknown[self.me] += 1
        return super().shuffle(items, *what, rule=rule)

    def reveal(self, secret: Secret[Any]) -> Any:
        """Counts the secret as unknown."""
        self.unknown[self.me] += 1
        return super().reveal(secret)

    def to_come(self, who: Player) -> Any:
        """Counts others' orders as unknown."""
        self.unknown[self.me] += 1
        return super().to_come(who)
