"""A match that is over: in a few sentences, in figures (luck, fights, the lead), and in everybody's numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.chart import Count
from adjudicator.engine.report.first_lines import OWN
from adjudicator.engine.report.news import LEVELS, Item, News, on_one_line
from adjudicator.engine.report.reader_facts import FinishedMatch, Luck, Numbers, luck_of
from adjudicator.engine.report.template import macros
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.points import Total
from adjudicator.engine.table.rulebook import Rulebook

MOST_SENTENCES = 5
MOST_OF_A_TURN = 2
"""The most sentences about one turn."""


def finished_match(
    rulebook: Rulebook[Any],
    who: Player | None,
    events: Iterable[Event[Any]],
    start: Any,
    counts: Sequence[Count],
) -> FinishedMatch:
    """The match as its reader may know it, from its first position on; `counts` are the points by turn, as all know
    them.
    """
    news, own = News(rulebook, who), macros(texts_of(rulebook), OWN)
    news.note_events(events, start)
    largest = max(news.fights, key=lambda fight: fight.size, default=None)
    luck = {player: luck_of(throws) for player, throws in news.throws.items()}
    of_players = list(numbers(news, counts, luck))
    led = sorted(of_players, key=lambda each: -each.led)
    longest = led[0] if led and led[0].led > max([each.led for each in led[1:]], default=0) else None
    figures = {
        own.luck_label(): own.luck(unusual_luck(luck), news),
        own.largest_label(): own.largest(largest, len(news.fights)),
        own.changes_label(): own.changes(changes_of_lead(counts), longest, news),
    }
    return FinishedMatch(
        [
            on_one_line(own.happened(turn, [item.text for item in items]))
            for turn, items in groupby(chosen_headlines(news), key=lambda item: item.turn)
        ],
        [(on_one_line(label), figure) for label, text in figures.items() if (figure := on_one_line(text))],
        of_players,
    )


def unusual_luck(luck: Mapping[Player, Luck]) -> list[tuple[Player, Luck]]:
    """Who threw the least likely of high sums, and who of low ones, the luckier first."""
    best = min(luck.items(), key=lambda each: each[1].above, default=None)
    worst = min(luck.items(), key=lambda each: each[1].below, default=None)
    return [each for each, good in ((best, True), (worst, False)) if each and each[1].good == good]


def numbers(news: News, counts: Sequence[Count], luck: Mapping[Player, Luck]) -> Iterator[Numbers]:
    """Every player's match in numbers, the most points first; `counts` are the points by turn, the end last."""
    if not counts:
        return
    ends = {count.turn: count.totals for count in counts}
    first = {turn: leaders(totals) for turn, totals in ends.items()}
    turns = sorted(ends)
    for player, total in sorted(counts[-1].totals.items(), key=lambda each: -each[1].points):
        gains = [
            (ends[turn][player].points - ends[before][player].points, -turn)
            for before, turn in pairwise(turns)
            if ends[turn][player].more == ends[before][player].more  # else a hidden part is told at once
        ]
        best, turn = max(gains, default=(0, 0))
        led = sum(found == [player] for found in first.values())
        fought = sum(player in fight.players for fight in news.fights)
        yield Numbers(player, total.points, led, best, -turn, news.earned[player], fought, luck.get(player))


def chosen_headlines(news: News) -> list[Item]:
    """The most notable of a match's headlines, not too many of one turn, in the order in which they happened; without
    the last, who won, which heads the report.
    """
    found: list[Item] = []
    for item in news.top(len(news.headlines)):
        if item is news.headlines[-1] and item.level == len(LEVELS) - 1:
            continue
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
