"""Values with which a search continues when there are too many to try all.

Random numbers for bots and fuzzers: they follow from a text and are the same on every machine.

What each field of an order may hold now, for forms to suggest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

from adjudicator.engine.play.listing import LEFT_OUT, Branch, Fork, Trees, trees
from adjudicator.engine.sheets.schema import FIRM, Possible
from adjudicator.engine.table.boxes import shuffled
from adjudicator.engine.table.dice import Die
from adjudicator.engine.table.domain import Chance, Counts, Domain, Many, Record, Schema, Walk
from adjudicator.engine.table.domain.forms import OTHER_FORM
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase

_ALL = 2**64 - 1


class SeededChance:
    """A source of whole numbers, the same ones for the same `seed`: `chance(6)` is from 0 to 5.

    The generator is splitmix64, started from the seed's SHA-256: fast, and good enough for bots. The throws of a match
    come from `dice`, not from here.
    """

    __slots__ = ("state",)

    def __init__(self, seed: str) -> None:
        from hashlib import sha256  # imported here: a check that needs no chance is quicker without it

        self.state = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")

    def __call__(self, below: int) -> int:
        """The next number from 0 up to, not including, `below`. Raises ValueError if there is none.

        Fewer than one call in 2**32 falls beyond the last full range of `below`, where numbers are slightly uneven.
        """
        if below < 1:
            raise ValueError(below)
        self.state = state = (self.state + 0x9E3779B97F4A7C15) & _ALL
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _ALL
        return (state ^ (state >> 31)) % below


class SpreadChance:
    """The chance of one of `of` tries that together are spread evenly: a pick among no more values than there are tries
    takes each of them in some try, and a pick among more comes from another part of them in each try. `of` is a prime.
    """

    def __init__(self, seed: str, number: int, of: int) -> None:
        self.shared, self.number, self.of = SeededChance(seed), number, of

    def __call__(self, below: int) -> int:
        """The next number from 0 up to, not including, `below`. Raises ValueError if there is none."""
        begin, by, within = self.shared(self.of), 1 + self.shared(self.of - 1), self.shared(below)
        part = (begin + by * self.number) % self.of
        return (part * below + within) // self.of


class DiceByChance:
    """Dice that fall by a chance, for what is only tried out."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def throw(self, die: Die, what: tuple[str, ...]) -> int:
        """One face of the die."""
        return die[self.chance(len(die))]

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        """The items in an order by chance."""
        return tuple(shuffled(items, self.chance))


MOST_LOOKED_AT = 32
"""The most branches that are looked at to see whether there is any legal order."""
MOST_PLAIN = 12
"""The most values that are tried of a list of values."""


def some_values(domain: Domain[Any]) -> list[Any]:
    """Values to continue with: all of a short list of names, else one."""
    if domain.listed and "enum" in domain.schema():
        return list(domain.values())
    try:
        return [domain.sample(lambda below: 0)]
    except Refused:
        return []


def small_values(domain: Domain[Any]) -> Iterator[Any]:
    """Lists as short as possible (one value or more), ways of one step, and mappings of one part: one of them may work
    where the first values don't.

    For lists these are all selections of that many different values, in the order of the values.
    """
    if isinstance(domain, Many) and domain.each.listed and domain.most:
        for values in combinations(domain.each.values(), max(domain.least, 1)):
            yield list(values)
    if isinstance(domain, Walk):
        yield from ([there] for there in domain.borders[domain.start])
    if isinstance(domain, Record) and domain.least <= 1:
        for name, part in domain.parts.items():
            if all(each is part or not each.needed for each in domain.parts.values()):
                yield from ({name: value} for value in (*second_value(part.domain), *extremes(part.domain)))


def extremes(domain: Domain[Any]) -> Sequence[Any]:
    """The first and the last of the values, or the only one: if both lead to the same, all are assumed to."""
    try:
        if isinstance(domain, Counts):
            found = [domain.sample(lambda below: 1 if below == 2 else 0), most_of(domain)]
        else:
            found = [domain.sample(lambda below: 0), domain.sample(lambda below: below - 1)]
    except Refused:
        return []
    return found[:1] if found[0] == found[1] else found


def most_of(domain: Counts) -> Mapping[str, int]:
    """For each name the highest possible number; where nothing limits it, one more than the least."""
    every = {
        name: whole.least + 1 if whole.most is None else whole.most for name, whole in domain.each.items()
    }
    return {name: number for name, number in every.items() if number > 0}


