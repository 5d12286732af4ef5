"""Promise 14: a reason names what was in the way, and an order left out is told as left and can be chosen again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.contract.cases import (
    Case,
    CaseDice,
    HighestFirst,
    inbox_of_case,
    play_once,
    playable,
    position,
)
from adjudicator.contract.offered import denied_parts
from adjudicator.contract.sending import PlayedPhase
from adjudicator.engine.bots import Step
from adjudicator.engine.play.beside import choices_beside
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.choices import Choices
from adjudicator.engine.play.inbox import AnswerAwaited, Inbox
from adjudicator.engine.play.left import Left, State, left_in
from adjudicator.engine.play.nodes import OPEN, listed
from adjudicator.engine.play.referee import Referee
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.dice import Dice, SeededDice, seed_from
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.event import OrderRefused
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook, Unfit
from adjudicator.engine.table.secret import decode_secret, plain_of
from adjudicator.engine.table.table import Verb
from adjudicator.engine.text.writing import write

Change = Mapping[str, Any]
"""Values of a position by their paths: `{"players.{me}.treasury": 9900}`. `*` in a path is every name.

In braces stand the reason's facts, the player (`{me}`), another one (`{other}`) and the order's fields
(`{order[from]}`); a value that is nothing but braces is the fact itself. A path that isn't there, or names what isn't
given, is left out.
"""
Hindrances = Mapping[str, Change | None]
"""By the key of a reason: the change after which it doesn't hold; None if it names nothing that a position can change,
but the board, a fixed number, or what the sheet itself says."""


class Failure(Struct, frozen=True):
    """A refusal, the order, the number of the run of a rule in which it failed, and the position in which that began.

    `later`: it was refused when its turn was over.
    """

    event: OrderRefused
    order: Order
    run: int
    state: Any
    later: bool


class Enough(Exception):
    """Ends a phase after the order that matters."""


class Tracing(Referee):
    """The referee, who notes in which run of a rule each order failed; one run can be given another position."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        state: Any,
        inbox: Inbox,
        dice: Dice,
        instead: tuple[int, Any] | None = None,
    ) -> None:
        super().__init__(rulebook, state, inbox, dice)
        self.instead, self.on_to_the_end = instead, False
        self.runs, self.since = 0, 0
        self.inside: list[tuple[Order, int, Any]] = []  # the runs that haven't ended
        self.last: dict[str, tuple[Order, int, Any]] = {}  # the last run of each order, by its place
        self.unbegun: Refused | None = None
        self.failed: dict[int, Failure] = {}  # by the event; run 0: no rule has refused the order

    def _run_rule(
        self, rule: Callable[[Any], bool | None], order: Order, *, part: bool = False
    ) -> bool | None:
        self.runs += 1
        run = self.runs
        if self.instead is not None and self.instead[0] == run:
            self.state, self.since = self.instead[1], len(self.events)
        self.inside.append((order, run, self.state))
        if not part:
            self.last[order.place()] = self.inside[-1]
        done = super()._run_rule(rule, order, part=part)
        self.inside.pop()
        if self.instead is not None and self.instead[0] == run and not self.on_to_the_end:
            raise Enough
        return done

    def _why_not_begin(
        self, order: Order, verbs: Mapping[str, Verb[Any]], unfit: Unfit | None
    ) -> Refused | None:
        self.unbegun = super()._why_not_begin(order, verbs, unfit)
        return self.unbegun

    def _refuse(self, order: Order, refused: Refused, *, part: bool = False) -> None:
        super()._refuse(order, refused, part=part)
        event = self.events[-1]
        assert isinstance(event, OrderRefused)
        run = (order, 0, self.state) if refused is self.unbegun else self.inside[-1]
        self.failed[id(event)] = Failure(event, *run, later=False)

    def failures(self) -> Iterator[Failure]:
        """The refusals by rules that still stand when the phase is over."""
        for event in self.events:
            failure = self.failed.get(id(event))
            if failure is None and isinstance(event, OrderRefused) and event.by in self.last:
                failure = Failure(event, *self.last[event.by], later=True)
            if failure is not None and failure.run:
                yield failure

    def play_phase(self) -> None:
        """Carries out the phase, as far as it goes without more answers or to the order that matters."""
        with suppress(AnswerAwaited, Enough):
            self.adjudicate()


def false_reasons_of_cases(
    rulebook: Rulebook[Any],
    by_name: Mapping[str, Case | str],
    replaced: Sequence[str],
    hindrances: Hindrances,
) -> Iterator[str]:
    """The reasons in cases that are given again without what they name; and those whose change no case makes."""
    left = {key for key, change in hindrances.items() if change is not None}
    for name, case in playable(by_name):
        state = position(rulebook, case, replaced)
        trace = partial(trace_of_case, rulebook, case, state, inbox_of_case(rulebook, case, state))
        for failure in failures_of(trace):
            again = without_hindrance(rulebook, failure, hindrances)
            left -= {failure.event.reason.key} if again is not None else set()
            yield from (f"{name}: {fault}" for fault in faults_of_failure(failure, trace, again, hindrances))
    yield from (f"in no case does a position change as {key} wants it" for key in sorted(left))


