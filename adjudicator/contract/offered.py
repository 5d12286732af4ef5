"""Promises 8 and 11, what a page offers: nothing legal is denied, nothing is in vain, what is idle and what costs is
told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.contract.senders import find_order
from adjudicator.contract.sending import carry_out_phase
from adjudicator.engine.bots import random_bot, sheet_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.play.choices import Choices, choices_now
from adjudicator.engine.play.nodes import OPEN
from adjudicator.engine.play.trying import OrderTrial
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import example, names_now
from adjudicator.engine.report.orderpage import prompts
from adjudicator.engine.report.page_scripts import prices_now
from adjudicator.engine.table.condition import ME
from adjudicator.engine.table.domain import Chance, Schema
from adjudicator.engine.table.domain.names import NAME
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.table.table import Verb

TRIES, FEW = 3000, 100
"""How many guesses at what is hidden are tried, each with random orders of the others, before an offered value is said
to do nothing; and how many before it is clear that the player has no choice, such as whoever takes the last card."""


def offered_in_vain(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Values of a list of preferences that the page offers, and that never change what comes of the list, whatever is
    hidden and whatever the others do."""
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    choices = choices_now(phase, view, me)
    for name, verb in phase.verbs.items():
        every = ranked_in(choices, name, verb)
        for value in never_different(rulebook, view, me, Ranked(name, verb, every), chance):
            yield f"{state.phase} {me}: {name} offers {value} in {verb.ranks}, and it makes no difference"


class Ranked(Struct, frozen=True):
    """A verb with a list of preferences, and every value offered for it."""

    name: str
    verb: Verb[Any]
    every: Sequence[Any]


def never_different(
    rulebook: Rulebook[Any], view: Any, me: Player, ranked: Ranked, chance: Chance
) -> Sequence[Any]:
    """The values that never made a difference, though some did."""
    left = ranked.every
    for turn in range(TRIES):
        differing = set_apart(rulebook, view, me, ranked, left, chance)
        left = [value for value in left if value not in differing]
        if not left or (turn == FEW and len(left) == len(ranked.every)):
            return ()
    return left


def ranked_in(choices: Choices, name: str, verb: Verb[Any]) -> list[Any]:
    """The values offered for an entry of the verb's list of preferences; none if it isn't offered a list."""
    at = [choices.verbs[name]] if verb.ranks and name in choices.verbs else []
    while at:
        node = choices.nodes[at.pop()]
        if node["field"] == verb.ranks:
            return [*entries(node["schema"].get("items", {}))] if "schema" in node else []
        following = [node["then"], node.get("skip", OPEN)]
        at += [each for each in following if isinstance(each, int) and each > OPEN]
    return []


def entries(schema: Schema) -> Iterator[Any]:
    """Every value that a schema lists: names, and mappings of one name."""
    for each in schema.get("anyOf", [schema]):
        yield from each.get("enum", ())
        for name, of in each.get("properties", {}).items():
            yield from ({name: value} for value in of.get("enum", ()))


def set_apart(
    rulebook: Rulebook[Any], view: Any, me: Player, ranked: Ranked, values: Sequence[Any], chance: Chance
) -> list[Any]:
    """Which values, each before another one, bring about something else than the other alone, in one guess at what is
    hidden, with an order and sheets of the others by chance?"""
    order = find_order(ranked.name, ranked.verb.rule, view, me, chance)
    if order is None or len(ranked.every) < 2:
        return []
    guess, bot = rulebook.guess(view, me, chance), random_bot(rulebook)
    sheets = {each: sheet_of(each, bot(guess, each, chance)) for each in guess.phase.due}

    def outcome(*values: Any) -> Any:
        mine = sheet_of(me, {"orders": [{**order, ranked.verb.ranks: [*values]}]})
        return plain_of(carry_out_phase(rulebook, guess, {**sheets, me: mine}, "in vain", chance).state)

    second = ranked.every[chance(len(ranked.every))]
    alone = outcome(second)
    return [value for value in values if value != second and outcome(value, second) != alone]


