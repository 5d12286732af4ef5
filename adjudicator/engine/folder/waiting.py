"""A phase that waits for an answer: what is kept of it until it is played again, and what may not change."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import ANSWERED, EVENTS
from adjudicator.engine.folder.post import AnsweredFile, Mail
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import problem_at
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.question_data import is_meant
from adjudicator.engine.sheets.answers import ANSWERS, Answer
from adjudicator.engine.table.event import Event, Player, Remarked
from adjudicator.engine.text.problem import Problem


def final_events(outcome: Outcome) -> tuple[Event[Any], ...]:
    """The events of a waiting phase, without remarks on the answer it waits for: a better one may still come."""
    events = list(outcome.events)
    while events and isinstance(events[-1], Remarked) and events[-1].place.startswith(f"{ANSWERS}/"):
        events.pop()
    return tuple(events)


def answers_given(outcome: Outcome, mail: Mail) -> AnsweredFile:
    """The answers given in a waiting phase, except those to the question it waits for: these weren't good."""
    found: dict[Player, tuple[Answer, ...]] = {}
    for player, answers in mail.answers.items():
        for answer in answers:
            known = [each.fields for each in found.get(player, ())]
            if answer.fields not in known and not (
                player == outcome.waiting
                and outcome.question is not None
                and is_meant(answer, outcome.question)
            ):
                found[player] = (*found.get(player, ()), answer)
    return AnsweredFile(found)


def problems_with_answer(match: Folder, number: int, outcome: Outcome, mail: Mail) -> list[Problem]:
    """Why the asked player's file doesn't answer the question, reported to the GM."""
    player, texts = outcome.waiting, texts_of(match.rulebook)
    top = match.path / match.phases[number]
    if not any(name.endswith(f"/{ANSWERS}/{player}.yaml") for name in mail.files):
        return []
    bad = [event for event in outcome.events[len(final_events(outcome)) :] if isinstance(event, Remarked)]
    if bad:
        return [problem_at(f"{top}/{event.place}", event.reason, texts) for event in bad]
    if any(event.player == player for event in mail.remarks):
        return []
    said = f"it doesn't answer the question: for/{player}/answer.yaml shows how to answer"
    return [problem(top / ANSWERS / f"{player}.yaml", said)]


def fixed_files(files: dict[str, str]) -> dict[str, str]:
    """The files of a phase that can't change while it waits: all but the answers."""
    return {
        name: digest for name, digest in files.items() if not name.startswith(ANSWERS) and name != ANSWERED
    }


def recorded_lines(match: Folder) -> list[bytes]:
    """The lines of events already final while the open phase waits; none if it doesn't."""
    opening = match.opening(match.last)
    return match.read(f"{match.phases[-1]}/{EVENTS}").splitlines()[: opening.lines] if opening.waits else []


def check_as_before(match: Folder, lines: list[bytes]) -> None:
    """Checks that the open phase, played again, has the same events up to where it waited. Raises Faulty."""
    for number, line in enumerate(recorded_lines(match)):
        if number >= len(lines) or lines[number] != line:
            said = "played again, the phase doesn't come out as before; undo takes its beginning back"
            place = str(match.path / match.phases[-1] / EVENTS)
            raise Faulty([Problem(place, number + 1, 1, "MATCH", said)])