def false_reasons_of_match(
    rulebook: Rulebook[Any], steps: Iterable[PlayedPhase], hindrances: Hindrances
) -> Iterator[str]:
    """The reasons in a match, thrown anew, that are given again without what they name."""
    for step in steps:
        trace = partial(trace_of_step, rulebook, step)
        for failure in failures_of(trace):
            again = without_hindrance(rulebook, failure, hindrances)
            for fault in faults_of_failure(failure, trace, again, hindrances):
                yield f"{step.before.phase}: {fault}"


def trace_of_case(
    rulebook: Rulebook[Any], case: Case, state: Any, inbox: Inbox, instead: tuple[int, Any] | None = None
) -> Tracing:
    """The table of a case, with its own throws first."""
    return Tracing(rulebook, state, inbox, CaseDice(case.dice, HighestFirst()), instead)


def trace_of_step(
    rulebook: Rulebook[Any], step: PlayedPhase, instead: tuple[int, Any] | None = None
) -> Tracing:
    """The table of a phase of a match."""
    dice = SeededDice(seed_from("reasons"), "reasons", step.before.phase.number)
    return Tracing(rulebook, step.before, Inbox(step.sheets), dice, instead)


Trace = Callable[..., Tracing]


def failures_of(trace: Trace) -> list[Failure]:
    """The refusals of a phase by the game's own rules."""
    first = trace()
    first.play_phase()
    return [each for each in first.failures() if each.event.rule != "SHEET"]


def faults_of_failure(failure: Failure, trace: Trace, without: Any, hindrances: Hindrances) -> Iterator[str]:
    """What is wrong with a reason: it blames what suffices, nobody says what it names, or it is given again in the
    position without that.
    """
    event, order = failure.event, failure.order.plain
    if is_enough(event.reason.facts):
        yield f"{order} is refused by {event.reason}, though there is enough"
    if event.reason.key not in hindrances:
        yield f"what does {event.reason.key} of {order} name? {event.reason.facts}"
    if without is None:
        return
    again = trace((failure.run, without))
    again.on_to_the_end = failure.later
    again.play_phase()
    for other in again.events[again.since :]:
        if isinstance(other, OrderRefused) and (other.where, other.reason) == (event.where, event.reason):
            yield f"{order} is refused by {event.reason} also after {hindrances[event.reason.key]}"


def is_enough(facts: Mapping[str, Any]) -> bool:
    """Is the number that a reason names within the limit that it names?"""
    value, least, most = (facts.get(name) for name in ("value", "least", "most"))
    if not isinstance(value, int):
        return False
    low, high = isinstance(least, int) and value < least, isinstance(most, int) and value > most
    return (isinstance(least, int) or isinstance(most, int)) and not (low or high)


# -- another position --------------------------------------------------------------------------------------------------


def without_hindrance(rulebook: Rulebook[Any], failure: Failure, hindrances: Hindrances) -> Any:
    """The position in which an order failed, without what the reason names; None if that changes nothing."""
    event, plain, done = failure.event, plain_of(failure.state), False
    others = [player for player in failure.state.players if player != event.player]
    names = {"me": event.player, "other": others[0], "order": failure.order.fields, **event.reason.facts}
    for path, value in (hindrances.get(event.reason.key) or {}).items():
        with suppress(LookupError, TypeError):  # the path or the value names what isn't given
            done = (
                put(plain, [step.format_map(names) for step in path.split(".")], filled_in(value, names))
                or done
            )
    if not done:
        return None
    state = msgspec.convert(plain, rulebook.State, dec_hook=decode_secret)
    return None if state == failure.state else state


def filled_in(value: Any, names: Mapping[str, Any]) -> Any:
    """The value with what its braces name."""
    if isinstance(value, str):
        return names[value[1:-1]] if value[:1] == "{" and value[1:-1] in names else value.format_map(names)
    if isinstance(value, list):
        return [filled_in(each, names) for each in value]
    if isinstance(value, dict):
        return {filled_in(key, names): filled_in(each, names) for key, each in value.items()}
    return value


def put(plain: Any, path: Sequence[str], value: Any) -> bool:
    """Puts a value in each place of a path in plain data; False if there is none."""
    step, *rest = path
    if isinstance(plain, list):
        at: list[Any] = list(range(len(plain))) if step == "*" else [int(step)] if step.isdigit() else []
        at = [each for each in at if each < len(plain)]
    elif isinstance(plain, dict):
        at = list(plain) if step == "*" else [step] if not rest or step in plain else []
    else:
        return False
    if not rest:
        for each in at:
            plain[each] = value
        return bool(at)
    return any([put(plain[each], rest, value) for each in at])


