"""What happened since the last report, step by step on the map: each line of the story is a step.

A step says which lines of the map's picture it changes. A line that isn't in the page already is told by one that is:
so many of its first characters, others, and so many of its last. So a page grows by a few kilobytes.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from markupsafe import Markup, escape
from msgspec import Struct

from adjudicator.engine.library.rules import RuleText
from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.report.filters import without_needless_escapes
from adjudicator.engine.report.first_lines import marks
from adjudicator.engine.report.map import Followed, Frame, Picture, frames
from adjudicator.engine.report.markdown_html import line_of
from adjudicator.engine.report.narrator import Narrator
from adjudicator.engine.report.reader_facts import ReaderFacts
from adjudicator.engine.report.story import events_by_phase
from adjudicator.engine.report.template import colours, embedded, names
from adjudicator.engine.table.event import Event, Head, Player, position_after, with_positions_before
from adjudicator.engine.table.rulebook import Rulebook

MOST_STEPS = 48
"""The most steps that a page shows: the last ones."""
TITLE = re.compile(r"<title>.*?</title>")
NAME = re.compile(r'data-name="([^"]*)"')
SEAM = ')">'
"""After a sign's place comes how it looks: each is told by that of another sign."""
WORDS = "replay."
"""How the keys of its words begin."""


class Step(Struct, frozen=True):
    """A line of the story: its phase, whose act it is (empty: nobody's), the line, its events, each with the position
    before it, and the position after them."""

    head: Head
    actor: Player
    line: str
    told: Followed
    after: Any


def steps_of(rulebook: Rulebook[Any], told: ReaderFacts) -> Iterator[Step]:
    """The lines of the story in their order; none if the position before is unknown."""
    if told.before is None:
        return
    narrator = Narrator(rulebook, told.who, told.before)
    parts = events_by_phase(told.before.phase, told.events)
    for _, found in groupby(parts, key=lambda part: (part[0].name, part[0].turn)):
        folders = list(found)
        narrator.actor = ""
        for run, line in narrator.lines([event for _, part in folders for event in part]):
            if line:
                followed = tuple(with_positions_before(run, narrator.here))
                yield Step(folders[0][0], narrator.actor, line, followed, position_after(run, narrator.here))


