"""What can be chosen in an order, field after field, each dependent on the choices before it.

The result is a table of nodes, small enough for a page: equal nodes are stored once and refer to the next by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from adjudicator.engine.play.attempts import (
    SeededChance,
    extremes,
    leads_on,
    may_name,
    plainest_choice,
    plainest_values,
    random_value,
    same_from_here,
    second_value,
    shortest_ways,
    small_values,
    surveys,
    try_by_chance,
)
from adjudicator.engine.play.listing import LEFT_OUT, Branch, Fork, Trees, trees
from adjudicator.engine.play.nodes import END, LEANS, OPEN, Nodes
from adjudicator.engine.sheets.schema import Possible
from adjudicator.engine.table.domain import Counts, Domain, Many, Schema, Walk, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.table.table import Instruction, Question, Rule, Table

MOST_BRANCHES = 400
"""How many branches of a verb are searched; the rest is left open."""
MOST_WAYS = 24
"""How many ways from place to place are tried, the shortest first."""
MOST_AHEAD = 16_000
"""The choices in phases to come are added while the nodes have no more characters than this."""
MOST_SMALL = 24
"""How many legal small values are sought where neither the first nor the last value is legal."""
MOST_CHANCES = 96
"""How many random tries a verb gets where no tried value is legal."""
FEW_CHANCES = 12
"""How many of these one pick gets."""
SAMPLES = 6
"""How many values of a list, a mapping or a way are drawn to see whether all that it admits are possible."""
MOST_DRAWN = 120
"""How many of these a verb gets; of the rest nobody says that all are possible."""


class Choices(Struct, frozen=True):
    """What is possible now: by field, for forms to suggest (`form.form_schema`), and as trees, for pages.

    `verbs` says at which node each possible verb begins. A node is a mapping: `field`, the field that is picked;
    `skip`, the node after leaving it out, if that is possible; and either `values`, with one node `then` for all or one
    for each, or `schema`, `then`, `always` (what holds in any case) and, for a way, `from`, `borders` (a number in that
    table) and the `ways` that are legal, if not all of those tried are. `loose`: some values that the schema admits
    or ways longer than `longest` are impossible; `spare`: others that it doesn't admit are legal, but mean nothing now.
    `plain`: of the shorter ways only those in `leans` need an earlier order. `ahead` is like `verbs`, by phase, for
    phases to come as things stand now: nothing about them is certain. `rules` are those by which the fields of a verb
    are picked.
    """

    possible: Possible
    verbs: Mapping[str, int]
    nodes: Sequence[Schema]
    borders: Sequence[Mapping[str, Sequence[str]]]
    ahead: Mapping[str, Mapping[str, int]] = {}
    rules: Mapping[str, Mapping[str, str]] = {}


def choices_now(phase: Phase[Any], view: Any, me: Player, later: Sequence[Phase[Any]] = ()) -> Choices:
    """What `me` can choose in a phase, from the player's own view, and in `later` ones if they were open now.

    The rules are run once for all uses.
    """
    every = trees(phase, view, me)
    return tables_of_choices(every, surveys(every), {each.name: trees(each, view, me) for each in later})


def answers_now(question: Question[Any, Any], view: Any, me: Player) -> Choices:
    """What `me`, who is asked, can choose in the answer."""
    return tables_of_choices({question.verb: Branch(answering(question), view, me)}, {})


def answering(question: Question[Any, Any]) -> Rule[Any]:
    """The rule by which an answer is read."""

    def read(t: Table[Any]) -> None:
        question.answer(t, t.state)

    return read


def tables_of_choices(
    trees: Trees, possible: Possible, later: Mapping[str, Trees] = MappingProxyType({})
) -> Choices:
    """The table of all nodes of all verbs, with those of later phases while it doesn't get too long."""
    table = Nodes()
    now = first_nodes(table, trees)
    length, ahead = table.length(), {}
    for name, each in later.items():
        before = len(table.nodes)
        ahead[name] = first_nodes(table, each)
        if table.length() > length + MOST_AHEAD:
            table.cut(before)
            del ahead[name]
    borders = [dict(borders) for borders in table.borders]
    return Choices(possible, now, table.nodes, borders, ahead, table.rules)


def first_nodes(table: Nodes, trees: Trees) -> dict[str, int]:
    """The nodes at which verbs with a legal order begin."""
    verbs = {
        name: NodeMaker(table, rules=table.rules.setdefault(name, {})).of(tree)
        for name, tree in trees.items()
    }
    return {name: node for name, node in verbs.items() if node is not None}


