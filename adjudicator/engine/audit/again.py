"""Plays phases of a match again in memory: by the rules that played them, or by another version of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.audit.cross_checks import check_start
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.adjudication import phase_dice, seed_of, thrown_in, with_remarks
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.patches import Unfit, derived_position
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.table.dice import Dice, OutOfDice, ScriptedDice
from adjudicator.engine.table.event import Event
from adjudicator.engine.text.typed import decode


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
    post, seed = Post(match), seed_of(match)
    found = (difference(match, number, post.collect(number), rules, seed) for number in range(match.last))
    return next(filter(None, found), None)


def difference(match: Folder, number: int, mail: Mail, rules: int, seed: bytes | None) -> Difference | None:
    """What comes out otherwise of one phase by that version of the rules; None if all is the same. Raises Faulty."""
    name, state = match.phases[number], match.state(number)
    if not number and any(check_start(match)):
        return Difference(name, 0)
    was = papers.lines_of(match.events(number))  # as this release writes them
    played_by = replace(state, rules=rules)
    try:
        outcome = outcome_again(match, number, mail, match.events(number), played_by, seed)
    except OutOfDice as out:
        return Difference(name, len(was) + 1, now=f"one more throw, for {' '.join(out.what)}")
    now = papers.lines_of(with_remarks(match.rulebook, state.phase, outcome, mail))
    for line in range(max(len(was), len(now))):
        one, two = (lines[line] if line < len(lines) else b"" for lines in (was, now))
        if without_reason(one) != without_reason(two):
            cited = dict.fromkeys(rule for each in (one, two) if each for rule in _rules_in(each))
            return Difference(name, line + 1, one.decode(), two.decode(), tuple(cited))
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
    dice: Dice = ScriptedDice(thrown_in(events))
    if seed is not None:
        dice = ScriptedDice(by_hand, phase_dice(match, number, mail, seed))
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
