"""The `if:` of orders in schemas, with `not` and `any` around the rulebook's facts; and how much it may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import Texts, field_text, texts_of
from adjudicator.engine.sheets.limits import MOST_FACTS, MOST_NESTED
from adjudicator.engine.sheets.offering import PATTERNS, Spots, schema_for_players, spots, with_names
from adjudicator.engine.table.condition import ANY, ME, NOT
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.domain.forms import MOST_TRIED
from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.reason import Flaw, Path, Reason
from adjudicator.engine.table.rulebook import Rulebook

ITSELF: Schema = {"$ref": "#/definitions/if"}


def kinds_of_facts(rulebook: Rulebook[Any]) -> Schema:
    """The schema of `if` with the facts of each kind of things, from types alone; empty if a rulebook has no `if`."""
    if rulebook.condition is None:
        return {}
    shape = with_texts(texts_of(rulebook), with_patterns(rulebook.condition.shape.schema()))
    return {"description": field_text(texts_of(rulebook), "if"), **shape}


def not_and_any(rulebook: Rulebook[Any]) -> Schema:
    """What may be around facts: `not` and `any`."""
    texts, several = (
        texts_of(rulebook),
        {"type": "array", "items": ITSELF, "minItems": 1, "maxItems": MOST_TRIED},
    )
    return {
        NOT: {"description": field_text(texts, f"if.{NOT}"), **ITSELF},
        ANY: {"description": field_text(texts, f"if.{ANY}"), **several},
    }


class Facts(Struct, frozen=True):
    """What `if` may ask about things in general, about each kind of them, and what may be `around`."""

    whole: Spots
    kinds: Mapping[str, Spots]
    around: Spots

    def seated(self, every: Sequence[str], seated: Sequence[str]) -> Facts:
        """The same for the players of a match (`offering.schema_for_players`)."""
        kinds = {name: schema_for_players(each, every, seated) for name, each in self.kinds.items()}
        return Facts(
            schema_for_players(self.whole, every, seated),
            kinds,
            schema_for_players(self.around, every, seated),
        )

    @property
    def words(self) -> tuple[str, ...]:
        """The names that things have whatever is on the board."""
        return tuple(word for pattern in self.whole.part[PATTERNS] for word in words_of(pattern))


def separate_facts(facts: Schema, around: Schema) -> Facts:
    """The facts of each kind of things (`kinds_of_facts`) as separate parts, to which the whole refers."""
    patterns = facts.get(PATTERNS, {})
    names = {pattern: f"if-{number}" for number, pattern in enumerate(patterns, start=1)}
    refs = {pattern: {"$ref": f"#/definitions/{name}"} for pattern, name in names.items()}
    kinds = {names[pattern]: spots(each) for pattern, each in patterns.items()}
    return Facts(spots({**facts, PATTERNS: refs}), kinds, spots(around))


def conditions(facts: Facts, names: Sequence[str] = ()) -> Schema:
    """The definitions of `if` and of the facts of each kind of things; none if a game has none.

    `names` are those of all pieces on the board, suggested wherever their kind fits.
    """
    if not facts.kinds:
        return {}
    whole = with_names(facts.whole, (*names, *facts.words) if names else (ME,))
    found = {name: with_names(each, tuple(names)) for name, each in facts.kinds.items()}
    return {"if": {**whole, "properties": {**whole.get("properties", {}), **facts.around.part}}, **found}


def with_patterns(schema: Schema) -> Schema:
    """The schema of a mapping by name as one with patterns: facts are added by name, not listed one by one."""
    if "patternProperties" in schema:
        return schema
    named: dict[str, list[str]] = {}
    schemas: dict[str, Schema] = {}
    for name, each in schema["properties"].items():
        named.setdefault(repr(each), []).append(name)
        schemas[repr(each)] = each
    patterns = {f"^({'|'.join(names)})$": schemas[key] for key, names in named.items()}
    return {"type": "object", "patternProperties": patterns, "additionalProperties": False}


def words_of(pattern: str) -> list[str]:
    """The names that a pattern admits, if it only lists them."""
    listed = re.fullmatch(r"\^\(([\w|-]+)\)\$", pattern)
    return listed[1].split("|") if listed else []


def with_texts(texts: Texts, schema: Schema, within: str = "") -> Schema:
    """A schema of facts with what each is for; `within` is the fact that these are parts of."""
    found = dict(schema)
    if "patternProperties" in schema:
        patterns = schema["patternProperties"].items()
        found["patternProperties"] = {pattern: with_texts(texts, each) for pattern, each in patterns}
    if "properties" in schema:
        found["properties"] = {
            name: {
                "description": field_text(texts, f"if.{name}", f"if.{within}"),
                **with_texts(texts, each, name),
            }
            for name, each in schema["properties"].items()
        }
    return found


def facts_named(schema: Schema, within: str = "") -> Iterator[tuple[str, str]]:
    """The names of all facts in a schema of facts, each with the fact that it is part of, if any."""
    for each in schema.get("patternProperties", {}).values():
        yield from facts_named(each)
    for name, each in schema.get("properties", {}).items():
        yield within, name
        yield from facts_named(each, name)


# -- how much is asked -------------------------------------------------------------------------------------------------


def flaws_of_long_conditions(plain: Any) -> Iterator[Flaw]:
    """The flaws of orders' `if:` that are too deep or too long, anywhere in a sheet."""
    if not isinstance(plain, dict):
        return
    yield from _flaws_in_orders(plain.get("orders"), ("orders",))
    later, standing = plain.get("later"), plain.get("standing")
    for name, each in later.items() if isinstance(later, dict) else ():
        if isinstance(each, dict):
            yield from _flaws_in_orders(each.get("orders"), ("later", name, "orders"))
    phases = standing.get(PHASES) if isinstance(standing, dict) else None
    for name, orders in phases.items() if isinstance(phases, dict) else ():
        yield from _flaws_in_orders(orders, ("standing", PHASES, name))


def _flaws_in_orders(orders: Any, path: Path) -> Iterator[Flaw]:
    for index, order in enumerate(orders if isinstance(orders, list) else ()):
        if not isinstance(order, dict):
            continue
        here = (*path, index)
        if isinstance(order.get("if"), dict):
            count, deep = _number_and_depth(order["if"])
            if count > MOST_FACTS:
                yield Flaw(Reason("SHEET", "if-too-long", {"most": MOST_FACTS}), (*here, "if"))
            elif deep > MOST_NESTED:
                yield Flaw(Reason("SHEET", "if-too-deep", {"most": MOST_NESTED}), (*here, "if"))
        yield from _flaws_in_orders(order.get("else"), (*here, "else"))


def _number_and_depth(facts: Any, levels: int = 0) -> tuple[int, int]:
    """How many facts there are, and how deep they are in `not` and `any`."""
    count, deepest = 0, levels
    for name, wanted in facts.items() if isinstance(facts, Mapping) else ():
        inner = [wanted] if name == NOT else wanted if name == ANY and isinstance(wanted, list) else None
        count += inner is None
        for each in inner or ():
            more, deep = _number_and_depth(each, levels + 1)
            count, deepest = count + more, max(deepest, deep)
    return count, deepest
