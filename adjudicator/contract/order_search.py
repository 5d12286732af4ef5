"""A search for legal orders that asks domains only whether they admit a value.

What a form offers comes from the domains' listings and samples. A search that used those too would miss what they miss.
"""

from __future__ import annotations

from typing import Any

from adjudicator.engine.play.listing import Probe, QuestionAsked
from adjudicator.engine.table.domain import (
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
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Rule

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
