"""What a page is told of a sheet or an answer, and where in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import Texts
from adjudicator.engine.library.words import say
from adjudicator.engine.report.markdown_html import plain_text
from adjudicator.engine.report.narrator import Narrator
from adjudicator.engine.table.event import Event, NotSent, Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.source import Path, Source

FINE, REFUSED, UNKNOWN = "fine", "refused", "unknown"


class SheetReport(Struct, frozen=True, omit_defaults=True):
    """What the page is told of a sheet; `templates/pages/engine.js` says the same as far as an attached page knows.

    `problems` are those of the sheet as a whole. Of each order `at` is the path in the sheet; `brings` are sentences on
    what it leads to. `totals` is what is left of what is counted.
    """

    orders: Sequence[Mapping[str, Any]]
    problems: Sequence[Mapping[str, Any]]
    totals: Sequence[Any] = ()
    left: Sequence[Any] = ()
    sure: bool = True


def what_follows(
    rulebook: Rulebook[Any], me: Player, view: Any, events: Sequence[Event[Any]]
) -> Mapping[str, Sequence[str]]:
    """By the place of an order: what it brings about, as a report would tell it that tells of nothing else. `events`
    are those of a check.
    """
    found: dict[str, list[str]] = {}
    narrator = Narrator(rulebook, me, view)
    for place, own in groupby(events, key=lambda event: event.by):
        lines = [plain_text(line) for _, line in narrator.lines([*own]) if line]
        if place and lines:
            found.setdefault(place, []).extend(lines)
    return found


def report_of_unreadable(file: NotSent, texts: Texts) -> SheetReport:
    """A file that can't be read, with the reason."""
    return SheetReport((), [problem(file.reason, file.place, texts)], sure=False)


def problem(reason: Reason, place: str, texts: Texts) -> Mapping[str, Any]:
    """A reason at a place of the file as a page is told it."""
    line, column = place.rsplit(":", 2)[1:]
    said = {"rule": reason.rule, "words": say(reason, texts), "severity": "error"}
    return {**said, "line": int(line), "column": int(column)}


def page_path(path: Path) -> Path:
    """A path in a sheet as the page writes it: `later.combat.0`, where the file has `later.combat.orders.0`."""
    return (*path[:2], *path[3:]) if path[:1] == ("later",) else path


def places(source: Source) -> Iterator[tuple[Path, str]]:
    """Every path in a file with its place (`sheet.yaml:7:5`)."""

    def within(plain: Any, path: Path) -> Iterator[Path]:
        yield path
        if isinstance(plain, Mapping):
            for key, value in plain.items():
                yield from within(value, (*path, key))
        elif isinstance(plain, list):
            for index, value in enumerate(plain):
                yield from within(value, (*path, index))

    for path in within(source.plain, ()):
        mark = source.mark(path)
        yield path, f"{source.name}:{mark.line}:{mark.column}"
