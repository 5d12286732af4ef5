"""What the page's engine says of sheets, beside what `check` says: many sheets in one page, without a form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from playwright.sync_api import Page

from adjudicator.contract.senders import find_order
from adjudicator.engine.bots import Step
from adjudicator.engine.play.attempts import random_value
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.choices import Choices, choices_now
from adjudicator.engine.play.nodes import OPEN
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import form_schema
from adjudicator.engine.report.map import Picture
from adjudicator.engine.report.orderpage import (
    PageFacts,
    json_with_shared_parts,
    orders_data,
    without_editor_parts,
)
from adjudicator.engine.report.reader_facts import NOTHING_BESIDES
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.resources import folder

SCRIPTS = (
    *("orders-schema.js", "orders-yaml.js", "orders-tree.js", "orders-lists.js"),
    *("engine.js", "tap-tree.js"),
)
"""What the engine needs of the page's scripts, and what follows from the choices."""
LOOK = """([scripts, text, schema, sheets]) => {
    const looking = new Function("text", "schema", scripts + `
        const NOW = {kind: data.kind, verbs: data.verbs, certain: true};
        return (orders, later) => engine.look({orders: {orders}, later});`);
    const look = looking(text, schema);
    return sheets.map(({orders, later = {}}) => look(orders, later));
}"""
DATA = "const data = dataFrom(text, schema);\n"
OFFERS = Path(__file__).with_name("offers.js")
OF_AN_ORDER = ("orders", 0)
"""The path of an order that lies in no other one."""
FEW = 3
"""How many sheets of each kind by chance are looked at in a position."""
AGAIN = 4
"""How often the same order stands in a sheet that uses something up."""


class Desk(Struct):
    """A player due in a position, with that player's view and what the page would list."""

    rulebook: Rulebook[Any]
    view: Any
    me: str
    choices: Choices

    @property
    def phase(self) -> Any:
        return self.rulebook.phase(self.view.phase.name)


class Looked(Struct):
    """A sheet's orders, what the page says of each, and what `check` says of it."""

    desk: Desk
    kind: str
    orders: Sequence[Any]
    states: Sequence[str]
    problems: Sequence[Any]
    checked: Sequence[str]

    def __str__(self) -> str:
        told = zip(self.orders, self.states, self.checked, strict=True)
        return f"{self.desk.rulebook.key} {self.desk.view.phase} {self.desk.me} ({self.kind})\n" + "\n".join(
            f"  {order} page: {state}, check: {checked}" for order, state, checked in told
        )


def desk_of(rulebook: Rulebook[Any], state: Any, me: str) -> Desk:
    """What a player would get."""
    view = position_for(rulebook, state, me)
    phase, *later = asked_at(rulebook, view.options, view.phase.name)
    return Desk(rulebook, view, me, choices_now(phase, view, me, later))


def looked(page: Page, desk: Desk, sheets: Mapping[str, Sequence[Sequence[Any]]]) -> Iterator[Looked]:
    """What is said of these orders for the open phase, by kind of sheet."""
    every = [(kind, list(orders)) for kind, some in sheets.items() for orders in some if orders]
    said = answers(page, desk, [{"orders": orders} for _, orders in every])
    for (kind, orders), answer in zip(every, said, strict=True):
        told = [each for each in answer["orders"] if len(each["at"]) == len(OF_AN_ORDER)]
        states, problems = [each["state"] for each in told], [each["problems"] for each in told]
        yield Looked(desk, kind, orders, states, problems, checked(desk, orders))


def answers(
    page: Page, desk: Desk, sheets: Sequence[Mapping[str, Any]], **instead: Any
) -> list[dict[str, Any]]:
    """All that the engine says of sheets, each with `orders` and perhaps `later`. `instead`: other data of the page."""
    said: list[dict[str, Any]] = page.evaluate(LOOK, [*in_page(desk, **instead), list(sheets)])
    return said


def offers(page: Page, desk: Desk) -> list[dict[str, Any]]:
    """Every single offer of the page in an open phase (`offers.js`)."""
    found: list[dict[str, Any]] = page.evaluate(OFFERS.read_text(encoding="utf-8"), in_page(desk))
    return found


def in_page(desk: Desk, **instead: Any) -> list[str]:
    """The scripts, the data and the schema of a page."""
    schema = form_schema(desk.rulebook, desk.view, desk.choices.possible)
    facts = PageFacts(desk.rulebook, desk.view, desk.me, schema, Picture("", ""), NOTHING_BESIDES)
    data, plain = orders_data(facts, desk.choices) | instead, without_editor_parts(schema)
    return [scripts(), json_with_shared_parts(data), json_with_shared_parts(plain)]


