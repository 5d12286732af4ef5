"""Verifies a match: plays every phase again from its files and reports what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any, AnyStr

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.audit import cross_checks, ledger_checks
from adjudicator.engine.audit.old_programs import ReplayByOther, Stretch, names_of
from adjudicator.engine.audit.witnesses import Witnesses, witnesses_of
from adjudicator.engine.folder import adjudication, marks, papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.names import EVENTS, STATE
from adjudicator.engine.folder.patches import Unfit, amended_position, derived_position
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.table.dice import Dice, OutOfDice, ScriptedDice
from adjudicator.engine.table.event import Event
from adjudicator.engine.text.problem import Problem, counted
from adjudicator.engine.text.resources import Missing
from adjudicator.engine.text.typed import decode

Other = Callable[[Folder, Stretch], ReplayByOther]
"""Asks another program for the replay of a stretch."""


class VerifyResult(Struct, frozen=True):
    """The result of a replay. `good`: every file follows from the others; `seed`: the throws were checked too;
    `not_replayed`: what neither this program nor another one could replay; `unsigned`: what is missing to check
    signatures of drand. `left_out` is what else isn't in the folder, which is nothing wrong. `witnesses` are the
    players who have seen it.
    """

    problems: tuple[Problem, ...]
    phases: int
    replayed: int
    seed: bool
    not_replayed: tuple[Stretch, ...] = ()
    unsigned: str = ""
    left_out: tuple[str, ...] = ()
    witnesses: Witnesses = Witnesses()

    @property
    def good(self) -> bool:
        """Are there only warnings?"""
        return not self.first

    @property
    def first(self) -> str:
        """The first file that differs; empty if none does."""
        return next((each.file for each in self.problems if each.severity == "error"), "")


def verify(path: Path, other: Other | None = None) -> VerifyResult:
    """Replays a match; `other` is asked for what this program can't replay. Raises Faulty for a folder that isn't a
    match.
    """
    match = open_match(path)
    return Replay(match, other).check()


class Replay:
    """One replay of a match; `problems` are in the order in which they were found, phase by phase."""

    def __init__(self, match: Folder, other: Other | None = None) -> None:
        self.match, self.post, self.other = match, Post(match), other
        self.problems: list[Problem] = []
        self.seed: bytes | None = None
        self.replayed = 0
        self.unsigned = ""
        self.by_release: dict[str, list[int]] = {}
        """Phases that were played by another release of the program, by that release."""
        self.by_newest: dict[int, list[int]] = {}
        """Phases that come out the same by the newest rules, by the version that played them."""
        self.otherwise: dict[int, list[int]] = {}
        """Those that don't."""
        self.not_replayed: list[Stretch] = []

    def check(self) -> VerifyResult:
        """Checks every phase. One that can't be read is a problem; the others are checked all the same."""
        self.problems += [*cross_checks.check_seeds(self.match), *cross_checks.check_card(self.match)]
        with suppress(Faulty):  # `check_seeds` reports it
            self.seed = marks.seed_of(self.match)
        for number in range(self.match.last + 1):
            try:
                self.problems += self.check_phase(number)
            except Faulty as faulty:
                self.problems += [each for each in faulty.problems if each not in self.problems]
        for look in (
            cross_checks.check_taken_back,
            cross_checks.check_not_reopened,
            ledger_checks.check_ledger,
        ):
            try:
                self.problems += look(self.match)
            except Faulty as faulty:
                self.problems += faulty.problems
        witnesses = Witnesses()
        with suppress(Faulty):  # a phase that can't be read is a problem by now
            if self.seed is not None:
                witnesses = witnesses_of(self.match, self.post, self.seed, self.problems)
        self.problems += self._problems_of_versions()
        self.problems += [self._problem_of_stretch(*each) for each in self.otherwise.items()]
        return VerifyResult(
            tuple(self.problems),
            self.match.last,
            self.replayed,
            self.seed is not None,
            tuple(self.not_replayed),
            self.unsigned,
            (*cross_checks.missing_handouts(self.match), *ledger_checks.missing_mails(self.match)),
            witnesses,
        )

    def check_phase(self, number: int) -> Iterator[Problem]:
        """Everything that is wrong with a phase and with the position after it. Raises Faulty."""
        match = self.match
        for look in (cross_checks.check_options, cross_checks.check_opening, cross_checks.check_handouts):
            yield from look(match, number)
        opening = match.opening(number)
        if number == match.last and not opening.waits and adjudication.closed_in(match, number) is None:
            return
        mail = self.post.collect(number)
        try:
            yield from cross_checks.check_closing(match, number, mail, self.seed)
        except Missing as missing:
            self.unsigned = str(missing)
        if number == match.last and not opening.waits:
            return
        if number < match.last:
            yield from cross_checks.check_chain(match, number, mail)
        yield from cross_checks.check_waiting(match, number, mail)
        yield from mail.problems
        rules = match.rules(number)
        if rules not in match.rulebook.versions:
            yield from self._check_by_newest(number, mail, rules)
            return
        if not number:
            yield from cross_checks.check_start(match)
        if number < match.last:
            yield from self._check_position(number)
        yield from self._check_events(number, mail)
        self.replayed += number < match.last

    # -- by other rules, by other programs ------------------------------------------------------------------------

    def _check_by_newest(self, number: int, mail: Mail, rules: int) -> Iterator[Problem]:
        """Checks a phase by the newest rules, since those that played it aren't here. Nothing is wrong if it comes
        out otherwise.
        """
        match, newest = self.match, self.match.rulebook.versions[-1]
        try:
            same = number < match.last and difference(match, number, mail, newest, self.seed) is None
        except Faulty:  # events that the newest rules don't know
            same = False
        (self.by_newest if same else self.otherwise).setdefault(rules, []).append(number)
        if same:
            yield from self._check_position(number)
            self.replayed += 1

    def _problems_of_versions(self) -> Iterator[Problem]:
        """Says which phases another release played, and which were replayed by the newest rules instead of those that
        played them.
        """
        newest = self.match.rulebook.versions[-1]
        for release, numbers in self.by_release.items():
            said = f"played by version {release} of the program, this is {__version__}"
            yield self._warning(f"{self._names(numbers)}: {said}")
        for rules, numbers in self.by_newest.items():
            said = f"played by version {rules} of the rules, and replayed by version {newest}, with the same result"
            yield self._warning(f"{self._names(numbers)}: {said}")

    def _problem_of_stretch(self, rules: int, numbers: Sequence[int]) -> Problem:
        """Lets another program replay phases of a version of the rules, and says what came of it."""
        opening = self.match.opening(numbers[-1])
        release = opening.closed.version if opening.closed is not None else opening.version
        stretch = Stretch(rules, release, tuple(self.match.phases[each] for each in numbers), numbers[-1])
        told = (
            f"{stretch.name}: played by version {stretch.rules} of the rules, which this program doesn't have"
        )
        found = ReplayByOther(good=False, said="") if self.other is None else self.other(self.match, stretch)
        if found.wrong:
            said = f"{told}; release {stretch.release} says: {found.said}"
            return problem(self.match.path / stretch.phases[0], said)
        if found.good:
            self.replayed += len(stretch.phases) - (stretch.last == self.match.last)
            said = f"{told}; replayed by release {stretch.release}"
        else:
            self.not_replayed.append(stretch)
            because = f": {found.said}" if found.said else ""
            said = f"{told}, so not replayed{because}"
        return self._warning(said)

    def _warning(self, said: str) -> Problem:
        return replace(problem(self.match.path, said), severity="warning")

    def _names(self, numbers: Sequence[int]) -> str:
        return names_of([self.match.phases[number] for number in numbers])

    def _name(self, number: int, file: str) -> str:
        return str(self.match.path / self.match.phases[number] / file)

    # -- the same again -------------------------------------------------------------------------------------------

    def _check_position(self, number: int) -> Iterator[Problem]:
        """Checks that the position after a phase follows from the one before and the events."""
        match = self.match
        try:
            state = derived_position(match, number + 1)
        except Unfit:
            yield problem(self._name(number, EVENTS), "these events don't fit the position: tampered with")
            return
        try:
            state = amended_position(match, number + 1, state)
        except Unfit:
            said = "the changes by hand that the ledger records here don't fit: tampered with"
            yield problem(self._name(number + 1, STATE), said)
            return
        then, now = (write_position(each).splitlines() for each in (state, match.state(number + 1)))
        if then != now:
            said = f"the position doesn't follow from the events of {match.phases[number]}: edited by hand"
            line = min(_differing(then, now, "")[0][0], len(now))
            yield Problem(self._name(number + 1, STATE), line, 1, "MATCH", said)

    def _check_events(self, number: int, mail: Mail) -> Iterator[Problem]:
        """Checks that the events follow from the sheets."""
        match, opening = self.match, self.match.opening(number)
        name = self._name(number, EVENTS)
        there = match.read(f"{match.phases[number]}/{EVENTS}").splitlines()
        if opening.waits:
            there = there[: opening.lines]
        version = opening.closed.version if opening.closed is not None else opening.version
        other = f" (played by version {version}, this is {__version__})" if version != __version__ else ""
        if other:
            self.by_release.setdefault(version, []).append(number)
        try:
            known = papers.events_in(match.rulebook, b"\n".join(there), name)
            outcome = outcome_again(match, number, mail, known, match.state(number), self.seed)
        except OutOfDice as out:
            yield problem(name, f"the throw for {' '.join(out.what)} is missing or can't be{other}")
            return
        head = match.state(number).phase
        events = (
            adjudication.final_events(outcome)
            if outcome.waiting
            else adjudication.with_remarks(match.rulebook, head, outcome, mail)
        )
        again = papers.lines_of(events)
        if bool(outcome.waiting) != bool(opening.waits):
            # An answer has come in since the last run; what happened before it must still be the same.
            again = again[: len(there)] if opening.waits else again
        lines = _differing(there, again, b"")
        for line, one, two in lines:
            if without_reason(one) != without_reason(two):
                yield Problem(name, line, 1, "MATCH", f"the replay differs here{other}")
                return
        if lines:
            told = counted(len(lines), "refusal or remark", "refusals and remarks")
            said = f"{told} of this phase, from here on, would be given other reasons now{other}: nothing else differs"
            yield Problem(name, lines[0][0], 1, "MATCH", said, "warning")


