"""Promises 3, 5 and 7: random matches end and keep the invariants; files read back the same; the order of sheets
changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from adjudicator.contract.positions import impossible_after
from adjudicator.engine.bots import Step, play_match, random_bot
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.position import PositionFile, read_position, write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Bot, Options, Pace, Rulebook
from adjudicator.engine.table.secret import plain_of


def steps(
    rulebook: Rulebook[Any],
    players: tuple[Player, ...],
    seed: str,
    options: Options | None = None,
    *,
    sensible: int = 0,
    rules: int = 0,
) -> Iterator[Step]:
    """A match of random bots, in which the rulebook's own bot plays the last `sensible` players. With the usual
    options, if none are given, and by the newest version of the rules."""
    own = rulebook.bot or random_bot(rulebook)
    bots: dict[Player, Bot] = dict.fromkeys(players, random_bot(rulebook))
    bots |= dict.fromkeys(players[len(players) - sensible :], own)
    return play_match(rulebook, players, bots, seed, options, strict=True, rules=rules)


def some_of_each(steps: Iterable[Step], chosen: range) -> Iterator[Step]:
    """Picks steps of each kind of phase by their number within the kind: `range(2)` picks the first two of each."""
    met = Counter[str]()
    for step in steps:
        if met[step.before.phase.name] in chosen:
            yield step
        met[step.before.phase.name] += 1


def faults_of_match(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """What is wrong with a random match: it doesn't end, or a position is impossible. Invariants raise at the event."""
    last = None
    for last in steps:
        for flaw in impossible_after(rulebook, last.before, last.outcome):
            yield f"{seed} {last.before.phase}: {flaw}"
    if last is None or not last.outcome.state.phase.over:
        yield f"{seed}: no end"


def differences_in_files(rulebook: Rulebook[Any], step: Step) -> Iterator[str]:
    """A position, or a player's view of it, that changes when it is written and read back."""
    whole = step.outcome.state
    player = whole.phase.due[0] if whole.phase.due else None
    for state, name in ((whole, "state.yaml"), (position_for(rulebook, whole, player), "view.yaml")):
        text = write_position(state)
        opened = read_position(text.encode(), name)
        if not isinstance(opened, PositionFile):
            yield f"{state.phase}: {name}: {opened}"
        elif opened.state != state or write_position(opened.state) != text:
            yield f"{state.phase}: {name} is read back otherwise"


def effects_of_sheet_order(rulebook: Rulebook[Any], step: Step, dice: Any) -> Iterator[str]:
    """A simultaneous phase whose outcome changes with the order of the sheets."""
    if rulebook.phase(step.before.phase.name).pace is not Pace.TOGETHER:
        return
    turned = dict(reversed(list(step.sheets.items())))
    state = advance(rulebook, step.before, Inbox(turned), dice).state
    if plain_of(state) != plain_of(step.outcome.state):
        yield f"{step.before.phase}: the order of the sheets matters"
