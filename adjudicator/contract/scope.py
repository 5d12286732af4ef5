"""Which parts of the promises are tried each time, and which get the marks for trying less often; and how one fails.

Many promises look at the same random matches, so one match of each kind of players is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

import pytest
from msgspec import Struct

from adjudicator.contract import matches, sending
from adjudicator.engine.bots import Step
from adjudicator.engine.library import registry
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook

Table = tuple[Player, ...]
Test = Callable[..., None]
KINDS = RANDOM, HALF, BUT_ONE, OWN = "random", "half", "but one", "own"
"""The kinds of matches: all bots at random, half of them the rulebook's own, all but one, all."""
PACINGS = ("batch", "live")
FEW, SOME, ALL = range(0, 10**6, 16), range(0, 10**6, 5), range(10**6)
"""Numbers of the phases of each kind to try: where time is short, few; some for tests that aren't slow; else all."""
SHEETS_TRIED = 2
"""In how many phases of each kind hostile sheets are tried."""
PAPERS_TRIED = 30
"""Everybody's papers are searched for hidden things whenever a phase opens for the first time, with pages, and
otherwise once in so many times.
"""
OFFERS_SKIPPED = 7
"""One offer in so many is looked at."""
CASES_SKIPPED = 5
"""Where time is short, one case in so many is tried by promises that play all of them again, or with an option."""


