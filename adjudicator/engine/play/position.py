"""Positions in files: reads `state.yaml` and `view.yaml`, with every problem at its line, and writes them.

Positions written by hand, outside any match: fills in what may be left out, and reports what is impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import ENGLISH, known_languages
from adjudicator.engine.library.texts import game_texts, in_language, problem_at, problem_of, texts_of
from adjudicator.engine.play.inbox import flaws_in, with_flags
from adjudicator.engine.play.instructing import read_entry
from adjudicator.engine.play.stops import due_in
from adjudicator.engine.sheets.flaws import flaws_of
from adjudicator.engine.sheets.published import committed_schema
from adjudicator.engine.sheets.reading import Expected
from adjudicator.engine.table.event import Head
from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.reason import Flaw, Reason, Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret, decode_secret, encode_secret, plain_of, secret_fields
from adjudicator.engine.table.table import Setting
from adjudicator.engine.text import typed
from adjudicator.engine.text.problem import Problem, in_order
from adjudicator.engine.text.source import Path, Source, read
from adjudicator.engine.text.writing import write

PARTS_KEPT = 128
"""How many written parts of positions are kept: those of a position and of its views."""
POSITIONS_KEPT = 8
"""How many positions are kept as they were read: a command reads those of a phase again at each of its steps."""
_PARTS = msgspec.json.Decoder(dict[str, msgspec.Raw])
LANGUAGE = "language"
"""The key of a view that says in which language its reader is told of it."""
FIRST_LINE = write({typed.KEY: typed.FORMAT})


class PositionFile(Struct, frozen=True):
    """A position that was read, its rulebook, and its file."""

    rulebook: Rulebook[Any]
    state: Any
    source: Source


def read_position(text: bytes, name: str) -> PositionFile | list[Problem]:
    """The position in a file, or everything that is wrong with it."""
    if kept := position_kept(text):
        return replace(kept, source=replace(kept.source, name=name))
    source = read(text, name, most=None)
    return position_in(source) if isinstance(source, Source) else [problem_of(source)]


@lru_cache(maxsize=POSITIONS_KEPT)
def position_kept(text: bytes) -> PositionFile | None:
    """The position in a text, read once however often it is asked for; None if anything is wrong with it."""
    source = read(text, "", most=None)
    opened = position_in(source) if isinstance(source, Source) else None
    return opened if isinstance(opened, PositionFile) else None


def position_in(source: Source) -> PositionFile | list[Problem]:
    """The position in a file's data, or everything that is wrong with it."""
    plain = source.plain
    if not isinstance(plain, dict) or "rulebook" not in plain:
        return [problem_at(source.place(()), Reason("SHEET", "not-a-position"), game_texts(""))]
    try:
        rulebook = registry.rulebook(str(plain.get("rulebook")))
    except registry.NoSuchGame as error:
        broken = Reason("SHEET", "game-not-loaded", {"value": error.name, "what": error.why})
        none = Reason("SHEET", "no-such-game", {"value": error.name, "possible": error.known})
        reason = broken if error.why else none
        return [problem_at(source.place(("rulebook",)), reason, game_texts(""))]
    if flaw := flaw_of_versions(rulebook, plain):
        return [problem_at(source.place(flaw.path), flaw.reason, texts_of(rulebook))]
    language = plain.get(LANGUAGE)
    if isinstance(language, str) and language in known_languages(rulebook.key):
        rulebook = in_language(rulebook, language)
    plain = {key: value for key, value in plain.items() if key not in (typed.KEY, LANGUAGE)}
    options = plain.get("options")
    if isinstance(options, dict):
        plain = {**plain, "options": with_flags(rulebook, options)}
    try:
        state = msgspec.convert(plain, rulebook.State, dec_hook=decode_secret)
    except msgspec.ValidationError as error:
        return malformed(source, rulebook, error)
    found = [*flaws_in(rulebook, state), *standing_flaws(rulebook, state)]
    if found:
        texts = texts_of(rulebook)
        return in_order(problem_at(source.place(flaw.path), flaw.reason, texts) for flaw in found)
    return PositionFile(rulebook, state, source)


