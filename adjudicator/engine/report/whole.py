"""A match that is over: in a few sentences, and in three figures, luck, the largest fight and changes of the lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.chart import Count
from adjudicator.engine.report.first import OWN, said
from adjudicator.engine.report.news import Item, News
from adjudicator.engine.report.reader_facts import Numbers, Whole
from adjudicator.engine.report.template import macros
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.points import Total
from adjudicator.engine.table.rulebook import Rulebook

MOST_SENTENCES = 5
MOST_OF_A_TURN = 2
"""The most sentences about one turn."""


def whole_of(
    rulebook: Rulebook[Any],
    who: Player | None,
    events: Iterable[Event[Any]],
    start: Any,
    counts: Sequence[Count],
) -> Whole:
    """The match as its reader may know it, from its first position on; `counts` are the points by turn."""
    news, own = News(rulebook, who), macros(texts_of(rulebook), OWN)
    news.read(events, start)
    largest = max(news.fights, key=lambda fight: fight.size, default=None)
    means = {player: sum(thrown) / len(thrown) for player, thrown in news.throws.items()}
    luck = sorted(means.items(), key=lambda each: -each[1])
    figures = (own.luck(luck), own.largest(largest), own.changes(changes_of_lead(counts)))
    labels = (own.luck_label(), own.largest_label(), own.changes_label())
    return Whole(
        [said(own.happened(item)) for item in chosen(news)],
        [(said(label), said(figure)) for label, figure in zip(labels, figures, strict=True)],
        list(numbers(news, counts)),
    )


def numbers(news: News, counts: Sequence[Count]) -> Iterator[Numbers]:
    """Every player's match in numbers, the most points first; `counts` are the points by turn, the end last."""
    if not counts:
        return
    ends = {count.turn: count.totals for count in counts}
    first = {turn: leaders(totals) for turn, totals in ends.items()}
    turns = sorted(ends)
    for player, total in sorted(counts[-1].totals.items(), key=lambda each: -each[1].points):
        thrown = news.throws.get(player, [])
        gains = [
            (ends[turn][player].points - ends[before][player].points, -turn)
            for before, turn in pairwise(turns)
            if ends[turn][player].more == ends[before][player].more  # else a hidden part is told at once
        ]
        best, turn = max(gains, default=(0, 0))
        mean = sum(thrown) / len(thrown) if thrown else None
        led = sum(found == [player] for found in first.values())
        yield Numbers(player, total.points, len(thrown), mean, led, best, -turn)


def chosen(news: News) -> list[Item]:
    """The most notable of a match's headlines, not too many of one turn, in the order in which they happened."""
    found: list[Item] = []
    for item in news.top(len(news.headlines)):
        if len(found) < MOST_SENTENCES and [one.turn for one in found].count(item.turn) < MOST_OF_A_TURN:
            found.append(item)
    return sorted(found, key=news.headlines.index)


def changes_of_lead(counts: Iterable[Count]) -> int:
    """How often somebody else led alone than before, by the points at the ends of turns."""
    led: list[Player] = []
    for count in counts:
        first = leaders(count.totals)
        if len(first) == 1 and led[-1:] != first:
            led += first
    return max(0, len(led) - 1)


def leaders(totals: Mapping[Player, Total]) -> list[Player]:
    """Who has the most points."""
    best = max(total.points for total in totals.values())
    return [player for player, total in totals.items() if total.points == best]
