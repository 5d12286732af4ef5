"""Would a match have come out the same by another version of its rulebook? Every phase is played again in memory."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.audit.verify import Replay, without_reason
from adjudicator.engine.folder import record
from adjudicator.engine.folder.adjudication import seed_of, with_remarks
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import EVENTS
from adjudicator.engine.match.patches import derived_position
from adjudicator.engine.play.position import write_position
from adjudicator.engine.table.dice import OutOfDice
from adjudicator.engine.text.from_json import decode


class Difference(Struct, frozen=True):
    """The first phase that comes out otherwise, by the name of its folder.

    `line` is the first line of its `events.jsonl` that differs, `was` the event there and `now` the one in its place;
    empty where one of the two has no more events, or needs another throw. 0: the events are the same, and lead to
    another position. `rules` are the numbers of the rules that both events rest on.
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
    replay = Replay(match)
    replay.seed = seed_of(match)
    return next(filter(None, (_difference(replay, number, rules) for number in range(match.last))), None)


def _difference(replay: Replay, number: int, rules: int) -> Difference | None:
    match, name = replay.match, replay.match.phases[number]
    state, mail, events = match.state(number), replay.post.collect(number), match.events(number)
    was = match.read(f"{name}/{EVENTS}").splitlines()
    try:
        outcome = replay.outcome(number, mail, events, replace(state, rules=rules))
    except OutOfDice as out:
        return Difference(name, len(was) + 1, now=f"one more throw, for {' '.join(out.what)}")
    now = record.lines_of(with_remarks(match.rulebook, state.phase, outcome, mail))
    for line in range(max(len(was), len(now))):
        one, two = (lines[line] if line < len(lines) else b"" for lines in (was, now))
        if without_reason(one) != without_reason(two):
            cited = dict.fromkeys(rule for each in (one, two) if each for rule in _rules_in(each))
            return Difference(name, line + 1, one.decode(), two.decode(), tuple(cited))
    if _bare(outcome.state) != _bare(derived_position(match, number + 1)):
        return Difference(name, 0)
    return None


def _rules_in(line: bytes) -> list[str]:
    """The rules that an event rests on: its own, and that of its reason."""
    event: dict[str, Any] = decode(record.AS_JSON, line)
    reason = event.get("reason")
    found = [reason.get("rule") if isinstance(reason, dict) else "", event.get("rule")]
    return [rule for rule in found if isinstance(rule, str) and rule]


def _bare(state: Any) -> str:
    """A position's text, without the version of its rules and its chain."""
    return write_position(replace(state, rules=0, chain=""))
