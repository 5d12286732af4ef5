"""What a player has sent ahead, as it was understood, and which of it isn't possible as things stand.

The lists that a player ranked in earlier sheets, such as wishes: the page for orders offers them again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.ahead.due_sheets import DueSheets
from adjudicator.engine.play.account import OrderAccount, Word
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.stops import asked_at, standing_orders
from adjudicator.engine.report.reader_facts import Extras, OrderReceived, OrdersReceived
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.text.source import Source
from adjudicator.engine.text.writing import in_a_line


def players_asked_earlier(due_sheets: DueSheets, number: int) -> list[Player]:
    """The players due in the open phase who were asked for their orders before."""
    due = due_sheets.match.state(number).phase.due
    return [player for player in due if due_sheets.asked_before(number, player)]


def with_orders_received(
    extras: Extras,
    due_sheets: DueSheets,
    number: int,
    view: Any,
    who: Player,
    known: Callable[[], Any] | None = None,
) -> Extras:
    """Adds what the player is told of their own sheets: everything we already have for the open phase and for those to
    come. `view` is the position as the player sees it, `known` the same with what is certain by earlier reports.
    """
    match, due = due_sheets.match, view.phase.due
    found = due_sheets.ahead.all_of(number, who)
    folders = {name: (match.phases[before], sheet) for name, (before, sheet) in found.items()}
    sent = orders_received(match.rulebook, known() if known and folders else view, who, folders)
    vain = any(each.phase == view.phase.name and each.vain for each in sent)
    extras = replace(extras, sent=sent, vain=vain)
    if who not in due:
        return extras
    provided = due_sheets.of(number, who)
    return replace(
        extras,
        status=provided.status,
        ahead=match.phases[provided.ahead[0]] if provided.ahead else "",
        lost=provided.lost,
    )


def replacement_of_orders(due_sheets: DueSheets, number: int, who: Player) -> str:
    """What was carried out for a player who had sent no orders for a phase: the folder with the sheet of those sent
    ahead, else `standing`; empty if nothing was.
    """
    match = due_sheets.match
    state, own = match.state(number), due_sheets.ahead.sheet_of(number, who)
    if who not in state.phase.due or (isinstance(own, Sheet) and own.orders is not None):
        return ""
    provided = due_sheets.of(number, who)
    if provided.ahead is not None:
        return match.phases[provided.ahead[0]]
    stands = standing_orders(state, who, state.phase.name) is not None
    return "standing" if stands and not due_sheets.in_vain(number, who) else ""


def orders_received(
    rulebook: Rulebook[Any], view: Any, who: Player, ahead: Mapping[str, tuple[str, Sheet]]
) -> tuple[OrdersReceived, ...]:
    """Everything we already have for the open phase and those to come, tried on the player's own view; `ahead` is by
    phase, with its folder.

    The next phase comes first. Standing orders for phases that are over in this turn are for the next one.
    """
    to_come = phases_to_come(rulebook, view.phase.name)
    standing = {
        phase.name: orders
        for phase in to_come
        if phase.name not in ahead and (orders := standing_orders(view, who, phase.name)) is not None
    }
    every = {name: sheet.orders or () for name, (_, sheet) in ahead.items()} | standing
    if not every:
        return ()
    now = view.phase.name
    later = {name: orders for name, orders in every.items() if name != now}
    own = every.get(now, ()) if who in view.phase.due else ()
    sheet = Sheet(who, Source(f"sheets/{who}.yaml", None), own, later=later)
    tried = {each.place: each for each in check_sheet(rulebook, view, sheet).accounts}

    def received(order: Order) -> OrderReceived:
        # What is sent for an own turn that comes after others' turns of that name isn't tried now.
        account = tried.get(order.place(), OrderAccount(order.place(), Word.WAITS, order.fields))
        return OrderReceived(order.plain, in_a_line(order.plain), account)

    return tuple(
        OrdersReceived(
            phase.name,
            ahead[phase.name][0] if phase.name in ahead else "",
            [received(order) for order in every[phase.name]],
            phase.passes_empty,
            phase.name in ahead and not ahead[phase.name][1].ready,
        )
        for phase in to_come
        if phase.name in every
    )


def phases_to_come(rulebook: Rulebook[Any], name: str) -> list[Phase[Any]]:
    """The open phase and those that may follow it, the next turn's last; without those that come once and are over."""
    names = [phase.name for phase in rulebook.phases]
    at = names.index(name) if name in names else 0
    return [*rulebook.phases[at:], *(phase for phase in rulebook.phases[:at] if not phase.once)]


MOST_SHEETS = 24
"""How many of a player's earlier sheets are looked at, the newest first."""
Lists = Mapping[str, Mapping[str, Sequence[Any]]]
"""Lists by phase and verb."""


def last_lists(due_sheets: DueSheets, number: int, who: Player) -> Lists:
    """What the player's last order of each verb ranked (`Verb.ranks`), for the phases that the open one asks for.

    Only the player's own sheets are read, whether they were carried out or not: it is what the player wrote.
    """
    match = due_sheets.match
    state = match.state(number)
    asked = asked_at(match.rulebook, state.options, state.phase.name)
    found: dict[str, dict[str, Sequence[Any]]] = {}
    missing = {
        (phase.name, verb): kind.ranks for phase in asked for verb, kind in phase.verbs.items() if kind.ranks
    }
    if not missing:
        return found
    sheets = ((past, due_sheets.ahead.sheet_of(past, who)) for past in range(number - 1, -1, -1))
    for past, sheet in islice(
        ((past, sheet) for past, sheet in sheets if isinstance(sheet, Sheet)), MOST_SHEETS
    ):
        orders = {match.head(past).name: sheet.orders or (), **sheet.later}
        for (phase, verb), field in [*missing.items()]:
            ranked = last_in(orders.get(phase, ()), verb, field)
            if ranked:
                found.setdefault(phase, {})[verb] = ranked
                del missing[phase, verb]
        if not missing:
            break
    return found


def last_in(orders: Sequence[Order], verb: str, field: str) -> Sequence[Any]:
    """What the last order of a verb has in a field, if that is a list; empty if there is none."""
    fields = (order.plain.get(field) for order in orders if order.verb == verb and not order.flaws)
    lists = [value for value in fields if isinstance(value, list)]
    return lists[-1] if lists else ()