def needed_in(instruction: Instruction[Any], view: Any, me: Player) -> list[str]:
    """The fields that an entry of standing instructions needs when all optional ones are left out."""
    found: list[str] = []

    def read(t: Table[Any]) -> None:
        instruction.read(t, view, me)

    branch = Branch(read, view, me)
    while isinstance(fork := branch.end, Fork):
        if fork.default is ...:
            found.append(fork.field)
        choices = plainest_choice(fork)
        if not choices:
            break
        branch = branch.after(fork, choices[0])
    return found


class NodeMaker:
    """Turns a verb's branches into nodes. A node is None if no legal order that begins this way is found.

    If not all values can be tried, what follows some of them is assumed to follow all only if the first and the last
    lead to the same; else it is left open. Nothing is called impossible before random values were tried too. `about`
    are fields that name what the order is to be about: they have no other values, and no order goes without them.
    It notes the `rules` of the fields. Unless it is `drawing` values, it says of no list and no mapping that all that
    its schema admits is possible.
    """

    def __init__(
        self,
        table: Nodes,
        about: Mapping[str, Any] = MappingProxyType({}),
        *,
        drawing: bool = True,
        rules: dict[str, str] | None = None,
    ) -> None:
        self.table, self.about, self.drawing, self.looked_at = table, about, drawing, 0
        self.rules = {} if rules is None else rules
        self.chance, self.chances, self.draws = SeededChance("choices"), MOST_CHANCES, 0

    def of(self, branch: Branch) -> int | None:
        """The node of a branch."""
        if self.looked_at >= MOST_BRANCHES:
            return OPEN
        self.looked_at += 1
        fork = branch.end
        if not may_name(branch, self.about):
            return None
        if not isinstance(fork, Fork):
            return (LEANS if branch.leans else END) if fork else None
        self.rules.setdefault(fork.field, fork.rule)
        whole = fork.default is ... or fork.field in self.about
        beside = None if whole else branch.after(fork, LEFT_OUT)
        skip = None if beside is None else self.of(beside)
        found = NextNodes(self, branch, fork, beside, skip)
        walk = fork.among
        node = self.pick_of_ways(found, walk) if isinstance(walk, Walk) else self.pick_of(found)
        if node is None and skip is None:
            return None
        node = {"field": fork.field, **(node or {"values": [], "then": OPEN})}
        return self.table.number(node if skip is None else {**node, "skip": skip})

    def pick_of(self, found: NextNodes) -> Schema | None:
        """What can be picked, and what comes then; None if nothing can."""
        domain = found.fork.among
        schema = narrowest(domain)
        if domain.listed and "enum" in schema:
            wanted = self.about.get(found.fork.field)
            good = found.legal(each for each in domain.values() if wanted in (None, each))
            then = [node for _, node in good]
            values = [value for value, _ in good]
            return {"values": values, "then": then[0] if len({*then}) == 1 else then} if good else None
        tried = extremes(domain)
        good = found.legal(tried)
        if len(good) < len(
            tried
        ):  # such as numbers of which only some can be paid: what follows the next one?
            good += found.legal(second_value(domain))
        good = good or found.legal(small_values(domain), MOST_SMALL)
        spare = found.fork.admits.spare
        if not good and not self.admits_some_value(found):
            # What isn't offered may be possible all the same.
            optional = spare and found.beside is not None
            return {"schema": narrowest(domain), "then": OPEN, "spare": True} if optional else None
        always = always_of(domain)
        if schema.get("type") == "boolean":  # true and false were both tried
            return {
                "schema": {"type": "boolean", **schema_of_possible(good, tried)},
                "then": node_after_all(good, sure=True),
            }
        node = {"schema": schema, "then": node_after_all(good, sure=len(good) >= len(tried))}
        if len(good) < len(tried) or not self.admits_all(found, schema):
            node["loose"] = True
        if spare:
            node["spare"] = True
        return {**node, "always": always} if always else node

    def admits_all(self, found: NextNodes, schema: Schema) -> bool:
        """Is everything possible that the schema of a list or a mapping admits? Some values are drawn and tried.

        Of a number the first and the last were tried before.
        """
        domain = found.fork.among
        if isinstance(domain, Whole):
            return True
        if not self.drawing:
            return False
        chance, always = SeededChance("all of"), always_of(domain)
        values = chain(plainest_values(domain), (random_value(schema, chance) for _ in range(SAMPLES)))
        return all(
            leads_on(found.branch.after(found.fork, value), chance)
            for value in values
            if holds(always, value)
        )

    def admits_long_ways(self, found: NextNodes, walk: Walk) -> bool:
        """Are longer ways than those tried possible too? A few are tried by chance."""
        chance = SeededChance("all ways")
        return self.admits_each(found, (walk.sample(chance) for _ in range(SAMPLES)))

    def admits_each(self, found: NextNodes, values: Iterable[Any]) -> bool:
        """Do all of these values lead to a legal order, as far as they are tried?"""
        chance = SeededChance("every")
        for value in values:
            self.draws += 1
            if self.draws > MOST_DRAWN or not leads_on(found.branch.after(found.fork, value), chance):
                return False
        return True

    def pick_of_ways(self, found: NextNodes, walk: Walk) -> Schema | None:
        """A way: where it begins, the map, and which of the shortest ways are legal; None if none is."""
        every = shortest_ways(walk)
        tried = list(islice(every, MOST_WAYS))
        more = next(iter(every), None)
        good = found.legal(tried)
        if not good and not (more and self.admits_some_value(found)):
            return None
        node = {
            "schema": {"type": "array", "minItems": 1, "maxItems": walk.most},
            "from": walk.start,
            "borders": self.table.number_of_borders(walk.borders),
            "then": node_after_all(good, sure=more is None),
        }
        if found.fork.admits.spare:
            node["spare"] = True
        if node["then"] == LEANS:
            plain = max((len(way) for way, after in good if after == END), default=0)
            node["plain"] = plain
            node["leans"] = [way for way, after in good if after == LEANS and len(way) <= plain]
        if len(good) == len(tried):
            sure = more is None or self.admits_long_ways(found, walk)
            return node if sure else {**node, "longest": len(more or ()) - 1}
        longest = walk.most if more is None else len(more) - 1
        return {**node, "ways": [way for way, _ in good if len(way) <= longest], "longest": longest}

    def admits_some_value(self, found: NextNodes) -> bool:
        """Does a random search find a legal order with some value, where none of those tried leads to one?"""
        tries = min(self.chances, FEW_CHANCES)
        self.chances -= tries
        return any(try_by_chance(found.branch, self.chance, choose=True) is not None for _ in range(tries))


