"""What came in for a phase and what comes of it; what is asked of its orders and its position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from adjudicator.engine.play.options import flaw_in_stops
from adjudicator.engine.sheets.answers import Answer
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.event import Event, Player, Remarked
from adjudicator.engine.table.reason import Flaw
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Question


class Awaited(Exception):
    """The phase waits for a player's answer: the control signal of live pacing."""

    def __init__(self, player: Player, question: Question[Any, Any]) -> None:
        super().__init__(player)
        self.player, self.question = player, question


class Inbox(Struct, frozen=True):
    """All that came in for a phase. `waits`: questions wait for an answer (live pacing, no deadline).

    `deadline`: the phase is closed by one, and nobody is asked for another sheet. `in_vain` are players whose standing
    orders were tried when the phase was open last, and nothing came of them: they don't hold in it again.
    """

    sheets: Mapping[Player, Sheet] = {}
    answers: Mapping[Player, tuple[Answer, ...]] = {}
    notes: tuple[Event[Any], ...] = ()
    waits: bool = False
    deadline: bool = False
    in_vain: tuple[Player, ...] = ()


class Outcome(Struct, frozen=True):
    """What came of a phase: its events and the position after them, unless it waits."""

    state: Any
    events: tuple[Event[Any], ...]
    waiting: Player = ""
    question: Question[Any, Any] | None = None


def is_word_to_another(event: Event[Any], player: Player) -> bool:
    """Is it what somebody else has heard of an order, which stays heard when the order is refused?"""
    return isinstance(event, Remarked) and player not in event.to


def ways_of(order: Order) -> Iterator[Mapping[str, Any]]:
    """An order and those of its `else`, as written."""
    yield order.fields
    for other in order.otherwise:
        yield from ways_of(other)


def flaws_in(rulebook: Rulebook[Any], state: Any) -> list[Flaw]:
    """Everything about a position that can't be, as far as its reader knows it.

    A check that comes to something hidden has found nothing: in a view, what can't be known counts as unbroken.
    """
    found = [flaw for flaw in (flaw_in_stops(rulebook, state.options),) if flaw is not None]
    for check in rulebook.checks:
        with suppress(Unknown):
            broken = check(state)
            if broken is not None:
                found.append(broken)
    return found
