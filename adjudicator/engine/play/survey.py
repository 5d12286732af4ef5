"""What each field of an order may hold now, for forms to suggest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from adjudicator.engine.play.attempts import same_from_here, search_by_chance, some_values
from adjudicator.engine.play.listing import LEFT_OUT, Branch, Fork, Trees, trees
from adjudicator.engine.sheets.schema_parts import FIRM, Possible
from adjudicator.engine.table.domain import Domain, Many, Schema
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Phase, Rulebook

MOST_RUNS = 400
"""How often a verb's rule is run for a form: suggestions need not be complete."""
MOST_CHANCES = 24
"""How many random tries an order gets if the search finds none."""
FEW_NUMBERS = 10
"""The most numbers that are suggested one by one."""


def possible_values(rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player) -> Possible:
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
