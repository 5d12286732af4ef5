"""Checks what a player sends before it counts: how it was understood, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import problem_at, problems_at
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.trying import Understood
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.answers import read_answers
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet, place_in
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.writing import in_a_line


def look_at_answers(text: bytes, asked: Expected) -> tuple[list[str], list[Problem]]:
    """Checks a file of answers as far as possible: the player's view doesn't say whether a question is open."""

    texts, found = texts_of(asked.rulebook), read_answers(text, asked)
    if isinstance(found, NotSent):
        return [], [problem_at(found.place, found.reason, texts)]
    answers, flaws, source = found
    problems = problems_at(
        ((place_in(source, flaw.path, key=flaw.key), flaw.reason, "error") for flaw in flaws), texts
    )
    lines = [f"{answer.place}: understood: {in_a_line(dict(answer.fields))}" for answer in answers]
    return lines, problems


def look_at_sheet(text: bytes, asked: Expected, state: Any, view: str) -> tuple[list[str], list[Problem]]:
    """Checks a sheet with the code that will adjudicate it, on the position in `view`: the player's own view, or the
    GM's.
    """

    sheet = read_sheet(text, asked)
    if isinstance(sheet, NotSent):
        return [], [problem_at(sheet.place, sheet.reason, texts_of(asked.rulebook))]
    if not state.players[sheet.player].standing.known:
        said = f"this is not {sheet.player}'s view, and a sheet is checked by what its player knows"
        return [], [Problem(view, 0, 0, "FILE", said)]
    # A GM's position holds more than the player may know, but it leads to the same answer.
    found = check_sheet(asked.rulebook, position_for(asked.rulebook, state, sheet.player), sheet)
    due = sheet.player in state.phase.due
    phase = asked.rulebook.phase(state.phase.name)
    return list(as_understood(sheet, found.understood, phase, due)), list(found.problems)


def how_it_fares(order: Understood) -> str:
    """Whether an order is good, as far as its player can know."""
    if not order.tried:
        return "not tried: the one before it was carried out"
    if order.doubtful:
        return "only if its `if` comes true"
    if order.depends:
        return "not possible as things stand, which can change"
    if not order.good:
        return "not good"
    if order.held:
        return f"looked at when {'its phase comes' if order.phase else 'what it waits for is over'}"
    if order.preventable:
        return "good as things stand; who acts before you can prevent it"
    return "good, as far as can be known now" if order.phase or order.unsure else "good"


def as_understood(
    sheet: Sheet, understood: tuple[Understood, ...], phase: Phase[Any], due: bool
) -> Iterator[str]:
    """The orders as understood, a line each, and whether the sheet counts as sent."""

    for order in understood:
        when = f"{order.phase}, " if order.phase else ""
        yield f"{order.place}: {when}{how_it_fares(order)}: {in_a_line(dict(order.order))}"
    unread = any(flaw.path == ("orders",) for flaw in sheet.flaws)
    if sheet.orders is None and not unread and not due:
        what = "standing instructions and orders for later phases" if sheet.later else "standing instructions"
        yield f"{sheet.source.name}: {what} alone; no orders are asked of {sheet.player} now"
    elif sheet.orders is None and not unread:
        none = "passes" if phase.passes_empty else f"leaves all to the rules ({phase.chapter})"
        yield f"{sheet.source.name}: no `orders` yet, so this isn't a sheet; `orders: []` {none}"
        if sheet.phases:
            yield (
                f"{sheet.source.name}: the match waits all the same: standing orders come into force with the phase "
                "they are sent for; what is to be done in it now belongs under `orders`"
            )
    elif not sheet.ready:
        yield f"{sheet.source.name}: a draft; take out `ready: false` when it is done"
    elif not sheet.orders:
        none = "this passes" if phase.passes_empty else f"all is left to the rules ({phase.chapter})"
        yield f"{sheet.source.name}: no orders: {none}"
    if sheet.orders == () and phase.name in (sheet.phases or {}):
        now = "`orders: []` comes before its standing orders for the phase, which are for the next time"
        yield f"{sheet.source.name}: {now}"
