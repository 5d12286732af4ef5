"""The part of the table where players decide: by the orders that they sent, by answers, by standing instructions.

A question outside the phase that asks it: which answers are meant for it, and the question as plain data.

The part of the table where events happen: played, thrown and recorded, each with the line that caused it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec.structs import replace

from adjudicator.engine.play.inbox import AnswerAwaited, Inbox
from adjudicator.engine.play.listing import question_of
from adjudicator.engine.play.view import PlayerViews
from adjudicator.engine.sheets.sheet import Answer, Order, Reader, Sheet
from adjudicator.engine.table.dice import Dice, Die
from adjudicator.engine.table.event import Event, Player, Remarked, Shuffled, Thrown
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Question


def is_meant(answer: Answer, question: Question[Any, Any]) -> bool:
    """Is the answer for that question? A name of the question that the answer leaves out fits."""
    names = question.names()
    return answer.verb == question.verb and all(
        answer.fields.get(key, value) == value for key, value in names.items()
    )


def in_data(question: Question[Any, Any]) -> Mapping[str, Any]:
    """A question as plain data: its verb, and below that its own fields."""
    return {question.verb: msgspec.to_builtins(question)}


def from_data(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> Question[Any, Any] | None:
    """The question that plain data stands for (`in_data`); None if the game asks no such question."""
    for verb, fields in plain.items():
        for kind in rulebook.questions:
            if kind.verb == verb:
                try:
                    found: Question[Any, Any] = msgspec.convert(fields, kind)
                except msgspec.ValidationError:
                    return None
                return found
    return None


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


S = TypeVar("S")
A = TypeVar("A")


class Asking(Playing):
    """A table with what came in for the phase, at which players' decisions are looked up."""

    def __init__(
        self, rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice, *, strict: bool = False
    ) -> None:
        super().__init__(rulebook, state, dice, strict=strict)
        self.inbox, self.phase = inbox, rulebook.phase(state.phase.name)
        self.sheets: dict[Player, Sheet] = dict(inbox.sheets)
        self.given: set[int] = set()  # answers already used: the same question put again needs another
        self.turn_came: set[int] = set()  # orders whose own turn has come
        self.refused: set[int] = set()  # orders that were refused when their turn came
        self.used: frozenset[int] = frozenset()  # orders matched with another player's
        self.views = PlayerViews(rulebook)
        self._asked: tuple[Any, dict[int, Any]] = (None, {})  # a position, and what orders would ask in it

    def orders(self, player: Player) -> Sequence[Order]:
        """The player's orders that aren't matched with anybody else's."""
        orders = self.sheets[player].orders if player in self.sheets else None
        if orders is None or player not in self.state.phase.due:
            return ()
        return [order for order in orders if id(order) not in self.used] if self.used else orders

    def sent(self, player: Player) -> bool:
        """Has the player sent a sheet with orders?"""
        return player in self.sheets and self.sheets[player].orders is not None

    def ask(self, who: Player, question: Question[S, A]) -> A:
        """The decision: a matching order, an answer, or a standing instruction. Else the question waits, or takes its
        default.
        """
        self.heard = True
        met = self._order_that_meets(who, question)
        if met is not None:
            return met
        answer = self._decision_in_answers(who, question)
        if answer is not None:
            return answer
        standing = question.standing(self.state, who)
        if standing is not None:
            return standing
        if self.inbox.waits and question.waits:
            raise AnswerAwaited(who, question)
        return question.default(self.state)

    def _order_that_meets(self, who: Player, question: Question[Any, A]) -> A | None:
        if type(question).meets is Question.meets:
            return None
        past = self.turn_came - self.refused if question.looks_back else self.turn_came
        for order in self.orders(who):
            if id(order) in past:
                continue
            asked = self._question_of(who, order)
            met = question.meets(self.state, asked) if asked is not None else None
            if met is not None:
                self.used |= {id(order)}
                return met
        return None

    def _question_of(self, who: Player, order: Order) -> Any:
        """What the order would ask now, worked out once for each position: two long sheets of deals ask it of each
        other.
        """
        if self._asked[0] is not self.state:
            self._asked = (self.state, {})
        known = self._asked[1]
        if id(order) not in known:
            known[id(order)] = question_of(self.views, self.phase, self.state, who, order)
        return known[id(order)]

    def _decision_in_answers(self, who: Player, question: Question[Any, A]) -> A | None:
        for answer in self.inbox.answers.get(who, ()):
            if id(answer) in self.given:
                continue
            if is_meant(answer, question):
                self.given.add(id(answer))
                try:
                    return question.answer(Reader(answer.fields), self.state)
                except Refused as refused:
                    self.remark(who, refused.reason, answer.place)
        return None
