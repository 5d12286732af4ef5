"""From a file's bytes to a sheet: YAML, the published schema, then orders with their places; and to answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.texts import first_flaws, reason_of
from adjudicator.engine.sheets.conditions import flaws_of_long_conditions
from adjudicator.engine.sheets.flaws import flaws_of, order_home
from adjudicator.engine.sheets.form_schema import sheet_schema
from adjudicator.engine.sheets.limits import MOST_ORDERS, first_orders
from adjudicator.engine.sheets.offering import words_offered
from adjudicator.engine.sheets.published import committed_sheet
from adjudicator.engine.sheets.schema import answer_schema, phases_ahead, players
from adjudicator.engine.sheets.sheet import ANSWERS, Answer, Sheet, orders_at
from adjudicator.engine.table.event import Head, NotSent, Player
from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.text.source import Path, Source, read


class Expected(Struct, frozen=True):
    """The match and phase that a file is expected for, and its player, whom the file needn't name then; an empty player
    is read from the file.

    `names` gives the public names of everything on the board, for "did you mean". `file` is its name in places, by
    default after its player, `sheets/venice.yaml`. `known` is what was already found possible, by the schema's id.
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
        """What a schema lists, if it exists in this match; for a pattern of names, those on the board."""
        if id(schema) not in self.known:
            self.known[id(schema)] = self._possible(schema)
        return self.known[id(schema)]

    def _possible(self, schema: Mapping[str, Any]) -> list[Any]:
        found = words_offered(schema.get("enum", ()), players(self.rulebook), self.players)
        patterns = [schema["pattern"]] if "pattern" in schema else schema.get("patternProperties", ())
        return found + [name for name in self.names() for each in patterns if re.search(each, name)]

    def without_cache(self) -> Expected:
        """The same for another schema, with nothing found yet."""
        return msgspec.structs.replace(self, known={})


def expected_in(rulebook: Rulebook[Any], state: Any, player: Player = "", **more: Any) -> Expected:
    """What is expected in a position, or a view of it; `more` are further parts of `Expected`."""
    return Expected(rulebook, state.match, state.phase, tuple(state.players), player, **more)


def read_sheet(text: bytes, asked: Expected) -> Sheet | NotSent:
    """The sheet in a file; any fault but the gravest costs only its order or entry."""
    source = source_of(text, asked, "sheets")
    if isinstance(source, Source):
        source = expected_source(source, asked, "sheets")
    if isinstance(source, NotSent):
        return source
    source, beyond = first_orders(source)
    plain: Any = source.plain
    flaws = _flaws_by_order(sheet_flaws(asked, source))
    standing, later = plain.get("standing"), plain.get("later")
    phases = standing.get(PHASES) if isinstance(standing, dict) else None
    names = [phase.name for phase in phases_ahead(asked.rulebook, asked.rulebook.phase(asked.head.name))]
    again = [phase.name for phase in asked.rulebook.phases if phase.verbs and not phase.once]
    orders = plain.get("orders")
    struck = {flaw.path for flaw in flaws.get((), ())}  # faults of the sheet itself, not of a part
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
            if name in again and isinstance(orders, list)
        }
        if isinstance(phases, dict)
        else None,
        later={
            name: orders_at(source, ("later", name, "orders"), value.get("orders"), flaws)
            for name, value in (later.items() if isinstance(later, dict) else ())
            if name in names and isinstance(value, dict) and isinstance(value.get("orders"), list)
        },
        salt=text_at(plain, "salt"),
        seen=text_at(plain, "seen"),
        ready=plain.get("ready", True) is True,
        flaws=(*beyond, *flaws.get((), ())),
    )


def text_at(plain: Any, key: str) -> str:
    """The text of a key at the top of a file; empty if there is none, or something else in its place."""
    found = plain.get(key) if isinstance(plain, dict) else None
    return found if isinstance(found, str) else ""


def not_sent(player: Player, reason: Reason, place: str) -> NotSent:
    """A file that counts as not sent: its player (empty: unknown), why, and where (`sheets/venice.yaml:3:1`)."""
    return NotSent(rule=reason.rule, to=(player,), player=player, reason=reason, place=place)