IDLE_TRIED = 3
"""How many orders of each verb are sought in a position."""


def misjudged(rulebook: Rulebook[Any], states: Iterable[Any], chance: Chance) -> Iterator[str]:
    """Verbs with several fields of which an order that only names a thing in the verb's own field always came to the
    same as no order, or didn't, and that say otherwise (`Verb.idle`)."""
    does: dict[tuple[str, str], bool] = {}
    for state in states:
        phase = rulebook.phase(state.phase.name)
        for me in state.phase.due:
            view = position_for(rulebook, state, me)
            more = {name: verb for name, verb in phase.verbs.items() if len(verb.fields) > 1}
            for name, verb in more.items():
                for _ in range(IDLE_TRIED):
                    order = find_order(name, verb.rule, view, me, chance)
                    if order is None or type(order[name]) not in NAME:
                        continue
                    found = does_something(rulebook, view, me, {name: order[name]})
                    if found is not None:
                        does[phase.name, name] = does.get((phase.name, name), False) or found
    for (phase_name, name), found in does.items():
        if found == rulebook.phase(phase_name).verbs[name].idle:
            said = "something, and is said to be idle" if found else "nothing, and isn't said to be idle"
            yield f"{phase_name}: {name} by itself does {said}"


def does_something(rulebook: Rulebook[Any], view: Any, me: Player, order: Mapping[str, Any]) -> bool | None:
    """Does the order change what happens, as far as the player can know? None if it is refused or can't be tried."""
    alone, none = (OrderTrial(rulebook, view, sheet_of(me, {"orders": orders})) for orders in ([order], []))
    for trial in (alone, none):
        trial.course()
    tried = [each for each in alone.understood if each.good and each.tried and not each.waits]
    return bool(alone.state != none.state) if tried else None


MOST = 1 << 20
"""More money than anybody has."""


