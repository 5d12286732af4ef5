"""Verifies a match: plays every phase again from its files and reports what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.audit import closings, cross_checks, ledger_checks
from adjudicator.engine.audit.again import difference, outcome_again, without_reason
from adjudicator.engine.audit.old_programs import ReplayByOther, Stretch, names_of
from adjudicator.engine.beacon.quicknet import Missing
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.adjudication import closed_in, final_events, seed_of, with_remarks
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.names import EVENTS, STATE
from adjudicator.engine.folder.patches import Unfit, amended_position, derived_position
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.play.position import write_position
from adjudicator.engine.table.dice import OutOfDice
from adjudicator.engine.text.problem import Problem, counted

Other = Callable[[Folder, Stretch], ReplayByOther]
"""Asks another program for the replay of a stretch."""


class VerifyResult(Struct, frozen=True):
    """The result of a replay. `good`: every file follows from the others; `seed`: the throws were checked too;
    `not_replayed`: what neither this program nor another one could replay; `unsigned`: what is missing to check
    signatures of drand. `left_out` is what else isn't in the folder, which is nothing wrong.
    """

    problems: tuple[Problem, ...]
    phases: int
    replayed: int
    seed: bool
    not_replayed: tuple[Stretch, ...] = ()
    unsigned: str = ""
    left_out: tuple[str, ...] = ()

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
        for look in (cross_checks.check_seeds, cross_checks.check_card):
            self.problems += look(self.match)
        with suppress(Faulty):  # cross_checks.seeds reports it
            self.seed = seed_of(self.match)
        for number in range(self.match.last + 1):
            try:
                self.problems += self.check_phase(number)
            except Faulty as faulty:
                self.problems += [each for each in faulty.problems if each not in self.problems]
        for look in (cross_checks.check_taken_back, cross_checks.check_not_reopened):
            try:
                self.problems += look(self.match)
            except Faulty as faulty:
                self.problems += faulty.problems
        self.problems += ledger_checks.problems_of_ledger(self.match)
        self.problems += self._problems_of_versions()
        for stretch in self._stretches():
            self.problems.append(self._problem_of_stretch(stretch))
        return VerifyResult(
            tuple(self.problems),
            self.match.last,
            self.replayed,
            self.seed is not None,
            tuple(self.not_replayed),
            self.unsigned,
            (*cross_checks.missing_handouts(self.match), *ledger_checks.missing_mails(self.match)),
        )

    def check_phase(self, number: int) -> Iterator[Problem]:
        """Everything that is wrong with a phase and with the position after it. Raises Faulty."""
        match = self.match
        for look in (cross_checks.check_options, cross_checks.check_opening, cross_checks.check_handouts):
            yield from look(match, number)
        opening = match.opening(number)
        if number == match.last and not opening.waits and closed_in(match, number) is None:
            return
        mail = self.post.collect(number)
        try:
            yield from closings.problems_of_closing(match, number, mail, self.seed)
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

    def _stretches(self) -> Iterator[Stretch]:
        for rules, numbers in self.otherwise.items():
            yield self._stretch(rules, numbers)

    def _stretch(self, rules: int, numbers: Sequence[int]) -> Stretch:
        opening = self.match.opening(numbers[-1])
        release = opening.closed.version if opening.closed is not None else opening.version
        return Stretch(rules, release, tuple(self.match.phases[each] for each in numbers), numbers[-1])

    def _problem_of_stretch(self, stretch: Stretch) -> Problem:
        """Lets another program replay a stretch, and says what came of it."""
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
        found = match.state(number + 1)
        if write_position(replace(state, chain="")) != write_position(replace(found, chain="")):
            said = f"the position doesn't follow from the events of {match.phases[number]}: edited by hand"
            line = _line_that_differs(
                write_position(replace(state, chain=found.chain)), write_position(found)
            )
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
            final_events(outcome) if outcome.waiting else with_remarks(match.rulebook, head, outcome, mail)
        )
        again = papers.lines_of(events)
        if bool(outcome.waiting) != bool(opening.waits):
            # An answer has come in since the last run; what happened before it must still be the same.
            again = again[: len(there)] if opening.waits else again
        lines = [
            (line, one, two)
            for line, (one, two) in enumerate(
                zip(_of_equal_length(there, again), _of_equal_length(again, there), strict=True), start=1
            )
            if one != two
        ]
        for line, one, two in lines:
            if without_reason(one) != without_reason(two):
                yield Problem(name, line, 1, "MATCH", f"the replay differs here{other}")
                return
        if lines:
            told = counted(len(lines), "refusal or remark", "refusals and remarks")
            said = f"{told} of this phase, from here on, would be given other reasons now{other}: nothing else differs"
            yield Problem(name, lines[0][0], 1, "MATCH", said, "warning")


def _of_equal_length(lines: list[bytes], other: list[bytes]) -> list[bytes]:
    return lines + [b""] * (len(other) - len(lines))


def _line_that_differs(one: str, two: str) -> int:
    """The number of the first line of the second text that differs from the first text's."""
    first, second = one.splitlines(), two.splitlines()
    for number, line in enumerate(second):
        if number >= len(first) or first[number] != line:
            return number + 1
    return len(second)