def scripts() -> str:
    """The scripts, with the data before what is worked out from it at once."""
    texts = [(folder("templates") / "pages" / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return "\n".join([texts[0], DATA, *texts[1:]])


def checked(desk: Desk, orders: Sequence[Any]) -> list[str]:
    """What `check` says of each order: wrong (`error`), perhaps not possible (`may`), or good."""
    head = f"player: {desk.me}\norders:\n"
    text = head + "".join(f"- {json.dumps(order)}\n" for order in orders)
    view = desk.view
    asked = expected_in(desk.rulebook, view, desk.me)
    sheet = read_sheet(text.encode(), asked)
    assert isinstance(sheet, Sheet), sheet
    worst = ["good"] * len(orders)
    for said in check_sheet(desk.rulebook, view, sheet).said:
        line = int(said.place.rsplit(":", 2)[1]) - 3
        if said.severity in ("error", "may") and 0 <= line < len(orders) and worst[line] != "error":
            worst[line] = said.severity
    return worst


# -- sheets ------------------------------------------------------------------------------------------------------------


def desks(rulebook: Rulebook[Any], steps: Sequence[Step]) -> Iterator[tuple[Desk, Sequence[Any]]]:
    """The players due in each phase, with the orders that they sent."""
    for step in steps:
        for me in step.before.phase.due:
            orders = [order.plain for order in step.sheets[me].orders or ()]
            yield desk_of(rulebook, step.before, me), orders


def sheets_of(desk: Desk, sent: Sequence[Any], chance: Chance) -> dict[str, list[Sequence[Any]]]:
    """The sheet that was sent, the same with its last order twice, an order of each verb again and again, and sheets by
    chance.
    """
    repeated = (found(desk, verb, chance) for verb in desk.phase.verbs)
    return {
        "sent": [sent],
        "doubled": [[*sent, sent[-1]]] if sent else [],
        "again": [[order] * AGAIN for order in repeated if order is not None],
        "beginner": [beginner(desk, chance) for _ in range(FEW)],
        "random": [at_random(desk, chance) for _ in range(FEW)],
    }


def beginner(desk: Desk, chance: Chance) -> list[Any]:
    """The orders of somebody who takes what the page offers, at random, as if each were the only one."""
    verbs = desk.choices.verbs
    orders = (
        [clicked(desk.choices, verb, chance) for verb in verbs for _ in range(chance(4))] if verbs else []
    )
    return in_any_order([order for order in orders if order is not None], chance)


def clicked(choices: Choices, verb: str, chance: Chance) -> dict[str, Any] | None:
    """An order of what is offered, field after field."""
    order: dict[str, Any] = {}
    at = choices.verbs[verb]
    while at > OPEN:
        node = choices.nodes[at]
        if "skip" in node and chance(2):
            at = node["skip"]
            continue
        value = picked(choices, node, chance)
        if value is None:
            return None
        order[node["field"]] = value
        then = node["then"]
        at = then[node["values"].index(value)] if isinstance(then, list) else then
    return {verb: order.get(verb), **order} if verb in order else None


def picked(choices: Choices, node: Mapping[str, Any], chance: Chance) -> Any:
    """A value that a node offers."""
    if "values" in node:
        return node["values"][chance(len(node["values"]))] if node["values"] else None
    if "from" in node:
        ways = node.get("ways")
        if ways:
            return ways[chance(len(ways))]
        here, way, borders = node["from"], list[str](), choices.borders[node["borders"]]
        for _ in range(1 + chance(node["schema"]["maxItems"])):
            here = borders[here][chance(len(borders[here]))]
            way.append(here)
        return way
    return random_value(node["schema"], chance)


def at_random(desk: Desk, chance: Chance) -> list[Any]:
    """Orders that a search by chance finds legal, each by itself."""
    tried = [found(desk, name, chance) for name in desk.phase.verbs for _ in range(3)]
    return in_any_order([order for order in tried if order is not None and not chance(2)], chance)


def found(desk: Desk, verb: str, chance: Chance) -> dict[str, Any] | None:
    """An order that a search by chance finds legal."""
    return find_order(verb, desk.phase.verbs[verb].rule, desk.view, desk.me, chance)


def in_any_order(orders: list[Any], chance: Chance) -> list[Any]:
    """The same orders, shuffled: what an order leaves to one of another verb shows if it stands above that one."""
    return [orders.pop(chance(len(orders))) for _ in range(len(orders))]


def counted(every: Sequence[Looked]) -> dict[str, dict[str, int]]:
    """By kind of sheet: how many sheets, and how many orders of which the page and `check` say what."""
    counts: dict[str, dict[str, int]] = {}
    for each in every:
        of = counts.setdefault(each.kind, {})
        of["sheets"] = of.get("sheets", 0) + 1
        clean = all(state == "fine" for state in each.states)
        if "error" in each.checked:
            of["sheets with an error"] = of.get("sheets with an error", 0) + 1
            of["called clean all the same"] = of.get("called clean all the same", 0) + clean
        for state, said in zip(each.states, each.checked, strict=True):
            of[f"{state}/{said}"] = of.get(f"{state}/{said}", 0) + 1
    return counts