class NextNodes(Struct):
    """From an open pick to the nodes after each choice; `beside` is the branch without a choice, `skip` its node."""

    growth: NodeMaker
    branch: Branch
    fork: Fork
    beside: Branch | None
    skip: int | None

    def legal(self, values: Iterable[Any], most: int | None = None) -> list[tuple[Any, int]]:
        """The first `most` values that lead to a legal order, each with the node after it."""
        found = ((value, node) for value in values if (node := self.node_after(value)) is not None)
        return list(islice(found, most))

    def node_after(self, value: Any) -> int | None:
        """The node after a choice."""
        branch = self.branch.after(self.fork, value)
        if self.beside is not None and same_from_here(branch, self.beside):
            return self.skip
        return self.growth.of(branch)


def node_after_all(good: Sequence[tuple[Any, int]], *, sure: bool) -> int:
    """The one node that follows all values; if they have several, what comes next is left open.

    It is also left open unless it is `sure` that the tried values stand for all, or nothing comes next.
    """
    nodes = {node for _, node in good}
    if nodes == {END, LEANS}:
        return LEANS
    return nodes.pop() if len(nodes) == 1 and (sure or nodes <= {END, LEANS}) else OPEN


def schema_of_possible(good: Sequence[tuple[Any, int]], tried: Sequence[Any]) -> Schema:
    """The part of a schema that names those of the tried values that are good, if not all are."""
    return {} if len(good) == len(tried) else {"enum": [value for value, _ in good]}


def always_of(domain: Domain[Any]) -> Schema:
    """What holds in any case: a list has no value twice, and a mapping has at least a `total`."""
    if isinstance(domain, Many) and domain.distinct:
        return {"uniqueItems": True}
    return {"total": domain.least} if isinstance(domain, Counts) and domain.least else {}


def holds(always: Schema, value: Any) -> bool:
    """Does what holds in any case hold of a value?"""
    twice = isinstance(value, list) and len({*map(repr, value)}) < len(value)
    few = isinstance(value, dict) and "total" in always and sum(value.values()) < always["total"]
    return not (few or (twice and "uniqueItems" in always))


def narrowest(domain: Domain[Any]) -> Schema:
    """The schema of what can be picked; if only one thing can be counted, its minimum is the least total."""
    schema = domain.schema()
    if not isinstance(domain, Counts) or len(schema["properties"]) != 1:
        return schema
    ((name, each),) = schema["properties"].items()
    return {**schema, "properties": {name: {**each, "minimum": max(each["minimum"], domain.least)}}}
