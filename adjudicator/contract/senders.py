"""Players who do everything that players can: search by chance for orders, send ahead, set conditions, err, answer.

Each sheet is a text, read as if it had come by mail.

What a form offers comes from the domains' listings and samples. A search that used those too would miss what they miss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.contract.legality import candidates, sample_value
from adjudicator.contract.secrets import varied
from adjudicator.engine.bots import AtRandom, plan_sheet, random_bot
from adjudicator.engine.play.listing import Probe, QuestionAsked
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.conditions import words_of
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Answer, Sheet
from adjudicator.engine.table.condition import ANY, NOT, Condition, why_not
from adjudicator.engine.table.domain import (
    ByName,
    Chance,
    Counts,
    Domain,
    Either,
    Forms,
    Many,
    MapOf,
    Offering,
    Record,
    Walk,
    Whole,
)
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Rule
from adjudicator.engine.text.writing import write

LONGEST = 4
"""How many entries of a list are tried at most, beyond those it needs."""
HIGHEST = 5
"""How far above the least value a number without a maximum is sought."""


class Searching(Probe):
    """A table at which each pick is a random value of the domain's kind, if the domain admits it."""

    def __init__(self, state: Any, me: Player, chance: Chance) -> None:
        super().__init__(state, me, {})
        self.chance = chance
        self.chosen: dict[str, Any] = {}

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """A random value that the domain admits, or the default."""
        if default is not ... and self.chance(2):
            return None if default is None else among.read(default)
        value = self.some_value(among)
        if value is None:
            raise NoneFound
        self.chosen[field] = value
        return among.read(value)

    def some_value(self, among: Domain[Any]) -> Any:
        """A random value of the domain's kind; None where there is none."""
        return some_value(among, self.chance)


class NoneFound(Exception):
    """No value was found."""


def find_order(name: str, rule: Rule[Any], state: Any, me: Player, chance: Chance) -> dict[str, Any] | None:
    """A legal order, verb first; None if this try found none."""
    table = Searching(state, me, chance)
    try:
        rule(table)
    except (Refused, NoneFound):
        return None
    except (Unknown, QuestionAsked):
        pass
    return {name: table.chosen.get(name), **table.chosen}


def some_value(domain: Domain[Any], chance: Chance) -> Any:
    """A random value of the domain's kind, admitted or not; None where there is none."""
    match domain:
        case Forms():
            return some_value(domain.plain, chance)
        case Offering():
            return some_value(domain.type if chance(2) else domain.now(), chance)
        case Either():
            return some_value(domain.options[chance(len(domain.options))], chance)
        case Whole():
            return some_number(domain, chance)
        case Many():
            return some_list(domain, chance)
        case Walk():
            return some_way(domain, chance)
        case Counts() | Record() | MapOf():
            return some_mapping(domain, chance)
    values = list(domain.values()) if domain.listed else []
    return values[chance(len(values))] if values else None


def some_number(domain: Whole, chance: Chance) -> int:
    """A random number, often the largest possible."""
    most = domain.least + HIGHEST * domain.step if domain.most is None else domain.most
    if not chance(3):
        return max(most, domain.least)
    return domain.least + domain.step * chance(max(0, (most - domain.least) // domain.step) + 1)


def some_list(domain: Many[Any], chance: Chance) -> list[Any] | None:
    """A random list, at most a few values longer than needed."""
    number = domain.least + chance(max(1, min(domain.most - domain.least, LONGEST) + 1))
    items = [some_value(domain.each, chance) for _ in range(2 * number if domain.distinct else number)]
    if domain.distinct:
        items = [item for at, item in enumerate(items) if item not in items[:at]][:number]
    return items if len(items) >= domain.least and None not in items else None


def some_way(domain: Walk, chance: Chance) -> list[str] | None:
    """A random way from neighbour to neighbour."""
    here, way = domain.start, list[str]()
    for _ in range(1 + chance(max(1, domain.most))):
        beside = domain.borders[here]
        if not beside:
            break
        here = beside[chance(len(beside))]
        way.append(here)
    return way or None


def some_mapping(domain: Counts | Record[Any] | MapOf[Any], chance: Chance) -> dict[str, Any] | None:
    """Some of the names, each with a value of its own."""
    match domain:
        case Counts():
            counts = {name: some_value(each, chance) for name, each in domain.each.items() if not chance(2)}
            return {name: number for name, number in counts.items() if number} or None
        case Record():
            parts = {name: part for name, part in domain.parts.items() if part.needed or chance(2)}
            named = {name: some_value(part.domain, chance) for name, part in parts.items()}
            return {name: value for name, value in named.items() if value is not None}
        case _:
            found = {
                some_value(domain.names, chance): some_value(domain.each, chance)
                for _ in range(1 + chance(2))
            }
            return None if None in found or None in found.values() else found


TRIED = 12
"""How many random conditions are asked in a position."""


def leaky_conditions(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Random conditions that fail, or whose truth for `me` changes with what is hidden from `me`."""
    condition = rulebook.condition
    if condition is None:
        return
    view = position_for(rulebook, state, me)
    other = position_for(rulebook, varied(rulebook, state, state, me), me)
    for _ in range(TRIED):
        facts = random_condition(condition, view, chance)
        try:
            first, second = (why_not(condition, seen, me, facts) for seen in (view, other))
        except Exception as error:  # no condition may raise anything
            yield f"{state.phase} {me} if: {facts}: {type(error).__name__} {error}"
            continue
        if (first is None) != (second is None):
            yield f"{state.phase} {me} if: {facts} tells what is hidden"


def random_condition(condition: Condition, view: Any, chance: Chance) -> dict[str, Any]:
    """A few facts about existing things, some of them under `not` or `any`."""
    found: dict[str, Any] = {}
    for _ in range(1 + chance(2)):
        found |= random_facts(condition, view, chance)
    match chance(4):
        case 0:
            return {NOT: found}
        case 1:
            return {ANY: [found, random_facts(condition, view, chance)]}
    return found


def random_facts(condition: Condition, view: Any, chance: Chance) -> dict[str, Any]:
    """Facts about one thing; for a shape of the rulebook's own, a random condition of that shape."""
    shape = condition.shape
    if not isinstance(shape, ByName):
        return dict(sample_value(shape, chance) or {})
    names, each = shape.kinds[chance(len(shape.kinds))]
    fitting = [name for name in names_on_board(view) if names.fits(name)]
    fitting += words_of(names.schema()["pattern"])
    return {fitting[chance(len(fitting))]: each.sample(chance)} if fitting else {}


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
        asked = expected_in(rulebook, state, player)
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
                tries = (find_order(verb, phase.verbs[verb].rule, view, me, chance) for _ in range(3))
                found += [order, *(each for each in tries if each is not None)]
            case 2:
                found.append({**order, "else": [other_order(phase, view, me, chance)]})
            case 3:
                found.append({**other_order(phase, view, me, chance), "else": [order]})
            case 4:
                found += [other_order(phase, view, me, chance), order]
            case 5 | 6 if rulebook.condition is not None:
                condition = random_condition(rulebook.condition, view, chance)
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
