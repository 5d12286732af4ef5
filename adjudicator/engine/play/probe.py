"""Looks at an order without carrying it out: which question would it ask now?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

from adjudicator.engine.play.conditions import PlayerViews
from adjudicator.engine.sheets.reader import Reader
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.dice import Die
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.reason import Path, Refused
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.table.secret import Secret, Unknown
from adjudicator.engine.table.table import Question, Verb


class QuestionAsked(Exception):
    """Stops a probe at the question that the order asks."""

    def __init__(self, question: Question[Any, Any]) -> None:
        super().__init__(question.verb)
        self.question = question


class Probe(Reader):
    """A table that reads an order up to its first ask, throw, reveal or event."""

    by = ""

    def __init__(self, state: Any, me: Player, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self.state, self.me = state, me

    def ask(self, who: Player, question: Question[Any, Any]) -> NoReturn:
        """Stops: this is the question."""
        raise QuestionAsked(question)

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> NoReturn:
        """Stops: the order is good as far as its player can know."""
        raise Unknown

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> NoReturn:
        """Stops, as a throw does: the order is good as far as its player can know."""
        raise Unknown

    def reveal(self, secret: Secret[Any]) -> NoReturn:
        """Stops, as a throw does: the order is good as far as its player can know."""
        raise Unknown

    def play(self, event: Event[Any]) -> None:
        """Stops, as a throw does: the order is good as far as its player can know."""
        raise Unknown

    def refuse(self, rule: str, why: str, **facts: Any) -> NoReturn:
        """Stops, as a throw does: the order is good as far as its player can know."""
        raise Unknown

    def to_come(self, who: Player) -> NoReturn:
        """Stops, as a throw does: the order is good as far as its player can know."""
        raise Unknown

    def mention(self, rule: str, why: str, *path: str | int, **facts: Any) -> NoReturn:
        """Stops, as a throw does: the order is good as far as its player can know."""
        raise Unknown

    def step(
        self, field: str, index: int, verbs: Mapping[str, Verb[Any]], but: Collection[Path] = ()
    ) -> NoReturn:
        """Stops: steps are orders of their own."""
        raise Unknown

    def part(self, rule: Callable[[Any], bool | None]) -> NoReturn:
        """Stops: the order is good, whatever happens to its parts."""
        raise Unknown


def refusal(verb: Verb[Any], state: Any, me: Player, fields: Mapping[str, Any]) -> Refused | None:
    """Why an order of these fields would be refused now, as far as its player can know; None if it wouldn't be."""
    try:
        verb.rule(Probe(state, me, fields))
    except Refused as refused:
        return refused
    except (Unknown, QuestionAsked):
        pass
    return None


def question_of(views: PlayerViews, phase: Phase[Any], state: Any, me: Player, order: Order) -> Any:
    """The question that the order would ask somebody if its turn came now; None if it is refused or asks nothing."""
    if order.flaws or order.verb not in phase.verbs or views.first_untrue(state, me, order):
        return None
    probe = Probe(state, me, order.fields)
    try:
        phase.verbs[order.verb].rule(probe)
    except (Refused, Unknown):
        return None
    except QuestionAsked as asked:
        return asked.question
    return None
