"""What is possible for one thing in a sheet, beside all its other orders, wherever in the sheet it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.play.checking import Check
from adjudicator.engine.play.choices import MOST_BRANCHES, NodeMaker
from adjudicator.engine.play.left import Left, Naming, Thing, things
from adjudicator.engine.play.listing import Branch, refusal
from adjudicator.engine.play.nodes import Nodes
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.position import WaitingOrder
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Rulebook, Unfit
from adjudicator.engine.table.table import Verb, Verbs
from adjudicator.engine.text.source import Source


class Beside(Struct, frozen=True):
    """What can be chosen for one thing: `verbs`, `nodes` and `borders` are those of `Choices`."""

    verbs: Mapping[str, int] = {}
    nodes: Sequence[Schema] = ()
    borders: Sequence[Mapping[str, Sequence[str]]] = ()


def choices_beside(rulebook: Rulebook[Any], view: Any, sheet: Sheet, thing: Left) -> Beside:
    """What can be chosen for a thing, with its player's view, beside the orders of the sheet for the same phase: at one
    place of the sheet or at another.
    """
    table, verbs = Nodes(), dict[str, int]()
    for name, fields in thing.verbs.items():
        verb = rulebook.phase(thing.phase).verbs[name]
        for about in [{each: thing.subject} for each in fields] or [{}]:
            gap = Gap(name, {name: None} | about, sheet.source, ())
            node = _node_somewhere(
                table,
                verb,
                [*positions_for(rulebook, view, sheet, thing.phase, gap).values()],
                sheet.player,
                about,
            )
            if node is not None:
                verbs[name] = table.either(verbs[name], node) if name in verbs else node
    return Beside(verbs, table.nodes, [dict(borders) for borders in table.borders])


def _node_somewhere(
    table: Nodes, verb: Verb[Any], positions: Sequence[Any], me: Player, about: Mapping[str, Any]
) -> int | None:
    """The node at which orders begin that are about a thing, in one position or another; None if there are none.

    Where there is much to choose, only the last and the first place are looked at.
    """
    found, looked_at = None, 0
    for index, state in enumerate([*positions[:1], *positions[:0:-1]]):
        if (index > 1 and looked_at >= MOST_BRANCHES) or not Naming(state, me, about, ()).run(verb.rule):
            continue
        maker = NodeMaker(table, about, drawing=found is None)
        node = maker.of(Branch(verb.rule, state, me))
        looked_at += maker.looked_at
        if node is not None:
            found = node if found is None else table.either(found, node)
    return found


def verbs_changed_before(rulebook: Rulebook[Any], view: Any, me: Player) -> list[str]:
    """The verbs of the open phase of which something else is possible when the turn of a sheet's first order comes than
    in the player's view: the rules do something before.
    """
    found, empty = list[str](), Sheet(me, Source("", None), ())
    for name, verb in rulebook.phase(view.phase.name).verbs.items():
        thing = next(iter(things(verb, view, me, set())), Thing())
        about = {thing.field: thing.name} if thing.field else {}
        gap = Gap(name, {name: None} | about, empty.source, ())
        for state in positions_for(rulebook, view, empty, view.phase.name, gap).values():
            table = Nodes()
            nodes = (NodeMaker(table, about).of(Branch(verb.rule, each, me)) for each in (view, state))
            if state is not view and len({*nodes}) > 1:
                found.append(name)
    return found


def place_for(rulebook: Rulebook[Any], view: Any, sheet: Sheet, phase: str, index: int) -> int | None:
    """The last place among the other orders at which an order of the sheet for a phase isn't refused as things stand
    then; None if there is none.
    """
    orders = list((sheet.orders if phase == view.phase.name else sheet.later[phase]) or ())
    order = orders.pop(index)
    verb = rulebook.phase(phase).verbs.get(order.verb)
    if verb is None or order.flaws:
        return None
    rest = with_orders(sheet, view, phase, orders)
    gap = Gap(order.verb, order.fields, order.source, order.path)
    for place, state in positions_for(rulebook, view, rest, phase, gap).items():
        if refusal(verb, state, sheet.player, order.fields) is None:
            return place
    return None


def with_orders(sheet: Sheet, view: Any, phase: str, orders: Sequence[Order]) -> Sheet:
    """The sheet with other orders for a phase."""
    if phase == view.phase.name:
        return replace(sheet, orders=tuple(orders))
    return replace(sheet, later={**sheet.later, phase: tuple(orders)})


def positions_for(
    rulebook: Rulebook[Any], view: Any, sheet: Sheet, phase: str, gap: Gap
) -> Mapping[int, Any]:
    """By place in the sheet's orders for a phase: the position when the turn of another order would come that stood
    there, the last place first. Of places with the same position only the last one counts.
    """
    now = phase == view.phase.name
    orders = (sheet.orders if now else sheet.later.get(phase)) or ()
    between = [each for index, order in enumerate(orders) for each in (replace(gap, place_in=index), order)]
    gaps = with_orders(sheet, view, phase, [*between, replace(gap, place_in=len(orders))])
    table = WithGaps(rulebook, view, gaps)
    table.take_in()
    for each in asked_at(rulebook, view.options, view.phase.name)[1:] if not now else ():
        if not table.go_on_to(each.name):
            return {len(orders): view}
        table.try_ahead(table.sheet.later.get(each.name, ()))
        if each.name == phase:
            break
    met = {id(state): place for place, state in table.met.items()}
    return {place: table.met[place] for place in sorted(met.values(), reverse=True)}


class Gap(Order, frozen=True):
    """A place in a sheet where an order could stand."""

    place_in: int = 0


class WithGaps(Check):
    """The table of a check that notes the positions when the turn of each gap in the sheet comes."""

    def __init__(self, rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> None:
        super().__init__(rulebook, view, sheet)
        self.met: dict[int, Any] = {}

    def carry_out(
        self, player: Player, order: Order, verbs: Verbs | None = None, *, unfit: Unfit | None = None
    ) -> bool:
        """Carries an order out; at a gap it only notes the position."""
        if not isinstance(order, Gap):
            return super().carry_out(player, order, verbs, unfit=unfit)
        if unfit is None or not unfit(order):
            self.met.setdefault(order.place_in, self.state)
        return False

    def keep_waiting(self, order: Order) -> WaitingOrder:
        """Tries an order now that would wait until another phase is over; at a gap it only notes the position."""
        if not isinstance(order, Gap):
            return super().keep_waiting(order)
        self.met.setdefault(order.place_in, self.state)
        return WaitingOrder({}, "")

    def pass_over(self, player: Player, order: Order, why: Reason) -> None:
        """Skips an order; at a gap it only notes the position."""
        if isinstance(order, Gap):
            self.met.setdefault(order.place_in, self.state)
        else:
            super().pass_over(player, order, why)