def second_value(domain: Domain[Any]) -> Sequence[Any]:
    """The value after the first, if there is another."""
    try:
        first, next_one = domain.sample(lambda below: 0), domain.sample(lambda below: min(1, below - 1))
    except Refused:
        return []
    return [] if next_one == first or isinstance(domain, Counts) else [next_one]


def shortest_ways(walk: Walk) -> Iterable[list[str]]:
    """Ways, those of one step first."""
    rim: list[list[str]] = [[]]
    for _ in range(walk.most):
        rim = [[*way, there] for way in rim for there in walk.borders[way[-1] if way else walk.start]]
        yield from rim


def same_from_here(one: Branch, other: Branch) -> bool:
    """Do two branches continue alike? Both are followed to their ends, leaving out what can be, else taking the first
    value.

    If the ends are alike, the branches are assumed to be alike for every choice, and only one of them is searched.
    """
    while isinstance(here := one.end, Fork) and isinstance(there := other.end, Fork):
        if (here.field, here.among, here.default) != (there.field, there.among, there.default):
            return False
        choices = plainest_choice(here)
        if not choices:
            return True
        one, other = one.after(here, choices[0]), other.after(there, choices[0])
    return one.end is other.end and one.leans == other.leans


def plainest_choice(fork: Fork) -> Sequence[Any]:
    """The choice by which a branch is followed to its end, as a list: leave out, else the first value, if any."""
    return extremes(fork.among)[:1] if fork.default is ... else [LEFT_OUT]


def may_name(branch: Branch, fields: Collection[str]) -> bool:
    """May an order that begins so have all these fields? Not if its plainest course is a legal order without one."""
    rest = {*fields} - {field for field, choice in branch.chosen if choice is not LEFT_OUT}
    while rest and isinstance(fork := branch.end, Fork) and fork.field not in rest:
        if not (choices := plainest_choice(fork)):
            return True
        branch = branch.after(fork, choices[0])
    return not rest or branch.end is not True


