"""Verifying a match: every phase again from its files, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.folder import record
from adjudicator.engine.folder.adjudication import digests_of, sealed, seed_of, thrown_in, with_remarks
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import (
    CARD,
    EVENTS,
    OPEN,
    STATE,
    Folder,
    chain_of,
    digest_of,
    open_match,
)
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.folder.waiting import settled
from adjudicator.engine.play.options import options_in
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import Inbox, Outcome, advance
from adjudicator.engine.table.dice import Dice, OutOfDice, Scripted
from adjudicator.engine.table.event import Event
from adjudicator.engine.text.problem import Problem


class Verified(Struct, frozen=True):
    """What a replay has found. `good`: every file is what the others make it; `seed`: the throws were checked too."""

    problems: tuple[Problem, ...]
    phases: int
    replayed: int
    seed: bool

    @property
    def good(self) -> bool:
        """Is there nothing but warnings?"""
        return not self.first

    @property
    def first(self) -> str:
        """The first file that differs; empty if none does."""
        return next((each.file for each in self.problems if each.severity == "error"), "")


def verify(path: Path) -> Verified:
    """Replays a match. Raises Faulty for a folder that isn't a match."""
    match = open_match(path)
    return Replay(match).go()


class Replay:
    """One replay of a match; `problems` are in the order in which they were found, phase by phase."""

    def __init__(self, match: Folder) -> None:
        self.match, self.post = match, Post(match)
        self.problems: list[Problem] = []
        self.seed: bytes | None = None
        self.replayed = 0

    def go(self) -> Verified:
        """Looks at every phase; one that can't be read is a problem, and the others are looked at all the same."""
        try:
            self.seed = seed_of(self.match)
        except Faulty as faulty:
            self.problems += faulty.problems
        for number in range(self.match.last + 1):
            try:
                self.problems += self.phase(number)
            except Faulty as faulty:
                self.problems += [each for each in faulty.problems if each not in self.problems]
        return Verified(tuple(self.problems), self.match.last, self.replayed, self.seed is not None)

    def phase(self, number: int) -> Iterator[Problem]:
        """All that is wrong with a phase and with the position after it. Raises Faulty."""
        match = self.match
        state, opening = match.state(number), match.opening(number)
        yield from self._options(number, state)
        if number == match.last and not opening.waits:
            return
        mail = self.post.collect(number)
        if number < match.last:
            yield from self._chained(number, mail)
            yield from self._follows(number)
        yield from mail.problems
        yield from self._again(number, mail)
        self.replayed += number < match.last

    def _name(self, number: int, file: str) -> str:
        return str(self.match.path / self.match.phases[number] / file)

    def _options(self, number: int, state: Any) -> Iterator[Problem]:
        try:
            known = options_in(self.match.rulebook, self.match.card.options) == state.options
        except msgspec.ValidationError:
            known = False
        if not known:
            yield problem(self._name(number, STATE), f"the options aren't those of {CARD}: edited by hand")

    # -- the chain ------------------------------------------------------------------------------------------------

    def _chained(self, number: int, mail: Mail) -> Iterator[Problem]:
        """The position after a phase carries the SHA-256 of all that the phase was."""
        match = self.match
        events = digest_of(match.read(f"{match.phases[number]}/{EVENTS}"))
        now = digests_of(match, number, mail) | {EVENTS: events}
        if chain_of(now) == match.state(number + 1).chain:
            return
        closed = match.opening(number).closed
        then = dict(closed.files) if closed is not None else {}
        if chain_of(then) != match.state(number + 1).chain:
            said = f"the chain isn't the SHA-256 of {match.phases[number]}: tampered with"
            yield problem(self._name(number + 1, STATE), said)
            return
        for name in dict.fromkeys((*then, *now)):
            if name not in now:
                yield problem(
                    self._name(number, name), "missing, but was there when the phase was adjudicated"
                )
            elif name not in then:
                yield problem(self._name(number, name), "added after the phase was adjudicated")
            elif now[name] != then[name]:
                yield problem(
                    self._name(number, name), "changed after the phase was adjudicated: tampered with"
                )

    # -- the same again -------------------------------------------------------------------------------------------

    def _follows(self, number: int) -> Iterator[Problem]:
        """The position after a phase follows from the one before and the events."""
        match = self.match
        state = match.state(number)
        try:
            for event in match.events(number):
                state = event.apply(state)
        except (LookupError, ValueError, TypeError, AttributeError):
            yield problem(self._name(number, EVENTS), "these events don't fit the position: tampered with")
            return
        found = match.state(number + 1)
        if write_position(replace(state, chain="")) != write_position(replace(found, chain="")):
            said = f"the position doesn't follow from the events of {match.phases[number]}: edited by hand"
            line = _line_that_differs(
                write_position(replace(state, chain=found.chain)), write_position(found)
            )
            yield Problem(self._name(number + 1, STATE), line, 1, "MATCH", said)

    def _again(self, number: int, mail: Mail) -> Iterator[Problem]:
        """The events are those that the sheets give."""
        match, opening = self.match, self.match.opening(number)
        name = self._name(number, EVENTS)
        there = match.read(f"{match.phases[number]}/{EVENTS}").splitlines()
        if opening.waits:
            there = there[: opening.lines]
        version = opening.closed.version if opening.closed is not None else opening.version
        other = f" (played by version {version}, this is {__version__})" if version != __version__ else ""
        if other:
            said = f"this phase was played by version {version}, this is {__version__}"
            yield Problem(self._name(number, OPEN), 0, 0, "MATCH", said, "warning")
        try:
            outcome = self._advance(number, mail, record.events_in(match.rulebook, b"\n".join(there), name))
        except OutOfDice as out:
            yield problem(name, f"the throw for {' '.join(out.what)} is missing or can't be{other}")
            return
        events = settled(outcome) if outcome.waiting else self._whole(number, outcome, mail)
        again = record.lines_of(events)
        if bool(outcome.waiting) != bool(opening.waits):
            # An answer that has come in since the last run; what has happened before must still be the same.
            again = again[: len(there)] if opening.waits else again
        for line, (one, two) in enumerate(
            zip(_padded(there, again), _padded(again, there), strict=True), start=1
        ):
            if one != two:
                yield Problem(name, line, 1, "MATCH", f"replayed, something else happens here{other}")
                return

    def _whole(self, number: int, outcome: Outcome, mail: Mail) -> Sequence[Event[Any]]:
        return with_remarks(self.match.rulebook, self.match.state(number).phase, outcome, mail)

    def _advance(self, number: int, mail: Mail, events: Sequence[Event[Any]]) -> Outcome:
        match, opening = self.match, self.match.opening(number)
        closed, state = opening.closed, match.state(number)
        by_hand = closed.dice if closed is not None else opening.dice
        dice: Dice = Scripted(thrown_in(events))
        if self.seed is not None:
            dice = Scripted(by_hand, sealed(match, number, mail, self.seed))
        waits = state.options.pacing == "live" and not (closed is not None and closed.deadline)
        return advance(match.rulebook, state, Inbox(mail.sheets, mail.answers, mail.notes, waits), dice)


def _padded(lines: list[bytes], other: list[bytes]) -> list[bytes]:
    return lines + [b""] * (len(other) - len(lines))


def _line_that_differs(one: str, two: str) -> int:
    """The first line of the second text that isn't in the same place of the first."""
    first, second = one.splitlines(), two.splitlines()
    for number, line in enumerate(second):
        if number >= len(first) or first[number] != line:
            return number + 1
    return len(second)
