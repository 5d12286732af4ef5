"""What came in for a phase and its outcome; checks that orders and position must pass.

A match's options as a GM writes them: true or false may also be written on or off, yes or no.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.sheets.sheet import Answer, Order, Sheet
from adjudicator.engine.table.event import END, Event, Player, Remarked
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Question

STOPS, EVERY = "stops", "all"
FLAGS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def with_flags(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    """The options with true or false in place of such words; any YAML 1.1 tool writes `on` as `true`, and back.

    Stops may come as a text, `auction,movement`, as on a command line.
    """
    flags = flags_of(rulebook.Options)
    found = {
        name: FLAGS.get(value.lower(), value) if name in flags and isinstance(value, str) else value
        for name, value in plain.items()
    }
    if isinstance(stops := found.get(STOPS), str) and stops != EVERY:
        found[STOPS] = [word.strip() for word in stops.strip("[]").split(",")]
    return found


@cache
def flags_of(options: type[Options]) -> frozenset[str]:
    """The names of the options that are true or false."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(options) if field.type is bool)


def options_in(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> Options:
    """The options in plain data; a missing one has its default. Raises msgspec.ValidationError."""
    return msgspec.convert(with_flags(rulebook, plain), rulebook.Options)


def options_of_new_match(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    """The options given for a new match, with the rulebook's own stops if none are given."""
    return {**({STOPS: list(rulebook.stops[0])} if rulebook.stops else {}), **plain}


def flaw_in_stops(rulebook: Rulebook[Any], options: Options) -> Flaw | None:
    """Stops that aren't one of the rulebook's lists."""
    if options.stops == EVERY or options.stops in rulebook.stops:
        return None
    possible = [EVERY, *(f"[{', '.join(stops)}]" for stops in rulebook.stops)]
    facts = {"value": list(options.stops), "possible": possible}
    return Flaw(Reason("SHEET", "unknown-stops", facts), ("options", STOPS))


class AnswerAwaited(Exception):
    """The phase waits for a player's answer: the control signal of live pacing."""

    def __init__(self, player: Player, question: Question[Any, Any]) -> None:
        super().__init__(player)
        self.player, self.question = player, question


class Inbox(Struct, frozen=True):
    """Everything that came in for a phase. `waits`: questions wait for an answer (live pacing, no deadline).

    `deadline`: one closes the phase, and nobody is asked for another sheet. `in_vain` are players whose standing orders
    were tried when the phase was last open and led to nothing: they don't apply in it again.
    """

    sheets: Mapping[Player, Sheet] = {}
    answers: Mapping[Player, tuple[Answer, ...]] = {}
    notes: tuple[Event[Any], ...] = ()
    waits: bool = False
    deadline: bool = False
    in_vain: tuple[Player, ...] = ()


class Outcome(Struct, frozen=True):
    """The outcome of a phase: its events and the position after them, unless it waits."""

    state: Any
    events: tuple[Event[Any], ...]
    waiting: Player = ""
    question: Question[Any, Any] | None = None


def outlasts_refusal(event: Event[Any], player: Player) -> bool:
    """Does the event stand even if the player's order is refused? A remark to another player does."""
    return event.stays or (isinstance(event, Remarked) and player not in event.to)


def alternatives(order: Order) -> Iterator[Mapping[str, Any]]:
    """An order and those of its `else`, at any depth, as written."""
    yield order.fields
    for other in order.otherwise:
        yield from alternatives(other)


def is_table(rulebook: Rulebook[Any], players: Iterable[Player]) -> bool:
    """Can these players, in any order, play the game? Their names become file names, so no others are allowed."""
    return sorted(players) in [sorted(table) for tables in rulebook.tables.values() for table in tables]


def flaw_in_seats(rulebook: Rulebook[Any], state: Any) -> Flaw | None:
    """Players who can't play the game together."""
    if is_table(rulebook, state.players):
        return None
    possible = [f"[{', '.join(table)}]" for tables in rulebook.tables.values() for table in tables]
    return Flaw(
        Reason("SHEET", "no-such-table", {"value": list(state.players), "possible": possible}), ("players",)
    )


def flaw_in_head(rulebook: Rulebook[Any], state: Any) -> Flaw | None:
    """A phase that the game doesn't have, or a due player who doesn't play."""
    head, names = state.phase, [*(phase.name for phase in rulebook.phases), END]
    if head.name not in names:
        facts = {"value": head.name, "possible": names}
        return Flaw(Reason("SHEET", "unknown-name", facts), ("phase", "name"))
    for index, player in enumerate(head.due):
        if player not in state.players:
            facts = {"value": player, "possible": list(state.players)}
            return Flaw(Reason("SHEET", "unknown-player", facts), ("phase", "due", index))
    return None


def flaws_in(rulebook: Rulebook[Any], state: Any) -> list[Flaw]:
    """Everything that is impossible in a position, as far as its reader knows it.

    A rulebook's own checks rely on the players being at its table and the phase being its own. A check that meets
    something hidden has found nothing: in a view, what can't be known counts as fine.
    """
    for odd in (flaw_in_seats(rulebook, state), flaw_in_head(rulebook, state)):
        if odd is not None:
            return [odd]
    found = [flaw for flaw in (flaw_in_stops(rulebook, state.options),) if flaw is not None]
    for check in rulebook.checks:
        with suppress(Unknown):
            broken = check(state)
            if broken is not None:
                found.append(broken)
    return found
