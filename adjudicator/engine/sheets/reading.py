"""From the bytes of a file to a sheet: YAML, the published schema, then orders with their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.sheets.conditions import asked_too_much
from adjudicator.engine.sheets.limits import first_orders
from adjudicator.engine.sheets.offering import offered
from adjudicator.engine.sheets.published import committed_sheet
from adjudicator.engine.sheets.schema import following, players, sheet_schema
from adjudicator.engine.sheets.sheet import KEYWORDS, Sheet, orders_at, place_in
from adjudicator.engine.sheets.validating import validator
from adjudicator.engine.sheets.words import shown
from adjudicator.engine.table.domain.forms import OTHER_FORM
from adjudicator.engine.table.event import Head, NotSent, Player
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.table.rulebook import PHASES, Rulebook
from adjudicator.engine.text.source import Path, Source, read


class Expected(Struct, frozen=True):
    """For which match and phase a file is expected, and from whom; an empty player is read from the file.

    `names` gives the public names of all on the board, for "did you mean"; `file` is how places name it, left out:
    after whose it is, `sheets/venice.yaml`. `known` is what was found possible already, by the schema's id.
    """

    rulebook: Rulebook[Any]
    match: str
    head: Head
    players: tuple[Player, ...]
    player: Player = ""
    names: Callable[[], Sequence[str]] = tuple
    file: str = ""
    known: dict[int, list[Any]] = {}

    def possible(self, schema: Mapping[str, Any]) -> list[Any]:
        """What a schema lists, as far as it is in this match; for a name by its pattern, those on the board."""
        if id(schema) not in self.known:
            self.known[id(schema)] = self._possible(schema)
        return self.known[id(schema)]

    def _possible(self, schema: Mapping[str, Any]) -> list[Any]:
        found = offered(schema.get("enum", ()), players(self.rulebook), self.players)
        patterns = [schema["pattern"]] if "pattern" in schema else schema.get("patternProperties", ())
        return found + [name for name in self.names() for each in patterns if re.search(each, name)]


def read_sheet(text: bytes, asked: Expected) -> Sheet | NotSent:
    """The sheet in a file; any fault but the gravest costs only the order or entry it lies in."""
    source = source_of(text, asked, "sheets")
    if isinstance(source, Source):
        source = meant_for(source, asked, "sheets")
    if isinstance(source, NotSent):
        return source
    source, beyond = first_orders(source)
    plain: Any = source.plain
    flaws = _by_order(sheet_flaws(asked, source))
    standing, later = plain.get("standing"), plain.get("later")
    phases = standing.get(PHASES) if isinstance(standing, dict) else None
    names = [phase.name for phase in following(asked.rulebook, asked.rulebook.phase(asked.head.name))]
    every = [phase.name for phase in asked.rulebook.phases if phase.verbs]
    orders = plain.get("orders")
    struck = {flaw.path for flaw in flaws.get((), ())}  # faults of the very thing, not of a part of it
    return Sheet(
        player=plain["player"],
        source=source,
        orders=orders_at(source, ("orders",), orders, flaws) if isinstance(orders, list) else None,
        standing={
            key: value
            for key, value in (standing.items() if isinstance(standing, dict) else ())
            if key in asked.rulebook.standing and ("standing", key) not in struck
        },
        phases={
            name: orders_at(source, ("standing", PHASES, name), orders, flaws)
            for name, orders in phases.items()
            if name in every and isinstance(orders, list)
        }
        if isinstance(phases, dict)
        else None,
        later={
            name: orders_at(source, ("later", name, "orders"), value.get("orders"), flaws)
            for name, value in (later.items() if isinstance(later, dict) else ())
            if name in names and isinstance(value, dict) and isinstance(value.get("orders"), list)
        },
        salt=plain["salt"] if isinstance(plain.get("salt"), str) else "",
        ready=plain.get("ready", True) is True,
        flaws=(*beyond, *flaws.get((), ())),
    )


def not_sent(player: Player, reason: Reason, place: str) -> NotSent:
    """A file that counts as not sent: whose (empty: it doesn't say), why, and where (`sheets/venice.yaml:3:1`)."""
    return NotSent(rule=reason.rule, to=(player,), player=player, reason=reason, place=place)


def source_of(text: bytes, asked: Expected, kind: str) -> Source | NotSent:
    """The YAML in a file."""
    name = asked.file or f"{kind}/{asked.player or '-'}.yaml"
    source = read(text, name)
    if isinstance(source, Source):
        return source
    reason = Reason("YAML", "yaml", {"text": source.text})
    return not_sent(asked.player, reason, f"{name}:{source.line}:{source.column}")


def meant_for(source: Source, asked: Expected, kind: str) -> Source | NotSent:
    """The source of a mapping that is for this match, phase and player, named by whose it is."""
    plain = source.plain
    if not isinstance(plain, dict):
        what = "empty" if plain is None else "not-a-mapping-file"
        return not_sent(asked.player, Reason("SHEET", what, {"value": plain}), f"{source.name}:1:1")
    player = plain.get("player")
    if not asked.file and not asked.player and player in asked.players:
        source = msgspec.structs.replace(source, name=f"{kind}/{player}.yaml")
    for field, wrong in _not_for(plain, asked):
        place = place_in(source, (field,)) if field in plain else f"{source.name}:1:1"
        return not_sent(asked.player or (player if player in asked.players else ""), wrong, place)
    return source


def _not_for(plain: dict[str, Any], asked: Expected) -> Iterator[tuple[str, Reason]]:
    player, match, phase = plain.get("player"), plain.get("match"), plain.get("phase")
    if "player" not in plain:
        yield "player", Reason("SHEET", "no-player", {"possible": list(asked.players)})
    elif player not in asked.players:
        yield (
            "player",
            Reason("SHEET", "unknown-player", {"value": player, "possible": list(asked.players)}),
        )
    elif asked.player and player != asked.player:
        yield "player", Reason("SHEET", "other-player", {"value": player, "player": asked.player})
    if match is not None and asked.match and match != asked.match:
        yield "match", Reason("SHEET", "other-match", {"value": str(match), "match": asked.match})
    if phase is not None and not names_phase(phase, asked.head):
        yield "phase", Reason("SHEET", "other-phase", {"value": str(phase), "phase": folder_name(asked.head)})


def names_phase(value: Any, head: Head) -> bool:
    """Is this the open phase: its name, its number, or its folder's name?"""
    return str(value) in (head.name, str(head.number), f"{head.number:04d}", folder_name(head))


def folder_name(head: Head) -> str:
    """`0003-t1-market`."""
    return f"{head.number:04d}-t{head.turn}-{head.name}"


# -- what the published schema says ------------------------------------------------------------------------------------


def sheet_flaws(asked: Expected, source: Source) -> list[Flaw]:
    """Everything that the published schema says against a sheet; none is published of a phase without orders."""
    rulebook, phase = asked.rulebook, asked.rulebook.phase(asked.head.name)
    schema = committed_sheet(rulebook.key, phase.name) if phase.verbs else sheet_schema(rulebook, phase)
    return [*flaws_of(source.plain, schema, asked), *asked_too_much(source.plain)]


def flaws_of(plain: Any, schema: Mapping[str, Any], asked: Expected) -> Iterator[Flaw]:
    """The errors of jsonschema as flaws with their places."""
    asked = msgspec.structs.replace(asked, known={})  # as long as the schema is there, and no longer
    for error in validator()(schema).iter_errors(plain):
        yield from _flaw(error, asked)


def _flaw(error: Any, asked: Expected) -> Iterator[Flaw]:
    path: Path = tuple(error.absolute_path)
    value, kind = error.instance, error.validator
    if path and path == order_home(path) and not (isinstance(value, dict) and value):
        yield Flaw(Reason("SCHEMA", "not-an-order", {"value": value}), path)
    elif kind == "additionalProperties":
        known = [*error.schema.get("properties", {}), *asked.possible(error.schema)]
        patterns = error.schema.get("patternProperties", ())
        for name in value:
            if name not in error.schema.get("properties", {}) and not any(
                re.search(each, name) for each in patterns
            ):
                why = "misplaced" if name == "else" else "unknown-key"
                yield Flaw(Reason("SCHEMA", why, {"value": name, "possible": known}), (*path, name), key=True)
    elif kind == "anyOf":
        yield from _none_of(error, path, asked)
    elif kind == "required":
        yield from (Flaw(_missing(name), path) for name in error.validator_value if name not in value)
    elif kind == "maxItems":
        yield Flaw(Reason("SCHEMA", "too-long", {"most": error.validator_value}), path)
    elif kind == "minItems":
        yield Flaw(Reason("SCHEMA", "too-short", {"least": error.validator_value}), path)
    elif kind == "enum":
        facts = {"value": value, "possible": asked.possible(error.schema)}
        yield Flaw(Reason("SCHEMA", "unknown-name", facts), path)
    else:
        facts = {"value": value, "need": need(error.schema, asked)}
        if kind == "pattern":
            facts["possible"] = asked.possible(error.schema)
        yield Flaw(Reason("SCHEMA", "wrong-kind", facts), path)


def _missing(name: str) -> Reason:
    return Reason("SCHEMA", "missing", {"field": name})


def _none_of(error: Any, path: Path, asked: Expected) -> Iterator[Flaw]:
    """An order with an unknown verb; else the fault of the option that goes deepest, or the kinds that there are."""
    value, options = error.instance, error.validator_value
    deepest = max(error.context, key=lambda inner: len(inner.absolute_path))
    if all("required" in option for option in options):
        verbs = [option["required"][0] for option in options]
        name = next(iter(value))
        why = "verb-first" if name in KEYWORDS else "unknown-verb"
        yield Flaw(Reason("SCHEMA", why, {"value": name, "possible": verbs}), (*path, name), key=True)
    elif any(OTHER_FORM in option for option in options) and (meant := _form_meant(error.context)):
        yield from _flaw(max(meant, key=lambda inner: len(inner.absolute_path)), asked)
    elif len(deepest.absolute_path) > len(path):
        yield from _flaw(deepest, asked)
    else:
        names = [name for option in options for name in asked.possible(option)]
        facts = {"value": value, "need": need(error.schema, asked), "possible": names}
        yield Flaw(Reason("SCHEMA", "wrong-kind", facts), path)


def _form_meant(errors: Sequence[Any]) -> list[Any]:
    """The errors of the one form of several that fits best by kind; none where the value is of no form's kind."""
    forms: dict[int, list[Any]] = {}
    for inner in errors:
        forms.setdefault(inner.relative_schema_path[0], []).append(inner)

    def of_another_kind(found: list[Any]) -> int:
        return sum(
            inner.validator == "type"
            or (inner.validator == "enum" and isinstance(inner.instance, list | dict))
            or (inner.validator == "anyOf" and of_another_kind(inner.context) == len(inner.context))
            for inner in found
        )

    number = min(forms, key=lambda form: of_another_kind(forms[form]))
    top = len(errors[0].parent.absolute_path)
    of_kind = [
        inner for inner in forms[number] if inner.validator != "type" or len(inner.absolute_path) > top
    ]
    return of_kind if len(of_kind) == len(forms[number]) else []


def need(schema: Mapping[str, Any], asked: Expected | None = None) -> str:
    """What a schema asks for, in a few words (keys of the texts are for refusals by rule; this is a type's name)."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(need(option, asked) for option in schema["anyOf"]))
    if "enum" in schema:
        return f"one of {shown(asked.possible(schema) if asked else schema['enum'])}"
    if "const" in schema:
        return str(schema["const"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(need({"type": each}, asked) for each in kind)
    if kind == "integer":
        least = f" from {schema['minimum']}" if "minimum" in schema else ""
        most = f" to {schema['maximum']}" if "maximum" in schema else ""
        step = f", a multiple of {schema['multipleOf']}" if "multipleOf" in schema else ""
        return f"a whole number{least}{most}{step}"
    if kind == "string" and "pattern" in schema:
        return f"the name of a {schema['title']}" if "title" in schema else "a name"
    names = {
        "string": "a text",
        "array": "a list",
        "object": "a mapping",
        "boolean": "true or false",
        "null": "nothing",
    }
    if kind == "array":
        return "a list in brackets, as [one, two]"
    if kind == "object" and schema.get("properties"):
        return f"fields in braces, as {{{', '.join(f'{name}: ...' for name in schema['properties'])}}}"
    return names.get(str(kind), "something else")


def _by_order(flaws: list[Flaw]) -> dict[Path, tuple[Flaw, ...]]:
    """The flaws by the order they lie in; those of no order under ()."""
    found: dict[Path, tuple[list[Flaw], list[Flaw]]] = {}
    for flaw in sorted(flaws, key=lambda flaw: [str(step) for step in flaw.path]):
        home = order_home(flaw.path)
        misspelt, others = found.setdefault(home, ([], []))
        (misspelt if home and flaw.key else others).append(flaw)
    # A misspelt field, before it is missed.
    return {home: (*reversed(misspelt), *others) for home, (misspelt, others) in found.items()}


def order_home(path: Path) -> Path:
    """The path of the innermost order that `path` leads into; () if it leads into none."""
    if path[:1] == ("orders",):
        end = 2
    elif path[:2] == ("standing", PHASES) or (path[:1] == ("later",) and path[2:3] == ("orders",)):
        end = 4
    else:
        return ()
    if len(path) < end:
        return ()
    while len(path) >= end + 2 and path[end] == "else":
        end += 2
    return path[:end]
