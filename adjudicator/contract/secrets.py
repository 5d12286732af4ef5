"""Promise 6: what a player gets depends only on what that player may know. Change what is hidden: same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.bots import Step, random_orders, sheet_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import flaws_in
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.reader_texts import texts_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Private, Secret, Sees, Where, secret_fields


def leaks(rulebook: Rulebook[Any], step: Step, who: Player | None, *, pages: bool = True) -> Iterator[str]:
    """What `who` gets after a phase, with or without pages, that changes with what is hidden from `who`."""
    state, events = step.outcome.state, step.outcome.events
    other = varied(rulebook, state, state, who)
    others = [
        varied_event(rulebook, state, event, who) for event in events if not event.to or who in event.to
    ]
    first = all_papers(rulebook, step.before, state, events, who, pages)
    second = all_papers(rulebook, step.before, other, others, who, pages)
    for name, text in first.items():
        if second[name] != text:
            yield f"{state.phase}: {name} of {who or 'the public'} tells what is hidden"


def flawed_views(rulebook: Rulebook[Any], step: Step) -> Iterator[str]:
    """What the checks of positions find wrong with a view of a valid position: hidden parts aren't broken."""
    for who in (None, *step.before.players):
        view = position_for(rulebook, step.outcome.state, who)
        for flaw in flaws_in(rulebook, view):
            yield f"{step.outcome.state.phase}: the view of {who or 'the public'} has {flaw}"


def all_papers(
    rulebook: Rulebook[Any],
    before: Any,
    state: Any,
    events: Sequence[Event[Any]],
    who: Player | None,
    pages: bool,
) -> dict[str, str]:
    """All that a reader gets, and what a check says of a sheet with mistakes."""
    view, seen = position_for(rulebook, state, who), events_for(rulebook, state, events, who)
    told = ReaderFacts(who, position_for(rulebook, before, who), seen, view)
    report = render_report(rulebook, who, view, seen, before=told.before)
    found = texts_for(rulebook, state, told, report, Extras(), pages=pages)
    if who is not None and who in state.phase.due:
        found["check"] = str(check_sheet(rulebook, view, faulty_sheet(rulebook, view, who)).problems)
    return found


def faulty_sheet(rulebook: Rulebook[Any], view: Any, who: Player) -> Sheet:
    """A sheet of random orders, each given twice, some with a field left out."""
    phase = rulebook.phase(view.phase.name)
    orders = random_orders(rulebook, phase, view, who, SeededChance("odd sheet"))
    lacking = [dict(list(order.items())[:-1]) for order in orders if len(order) > 1]
    return sheet_of(who, {"orders": [*orders, *orders, *lacking]})


def varied(rulebook: Rulebook[Any], state: Any, value: Any, who: Player | None) -> Any:
    """A position (or a part of it) with another value in every secret that `who` may not see."""
    return varied_where(value, rulebook.sees(state, who))


def varied_event(rulebook: Rulebook[Any], state: Any, event: Event[Any], who: Player | None) -> Event[Any]:
    """An event with other values in its secrets, and with another line unless it comes from the sheet of `who`."""
    found: Event[Any] = varied_where(event, rulebook.sees(state, who), (event,))
    if who is None or f"/{who}.yaml" not in found.by:
        found = msgspec.structs.replace(found, by="sheets/nobody.yaml:9:9")
    return found


def varied_where(
    value: Any, sees: Sees, where: Where = (), other: Callable[[Any, Where], Any] | None = None
) -> Any:
    """A value with another one in every secret that isn't seen. `other` makes it of the value and its path; by default
    it is `other_value`.
    """
    if isinstance(value, Secret):
        if sees(where):
            inside = varied_where(value.value, sees, where, other)
        else:
            inside = other_value(value.value) if other is None else other(value.value, where)
        return type(value)(inside) if not isinstance(value, Private) or sees(where) else value
    if isinstance(value, Struct):
        fields = secret_fields(type(value))
        changes = {name: varied_where(getattr(value, name), sees, (*where, name), other) for name in fields}
        return msgspec.structs.replace(value, **changes) if fields else value
    if isinstance(value, Mapping):
        return {key: varied_where(item, sees, (*where, key), other) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(varied_where(item, sees, (*where, index), other) for index, item in enumerate(value))
    return value


def other_value(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, int):
        return value + 700
    if isinstance(value, str):
        return f"not-{value}"
    if isinstance(value, tuple | list):
        return type(value)(other_value(item) for item in value)
    if isinstance(value, Struct):
        changes = {name: other_value(getattr(value, name)) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changes)
    return value
