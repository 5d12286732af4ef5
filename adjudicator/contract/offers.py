"""Promise 15: what a form or a page offers as a whole order isn't refused at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Any

from msgspec import Struct, field

from adjudicator.engine.play.beside import choices_beside, verbs_changed_before
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.choices import choices_now, holds
from adjudicator.engine.play.left import left_in
from adjudicator.engine.play.nodes import END, LEANS, OPEN, listed
from adjudicator.engine.play.view import do_others_come_first, position_for
from adjudicator.engine.report.form import example
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.domain.forms import OTHER_FORM
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.text.source import Source
from adjudicator.engine.text.writing import write

Fields = tuple[tuple[str, Any], ...]
STEPS = 2
"""So many steps of a way are offered by one tap or two."""
MOST_OTHERS = 40
"""How many other amounts and lists are tried beside one that is offered."""


def refused_offers(rulebook: Rulebook[Any], state: Any, me: Player, every: int = 1) -> Iterator[str]:
    """Whole orders that are offered and that a check refuses: the examples of the form, and one in so many of what the
    page offers, with the program and without it."""
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    for each in islice(offers(rulebook, phase, view, me), None, None, every):
        first, *others = each
        why = why_refused(rulebook, view, me, first)
        if why and all(why_refused(rulebook, view, me, other) for other in others):
            yield f"{state.phase} {me}: {first} is offered, and refused: {why}"


def offers(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player
) -> Iterator[Sequence[dict[str, Any]]]:
    """Everything that is offered, each as a whole order, and others in which it stands too."""
    for name, verb in phase.verbs.items():
        found = example(name, verb, view, me)
        yield from [[found]] if found else []
    choices, alone = choices_now(phase, view, me), not do_others_come_first(phase, view, me)
    unknown = verbs_changed_before(rulebook, view, me)  # the page says of these that it can't know
    verbs = {name: node for name, node in choices.verbs.items() if name not in unknown}
    yield from Offers(phase, choices.nodes, choices.borders, alone).of(verbs)
    nothing = Sheet(me, Source("", None), ())
    for thing in left_in(rulebook, view, me):
        if thing.phase == phase.name:
            beside = choices_beside(rulebook, view, nothing, thing)
            yield from Offers(phase, beside.nodes, beside.borders, alone=True).of(beside.verbs)


def why_refused(rulebook: Rulebook[Any], view: Any, me: Player, order: Mapping[str, Any]) -> str:
    """Why a check refuses an order; empty if it doesn't, or can't know."""
    text = write({"player": me, "orders": [dict(order)]}).encode()
    sheet = read_sheet(text, expected_in(rulebook, view, me))
    if not isinstance(sheet, Sheet):
        return str(sheet)
    said = check_sheet(rulebook, view, sheet).said
    return next((f"{each.reason.rule} {each.reason.key}" for each in said if each.severity == "error"), "")


class Offers(Struct):
    """What the nodes of a page offer in a phase. `alone`: nothing comes before the player's orders, so that an order
    that needs another one above isn't offered."""

    phase: Phase[Any]
    nodes: Sequence[Schema]
    borders: Sequence[Mapping[str, Sequence[str]]]
    alone: bool
    known: dict[int, Fields | None] = field(default_factory=dict)

    def of(self, verbs: Mapping[str, int]) -> Iterator[Sequence[dict[str, Any]]]:
        """Each value that a field is offered, in a whole order: before it the shortest way that leads to the field,
        after it the shortest one to the end. Of amounts and ways before it others follow."""
        for name, begin in verbs.items():
            verb = self.phase.verbs[name]
            needed = {*verb.needed, *([name] if name in verb.fields else [])}
            rim: list[tuple[int, Sequence[Fields]]] = [(begin, [()])]
            met = {begin}
            for at, before in rim:
                node: Schema = self.nodes[at] if at > OPEN else {}
                following: dict[int, list[Fields]] = {node["skip"]: [*before]} if "skip" in node else {}
                for values, after in self.offered(node) if node else ():
                    here = [(*each, (node["field"], value)) for value in values for each in before]
                    ways = following.setdefault(after, [])
                    if not ways or "values" not in node:
                        ways += here[: MOST_OTHERS - len(ways)]
                    rest = self.onward(after)
                    if rest is not None and needed <= dict((*here[0], *rest)).keys():
                        yield [whole(name, (*each, *rest)) for each in here]
                rim += ((after, ways) for after, ways in following.items() if after not in met)
                met |= following.keys()

    def offered(self, node: Schema) -> Iterator[tuple[Sequence[Any], int]]:
        """What a node offers, each with the node after it; of a list others with the same entry."""
        if "values" in node:
            for value, after in zip(node["values"], listed(node["then"], node["values"]), strict=True):
                yield [value], after
        elif "from" in node:
            for way in self.ways(node):
                leans = node["then"] == LEANS and (len(way) > node["plain"] or way in node["leans"])
                yield [way], END if node["then"] == LEANS and not leans else node["then"]
        else:
            for values in offered_by(node["schema"]):
                held = [value for value in values if holds(node.get("always", {}), value)]
                if held:
                    yield held, node["then"]

    def ways(self, node: Schema) -> Sequence[Sequence[str]]:
        """Ways of a few steps, and those that are legal if not all are."""
        borders, rim, found = self.borders[node["borders"]], [[node["from"]]], list[list[str]]()
        for _ in range(min(STEPS, node["schema"]["maxItems"])):
            rim = [[*way, there] for way in rim for there in borders[way[-1]]]
            found += (way[1:] for way in rim)
        return (
            [*node["ways"], *(way for way in found if len(way) > node["longest"])]
            if "ways" in node
            else found
        )

    def onward(self, at: int) -> Fields | None:
        """The shortest way from a node to a whole order; None if there is none."""
        if at not in self.known:
            self.known[at] = self._onward(at)
        return self.known[at]

    def _onward(self, at: int) -> Fields | None:
        if at <= OPEN:
            return None if at == LEANS and self.alone else ()
        node = self.nodes[at]
        if "skip" in node and (rest := self.onward(node["skip"])) is not None:
            return rest
        for values, after in self.offered(node):
            if (rest := self.onward(after)) is not None:
                return ((node["field"], values[0]), *rest)
        return None


