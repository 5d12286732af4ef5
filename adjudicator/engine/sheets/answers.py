"""Files of answers: with a head as in the form, or a plain list if we know whose it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.words import first_flaws
from adjudicator.engine.sheets.flaws import flaws_of
from adjudicator.engine.sheets.limits import MOST_ORDERS
from adjudicator.engine.sheets.reading import Expected, expected_source, source_of
from adjudicator.engine.sheets.schema import answer_schema
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.text.source import Path, Source


class Answer(Struct, frozen=True):
    """One entry of an answer file, verb first, and its place."""

    verb: str
    fields: Mapping[str, Any]
    place: str


ANSWERS = "answers"
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