def _differing(
    one: Sequence[AnyStr], two: Sequence[AnyStr], none: AnyStr
) -> list[tuple[int, AnyStr, AnyStr]]:
    """The lines that differ, by number; `none` where one text has no more."""
    pairs = enumerate(zip_longest(one, two, fillvalue=none), start=1)
    return [(line, first, second) for line, (first, second) in pairs if first != second]


# -- by another version of the rules -----------------------------------------------------------------------------------


class Difference(Struct, frozen=True):
    """The first phase that comes out otherwise, by the name of its folder.

    `line` is the first line of its `events.jsonl` that differs, `was` the event there and `now` the one in its place;
    empty where one of the two has no more events, or needs another throw. 0: the events are the same, and lead to
    another position; or the match begins with another one. `rules` are the numbers of the rules that both events rest
    on.
    """

    phase: str
    line: int
    was: str = ""
    now: str = ""
    rules: tuple[str, ...] = ()


def first_difference(match: Folder, rules: int) -> Difference | None:
    """The first phase of a match that comes out otherwise by that version of its rules; None if all are the same.

    A refusal that is given another reason is the same. Raises Faulty.
    """
    post, seed = Post(match), marks.seed_of(match)
    found = (difference(match, number, post.collect(number), rules, seed) for number in range(match.last))
    return next(filter(None, found), None)


