"""Promise 14: an order that is left out of a sheet is told as left, and can be chosen again beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.contract.cases import Case, inbox_of_case, play_once
from adjudicator.contract.denied_orders import denied_parts
from adjudicator.engine.bots import Step
from adjudicator.engine.play.beside import choices_beside
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.choices import Choices
from adjudicator.engine.play.left import Left, State, left_in
from adjudicator.engine.play.nodes import OPEN, listed
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.table import Verb
from adjudicator.engine.text.writing import write


def orders_not_left(rulebook: Rulebook[Any], step: Step) -> Iterator[str]:
    """Good orders of a phase's sheets that nobody is told of when they are left out, or who can't be given again."""
    head, seats = step.before.phase, tuple(step.before.players)
    for player in head.due:
        plain: Any = step.sheets[player].source.plain
        text = write({"player": player, **plain}).encode()
        sheet = read_sheet(text, Expected(rulebook, step.before.match, head, seats, player))
        assert isinstance(sheet, Sheet), sheet
        yield from orders_of_sheet_not_left(rulebook, step.before, sheet)


def orders_of_cases_not_left(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str]
) -> Iterator[str]:
    """The same of the sheets of cases, by the newest rules."""
    for name, case in by_name.items():
        if isinstance(case, str) or "flaws" in case.expect or case.rules:
            continue
        state, _, _ = play_once(rulebook, case, replaced)
        for player, sheet in inbox_of_case(rulebook, case, state).sheets.items():
            if player in state.phase.due:
                found = orders_of_sheet_not_left(rulebook, state, sheet)
                yield from (f"case {name}: {fault}" for fault in found)


def orders_of_sheet_not_left(rulebook: Rulebook[Any], state: Any, sheet: Sheet) -> Iterator[str]:
    """The same of a sheet, of which each good order is left out once."""
    view, phase = position_for(rulebook, state, sheet.player), rulebook.phase(state.phase.name)
    good = places_of_good(rulebook, view, sheet)
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


def places_of_good(rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> set[str]:
    """The places of the orders that a check calls good."""
    return {each.place for each in check_sheet(rulebook, view, sheet).understood if each.good and each.tried}


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
    rulebook: Rulebook[Any],
    view: Any,
    rest: Sheet,
    verb: Verb[Any],
    order: Order,
    listed: Sequence[Left],
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