def random_value(schema: Schema, chance: Chance) -> Any:
    """A value that a schema admits, drawn by chance; None where it lists none."""
    if "anyOf" in schema:
        return random_value(next(each for each in schema["anyOf"] if OTHER_FORM not in each), chance)
    if "enum" in schema:
        return schema["enum"][chance(len(schema["enum"]))] if schema["enum"] else None
    match schema.get("type"):
        case "integer":
            step, least = schema.get("multipleOf", 1), schema.get("minimum", 0)
            return least + step * chance((schema.get("maximum", least + 9) - least) // step + 1)
        case "boolean":
            return not chance(2)
        case "array":
            least = schema.get("minItems", 0)
            count = least + chance(min(3, schema["maxItems"] - least) + 1)
            items = (random_value(schema["items"], chance) for _ in range(count))
            return [item for item in items if item is not None]
        case "object":
            parts = {name: random_value(each, chance) for name, each in schema.get("properties", {}).items()}
            named = {name for name in parts if name in schema.get("required", ()) or chance(2)}
            return {name: value for name, value in parts.items() if name in named and value is not None}
    return None


def plainest_values(domain: Domain[Any]) -> Iterator[Any]:
    """The plainest lists and mappings of a domain: each value alone; each name with 1 and with its highest number; and
    all names with their highest numbers."""
    if isinstance(domain, Many) and domain.each.listed and domain.least <= 1 <= domain.most:
        yield from ([value] for value in islice(domain.each.values(), MOST_PLAIN))
    if isinstance(domain, Counts) and domain.least <= 1:
        most = most_of(domain)
        for name, number in most.items():
            yield from ({name: count} for count in {1: 0, number: 0})
        yield most


def leads_on(branch: Branch, chance: Chance) -> bool:
    """Does the branch lead to a legal order if it is followed by its plainest choices, or by chance?"""
    plain = branch
    while isinstance(fork := plain.end, Fork) and (choices := plainest_choice(fork)):
        plain = plain.after(fork, choices[0])
    return plain.end is True or try_by_chance(branch, chance) is not None


def try_by_chance(
    branch: Branch, chance: Chance, *, choose: bool = False, lean: bool = False
) -> Branch | None:
    """The branch of a legal order, found with random values; None if this try found none.

    `choose`: the first pick isn't left out. `lean`: all other picks are left out where that is possible.
    """
    while isinstance(fork := branch.end, Fork):
        if fork.default is not ... and not choose and (lean or chance(2)):
            value = LEFT_OUT
        else:
            try:
                value = fork.among.sample(chance)
            except Refused:
                return None
        branch, choose = branch.after(fork, value), False
    return branch if branch.end else None


def has_no_order(tree: Branch) -> bool:
    """Is there surely no legal order on a branch? All of it is looked at, if there isn't much of it and every value can
    be listed; where no value of a plain form is possible, none of another form is."""
    left = [tree]
    for _ in range(MOST_LOOKED_AT):
        if not left:
            return True
        branch = left.pop()
        fork = branch.end
        if not isinstance(fork, Fork):
            if fork:
                return False
            continue
        if not fork.among.listed or fork.admits.spare:
            return False
        values = list(islice(fork.among.values(), MOST_LOOKED_AT))
        if values and fork.admits is not fork.among:
            return False
        choices = values if fork.default is ... else [LEFT_OUT, *values]
        left += [branch.after(fork, choice) for choice in choices]
    return False


def search_by_chance(tree: Branch, tries: int) -> Branch | None:
    """The branch of a legal order, found in so many random tries; in half of them only the fields that an order needs
    are filled in."""
    if has_no_order(tree):
        return None
    chance = SeededChance("found")
    found = (try_by_chance(tree, chance, lean=each < tries // 2) for each in range(tries))
    return next((branch for branch in found if branch is not None), None)


MOST_RUNS = 400
"""How often a verb's rule is run for a form: suggestions need not be complete."""
MOST_CHANCES = 24
"""How many random tries an order gets if the search finds none."""
FEW_NUMBERS = 10
"""The most numbers that are suggested one by one."""


def possible_values(phase: Phase[Any], view: Any, me: Player) -> Possible:
    """What each field of each verb may hold now, for forms to suggest."""
    return surveys(trees(phase, view, me))


def surveys(trees: Trees) -> Possible:
    """What each field of each verb may hold now, from trees that may be used elsewhere too."""
    return {name: survey(name, tree) for name, tree in trees.items()}


def survey(name: str, tree: Branch) -> Mapping[str, Sequence[Schema]]:
    """The schemas of what is possible in each field of a verb, over all choices of the fields before it.

    Only values of some legal order count, as far as `MOST_RUNS` reach; empty if no order of the verb is legal.
    """
    found: dict[str, list[Schema]] = {}
    runs = 0

    def leads_on(branch: Branch) -> bool:
        """Is there a legal order that begins with these choices? Yes, if the search can't tell."""
        nonlocal runs
        if runs == MOST_RUNS:
            return True
        runs += 1
        fork = branch.end
        if not isinstance(fork, Fork):
            return fork
        beside = None if fork.default is ... else branch.after(fork, LEFT_OUT)
        left_out = beside is not None and leads_on(beside)
        tried = some_values(fork.among)
        good = [
            value for value in tried if leads_on_as(beside if left_out else None, branch.after(fork, value))
        ]
        if not fork.among.listed:
            good = tried  # one of many was tried, which doesn't disprove the others
        if good:
            merge(found.setdefault(fork.field, []), suggestion(fork.among, good))
        return left_out or bool(good)

    def leads_on_as(beside: Branch | None, branch: Branch) -> bool:
        """Does a branch lead to a legal order? It is searched only if it doesn't continue like the one beside it, which
        does."""
        return (beside is not None and same_from_here(branch, beside)) or leads_on(branch)

    if not leads_on(tree) and search_by_chance(tree, MOST_CHANCES) is None:
        return {}
    found.setdefault(name, [])
    return found


def suggestion(domain: Domain[Any], good: list[Any]) -> Schema:
    """The schema of what a field may hold: names that were tried, a few numbers one by one, else the domain's own."""
    schema = domain.schema()
    if "enum" in schema:
        return {"enum": good}
    if domain.listed and schema.get("type") == "integer":
        numbers = list(islice(domain.values(), FEW_NUMBERS + 1))
        if len(numbers) <= FEW_NUMBERS:
            return {"enum": numbers}
    return {**schema, FIRM: True} if isinstance(domain, Many) and domain.firm else schema


def merge(schemas: list[Schema], schema: Schema) -> None:
    """Adds a schema to those of a field; lists of names become one list."""
    if "enum" not in schema:
        if schema not in schemas:
            schemas.append(schema)
        return
    for known in schemas:
        if "enum" in known:
            known["enum"] = list(dict.fromkeys([*known["enum"], *schema["enum"]]))
            return
    if schema["enum"]:
        schemas.append({"enum": list(schema["enum"])})