@lru_cache(maxsize=len(KINDS))
def match_kept(name: str, players: Table, kind: str) -> Sequence[Step]:
    """The match of a kind at a table; the next rulebook's matches replace this one's."""
    sensible = {RANDOM: 0, HALF: len(players) // 2, BUT_ONE: len(players) - 1, OWN: len(players)}[kind]
    return tuple(matches.steps(registry.rulebook(name), players, kind, sensible=sensible))


class Steps(Struct, frozen=True):
    """Some phases of a match, which is played when they are looked at for the first time: of each kind of phase those
    with these numbers."""

    match: Callable[[], Sequence[Step]]
    players: Table
    phases: range

    def __iter__(self) -> Iterator[Step]:
        return matches.some_of_each(self.match(), self.phases)

    def positions(self) -> Iterator[Any]:
        """The positions before the phases."""
        return (step.before for step in self)

    def due(self) -> Iterator[tuple[Any, Player]]:
        """The same, once for each player who is due."""
        return ((state, player) for state in self.positions() for player in state.phase.due)


class Scope:
    """What is tried of a rulebook. If there are marks `rarely`, all variants but one of each kind get them; the marks
    `more` are for a second one, with more phases or cases.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        rarely: Sequence[pytest.MarkDecorator],
        more: Sequence[pytest.MarkDecorator],
    ) -> None:
        self.rulebook, self.rarely, self.more = rulebook, rarely, more
        self.tables = [(table[0], "-".join(table[0])) for table in rulebook.tables.values()]

    def match(self, players: Table, kind: str) -> Sequence[Step]:
        """The match of that kind at a table, the same for every test."""
        return match_kept(self.rulebook.key, players, kind)

    def tables_of(self, kind: str) -> Callable[[Test], Test]:
        """Runs a test at each table (`players`); if time is short, at one table, the same for all tests with that kind
        of match."""
        return pytest.mark.parametrize(
            "players",
            [
                pytest.param(table, id=name, marks=self._unless(self._is_its(kind, number)))
                for number, (table, name) in enumerate(self.tables)
            ],
        )

    @property
    def of_each_kind(self) -> Callable[[Test], Test]:
        """Runs a test with a match of each kind at each table (`players`, `kind`); if time is short, with those that
        other promises look at."""
        return pytest.mark.parametrize(
            ("players", "kind"),
            [
                pytest.param(table, kind, id=f"{name}-{kind}", marks=self._unless(self._is_its(kind, number)))
                for number, (table, name) in enumerate(self.tables)
                for kind in KINDS
            ],
        )

    def seeds(self, count: int) -> Callable[[Test], Test]:
        """Runs a test with more matches at each table (`players`, `seed`); if time is short, with one match, at a table
        that no kind uses."""
        return pytest.mark.parametrize(
            ("players", "seed"),
            [
                pytest.param(
                    table, seed, id=f"{name}-{seed}", marks=self._unless(number >= len(KINDS) and seed == 0)
                )
                for number, (table, name) in enumerate(self.tables)
                for seed in range(count)
            ],
        )

    def senders(self, count: int) -> Callable[[Test], Test]:
        """Runs a test with matches of players who do everything that players can (`players`, `seed`, `pacing`, `most`
        phases); if time is short, with the beginning of one match in each pacing."""
        often = [
            pytest.param(table, 0, pacing, sending.FEW_PHASES, id=f"{name}-{pacing}-beginning")
            for (table, name), pacing in zip(self.tables[::-1], PACINGS, strict=False)
        ]
        return pytest.mark.parametrize(
            ("players", "seed", "pacing", "most"),
            [
                *(often if self.rarely else ()),
                *(
                    pytest.param(
                        table,
                        seed,
                        pacing,
                        sending.MOST_PHASES,
                        id=f"{name}-{pacing}-{seed}",
                        marks=self.rarely,
                    )
                    for table, name in self.tables
                    for pacing in PACINGS
                    for seed in range(count)
                ),
            ],
        )

    def phases_of(self, kind: str, *, slow: bool = False) -> Callable[[Test], Test]:
        """Runs a test with the phases of a match of that kind at each table (`steps`); if time is short, with a few of
        each kind of phase, and unless it is slow with some, at the one table of `tables_of`."""
        short = [("few", FEW, ()), *([] if slow else [("some", SOME, self.more)])] if self.rarely else []
        return pytest.mark.parametrize(
            "steps",
            [
                pytest.param(
                    Steps(partial(self.match, table, kind), table, phases),
                    id=f"{name}-{said}",
                    marks=marks if self._is_its(kind, number) else self.rarely,
                )
                for said, phases, marks in [*short, ("all", ALL, self.rarely)]
                for number, (table, name) in enumerate(self.tables)
            ],
        )

    def lists_of_stops(self, often: str) -> Callable[[Test], Test]:
        """Runs a test with a match in a folder for each list of stops (`stops`, `runs`); if time is short, with the
        beginning of one.
        """
        lists = matches.lists_of_stops(self.rulebook)
        return self.first(
            ("stops", "runs"),
            {f"{often}-beginning": (often, matches.FEW_RUNS)},
            {each: (each, matches.MOST_RUNS) for each in lists},
            {f"{often}-more": (often, matches.MORE_RUNS)},
        )

    def cases(self, few: int, some: int = 1) -> Callable[[Test], Test]:
        """Runs a test with all cases (`each` is 1); if time is short, with one in `few`, and with one in `some`."""
        whole = {"all": 1} if some > 1 else {}
        return self.first("each", {"few": few}, whole, {"some" if whole else "all": some})

    def first(
        self,
        names: str | tuple[str, ...],
        few: dict[str, Any],
        whole: dict[str, Any],
        more: Mapping[str, Any] = MappingProxyType({}),
    ) -> Callable[[Test], Test]:
        """Runs a test with all of these values, by name; if time is short, with a few of them, and with more."""
        tiers = [(few, ()), (more, self.more), (whole, self.rarely)]
        return pytest.mark.parametrize(
            names,
            [
                pytest.param(*(value if isinstance(names, tuple) else [value]), id=name, marks=marks)
                for among, marks in (tiers if self.rarely else [(whole or more, ())])
                for name, value in among.items()
            ],
        )

    def seldom(self, test: Test) -> Test:
        """Leaves a test out if time is short."""
        for mark in self.rarely:
            test = mark(test)
        return test

    def _is_its(self, kind: str, number: int) -> bool:
        """Is this the table at which a match of that kind is played each time?"""
        return number == KINDS.index(kind) % len(self.tables)

    def _unless(self, tried: bool) -> Sequence[pytest.MarkDecorator]:
        return () if tried else self.rarely


def none_of(found: Iterable[str]) -> None:
    """Fails with a line for each thing found."""
    __tracebackhide__ = True
    broken = list(found)
    if broken:
        pytest.fail("\n".join(broken), pytrace=False)
