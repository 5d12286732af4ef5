"""The part of the table where players decide: by the orders that they sent, by answers, by standing instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from adjudicator.engine.play.conditions import PlayerViews
from adjudicator.engine.play.inbox import AnswerAwaited, Inbox
from adjudicator.engine.play.playing import Playing
from adjudicator.engine.play.probe import question_of
from adjudicator.engine.play.question_data import is_meant
from adjudicator.engine.sheets.reader import Reader
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.dice import Dice
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.table import Question

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