def source_of(text: bytes, asked: Expected, kind: str) -> Source | NotSent:
    """The YAML in a file."""
    name = asked.file or f"{kind}/{asked.player or '-'}.yaml"
    source = read(text, name)
    if isinstance(source, Source):
        return source
    slip = source.slip
    return not_sent(asked.player, reason_of(source), f"{name}:{slip.line}:{slip.column}")


def expected_source(source: Source, asked: Expected, kind: str) -> Source | NotSent:
    """The source, named after its player, if it is a mapping that names no other match, phase or player than the
    expected ones; else why it doesn't count.
    """
    plain = source.plain
    if not isinstance(plain, dict):
        what = "empty" if plain is None else "not-a-mapping-file"
        return not_sent(asked.player, Reason("SHEET", what, {"value": plain}), f"{source.name}:1:1")
    if "player" not in plain and {"rulebook", "players"} <= plain.keys():
        return not_sent(asked.player, Reason("SHEET", "a-position-file"), f"{source.name}:1:1")
    if asked.player:
        plain = {"player": asked.player, **plain}
        source = msgspec.structs.replace(source, plain=plain)
    player = plain.get("player")
    if not asked.file and not asked.player and player in asked.players:
        source = msgspec.structs.replace(source, name=f"{kind}/{player}.yaml")
    for field, wrong in _mismatches(plain, asked):
        place = source.place((field,)) if field in plain else f"{source.name}:1:1"
        return not_sent(asked.player or (player if player in asked.players else ""), wrong, place)
    return source


def _mismatches(plain: dict[str, Any], asked: Expected) -> Iterator[tuple[str, Reason]]:
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
    """Does a value name the open phase: by name, number, or folder?"""
    return str(value) in (head.name, str(head.number), f"{head.number:04d}", folder_name(head))


def folder_name(head: Head) -> str:
    """The name of a phase's folder: `0003-t1-market`."""
    return f"{head.number:04d}-t{head.turn}-{head.name}"


# -- what the published schema says ------------------------------------------------------------------------------------


def sheet_flaws(asked: Expected, source: Source) -> list[Flaw]:
    """Everything the published schema finds wrong with a sheet; a phase without orders has no schema."""
    rulebook, phase = asked.rulebook, asked.rulebook.phase(asked.head.name)
    schema = committed_sheet(rulebook.key, phase.name) if phase.verbs else sheet_schema(rulebook, phase)
    found = flaws_of(source.plain, schema, asked)
    flaws = (_on_several_lines(_with_right_place(flaw, rulebook, phase), source) for flaw in found)
    return [*flaws, *flaws_of_long_conditions(source.plain)]


def _with_right_place(flaw: Flaw, rulebook: Rulebook[Any], open_: Phase[Any]) -> Flaw:
    """Why a key that the game has can't stand there, and where it belongs, where a schema only says it is unknown."""
    *home, name = flaw.path or ("",)
    why, facts = "", flaw.reason.facts
    if flaw.key and any(each.name == name and each.verbs for each in rulebook.phases):
        if home in (["later"], ["standing", PHASES]):
            why = "not-ahead" if home == ["later"] else "comes-once"
        elif not home:
            ahead = [each.name for each in phases_ahead(rulebook, open_)]
            why, facts = "under-later" if name in ahead else "not-ahead", {**facts, "possible": ahead}
    elif flaw.key and not home and name in (*rulebook.standing, *open_.verbs):
        why = "under-standing" if name in rulebook.standing else "under-orders"
    return msgspec.structs.replace(flaw, reason=Reason(flaw.reason.rule, why, facts)) if why else flaw


def _on_several_lines(flaw: Flaw, source: Source) -> Flaw:
    """The flaw of a text that stands on several lines, as it does where a dash or a comma is left out."""
    value, last = flaw.reason.facts.get("value"), 0 if flaw.key else source.last_line(flaw.path)
    if not last or not isinstance(value, str) or flaw.reason.key == "not-an-order":
        return flaw
    facts = {"value": value, "first": source.mark(flaw.path).line, "last": last}
    return msgspec.structs.replace(flaw, reason=Reason(flaw.reason.rule, "over-lines", facts))


