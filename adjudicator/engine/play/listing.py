"""Lists every legal order of a player by running the rule again for each choice at each pick.

Looks at an order without carrying it out: which question would it ask now?
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn

from adjudicator.engine.play.view import PlayerViews
from adjudicator.engine.sheets.sheet import Order, Reader
from adjudicator.engine.table.dice import Die
from adjudicator.engine.table.domain import Domain
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.reason import Path, Refused
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.table.secret import Secret, Unknown
from adjudicator.engine.table.table import Question, Rule, Verb, Verbs


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

    def step(self, field: str, index: int, verbs: Verbs, but: Collection[Path] = ()) -> NoReturn:
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


LEFT_OUT = object()
"""The choice of leaving an optional field out."""


class Fork(Exception):
    """The run has come to a pick that is still open."""

    def __init__(self, field: str, among: Domain[Any], default: Any, rule: str) -> None:
        super().__init__(field)
        self.field, self.among, self.default, self.rule = field, among.usual, default, rule
        self.admits = among  # the value may be written in other forms too


class Choosing(Probe):
    """A table at which the first picks are already made; the next one ends the run."""

    def __init__(self, state: Any, me: Player, chosen: Sequence[tuple[str, Any]]) -> None:
        super().__init__(state, me, {})
        self.chosen, self.picked = chosen, 0

    @property
    def named(self) -> None:
        """All fields are still to be chosen."""

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """The next choice already made; else raises `Fork`."""
        if self.picked == len(self.chosen):
            raise Fork(field, among, default, rule)
        _, choice = self.chosen[self.picked]
        self.picked += 1
        if choice is LEFT_OUT:
            if default is None:
                return None
            choice = default
        return among.read(choice)


class Clicking(Choosing):
    """A table for pages, on which orders are put together one by one: earlier ones may have prepared this one."""

    leans = False

    def prepared(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Assumes that the order will be legal by its turn; if it isn't now, notes that it leans on the orders above
        it.
        """
        self.leans = self.leans or not ok


class NotingWarnings(Choosing):
    """A table that notes whether the rule warns about the order."""

    warned = False

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Notes that the rule warns."""
        self.warned = True


def run_at(rule: Rule[Any], table: Choosing) -> Fork | bool:
    """One run at a given table, which may note more: returns the open pick, or whether the choices make a legal
    order."""
    try:
        rule(table)
    except Fork as fork:
        return fork.with_traceback(None)  # callers may keep it, without the rule's frames
    except Refused:
        return False
    except (Unknown, QuestionAsked):
        return True
    return True


def legal(name: str, verb: Verb[Any], state: Any, me: Player) -> Iterator[dict[str, Any]]:
    """Every legal order of a verb, lazily, verb first; for a domain too large to list, its own listing decides."""

    def onward(chosen: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
        found = run_at(verb.rule, Choosing(state, me, chosen))
        if isinstance(found, Fork):
            if found.default is not ...:
                yield from onward([*chosen, (found.field, LEFT_OUT)])
            if found.among.listed:
                for value in found.among.values():
                    yield from onward([*chosen, (found.field, value)])
        elif found:
            yield written_order(name, chosen)

    return onward([])


def is_listed(
    verb: Verb[Any], state: Any, me: Player, order: Mapping[str, Any], table: type[Choosing] = Choosing
) -> bool:
    """Would `legal` list this order? Asks each domain: a small one for its values, a large one whether it admits the
    order's.

    At the table of `Clicking`: would a page offer the order?
    """
    chosen: list[tuple[str, Any]] = []
    while True:
        found = run_at(verb.rule, table(state, me, chosen))
        if not isinstance(found, Fork):
            return found
        field, among = found.field, found.among
        other_forms = found.admits is not among
        if field not in order:
            if found.default is ...:
                return False
            chosen.append((field, LEFT_OUT))
            continue
        value = order[field]
        if not other_forms and among.listed and not any(same(value, other) for other in among.values()):
            return False
        chosen.append((field, value))


def same(one: Any, other: Any) -> bool:
    """Are two values equal and of one type: 1 is not true?"""
    return type(one) is type(other) and bool(one == other)


def written_order(name: str, chosen: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The choices written as an order, verb first."""
    fields = {field: value for field, value in chosen if value is not LEFT_OUT}
    return {name: fields.get(name), **{field: value for field, value in fields.items() if field != name}}


class Branch:
    """Where a rule stands after some choices: at an open pick, or at its end. It runs at most once.

    At the table of `Clicking` earlier orders may prepare the order; at that of `Choosing` it is the only one.
    """

    def __init__(
        self,
        rule: Rule[Any],
        view: Any,
        me: Player,
        chosen: Sequence[tuple[str, Any]] = (),
        table: type[Choosing] = Clicking,
    ) -> None:
        self.rule, self.view, self.me, self.chosen, self.table = rule, view, me, chosen, table
        self._after: dict[str, Branch] = {}

    @cached_property
    def _run(self) -> tuple[Fork | bool, bool]:
        table = self.table(self.view, self.me, self.chosen)
        return run_at(self.rule, table), getattr(table, "leans", False)

    @property
    def end(self) -> Fork | bool:
        """The open pick, or whether the choices make a legal order."""
        return self._run[0]

    @property
    def leans(self) -> bool:
        """Is it legal only if orders above it prepare it?"""
        return self._run[1]

    def after(self, fork: Fork, choice: Any) -> Branch:
        """The branch of one choice at the open pick."""
        key = repr(choice)
        if key not in self._after:
            chosen = [*self.chosen, (fork.field, choice)]
            self._after[key] = Branch(self.rule, self.view, self.me, chosen, self.table)
        return self._after[key]


Trees = Mapping[str, Branch]
"""By verb: the branch on which nothing has been chosen yet."""


def trees(phase: Phase[Any], view: Any, me: Player) -> Trees:
    """The verbs of a phase, for `me` with the player's own view."""
    return {name: Branch(verb.rule, view, me) for name, verb in phase.verbs.items()}