def orders_not_left(rulebook: Rulebook[Any], step: Step) -> Iterator[str]:
    """Good orders of a phase's sheets that nobody is told of when they are left out, or who can't be given again."""
    for player in step.before.phase.due:
        plain: Any = step.sheets[player].source.plain
        text = write({"player": player, **plain}).encode()
        sheet = read_sheet(text, expected_in(rulebook, step.before, player))
        assert isinstance(sheet, Sheet), sheet
        yield from orders_of_sheet_not_left(rulebook, step.before, sheet)


def orders_of_cases_not_left(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str]
) -> Iterator[str]:
    """The same of the sheets of cases, by the newest rules."""
    for name, case in playable(by_name):
        if case.rules:
            continue
        state, _, _ = play_once(rulebook, case, replaced)
        for player, sheet in inbox_of_case(rulebook, case, state).sheets.items():
            if player in state.phase.due:
                found = orders_of_sheet_not_left(rulebook, state, sheet)
                yield from (f"case {name}: {fault}" for fault in found)


def orders_of_sheet_not_left(rulebook: Rulebook[Any], state: Any, sheet: Sheet) -> Iterator[str]:
    """The same of a sheet, of which each good order is left out once."""
    view, phase = position_for(rulebook, state, sheet.player), rulebook.phase(state.phase.name)
    checked = check_sheet(rulebook, view, sheet).understood
    good = {each.place for each in checked if each.good and each.tried}
    for index, order in enumerate(sheet.orders or ()):
        if order.place() not in good or order.verb not in phase.verbs:
            continue
        others = (*(sheet.orders or ())[:index], *(sheet.orders or ())[index + 1 :])
        rest = replace(sheet, orders=others)
        listed = [each for each in left_in(rulebook, view, sheet.player, rest) if is_of(order, each, phase)]
        verb = phase.verbs[order.verb]
        if any(each.by for each in listed):
            continue  # another order of the sheet decides the same
        fault = why_not_left(verb, listed) or why_not_chosen(rulebook, view, rest, verb, order, listed)
        if fault:
            told = "\n".join(f"    {each.fields}" for each in others)
            yield f"{view.phase} {sheet.player} {order.fields}: {fault}, beside\n{told}"


def is_of(order: Order, thing: Left, phase: Phase[Any]) -> bool:
    """Is the order one of those that are about the thing?"""
    if thing.phase != phase.name or order.verb not in thing.verbs:
        return False
    values = [order.fields.get(field) for field in phase.verbs[order.verb].subject or ()]
    if thing.subject is None or all(isinstance(value, dict | list | None) for value in values):
        return True
    return any(order.fields.get(field) == thing.subject for field in thing.verbs[order.verb])


def why_not_left(verb: Verb[Any], listed: Sequence[Left]) -> str:
    """What is wrong with how the things are listed that the order is about; empty if nothing is."""
    states = {each.state for each in listed}
    if any(use.decide for use in verb.uses or ()):
        return "" if State.OPEN in states else f"isn't called open, but {sorted(states) or 'nothing'}"
    return (
        "" if states & {State.OPEN, State.FREE} else f"isn't called free, but {sorted(states) or 'nothing'}"
    )


def why_not_chosen(
    rulebook: Rulebook[Any], view: Any, rest: Sheet, verb: Verb[Any], order: Order, listed: Sequence[Left]
) -> str:
    """Which part of the order can't be chosen beside the others, or what is chosen that isn't about the same thing;
    empty if all is well.
    """
    denied = ""
    for each in listed:
        if each.state not in (State.OPEN, State.FREE):
            continue
        found = choices_beside(rulebook, view, rest, each)
        for name, node in found.verbs.items():
            if each.verbs[name] and ends_without(found.nodes, node, each.verbs[name], each.subject):
                return f"{name} is offered for {each.subject} without naming it"
        choices = Choices({order.verb: {"": ()}}, found.verbs, found.nodes, found.borders)
        denied = next(denied_parts(order.verb, verb, order.fields, choices), "")
        if not denied:
            break
    return denied


def ends_without(nodes: Sequence[Schema], number: int, fields: Sequence[str], subject: Any) -> bool:
    """Can a whole order be chosen from a node on without its subject in one of these fields?"""
    if number <= OPEN:
        return number != OPEN
    node = nodes[number]
    values = node.get("values", [None])
    then = zip(values, listed(node["then"], values), strict=True)
    others = [after for value, after in then if node["field"] not in fields or value != subject]
    return any(ends_without(nodes, each, fields, subject) for each in {*others, node.get("skip", OPEN)})
