"""Verifies a match: plays every phase again from its files and reports what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.audit import closings, cross_checks, ledger_checks
from adjudicator.engine.beacon.quicknet import Missing
from adjudicator.engine.folder import record
from adjudicator.engine.folder.adjudication import phase_dice, seed_of, thrown_in, with_remarks
from adjudicator.engine.folder.closing import closed_in
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.names import EVENTS, OPEN, STATE
from adjudicator.engine.folder.patches import Unfit, amended_position, derived_position
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.folder.waiting import final_events
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.table.dice import Dice, OutOfDice, ScriptedDice
from adjudicator.engine.table.event import Event
from adjudicator.engine.text.counting import counted
from adjudicator.engine.text.from_json import decode
from adjudicator.engine.text.problem import Problem


class VerifyResult(Struct, frozen=True):
    """The result of a replay. `good`: every file follows from the others; `seed`: the throws were checked too;
    `other_rules`: phases that another version of the rulebook played, which were not replayed; `unsigned`: what is
    missing to check signatures of drand. `left_out` is what else isn't in the folder, which is nothing wrong.
    """

    problems: tuple[Problem, ...]
    phases: int
    replayed: int
    seed: bool
    other_rules: bool = False
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


def verify(path: Path) -> VerifyResult:
    """Replays a match. Raises Faulty for a folder that isn't a match."""
    match = open_match(path)
    return Replay(match).check()


class Replay:
    """One replay of a match; `problems` are in the order in which they were found, phase by phase."""

    def __init__(self, match: Folder) -> None:
        self.match, self.post = match, Post(match)
        self.problems: list[Problem] = []
        self.seed: bytes | None = None
        self.replayed = 0
        self.unsigned = ""
        self.others: dict[str, list[str]] = {}  # phases played by other versions of the rulebook

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
        return VerifyResult(
            tuple(self.problems),
            self.match.last,
            self.replayed,
            self.seed is not None,
            bool(self.others),
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
            self.others.setdefault(str(rules), []).append(match.phases[number])
            return
        if not number:
            yield from cross_checks.check_start(match)
        if number < match.last:
            yield from self._check_position(number)
        yield from self._check_events(number, mail)
        self.replayed += number < match.last

    def _problems_of_versions(self) -> Iterator[Problem]:
        """Phases that can't be replayed because another version of the rulebook played them."""
        this = self.match.rulebook.version
        for rules, phases in self.others.items():
            which = f"{phases[0]} to {phases[-1]}" if phases[1:] else phases[0]
            release = self.match.opening(self.match.phases.index(phases[-1])).version
            said = f"{which}: played by version {rules} of the rulebook, this is {this}, so not replayed"
            said = f"{said}; version {release} of the program would replay it"
            yield Problem(str(self.match.path), 0, 0, "MATCH", said, "warning")

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
            said = f"this phase was played by version {version}, this is {__version__}"
            yield Problem(self._name(number, OPEN), 0, 0, "MATCH", said, "warning")
        try:
            known = record.events_in(match.rulebook, b"\n".join(there), name)
            outcome = self.outcome(number, mail, known, match.state(number))
        except OutOfDice as out:
            yield problem(name, f"the throw for {' '.join(out.what)} is missing or can't be{other}")
            return
        head = match.state(number).phase
        events = (
            final_events(outcome) if outcome.waiting else with_remarks(match.rulebook, head, outcome, mail)
        )
        again = record.lines_of(events)
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

    def outcome(self, number: int, mail: Mail, events: Sequence[Event[Any]], state: Any) -> Outcome:
        """What comes of a phase, played from this position; without the seed its throws are those of the events."""
        match, opening = self.match, self.match.opening(number)
        closed = opening.closed
        by_hand = closed.dice if closed is not None else opening.dice
        dice: Dice = ScriptedDice(thrown_in(events))
        if self.seed is not None:
            dice = ScriptedDice(by_hand, phase_dice(match, number, mail, self.seed))
        deadline = closed is not None and closed.deadline
        waits = state.options.pacing == "live" and not deadline
        inbox = Inbox(mail.sheets, mail.answers, mail.notes, waits, deadline, mail.in_vain)
        return advance(match.rulebook, state, inbox, dice)


def without_reason(line: bytes) -> Any:
    """What an event did: of a refusal or a remark, all but the words of its reason, which later versions choose anew.

    (That nobody has edited it follows from the position after it, which holds the digest of all events.)
    """
    event = decode(record.AS_JSON, line) if line else {}
    reason = event.get("reason")
    return {**event, "reason": reason.get("rule")} if isinstance(reason, dict) else event


def _of_equal_length(lines: list[bytes], other: list[bytes]) -> list[bytes]:
    return lines + [b""] * (len(other) - len(lines))


def _line_that_differs(one: str, two: str) -> int:
    """The number of the first line of the second text that differs from the first text's."""
    first, second = one.splitlines(), two.splitlines()
    for number, line in enumerate(second):
        if number >= len(first) or first[number] != line:
            return number + 1
    return len(second)