def whole(verb: str, fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The order with these fields."""
    found = dict(fields)
    return {verb: found.get(verb), **found}


def offered_by(schema: Schema) -> Iterator[Sequence[Any]]:
    """What a control for a schema gives: each name, of numbers the least and the most, mappings of one name and those
    that are needed, lists of one entry or as few as may be. Others with the same entry follow each list."""
    if "anyOf" in schema:
        yield from chain.from_iterable(offered_by(each) for each in schema["anyOf"] if OTHER_FORM not in each)
    elif "enum" in schema:
        yield from ([value] for value in schema["enum"])
    elif schema["type"] == "boolean":
        yield from ([True], [False])
    elif schema["type"] == "integer":
        least = schema.get("minimum", 0)
        most = schema.get("maximum", least or schema.get("multipleOf", 1))
        yield from ([number] for number in dict.fromkeys((least, most)))
    elif schema["type"] == "array":
        yield from lists_of(schema)
    elif schema["type"] == "object":
        parts: Mapping[str, Schema] = schema.get("properties", {})
        needed = {
            name: next((first for first, *_ in offered_by(parts[name])), None)
            for name in schema.get("required", ())
        }
        for name, part in parts.items() if None not in needed.values() else ():
            for values in offered_by(part):
                if values[0] != 0:
                    yield [{**needed, name: value} for value in values]


def lists_of(schema: Schema) -> Iterator[Sequence[Any]]:
    """Lists of a schema, for each of its entries one as short as possible, and then others with the entry in it."""
    items = [values[0] for values in offered_by(schema["items"])]
    least = max(schema.get("minItems", 0), 1)
    for at, item in enumerate(items) if schema.get("maxItems", least) >= least else ():
        first = [items[(at + more) % len(items)] for more in range(least)]
        others = (list(each) for each in combinations(items, least) if item in each)
        yield [first, *islice(others, MOST_OTHERS)]
