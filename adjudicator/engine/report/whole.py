"""A match that is over: in a few sentences, and in three figures, luck, the largest fight and changes of the lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.chart import Count
from adjudicator.engine.report.first import OWN, said
from adjudicator.engine.report.news import Item, News
from adjudicator.engine.report.reader_facts import Whole
from adjudicator.engine.report.template import macros
from adjudicator.engine.table.event import Event, Player
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
    )


def chosen(news: News) -> list[Item]:
    """The most notable of a match's headlines, not too many of one turn, in the order in which they happened."""
    found: list[Item] = []
    for item in news.top(len(news.headlines)):
        if len(found) < MOST_SENTENCES and [one.turn for one in found].count(item.turn) < MOST_OF_A_TURN:
            found.append(item)
    return sorted(found, key=news.headlines.index)


def changes_of_lead(counts: Iterable[Count]) -> int:
    """How often somebody else led alone than before, by the points at the ends of turns."""
    leaders: list[Player] = []
    for count in counts:
        best = max(total.points for total in count.totals.values())
        first = [player for player, total in count.totals.items() if total.points == best]
        if len(first) == 1 and leaders[-1:] != first:
            leaders += first
    return max(0, len(leaders) - 1)