def replay(
    rulebook: Rulebook[Any], told: ReaderFacts, picture: Picture, steps: Sequence[Step], room: int
) -> str:
    """The steps as JSON for the page's script, in `room` characters: the last ones that find room, with `first`, the
    number of the first of them."""
    followed = tuple(with_positions_before(told.events, told.before)) if steps else ()
    drawn = list(frames(rulebook, followed, [(step.after, step.told) for step in steps]))
    first = 0
    while True:
        data = {"first": first, **packed(rulebook, told, picture, steps[first:], drawn[first:])}
        text = str(embedded(data))
        if len(text) <= room or first == len(steps):
            return text
        first += max(1, (len(steps) - first) // 8)


def numbered(
    story: Markup, steps: Sequence[Step], rules: Mapping[str, RuleText]
) -> tuple[Markup, list[Step]]:
    """The story with `data-step` at the lines of the last steps, and these steps; lines that aren't there are left
    out, such as those of a report in the words of another time.
    """
    html, at, found = str(story), 0, []
    for step in steps:
        line = str(line_of(without_needless_escapes(step.line.partition("\n")[0]), rules))
        start = html.find(f">{line}", at)
        if start >= 0:
            found.append((start, step))
            at = start + len(line)
    found = found[-MOST_STEPS:]
    for number, (start, _) in reversed(list(enumerate(found))):
        html = f'{html[:start]} data-step="{number}"{html[start:]}'
    return Markup(html), [step for _, step in found]


# -- as data -----------------------------------------------------------------------------------------------------------


def packed(
    rulebook: Rulebook[Any],
    told: ReaderFacts,
    picture: Picture,
    steps: Sequence[Step],
    drawn: Sequence[Frame],
) -> Mapping[str, Any]:
    """The steps for a script: `lines` that the page lacks, `who` acts, `parts` of the story, and each step as who,
    part, whether it concerns the reader, the names of what it is about, its own signs, and what changes on the map.
    What people read is HTML.
    """
    known = words(texts_of(rulebook))
    lines = Lines(picture.under, picture.over)
    actors = sorted({step.actor for step in steps if step.actor})
    short = marks(rulebook, told.after.players)
    parts = [key for key, _ in groupby((step.head.name, step.head.turn) for step in steps)]
    colour, called = colours(rulebook.key), names(texts_of(rulebook))
    before, shown, places = lines.all, [], {*NAME.findall(picture.svg)} - {*told.after.players}
    for step, frame in zip(steps, drawn, strict=True):
        now = lines.numbers(frame)
        about = [name for name in named(step.told) if name in places | {*NAME.findall(frame.over)}]
        own = f'class="s{colour.get(told.who or "", -1)} '
        mine = told.who is not None and (
            told.who in (step.actor, *named(step.told)) or any(own in line for line in lines.of(now, about))
        )
        shown.append(
            (
                actors.index(step.actor) if step.actor else -1,
                parts.index((step.head.name, step.head.turn)),
                int(mine),
                about,
                [lines.number(line, "under") for line in frame.drawn],
                list(edits(before, now)),
            )
        )
        before = now
    return {
        "lines": lines.added,
        "who": [
            (colour.get(player, 0), escape(short[player]), escape(called.get(player))) for player in actors
        ],
        "seat": colour.get(told.who or "", -1),
        "parts": [
            escape(
                known["pages"]["moment"].format(
                    turn=known["terms"]["turn"], number=turn, phase=known["phases"].get(name, name)
                )
            )
            for name, turn in parts
        ],
        "steps": shown,
        "words": {
            key.removeprefix(WORDS): escape(text)
            for key, text in known["pages"].items()
            if key.startswith(WORDS)
        },
    }


class Lines:
    """All lines of SVG that a page shows in some step, each with a number: first those of its own map, then others."""

    def __init__(self, under: str, over: str) -> None:
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self._latest: dict[tuple[str, str], int] = {}
        self.added: list[Any] = []
        """What the page lacks: as the number of a line, how many of its first characters, a text, and how many of its
        last; a text alone if there is no such line, after the layer's first letter.
        """
        for layer, text in (("under", under), ("over", over)):
            for line in filter(None, text.split("\n")):
                self._add(TITLE.sub("", line), layer)
        self.all = list(range(len(self._texts)))

    def numbers(self, frame: Frame) -> list[int]:
        """The lines of a frame."""
        under, over = (text.split("\n") for text in (frame.under, frame.over))
        return [
            self.number(line, layer)
            for layer, all_ in (("under", under), ("over", over))
            for line in all_
            if line
        ]

    def number(self, line: str, layer: str) -> int:
        """The number of a line, which gets one if it has none."""
        text = TITLE.sub("", line)
        if text not in self._numbers:
            self.added.append(self._told(text, layer))
            self._add(text, layer)
        return self._numbers[text]

    def of(self, numbers: Iterable[int], about: Sequence[str]) -> Iterator[str]:
        """The lines among these that have one of these names."""
        for number in numbers:
            found = NAME.search(self._texts[number])
            if found and found[1] in about:
                yield self._texts[number]

    def _add(self, text: str, layer: str) -> None:
        self._numbers.setdefault(text, len(self._texts))
        self._latest[kind_of(text, layer)] = len(self._texts)
        self._texts.append(text)

    def _told(self, text: str, layer: str) -> Any:
        like = self._latest.get(kind_of(text, layer))
        if like is None:
            return layer[0] + text
        other = self._texts[like]
        if SEAM not in text or SEAM not in other:
            return (like, *difference(text, other))
        (at, _, look), (other_at, _, other_look) = text.partition(SEAM), other.partition(SEAM)
        return (like, *difference(at, other_at), *difference(look, other_look))


def difference(text: str, other: str) -> tuple[int, str, int]:
    """A text by another: how many of its first characters, what comes then, and how many of its last."""
    first = shared_length(text, other)
    last = shared_length(text[first:][::-1], other[first:][::-1])
    return first, text[first : len(text) - last], last


def kind_of(text: str, layer: str) -> tuple[str, str]:
    """Lines of one kind are told by each other: signs of one name, else those that begin alike."""
    found = NAME.search(text)
    return layer, found[0] if found else text[:14]


def shared_length(one: str, other: str) -> int:
    """How many first characters two texts share."""
    most = min(len(one), len(other))
    return bisect(range(1, most + 1), False, key=lambda count: one[:count] != other[:count])


def edits(before: Sequence[int], now: Sequence[int]) -> Iterator[tuple[int, int, list[int]]]:
    """How one list becomes the other: at which place how many are taken out, and what comes in; the last first."""
    for what, start, end, first, last in reversed(
        SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
    ):
        if what != "equal":
            yield start, end - start, list(now[first:last])


def named(told: Iterable[tuple[Event[Any], Any]]) -> list[str]:
    """All texts in the facts of some events, each once, in their order."""
    return list(dict.fromkeys(text for event, _ in told for text in texts_in(event)))


def texts_in(value: Any) -> Iterator[str]:
    """The texts in a value that may hold others; not a rule's number, nor a place in a sheet."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            if field not in ("rule", "by", "to"):
                yield from texts_in(getattr(value, field))
    elif isinstance(value, Mapping):
        yield from texts_in([*value.keys(), *value.values()])
    elif isinstance(value, Sequence):
        for each in value:
            yield from texts_in(each)
