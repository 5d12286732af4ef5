"""The part of the table where events happen: played, thrown and recorded, each with the line that caused it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

from msgspec.structs import replace

from adjudicator.engine.sheets.reader import Reader
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.dice import Dice, Die
from adjudicator.engine.table.event import Event, Player, Remarked, Shuffled, Thrown
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret

T = TypeVar("T")


class Playing(Reader):
    """A table with a position, the dice, and the record of what happened. `strict` checks after every event. A rule
    that leads to an impossible position is a bug of the rulebook and raises AssertionError; so does a phase that leaves
    an order of a sheet without any event.
    """

    def __init__(self, rulebook: Rulebook[Any], state: Any, dice: Dice, *, strict: bool = False) -> None:
        super().__init__({})
        self.rulebook, self.state, self.dice, self.strict = rulebook, state, dice, strict
        self.events: list[Event[Any]] = []
        self.me: Player = ""
        self.heard = False  # has the current order thrown, seen a secret, or got an answer?
        self.order: Order | None = None
        self.by = ""  # the place of the order being carried out; empty between orders

    def turn_to(self, player: Player, order: Order | None) -> None:
        """Sets whose turn it is, and the order to be carried out."""
        if order is not self.order:
            self.order, self.by = order, order.place() if order else ""
        self.me, self.taken = player, ()
        self.fields = order.fields if order else {}

    def play(self, event: Event[Any]) -> None:
        """Applies an event and records it with the line that caused it."""
        if self.order is not None and not event.by:
            event = replace(event, by=self.by)
        self.state = event.apply(self.state)
        self.events.append(event)
        if self.strict:
            for check in self.rulebook.invariants:
                flaw = check(self.state)
                if flaw:
                    raise AssertionError(event, flaw)

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> int:
        """Throws a die and records it."""
        self.heard = True
        face = self.dice.throw(die, what)
        self.play(Thrown(rule=rule, what=what, face=face, player=player or self.me))
        return face

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> tuple[str, ...]:
        """Shuffles items; the rulebook says who may see the order."""
        self.heard = True
        order = self.dice.shuffle(items, what)
        self.play(Shuffled(rule=rule, what=what, order=tuple([Secret(item) for item in order])))
        return order

    def reveal(self, secret: Secret[T]) -> T:
        """The value of another player's secret."""
        self.heard = True
        return secret.value

    def refuse(self, rule: str, why: str, **facts: Any) -> NoReturn:
        """Gives the order up after an ask."""
        raise Refused(Reason(rule, why, facts))

    def mention(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Records a remark to the order's player about it."""
        self.remark(self.me, Reason(rule, why, facts), self.order.place(path) if self.order else "")

    def remark(self, player: Player, reason: Reason, place: str) -> None:
        """Records a remark to one player about a sheet or an answer."""
        self.play(Remarked(rule=reason.rule, to=(player,), player=player, reason=reason, place=place))
