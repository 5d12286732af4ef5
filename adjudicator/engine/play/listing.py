"""Listing: every legal order of a player, and what each field may hold now, by running the rule again and again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice
from typing import Any

from adjudicator.engine.play.probe import Probe, Put
from adjudicator.engine.sheets.schema_parts import Possible
from adjudicator.engine.table.domain import Domain, Many, Schema
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Rule, Verb

MOST_RUNS = 400
"""How often a verb is run again for a form: suggestions need not be complete."""
FEW_NUMBERS = 10
"""Up to so many numbers are suggested one by one."""

LEFT_OUT = object()
"""The choice of leaving an optional field out."""


class Fork(Exception):
    """The run has come to a pick that is still open."""

    def __init__(self, field: str, among: Domain[Any], default: Any) -> None:
        super().__init__(field)
        self.field, self.among, self.default = field, among.usual, default
        self.admits = among  # what may be written in other forms too


class Choosing(Probe):
    """A table at which the first picks are made already, and the next one ends the run."""

    def __init__(self, state: Any, me: Player, chosen: Sequence[tuple[str, Any]]) -> None:
        super().__init__(state, me, {})
        self.chosen, self.picked = chosen, 0

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """The next choice made; else `Fork`."""
        if self.picked == len(self.chosen):
            raise Fork(field, among, default)
        _, choice = self.chosen[self.picked]
        self.picked += 1
        if choice is LEFT_OUT:
            if default is None:
                return None
            choice = default
        return among.read(choice)


class Clicking(Choosing):
    """A table for pages, on which orders are put together one by one: those above may have prepared this one."""

    def prepared(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """It may be so when the order's turn comes."""


class Wary(Choosing):
    """A table that notes whether the rule warns of the order."""

    warned = False

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """It does."""
        self.warned = True


def run_rule(rule: Rule[Any], state: Any, me: Player, chosen: Sequence[tuple[str, Any]]) -> Fork | bool:
    """One run: the pick that is open, or whether the choices are a legal order."""
    return run_at(rule, Choosing(state, me, chosen))


def run_at(rule: Rule[Any], table: Choosing) -> Fork | bool:
    """The same at a table that may note more."""
    try:
        rule(table)
    except Fork as fork:
        return fork.with_traceback(None)  # it may be kept, and the rule's frames need not be
    except Refused:
        return False
    except (Unknown, Put):
        return True
    return True


