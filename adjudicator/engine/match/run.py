"""Runs a match: adjudicates phase after phase, as far as the sheets allow, and writes all of it or nothing.

How often a match has waited for mail, and how often it would have with other stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.folder import adjudication, marks, papers
from adjudicator.engine.folder.entries import Entry
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder, chain_of, changing
from adjudicator.engine.folder.ledger import add_entries, prefix_of
from adjudicator.engine.folder.names import ANSWERED, EVENTS, FOR, OPEN, PROOF, REFEREE, SEED
from adjudicator.engine.folder.papers import Closing, Opening, digest_of_opening
from adjudicator.engine.folder.post import SHEETS, Mail, Post
from adjudicator.engine.handout.for_all import hand_out
from adjudicator.engine.match.proof import add_the_end, proof_of
from adjudicator.engine.play.inbox import EVERY, Outcome
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.stops import number_of_stops
from adjudicator.engine.sheets.sheet import ANSWERS
from adjudicator.engine.table.dice import Dice, OutOfDice, ScriptedDice
from adjudicator.engine.table.event import END, Player
from adjudicator.engine.text.problem import Problem


class AdjudicatedPhase(Struct, frozen=True):
    """A phase that a run has adjudicated: its number, the due players who sent nothing, and whether a deadline closed
    it.
    """

    number: int
    missing: tuple[Player, ...]
    deadline: bool


UNDRAWN = "its dice wait for something public"

Keep = Callable[[Folder, Sequence[AdjudicatedPhase]], Iterable[Entry]]
"""Returns a run's entries for the ledger, given the match as it is at the run's end and the phases it adjudicated. The
phases are empty if the run only began to wait for an answer.
"""


class RunResult(Struct, frozen=True):
    """The result of a run: the folders adjudicated, the open one, who is missing, or whose answer it waits for.

    `taken` are players whose draft was carried out as it was, because a deadline closed the phase. `problems` are files
    that count as not sent, reported to the GM. `still` is why the match was left alone, if it is on hold. `because`
    is why the open phase wasn't played though all was in or its time had come; `stuck` if that won't change by itself.
    `closed` is the phase that was closed, and not played yet: everybody should learn of it first. `undrawn`: its dice
    aren't known yet, as `because` says; `until` is when they come out, if that is known.
    """

    adjudicated: tuple[str, ...]
    open: str
    missing: tuple[Player, ...] = ()
    drafts: tuple[Player, ...] = ()
    taken: tuple[Player, ...] = ()
    waiting: Player = ""
    problems: tuple[Problem, ...] = ()
    still: str = ""
    because: str = ""
    stuck: bool = False
    closed: str = ""
    undrawn: bool = False
    until: datetime | None = None

    @property
    def over(self) -> bool:
        """Has the match ended?"""
        return self.open.endswith(f"-{END}")


def run(
    path: Path,
    *,
    deadline: bool = False,
    due_text: str = "",
    throws: Sequence[Any] | None = None,
    keep: Keep | None = None,
) -> RunResult:
    """Adjudicates a match as far as its sheets allow.

    `deadline` closes the open phase without those who have sent nothing; `throws` are made by hand; `keep` returns the
    entries for the ledger. Raises Faulty, `misused` if the throws are wrong.
    """
    with changing(path) as match:
        return Run(match, due_text=due_text, throws=throws, keep=keep).play_on(deadline=deadline)


class Run:
    """One run of a match, which must be locked; nothing is written before its end."""

    def __init__(
        self,
        match: Folder,
        *,
        due_text: str = "",
        throws: Sequence[Any] | None = None,
        keep: Keep | None = None,
    ) -> None:
        self.match, self.due_text, self.keep = match, due_text, keep
        self.by_hand, self.throws = throws is not None, list(throws or ())
        self.post = Post(match)
        self.seed = marks.seed_of(match)
        self.since = match.last
        self.problems: list[Problem] = []

    def play_on(self, *, deadline: bool = False) -> RunResult:
        """Plays on until somebody is missing, an answer is awaited, or the match ends. Raises Faulty."""
        match, mail, held = self.match, Mail({}, {}), None
        progress = adjudication.ProgressCheck()
        taken: tuple[Player, ...] = ()
        passed: list[AdjudicatedPhase] = []
        asked_before = match.opening(match.last).waits
        match.check_whole()
        match.check_rules()
        closed = adjudication.closed_in(match, match.last)
        deadline = deadline or (closed is not None and closed.deadline)
        while held is None and not match.state(match.last).phase.over:
            mail = self.mail()
            if (mail.missing and not deadline) or self.undrawn():
                break
            progress.reach(match.state(match.last))
            passed.append(AdjudicatedPhase(match.last, mail.missing, deadline))
            held, taken = self.adjudicate(mail, deadline), (*taken, *mail.drafts)
            mail, deadline = Mail({}, {}), False
        if self.throws:
            raise Faulty([problem(match.path, adjudication.text_of_unused_throws(self.throws))], misused=True)
        passed = passed[: match.last - self.since]
        if self.keep is not None and (passed or (held and held.waiting != asked_before)):
            add_entries(match, *self.keep(match, passed))
        self.hand_out(held)
        match.commit()
        return RunResult(
            adjudicated=tuple(match.phases[self.since : match.last]),
            open=match.phases[-1],
            missing=mail.missing,
            drafts=mail.drafts,
            taken=taken,
            waiting=held.waiting if held else "",
            problems=tuple(self.problems),
            because=UNDRAWN if self.undrawn() and not mail.missing else "",
            undrawn=self.undrawn() and not mail.missing,
        )

    # -- what came in ---------------------------------------------------------------------------------------------

    def mail(self) -> Mail:
        """What came in for the open phase. Raises Faulty for files of no player, or files changed while the phase
        waits.
        """
        mail = self.post.collect(self.match.last)
        if mail.problems:
            raise Faulty(mail.problems)
        opening = self.match.opening(self.match.last)
        if opening.waits:
            self._check_frozen(opening, mail)
        elif self.match.last == self.since:
            self._check_fixed(mail)
        self.problems += self.post.problems(self.match.last, mail)
        return mail

    def _check_frozen(self, opening: Opening, mail: Mail) -> None:
        now = adjudication.fixed_files(adjudication.digests_of(self.match, self.match.last, mail))
        changed = [
            name for name in sorted({*now, *opening.files}) if now.get(name) != opening.files.get(name)
        ]
        said = (
            f"changed since the phase began, which waits for {opening.waits}; put it back as it was, or undo"
        )
        if changed:
            raise Faulty([problem(self._path(name), said) for name in changed])

    def _check_fixed(self, mail: Mail) -> None:
        changed = adjudication.changed_since_closing(self.match, self.match.last, mail)
        said = "changed since the phase was closed, and everybody has its seal; put it back as it was"
        if changed:
            raise Faulty([problem(self._path(f"{SHEETS}/{player}.yaml"), said) for player in changed])

    def undrawn(self) -> bool:
        """Does the phase with which the run began wait for dice that nobody can know yet?

        The phases after it were fixed at the same closing, so their dice come from the same source and wait no longer.
        """
        return (
            self.match.last == self.since
            and not self.by_hand
            and adjudication.is_undrawn(self.match, self.since)
        )

    def _path(self, name: str) -> Path:
        return self.match.path / self.match.phases[-1] / name

    # -- one phase ------------------------------------------------------------------------------------------------

    def adjudicate(self, mail: Mail, deadline: bool) -> Outcome | None:
        """Plays the open phase and opens the next; returns the outcome if it waits for an answer instead."""
        outcome, used = self.play(mail, deadline)
        lines = papers.lines_of(outcome.events)
        adjudication.check_as_before(self.match, lines)
        if outcome.waiting:
            self._record_wait(outcome, lines, mail, used)
            return outcome
        closed = Closing.by(__version__, self.match.rules(self.match.last), deadline=deadline, dice=used)
        self._close(outcome, lines, mail, closed)
        return None

    def play(self, mail: Mail, deadline: bool) -> tuple[Outcome, tuple[Any, ...]]:
        """The outcome of the open phase, and the throws made by hand that it used. Raises Faulty."""
        match, number = self.match, self.match.last
        script, state = self._script(match.opening(number)), match.state(number)
        dice: Dice = self._sealed_dice(mail) if script is None else ScriptedDice(script)
        if isinstance(dice, ScriptedDice) and not self.by_hand:
            dice.then = self._sealed_dice(mail)
        try:
            outcome = advance(match.rulebook, state, mail.inbox(state.options, deadline=deadline), dice)
        except OutOfDice as out:
            raise Faulty(
                [problem(match.path, adjudication.missing_throw(out))], misused=self.by_hand
            ) from None
        used: tuple[Any, ...] = ()
        if isinstance(dice, ScriptedDice) and script is not None:
            self.throws = list(dice.left)
            used = tuple(script[: len(script) - len(dice.left)])
        if outcome.waiting:
            self.problems += adjudication.problems_with_answer(match, number, outcome, mail)
            return replace(outcome, events=adjudication.final_events(outcome)), used
        return replace(
            outcome, events=adjudication.with_remarks(match.rulebook, state.phase, outcome, mail)
        ), used

    def _sealed_dice(self, mail: Mail) -> Dice:
        if self.seed is None:
            said = "the seed is missing; without this file the throws must be made by hand, with --dice"
            raise Faulty([problem(self.match.path / REFEREE, said)])
        return adjudication.phase_dice(self.match, self.match.last, mail, self.seed)

    def _script(self, opening: Opening) -> list[Any] | None:
        """The throws made by hand for the open phase, from before it waited and now; None if there are none."""
        if not self.by_hand and not opening.dice:
            return None
        past = list(opening.dice)
        if opening.waits and not past:
            text = papers.record_text(adjudication.recorded_lines(self.match))
            past = adjudication.thrown_in(
                papers.events_in(self.match.rulebook, text, str(self._path(EVENTS)))
            )
        return [*past, *self.throws]

    def _record_wait(self, outcome: Outcome, lines: list[bytes], mail: Mail, used: tuple[Any, ...]) -> None:
        """Records how far the phase has come; it stays open, and its sheets are frozen."""
        match = self.match
        opening = replace(
            match.opening(match.last),
            waits=outcome.waiting,
            lines=len(lines),
            dice=used,
            files=adjudication.fixed_files(adjudication.digests_of(match, match.last, mail)),
        )
        match.add_opening(match.last, opening)
        match.add(f"{match.phases[-1]}/{EVENTS}", papers.record_text(lines))
        given = adjudication.answers_given(outcome, mail)
        if given.answers:
            match.add(f"{match.phases[-1]}/{ANSWERED}", papers.text_of(given))

    def _close(self, outcome: Outcome, lines: list[bytes], mail: Mail, closed: Closing) -> None:
        """Records the phase's events, and opens the next."""
        match, number = self.match, self.match.last
        match.add_events(number, outcome.events, lines)
        opening = replace(match.opening(number), waits="", lines=0, dice=(), files={}, closed=closed)
        files = adjudication.digests_of(match, number, mail) | {EVENTS: digest_of(papers.record_text(lines))}
        files[OPEN] = digest_of_opening(opening)
        opening = replace(opening, closed=replace(closed, files=files))
        match.add_opening(number, opening)
        state = replace(outcome.state, chain=chain_of(files))
        match.add_phase(state)
        opening = Opening(due=tuple(state.phase.due), since=self.since, version=__version__)
        match.add_opening(match.last, opening)

    # -- the end of the run ---------------------------------------------------------------------------------------

    def hand_out(self, held: Outcome | None) -> None:
        """Adds the players' files for the phase at which the run stops."""
        match, number = self.match, self.match.last
        top = match.phases[number]
        if self.due_text:
            match.add_opening(number, replace(match.opening(number), until=self.due_text))
        if (not match.fresh and match.has(f"{top}/{FOR}")) or (number == 0 and self.undrawn()):
            return
        if number > self.since or not match.has(f"{top}/{FOR}"):
            entries, ledger = prefix_of(match)
            match.add_opening(number, replace(match.opening(number), entries=entries, ledger=ledger))
        if number > self.since:
            match.add(f"{top}/{SHEETS}/", b"")
        if held is not None and not match.has(f"{top}/{ANSWERS}"):
            match.add(f"{top}/{ANSWERS}/", b"")
        if match.state(number).phase.over and self.seed is not None:
            match.add(f"{top}/{SEED}", papers.text_of(papers.Secrets(self.seed.hex())))
            match.add(f"{top}/{PROOF}", proof_of(match))
        hand_out(match, number, held)
        if match.state(number).phase.over:
            add_the_end(match)


class Rounds(Struct, frozen=True):
    """Rounds of mail so far, and for each option (`stops=auction,movement`) how many if nobody ever sent ahead."""

    so_far: int
    by_stops: Mapping[str, int]


def rounds_of(match: Folder) -> Rounds:
    """Counts the phases at which reports were handed out and somebody was due."""
    heads = [match.state(number).phase for number in range(match.last + 1)]
    told = [match.handed_out(number) for number in range(match.last + 1)]
    so_far = sum(bool(head.due) and there for head, there in zip(heads, told, strict=True))
    options = match.state(match.last).options
    lists = {f"stops={EVERY}": EVERY, **{f"stops={','.join(stops)}": stops for stops in match.rulebook.stops}}
    return Rounds(
        so_far,
        {
            name: number_of_stops(match.rulebook, replace(options, stops=stops), heads)
            for name, stops in lists.items()
        },
    )