def _flaws_by_order(flaws: list[Flaw]) -> dict[Path, tuple[Flaw, ...]]:
    """The flaws by the order they lie in; those in no order under ()."""
    found: dict[Path, tuple[list[Flaw], list[Flaw]]] = {}
    for flaw in sorted(flaws, key=lambda flaw: [str(step) for step in flaw.path]):
        home = order_home(flaw.path)
        misspelt, others = found.setdefault(home, ([], []))
        (misspelt if home and flaw.key else others).append(flaw)
    # A misspelt field comes before the field that is missing because of it.
    return {home: (*reversed(misspelt), *others) for home, (misspelt, others) in found.items()}


# -- answers -----------------------------------------------------------------------------------------------------------


UNREAD = {
    "yaml": "answers-yaml",
    "empty": "answers-empty",
    "not-a-mapping-file": "answers-not-a-list",
    "no-player": "answers-no-player",
    "unknown-player": "answers-unknown-player",
    "other-player": "answers-other-player",
    "other-match": "answers-other-match",
    "other-phase": "answers-other-phase",
    "unknown-verb": "answers-unknown-verb",
}
"""For each message about a sheet, the one about a file of answers."""


def read_answers(
    text: bytes, asked: Expected
) -> tuple[tuple[Answer, ...], tuple[Flaw, ...], Source] | NotSent:
    """The answers in a file, what is wrong with some of them, and the source.

    A plain list (`- seat: 3`) is that of the expected player; if there is none, the source doesn't say whose it is.
    """
    source = source_of(text, asked, ANSWERS)
    if isinstance(source, Source) and not isinstance(source.plain, list):
        source = expected_source(source, asked, ANSWERS)
    if isinstance(source, NotSent):
        return replace(source, reason=reason_for_answers(source.reason))
    plain: Any = source.plain
    home: Path = () if isinstance(plain, list) else (ANSWERS,)
    listed = plain.get(ANSWERS) if home else plain
    entries = listed[:MOST_ORDERS] if isinstance(listed, list) else []
    flaws = (*too_many_answers(home, listed), *answer_flaws(asked, source, home, entries))
    bad = {
        flaw.path[len(home)]
        for flaw in flaws
        if flaw.path[: len(home)] == home and len(flaw.path) > len(home)
    }
    found = [
        Answer(next(iter(entry)), entry, source.place((*home, index)))
        for index, entry in enumerate(entries)
        if index not in bad
    ]
    return tuple(found), tuple(first_flaws(source, flaws)), source


def too_many_answers(home: Path, listed: Any) -> Iterator[Flaw]:
    """The flaw of a list with more than MOST_ORDERS answers; nothing for a shorter one."""
    if isinstance(listed, list) and len(listed) > MOST_ORDERS:
        yield Flaw(Reason("SHEET", "too-many-answers", {"most": MOST_ORDERS}), (*home, MOST_ORDERS))


def answer_flaws(asked: Expected, source: Source, home: Path, entries: Sequence[Any]) -> Iterator[Flaw]:
    """What the published schema finds wrong with a file of answers; `home` leads to its list."""
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict) or not entry:
            yield Flaw(Reason("SCHEMA", "not-an-answer", {"value": entry}), (*home, index))
    kept = [index for index, entry in enumerate(entries) if isinstance(entry, dict) and entry]
    plain: Any = source.plain if home else {"player": asked.player or asked.players[0]}
    if entries:
        plain = {**plain, ANSWERS: [entries[index] for index in kept]}
    for flaw in flaws_of(plain, answer_schema(asked.rulebook), asked):
        path = flaw.path
        if path[:1] == (ANSWERS,) and entries:
            path = (*home, *(kept[int(step)] for step in path[1:2]), *path[2:])
        yield replace(flaw, reason=reason_for_answers(flaw.reason), path=path)


def reason_for_answers(reason: Reason) -> Reason:
    """The reason with the text for files of answers, where its text for sheets would mislead."""
    return replace(reason, key=UNREAD.get(reason.key, reason.key))