def difference(match: Folder, number: int, mail: Mail, rules: int, seed: bytes | None) -> Difference | None:
    """What comes out otherwise of one phase by that version of the rules; None if all is the same. Raises Faulty."""
    name, state = match.phases[number], match.state(number)
    if not number and any(cross_checks.check_start(match)):
        return Difference(name, 0)
    was = papers.lines_of(match.events(number))  # as this release writes them
    played_by = replace(state, rules=rules)
    try:
        outcome = outcome_again(match, number, mail, match.events(number), played_by, seed)
    except OutOfDice as out:
        return Difference(name, len(was) + 1, now=f"one more throw, for {' '.join(out.what)}")
    now = papers.lines_of(adjudication.with_remarks(match.rulebook, state.phase, outcome, mail))
    for line, one, two in _differing(was, now, b""):
        if without_reason(one) != without_reason(two):
            cited = dict.fromkeys(rule for each in (one, two) if each for rule in _rules_in(each))
            return Difference(name, line, one.decode(), two.decode(), tuple(cited))
    return None if _is_position_after(match, number, outcome) else Difference(name, 0)


def outcome_again(
    match: Folder, number: int, mail: Mail, events: Sequence[Event[Any]], state: Any, seed: bytes | None
) -> Outcome:
    """What comes of a phase, played from this position; without the seed its throws are those of the events.

    Raises OutOfDice if it needs a throw that isn't there.
    """
    opening = match.opening(number)
    closed = opening.closed
    by_hand = closed.dice if closed is not None else opening.dice
    dice: Dice = ScriptedDice(adjudication.thrown_in(events))
    if seed is not None:
        dice = ScriptedDice(by_hand, adjudication.phase_dice(match, number, mail, seed))
    deadline = closed is not None and closed.deadline
    return advance(match.rulebook, state, mail.inbox(state.options, deadline=deadline), dice)


def without_reason(line: bytes) -> Any:
    """What an event did: of a refusal or a remark, all but the words of its reason, which later versions choose anew.

    (That nobody has edited it follows from the position after it, which holds the digest of all events.)
    """
    event = decode(papers.AS_JSON, line) if line else {}
    reason = event.get("reason")
    return {**event, "reason": reason.get("rule")} if isinstance(reason, dict) else event


def _is_position_after(match: Folder, number: int, outcome: Outcome) -> bool:
    """Does a phase that was played again lead to the position to which its events lead?"""
    try:
        there = derived_position(match, number + 1)
    except Unfit:
        return False
    one, two = (write_position(replace(each, rules=0, chain="")) for each in (outcome.state, there))
    return one == two


def _rules_in(line: bytes) -> list[str]:
    """The rules that an event rests on: that of its reason, and its own."""
    event: dict[str, Any] = decode(papers.AS_JSON, line)
    reason = event.get("reason")
    found = [reason.get("rule") if isinstance(reason, dict) else "", event.get("rule")]
    return [rule for rule in found if isinstance(rule, str) and rule]
