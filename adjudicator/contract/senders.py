"""Players who do everything that players can: send ahead, set conditions, make mistakes, stay away, answer.

Each sheet is a text, read as if it had come by mail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.contract import conditions, order_search
from adjudicator.contract.legality import candidates
from adjudicator.engine.bots import AtRandom, plan_sheet, random_bot
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.answers import Answer
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.text.writing import write


def sheets_in(rulebook: Rulebook[Any], state: Any, chance: Chance) -> Iterator[tuple[Player, Sheet]]:
    """The sheets that come for a phase, each read from its text."""
    for player in state.players if rulebook.phase(state.phase.name).verbs else ():
        due = player in state.phase.due
        if not chance(10 if due else 2) or (not due and chance(4)):
            continue
        plain = plain_sheet(rulebook, state, player, chance)
        if not due:
            plain.pop("orders", None)
        text = write({"player": player, **plain})
        asked = Expected(rulebook, state.match, state.phase, tuple(state.players), player)
        found = read_sheet(text.encode(), asked)
        if isinstance(found, Sheet):
            yield player, found


def plain_sheet(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> dict[str, Any]:
    """A sheet by a random player or by the rulebook's own bot, then changed in a few places."""
    view = position_for(rulebook, state, me)
    bot = rulebook.bot if rulebook.bot is not None and not chance(3) else random_bot(rulebook)
    plain = dict(plan_sheet(rulebook, bot, view, me, chance, turn=not chance(3)))
    if not chance(3):
        return plain
    plain["orders"] = changed_orders(
        rulebook, rulebook.phase(state.phase.name), view, me, plain.get("orders") or [], chance
    )
    later = plain.get("later", {})
    for name in later:
        phase = rulebook.phase(name)
        later[name] = {"orders": changed_orders(rulebook, phase, view, me, later[name]["orders"], chance)}
    return plain


def changed_orders(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player, orders: Sequence[Any], chance: Chance
) -> list[Any]:
    """The orders, some of them doubled, changed, with an `if`, or with an `else`."""
    found: list[Any] = []
    for order in orders:
        match chance(10):
            case 0:
                found += [order, order]
            case 1:
                verb = next(iter(order))
                tries = (
                    order_search.find_order(verb, phase.verbs[verb].rule, view, me, chance) for _ in range(3)
                )
                found += [order, *(each for each in tries if each is not None)]
            case 2:
                found.append({**order, "else": [other_order(phase, view, me, chance)]})
            case 3:
                found.append({**other_order(phase, view, me, chance), "else": [order]})
            case 4:
                found += [other_order(phase, view, me, chance), order]
            case 5 | 6 if rulebook.condition is not None:
                condition = conditions.random_condition(rulebook.condition, view, chance)
                otherwise = {"else": [other_order(phase, view, me, chance)]} if chance(2) else {}
                found.append({**order, "if": condition, **otherwise})
            case _:
                found.append(order)
    return found


def other_order(phase: Phase[Any], view: Any, me: Player, chance: Chance) -> dict[str, Any]:
    """An order of the phase, legal or not, which may name what belongs to others."""
    names = list(phase.verbs)
    name = names[chance(len(names))]
    tried = list(candidates(name, phase.verbs[name], view, me, chance))
    order = dict(tried[chance(len(tried))])
    order = {name: order.get(name), **order}
    board = names_on_board(view)
    for field, value in order.items():
        if isinstance(value, str) and not chance(4):
            fitting = [each for each in board if phase.verbs[name].fields[field].takes(each)]
            order[field] = fitting[chance(len(fitting))] if fitting else value
    return order


def random_answer(
    rulebook: Rulebook[Any], state: Any, who: Player, question: Any, chance: Chance
) -> Answer | None:
    """A random answer; None for a player who stays away."""
    if not chance(8):
        return None
    table = AtRandom(position_for(rulebook, state, who), who, chance)
    try:
        question.answer(table, state)
    except (Refused, Unknown):
        return None
    fields = {**question.names(), **table.fields}
    return Answer(question.verb, fields, f"answers/{who}.yaml:1:1")
