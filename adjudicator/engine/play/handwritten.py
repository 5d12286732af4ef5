"""Positions written by hand, outside any match: fills in what may be left out, and reports what is impossible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.library import registry
from adjudicator.engine.play.position import PositionFile, hidden_in, position_in
from adjudicator.engine.play.succession import due_in
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import Problem, in_order
from adjudicator.engine.text.source import Path, Source, read


def position_by_hand(text: bytes, name: str) -> PositionFile | list[Problem]:
    """The position in a file, complete and ready to be adjudicated, or everything that is wrong with it.

    The file may leave out `match`, `options` or some of them, and everything in `phase` but the name: then the turn is
    the first, and those are due who would be by the rules.
    """
    source = read(text, name, most=None)
    if not isinstance(source, Source):
        return [source]
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


def problem_at(source: Source, path: Path, text: str) -> Problem:
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
        yield problem_at(
            source,
            ("players",),
            f"{rulebook.title} has no such players: {', '.join(seats)}; the players are {known}",
        )
    head = plain.get("phase")
    head = {"name": head} if isinstance(head, str) else head
    if not isinstance(head, dict):
        yield problem_at(source, ("phase",), "say here which phase it is: `phase: {name: market, turn: 1}`")
        return
    names = [phase.name for phase in rulebook.phases]
    if head.get("name") not in names:
        path = ("phase", "name") if "name" in head else ("phase",)
        yield problem_at(source, path, f"no phase {head.get('name', '')}; phases: {', '.join(names)}")
    for key in ("number", "turn"):
        value = head.get(key)
        if isinstance(value, int) and value < (key == "turn"):
            yield problem_at(source, ("phase", key), f"{value} is too low")
    due: Any = head.get("due")
    for index, player in enumerate(due if isinstance(due, list) else ()):
        if seats and player not in seats:
            yield problem_at(
                source, ("phase", "due", index), f"{player} doesn't play here; players: {', '.join(seats)}"
            )
        elif player in due[:index]:
            yield problem_at(source, ("phase", "due", index), f"{player} is named twice")


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
