"""Promise 5: the same inputs give the same bytes, whatever the order of Python's hashes, and after each wait.

Run as a program with a rulebook's name, it prints the digest of one match; `differences_by_hash_seed` compares these.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from adjudicator.contract import matches
from adjudicator.engine.bots import Step
from adjudicator.engine.library import registry
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.reader_texts import texts_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.answers import Answer
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import plain_of

HASH_SEEDS = ("0", "4711")
STEPS = 12


def digest(name: str) -> str:
    """The SHA-256 of the positions and reports at the beginning of a match by bots, and, once for each phase, of all
    that a player gets."""
    rulebook = registry.rulebook(name)
    players = rulebook.tables[min(rulebook.tables)][0]
    found, opened = sha256(), set[str]()
    for number, step in enumerate(matches.steps(rulebook, players, "hash", sensible=len(players))):
        state = step.outcome.state
        found.update(write_position(state).encode())
        for who in (None, *players):
            events = events_for(rulebook, state, step.outcome.events, who)
            view = position_for(rulebook, state, who)
            report = render_report(rulebook, who, view, events)
            found.update(report.encode())
            if who == players[0] and state.phase.name not in opened:
                opened.add(state.phase.name)
                told = ReaderFacts(who, position_for(rulebook, step.before, who), events, view)
                found.update(str(texts_for(rulebook, state, told, report, Extras(), pages=True)).encode())
        if number == STEPS:
            break
    return found.hexdigest()


def differences_by_hash_seed(rulebook: Rulebook[Any]) -> Iterator[str]:
    """A match that differs under two hash seeds."""
    found: set[str] = set()
    for seed in HASH_SEEDS:
        path = os.pathsep.join(folder for folder in sys.path if folder)
        done = subprocess.run(
            [sys.executable, "-m", __name__, rulebook.key],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            yield done.stderr
            return
        found.add(done.stdout)
    if len(found) > 1:
        yield "the order of a set or of hashes has come into a position or a report"


def differences_after_wait(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """A phase that, run again with an answer, begins differently from when it waited for that answer."""
    for step in steps:
        answers: dict[Player, tuple[Answer, ...]] = {}
        told: list[Any] = []
        for _ in range(20):
            dice = SeededDice(
                seed_from(seed), seed, step.before.phase.number
            )  # dice count their throws, so each run has its own
            outcome = advance(rulebook, step.before, Inbox(step.sheets, answers, waits=True), dice)
            events = [plain_of(event) for event in outcome.events]
            if events[: len(told)] != told:
                yield f"{step.before.phase}: run again, the phase begins otherwise"
            if outcome.question is None:
                break
            told = events
            answer = first_answer(rulebook, outcome.state, outcome.question)
            if answer is None:
                break
            answers[outcome.waiting] = (*answers.get(outcome.waiting, ()), answer)


def first_answer(rulebook: Rulebook[Any], state: Any, question: Any) -> Answer | None:
    """An answer to a question: the first value of each field; None where these don't answer it."""
    from adjudicator.engine.sheets.sheet import Reader
    from adjudicator.engine.table.reason import Refused

    fields: dict[str, Any] = dict(question.names())
    try:
        for field, among in question.shapes.items():
            if field not in fields and (field in question.needed or among.listed):
                fields[field] = (
                    next(iter(among.values()), None) if among.listed else among.sample(lambda below: 0)
                )
        question.answer(Reader(fields), state)
    except Refused:
        return None
    return Answer(question.verb, fields, "answers/nobody.yaml:1:1")


if __name__ == "__main__":
    print(digest(sys.argv[1]))