def legal(name: str, verb: Verb[Any], state: Any, me: Player) -> Iterator[dict[str, Any]]:
    """Every legal order of a verb, lazily, verb first; of a domain too large to list, its own listing decides."""

    def onward(chosen: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
        found = run_rule(verb.rule, state, me, chosen)
        if isinstance(found, Fork):
            if found.default is not ...:
                yield from onward([*chosen, (found.field, LEFT_OUT)])
            if found.among.listed:
                for value in found.among.values():
                    yield from onward([*chosen, (found.field, value)])
        elif found:
            yield written(name, chosen)

    return onward([])


def listed(
    name: str,
    verb: Verb[Any],
    state: Any,
    me: Player,
    order: Mapping[str, Any],
    table: type[Choosing] = Choosing,
) -> bool:
    """Would `legal` list this order? Asks each domain: a small one for its values, a large one whether it admits.

    At the table of `Clicking`: would a page offer it?
    """
    chosen: list[tuple[str, Any]] = []
    while True:
        found = run_at(verb.rule, table(state, me, chosen))
        if not isinstance(found, Fork):
            return found
        field, among = found.field, found.among
        other_forms = found.admits is not among
        if field not in order:
            if found.default is ...:
                return False
            chosen.append((field, LEFT_OUT))
            continue
        value = order[field]
        if not other_forms and among.listed and not any(same(value, other) for other in among.values()):
            return False
        chosen.append((field, value))


def same(one: Any, other: Any) -> bool:
    """Equal and of one kind: 1 is not true."""
    return type(one) is type(other) and bool(one == other)


def written(name: str, chosen: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Choices as an order is written, verb first."""
    fields = {field: value for field, value in chosen if value is not LEFT_OUT}
    return {name: fields.get(name), **{field: value for field, value in fields.items() if field != name}}


class Branch:
    """Where a rule stands after some choices: at the pick that is open, or at its end. It runs once, if at all."""

    def __init__(
        self, rule: Rule[Any], view: Any, me: Player, chosen: Sequence[tuple[str, Any]] = ()
    ) -> None:
        self.rule, self.view, self.me, self.chosen = rule, view, me, chosen
        self._after: dict[str, Branch] = {}

    @cached_property
    def end(self) -> Fork | bool:
        """The pick that is open, or whether the choices are a legal order, where orders above may prepare it."""
        return run_at(self.rule, Clicking(self.view, self.me, self.chosen))

    def after(self, fork: Fork, choice: Any) -> Branch:
        """The branch of one choice at the open pick."""
        key = repr(choice)
        if key not in self._after:
            chosen = [*self.chosen, (fork.field, choice)]
            self._after[key] = Branch(self.rule, self.view, self.me, chosen)
        return self._after[key]


Trees = Mapping[str, Branch]
"""By verb: the branch on which nothing has been chosen yet."""


def trees(phase: Phase[Any], view: Any, me: Player) -> Trees:
    """The verbs of a phase, for `me` on the own view."""
    return {name: Branch(verb.rule, view, me) for name, verb in phase.verbs.items()}


def possible(rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player) -> Possible:
    """What each field of each verb may hold now, for forms to suggest."""
    return surveys(trees(phase, view, me))


def surveys(trees: Trees) -> Possible:
    """The same, of trees that may be put to other use too."""
    return {name: survey(name, tree) for name, tree in trees.items()}


def survey(name: str, tree: Branch) -> Mapping[str, Sequence[Schema]]:
    """The schemas of what is possible in each field of a verb, over all choices of the fields before it.

    Only what some legal order holds, as far as `MOST_RUNS` tell; empty if no order of the verb is legal.
    """
    found: dict[str, list[Schema]] = {}
    runs = 0

    def leads_on(branch: Branch) -> bool:
        """Is there a legal order that begins with these choices? Where it isn't found out: yes."""
        nonlocal runs
        if runs == MOST_RUNS:
            return True
        runs += 1
        fork = branch.end
        if not isinstance(fork, Fork):
            return fork
        left_out = fork.default is not ... and leads_on(branch.after(fork, LEFT_OUT))
        tried = some_values(fork.among)
        good = [value for value in tried if leads_on(branch.after(fork, value))]
        if not fork.among.listed:
            good = tried  # one of many was tried, which proves nothing against the others
        if good:
            merge(found.setdefault(fork.field, []), suggested(fork.among, good))
        return left_out or bool(good)

    if not leads_on(tree):
        return {}
    found.setdefault(name, [])
    return found


def suggested(domain: Domain[Any], good: list[Any]) -> Schema:
    """The schema of what a field may hold: names that were tried, a few numbers one by one, else the domain's own."""
    schema = domain.schema()
    if "enum" in schema:
        return {"enum": good}
    if domain.listed and schema.get("type") == "integer":
        numbers = list(islice(domain.values(), FEW_NUMBERS + 1))
        if len(numbers) <= FEW_NUMBERS:
            return {"enum": numbers}
    return schema


def some_values(domain: Domain[Any]) -> list[Any]:
    """Values by which to go on: all of a short list of names, else one."""
    if domain.listed and "enum" in domain.schema():
        return list(domain.values())
    try:
        return [domain.sample(lambda below: 0)]
    except Refused:
        return []


def short_lists(domain: Domain[Any]) -> Iterator[list[Any]]:
    """Lists as short as may be, of one value at least: one of them may do where the first values don't.

    Every selection of so many different values, in the order of the values.
    """
    if isinstance(domain, Many) and domain.each.listed and domain.most:
        for values in combinations(domain.each.values(), max(domain.least, 1)):
            yield list(values)


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
