"""Events in words, one after another, line by line, by the macros of a game's templates.

Lines that are the same for all readers, worked out once: most events are for everybody, and a report has many
readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import OfMatch, Texts, cached_in_texts, texts_of
from adjudicator.engine.report.template import macros
from adjudicator.engine.table.event import (
    Event,
    NotSent,
    OrderRefused,
    Player,
    Remarked,
    Stood,
    position_after,
)
from adjudicator.engine.table.rulebook import Rulebook

MOST_KEPT = 1024
"""How much of each kind is kept: more than one match needs at a time."""


class SharedLines:
    """The texts about events that don't depend on the reader.

    Events are compared by identity, so they are kept as long as their texts.
    """

    def __init__(self) -> None:
        self._of: OfMatch[tuple[str, int], tuple[Event[Any], str]] = OfMatch(MOST_KEPT)
        self._lines: OfMatch[tuple[Any, ...], tuple[Sequence[Event[Any]], str]] = OfMatch(MOST_KEPT)

    def of(self, event: Event[Any], macro: Callable[..., Any]) -> str:
        """What a macro says of an event by itself: its thread, or its acting player."""
        key = (macro.name, id(event))  # type: ignore[attr-defined]
        if key not in self._of:
            self._of.keep(key, (event, str(macro(event, type(event).__name__)).strip()))
        return self._of[key][1]

    def line(self, run: Sequence[Event[Any]], actor: Player) -> str | None:
        """The line that tells these events among somebody's acts; None if it isn't there yet, or differs by reader."""
        found = self._lines.get((actor, *map(id, run)))
        return None if found is None else found[1]

    def keep(self, run: Sequence[Event[Any]], actor: Player, text: str) -> None:
        """Keeps the line for all readers of these events."""
        self._lines.keep((actor, *map(id, run)), (run, text))


@cached_in_texts
def shared_lines(texts: Texts) -> SharedLines:
    """The lines that a game's reports in one language share between readers."""
    return SharedLines()


Run = Sequence[Event[Any]]
"""Events that one line tells."""
SHEETS = (OrderRefused, Remarked, NotSent, Stood)
"""Events about a player's own sheet, told separately from the story."""


class Scene:
    """The reader of a line, the player whose acts it belongs to (empty: nobody's), and the position before it, if
    known.

    `own` becomes true once a text has used the reader or the reader's knowledge: others then need another text.
    """

    __slots__ = ("_here", "_who", "actor", "own")

    def __init__(self, who: Player | None, actor: Player, here: Any) -> None:
        self._who, self.actor, self._here, self.own = who, actor, here, False

    @property
    def who(self) -> Player | None:
        """The reader; None for the public."""
        self.own = True
        return self._who

    @property
    def here(self) -> Any:
        """The position before the line, as the reader may know it."""
        self.own = True
        return self._here


class Group(Struct, frozen=True):
    """The lines about one player's acts, or nobody's."""

    actor: Player
    lines: Sequence[str]


class Narrator:
    """Tells events one after another, line by line, and keeps the position up to date."""

    def __init__(self, rulebook: Rulebook[Any], who: Player | None, here: Any) -> None:
        self.who, self.here, self.actor = who, here, ""
        texts = texts_of(rulebook)
        self.own = macros(texts, "events.md.j2")
        self.shared = macros(texts, "engine.md.j2")
        self.shared_lines = shared_lines(texts)

    def tell(self, events: Sequence[Event[Any]]) -> Iterator[Group]:
        """The lines of a phase, grouped by acting player."""
        self.actor = ""
        lines = [(self.actor, line) for _, line in self.lines(events) if line]
        for actor, group in groupby(lines, key=lambda item: item[0]):
            yield Group(actor, [line for _, line in group])

    def lines(self, events: Sequence[Event[Any]]) -> Iterator[tuple[Run, str]]:
        """The events of each line, with the line, which is empty for events that need no words."""
        for thread, run in self.runs([event for event in events if not isinstance(event, SHEETS)]):
            yield run, self.line(run, thread)
            self.here = position_after(run, self.here)

    def runs(self, events: Sequence[Event[Any]]) -> Iterator[tuple[str, Run]]:
        """Neighbouring events of one thread share a line; the game's template says what a thread is (`thread`)."""
        run: list[Event[Any]] = []
        before = ""
        for event in events:
            thread = self.shared_lines.of(event, self.own.thread)
            if run and not (thread and thread == before):
                yield before, run
                run = []
            run.append(event)
            before = thread
        if run:
            yield before, run

    def line(self, run: Run, thread: str) -> str:
        """The line, with its rules after its first line; empty for events that need no words."""
        actor = self.doer(run[0])
        if actor:
            self.actor = "" if actor == "-" else actor
        told = self.shared_lines.line(run, self.actor)
        return self.text_of_line(run, thread) if told is None else told

    def doer(self, event: Event[Any]) -> str:
        """The player whose doing the event is; `-`: nobody's; empty: of whoever was told of before it."""
        return self.shared_lines.of(event, self.own.actor)

    def text_of_line(self, run: Run, thread: str) -> str:
        """The line from the game's templates, or from the shared ones."""
        name = thread.split(maxsplit=1)[0] if thread else type(run[0]).__name__
        macro = getattr(self.own, name, None) or getattr(self.shared, name)
        scene = Scene(self.who, self.actor, self.here)
        text = str(macro(run, scene)).strip()
        if text:
            rules = ", ".join(sorted({event.rule for event in run}, key=number))
            head, gap, rest = text.partition("\n")
            text = f"{head} ({rules}){gap}{rest}"
        if not scene.own:
            self.shared_lines.keep(run, self.actor, text)
        return text


def number(rule: str) -> tuple[str, list[int]]:
    """The sort key of a rule number: MED-2.2 comes before MED-2.13."""
    prefix, _, numbers = rule.partition("-")
    return prefix, [int(part) for part in numbers.split(".") if part.isdigit()]