def prices_not_told(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Orders that cost money which neither they nor a price name, and prices that have no words."""
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    told, said = prices_now(phase, view, me), prompts(texts_of(rulebook)).get("prices", {})
    for name, costs in told.items():
        for part in costs:
            if not {f"{phase.name}.{name}.{part}", f"{name}.{part}", f"{phase.name}.{name}", name} & {*said}:
                yield f"{state.phase}: the price {part or 'of'} {name} has no words in prompts.yaml"
    called = names_now(rulebook, view, me)
    for name, verb in phase.verbs.items():
        for _ in range(0 if name in told else TRIED):
            order = find_order(name, verb.rule, view, me, chance)
            cost = cost_of_order(rulebook, view, me, order) if order is not None else 0
            if order is not None and cost > 0 and cost not in sums_named(order, called):
                yield f"{state.phase} {me}: {order} costs {cost}, and no price of {name} is told"


def cost_of_order(rulebook: Rulebook[Any], view: Any, me: Player, order: Mapping[str, Any]) -> int:
    """How much less money a player has with an order than without, as far as the player can know."""
    with_it, without = (left(rulebook, view, me, orders) for orders in ([order], []))
    return without - with_it


def left(rulebook: Rulebook[Any], view: Any, me: Player, orders: Sequence[Mapping[str, Any]]) -> int:
    """The money that a player has after these orders."""
    trial = OrderTrial(rulebook, view, sheet_of(me, {"orders": [*orders]}))
    trial.course()
    return purse(rulebook, trial.state, me)


def purse(rulebook: Rulebook[Any], view: Any, me: Player) -> int:
    """A player's money, as an `if` asks for it; 0 in a game without."""
    condition = rulebook.condition
    if condition is None or "treasury" not in str(condition.shape.schema()):
        return 0
    least, most = 0, MOST
    while least < most:
        middle = (least + most + 1) // 2
        holds = condition.holds(view, me, ME, {"treasury": {"least": middle}})
        least, most = (middle, most) if holds else (least, middle - 1)
    return least


def sums_named(order: Mapping[str, Any], called: Mapping[str, str]) -> set[int]:
    """Every number that an order names, all of them together, how often it lists a card, and the numbers in what pages
    call the things that it names, such as an offer."""
    numbers = [each for each in within(order) if type(each) is int]
    often = {each.count(item) for each in order.values() if isinstance(each, list) for item in each}
    words = " ".join(called.get(each, "") for each in within(order) if isinstance(each, str))
    return {*numbers, sum(numbers), *often, *map(int, re.findall(r"\d+", words))}


def within(value: Any) -> Iterator[Any]:
    """Every single value of an order."""
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else None
    if parts is None:
        yield value
    else:
        for each in parts:
            yield from within(each)


TRIED = 8
"""How many orders of each verb are sought in a position."""


def hidden_choices(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Legal orders that a form or a page shows as impossible."""
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    legal: dict[str, list[dict[str, Any]]] = {}
    for name, verb in phase.verbs.items():
        tries = (find_order(name, verb.rule, view, me, chance) for _ in range(TRIED))
        legal[name] = [order for order in tries if order is not None]
    choices = choices_now(phase, view, me)
    for name, orders in legal.items():
        if orders and example(name, phase.verbs[name], view, me) is None:
            yield f"{state.phase} {me} {orders[0]}: the form has no example of {name}"
        for order in orders:
            for flaw in denied_parts(name, phase.verbs[name], order, choices):
                yield f"{state.phase} {me} {order}: {flaw}"


def denied_parts(name: str, verb: Verb[Any], order: Mapping[str, Any], choices: Choices) -> Iterator[str]:
    """The parts of a legal order that the form's schema or the page denies."""
    if not choices.possible.get(name):
        yield f"the form says of {name} that it isn't possible"
    if name not in choices.verbs:
        yield f"the page says of {name} that it isn't possible"
    else:
        yield from denied_field(verb, order, choices, choices.verbs[name])


def denied_field(verb: Verb[Any], order: Mapping[str, Any], choices: Choices, at: int) -> Iterator[str]:
    """The field whose value in the order the page calls impossible now."""
    while at > OPEN:
        node = choices.nodes[at]
        field = node["field"]
        if field not in order:
            if "skip" not in node:
                yield f"the page says that {field} is needed"
                return
            at = node["skip"]
            continue
        value = order[field]
        if not is_in_other_form(verb, field, value) and not is_possible(choices, node, value):
            yield f"the page says that {field} can't be {value}"
            return
        at = node_after(node, value)


def node_after(node: Schema, value: Any) -> int:
    """The node that comes after a value."""
    then = node["then"]
    if "values" not in node:
        return int(then)
    if value not in node["values"]:
        return OPEN
    return int(then[node["values"].index(value)] if isinstance(then, list) else then)


def is_possible(choices: Choices, node: Schema, value: Any) -> bool:
    """Does the page call the value possible at a node?"""
    if "values" in node:
        return value in node["values"]
    if "spare" not in node and not fits(value, node["schema"]):
        return False
    always = node.get("always", {})
    if isinstance(value, list) and always.get("uniqueItems") and len({*map(repr, value)}) < len(value):
        return False
    if isinstance(value, dict) and sum(each for each in value.values() if isinstance(each, int)) < always.get(
        "total", 0
    ):
        return False
    if "from" not in node:
        return True
    borders, here = choices.borders[node["borders"]], node["from"]
    for there in value:
        if there not in borders[here]:
            return False
        here = there
    return "ways" not in node or len(value) > node["longest"] or value in node["ways"]


def is_in_other_form(verb: Verb[Any], field: str, value: Any) -> bool:
    """Is the value written in another form than the one offered?"""
    return any(
        fits(value, each) for each in verb.fields[field].shape().get("anyOf", ()) if each.get("otherForm")
    )


def fits(value: Any, schema: Schema) -> bool:
    """Does the schema admit the value?"""
    return bool(validator(msgspec.json.encode(schema)).is_valid(value))


@lru_cache(maxsize=2048)
def validator(schema: bytes) -> Any:
    """The validator of a schema."""
    from jsonschema.validators import Draft7Validator

    return Draft7Validator(msgspec.json.decode(schema))