def flaw_of_versions(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> Flaw | None:
    """Why this program is too old for a position: its format, or the rules that it is played by. None if it isn't."""
    written, rules = plain.get(typed.KEY, typed.FORMAT), plain.get("rules", 0)
    facts: dict[str, Any] = {"value": f"release {written}", "program": __version__}
    try:
        if typed.is_later(str(written)):
            return Flaw(Reason("MATCH", "later-format", facts), (typed.KEY,))
    except ValueError:
        return Flaw(Reason("MATCH", "no-format", facts), (typed.KEY,))
    if isinstance(rules, int) and not 0 <= rules <= int(rulebook.version):
        facts = {"value": rules, "version": rulebook.version, "program": __version__}
        return Flaw(Reason("MATCH", "later-rules", facts), ("rules",))
    return None


def standing_flaws(rulebook: Rulebook[Any], state: Any) -> Iterator[Flaw]:
    """Standing instructions in a position that a sheet couldn't give."""
    for player, seat in state.players.items():
        held = plain_of(seat.standing.value) if seat.standing.known else {}
        for name in held.pop(PHASES, {}):
            known = [phase.name for phase in rulebook.phases if phase.verbs]
            if name not in known:
                reason = Reason("SHEET", "unknown-key", {"value": name, "possible": known})
                yield Flaw(reason, ("players", player, "standing", PHASES, name), key=True)
        for key, plain in held.items():
            kind = rulebook.standing[key]
            for index, entry in enumerate([plain] if isinstance(kind, Setting) else plain):
                path: Path = (
                    "players",
                    player,
                    "standing",
                    key,
                    *(() if isinstance(kind, Setting) else (index,)),
                )
                try:
                    read_entry(kind, entry, state, player)
                except Refused as refused:
                    yield Flaw(refused.reason, (*path, *refused.path))


def hidden_in(opened: PositionFile) -> list[Problem]:
    """The first thing that is hidden in a position that must be complete: a view can't be played on, and hides many."""
    reason = Reason("SHEET", "hidden-here")
    return [
        problem_at(opened.source.place(path), reason, texts_of(opened.rulebook))
        for path in islice(ways_to_hidden(opened.state), 1)
    ]


def ways_to_hidden(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of hidden secrets."""
    if isinstance(value, Secret):
        if not value.known:
            yield path
            return
        value = value.value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from ways_to_hidden(item, (*path, key))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from ways_to_hidden(item, (*path, index))
    elif isinstance(value, Struct):
        for name in secret_fields(type(value)):
            yield from ways_to_hidden(getattr(value, name), (*path, name))


def malformed(source: Source, rulebook: Rulebook[Any], error: Exception) -> list[Problem]:
    """What the published schema finds wrong with an unreadable position; else the reader's own message."""
    schema = committed_schema(rulebook.key, "state.json")
    found = [
        problem_at(source.place(flaw.path), flaw.reason, texts_of(rulebook))
        for flaw in flaws_of(source.plain, schema, Expected(rulebook, "", Head(0, "", 1), ()))
    ]
    return in_order(
        found
        or [
            problem_at(
                source.place(()), Reason("SCHEMA", "malformed", {"text": str(error)}), texts_of(rulebook)
            )
        ]
    )


def write_position(state: Any, language: str = ENGLISH) -> str:
    """The text of `state.yaml`, or of a view, part by part. A position that doesn't say its rules still doesn't. A view
    says in which language its reader is told of it, if that isn't English.
    """
    parts = _PARTS.decode(msgspec.json.encode(state, enc_hook=encode_secret))
    told = {name: part for name, part in parts.items() if state.rules or name != "rules"}
    first = FIRST_LINE if language == ENGLISH else f"{FIRST_LINE}{write({LANGUAGE: language})}"
    return first + "".join(part_written(name, bytes(part)) for name, part in told.items())


@lru_cache(maxsize=PARTS_KEPT)
def part_written(name: str, part: bytes) -> str:
    """The text that a part of a position, given as JSON, has in a file. Public parts are the same in all views, and
    written once.
    """
    return write({name: msgspec.json.decode(part)})


def position_by_hand(text: bytes, name: str) -> PositionFile | list[Problem]:
    """The position in a file, complete and ready to be adjudicated, or everything that is wrong with it.

    The file may leave out `match`, `options` or some of them, and everything in `phase` but the name: then the turn is
    the first, and those are due who would be by the rules.
    """
    source = read(text, name, most=None)
    if not isinstance(source, Source):
        return [problem_of(source)]
    if not isinstance(source.plain, dict):
        return position_in(source)
    try:
        rulebook = registry.rulebook(str(source.plain.get("rulebook")))
    except registry.NoSuchGame:
        return position_in(source)
    wrong = list(problems_of_head(rulebook, source))
    if wrong:
        return in_order(wrong)
    due_given = fill_in(rulebook, source.plain)
    opened = position_in(source)
    if not isinstance(opened, PositionFile):
        return opened
    return hidden_in(opened) or PositionFile(
        rulebook, with_options_and_due(rulebook, opened.state, due_given=due_given), source
    )


def slip_at(source: Source, path: Path, text: str) -> Problem:
    """A problem at a place of the position."""
    mark = source.mark(path)
    return Problem(source.name, mark.line, mark.column, "SHEET", text)


def problems_of_head(rulebook: Rulebook[Any], source: Source) -> Iterator[Problem]:
    """What is wrong in the parts that every game's position has: the phase and the players."""
    plain: Any = source.plain
    seats = list(plain["players"]) if isinstance(plain.get("players"), dict) else []
    tables = [table for tables in rulebook.tables.values() for table in tables]
    if seats and sorted(seats) not in [sorted(table) for table in tables]:
        known = "; or ".join(", ".join(table) for table in tables)
        yield slip_at(
            source,
            ("players",),
            f"{rulebook.title} has no such players: {', '.join(seats)}; the players are {known}",
        )
    head = plain.get("phase")
    head = {"name": head} if isinstance(head, str) else head
    if not isinstance(head, dict):
        yield slip_at(source, ("phase",), "say here which phase it is: `phase: {name: market, turn: 1}`")
        return
    names = [phase.name for phase in rulebook.phases]
    if head.get("name") not in names:
        path = ("phase", "name") if "name" in head else ("phase",)
        yield slip_at(source, path, f"no phase {head.get('name', '')}; phases: {', '.join(names)}")
    for key in ("number", "turn"):
        value = head.get(key)
        if isinstance(value, int) and value < (key == "turn"):
            yield slip_at(source, ("phase", key), f"{value} is too low")
    due: Any = head.get("due")
    for index, player in enumerate(due if isinstance(due, list) else ()):
        if seats and player not in seats:
            yield slip_at(
                source, ("phase", "due", index), f"{player} doesn't play here; players: {', '.join(seats)}"
            )
        elif player in due[:index]:
            yield slip_at(source, ("phase", "due", index), f"{player} is named twice")


def fill_in(rulebook: Rulebook[Any], plain: dict[str, Any]) -> bool:
    """Fills in what may be left out; returns whether the file says who is due."""
    plain.setdefault("match", "")
    plain.setdefault("options", {})
    head = plain["phase"]
    if isinstance(head, str):
        head = {"name": head}
    names = [phase.name for phase in rulebook.phases]
    plain["phase"] = {"number": names.index(head["name"]), "turn": 1, **head}
    return "due" in head


def with_options_and_due(rulebook: Rulebook[Any], state: Any, *, due_given: bool) -> Any:
    """The position with the options that follow from others and from the players, and with the due players."""
    table = next(
        one for tables in rulebook.tables.values() for one in tables if sorted(one) == sorted(state.players)
    )
    options = rulebook.start(state.match, state.options, table).options
    state = replace(state, options=options, chain="")
    if due_given:
        return state
    phase = rulebook.phase(state.phase.name)
    due = due_in(rulebook, state, phase) if phase.verbs else ()
    return replace(state, phase=replace(state.phase, due=due))
