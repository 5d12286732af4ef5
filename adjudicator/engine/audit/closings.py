"""Phases that were closed before they were played: did they use the sheets and the dice that were fixed then?"""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.beacon.quicknet import drawn_words, problem_of
from adjudicator.engine.folder.adjudication import (
    SEED,
    ClosedPhase,
    beacon_in,
    closed_in,
    mark_before,
    seals_of,
)
from adjudicator.engine.folder.entries import SourceChanged, of_kind, standing
from adjudicator.engine.folder.errors import problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import entries_on_disk
from adjudicator.engine.folder.names import BEACON, CLOSED, LEDGER
from adjudicator.engine.folder.post import SHEETS, Mail
from adjudicator.engine.text.problem import Problem


def problems_of_closing(match: Folder, number: int, mail: Mail, seed: bytes | None) -> Iterator[Problem]:
    """Everything wrong with the closing of a phase, or with a missing closing. Raises Faulty, quicknet.Missing."""
    top, closed = match.path / match.phases[number], closed_in(match, number)
    if closed is None:
        if match.has(f"{match.phases[number]}/{BEACON}"):
            yield problem(top / BEACON, f"there is no {CLOSED} that names where this comes from")
        if _needed(match, number, mail):
            kind = match.card.options.get("dice")
            said = f"missing: the dice come from {kind}, and no source was named before it was adjudicated"
            yield problem(top / CLOSED, said)
        return
    if (closed.match, closed.phase) != (match.card.match, match.phases[number]):
        yield problem(top / CLOSED, f"this is of {closed.phase} of {closed.match}: tampered with")
        return
    if seed is not None:
        now = seals_of(match, number, mail, seed)
        changed = [player for player in match.card.players if closed.seals.get(player) != now[player]]
        if changed:
            said = f"the sheet of {', '.join(changed)} isn't the one that was there when the phase was closed"
            yield problem(top / CLOSED, said)
        if closed.mark != mark_before(match, number, seed):
            yield problem(top / CLOSED, "the mark isn't that of the phase: tampered with")
    yield from (problem(top / CLOSED, said) for said in _check_sources(match, closed))
    ended = match.opening(number).closed
    if ended is not None and closed.deadline and not ended.deadline:
        yield problem(
            top / CLOSED, "it was closed by a deadline, and then adjudicated as if all sheets were in"
        )
    if (said := _as_spelled(match, number, closed)) and ended is not None:
        yield Problem(str(top / BEACON), 0, 0, "MATCH", said, "warning")
    if ended is not None and closed.dice.open and not ended.dice:
        yield from (problem(top / BEACON, said) for said in _check_draw(match, number, closed))


def _needed(match: Folder, number: int, mail: Mail) -> bool:
    """Must the phase have been closed first: does a run begin with it, with throws that weren't made by hand?"""
    ended = match.opening(number).closed
    if ended is None or ended.dice or match.card.options.get("dice", SEED) == SEED:
        return False
    return number == 0 or any(f"/{SHEETS}/" in name for name in mail.files)


def _check_sources(match: Folder, closed: ClosedPhase) -> Iterator[str]:
    """Checks that the first source is of the match's kind, and that each later one has its entry in the ledger."""
    kind = match.card.options.get("dice", SEED)
    first = (*(one.dice for one in closed.renamed), closed.dice)[0]
    if (kind == "drand", kind == "named") != (bool(first.drand), bool(first.named)):
        yield f"the source that was named first isn't of the match's kind, {kind}: tampered with"
    told = [
        (one.drand, one.named, one.why)
        for one in of_kind(standing(entries_on_disk(match)), SourceChanged, closed.phase)
    ]
    sources = [*(one.dice for one in closed.renamed), closed.dice][1:]
    named = [
        (source.drand, source.named, before.why)
        for source, before in zip(sources, closed.renamed, strict=True)
    ]
    if told != named:
        yield f"{LEDGER} tells of other sources that were named later: tampered with"


def _as_spelled(match: Folder, number: int, closed: ClosedPhase) -> str:
    """A warning, if the dice hang on how the GM spelled what was drawn: an earlier version closed the phase."""
    beacon = beacon_in(match, number)
    if (
        beacon is None
        or not closed.dice.named
        or closed.dice.words
        or beacon.text == drawn_words(beacon.text)
    ):
        return ""
    return "an earlier version closed this phase: the GM could choose among spellings of what was drawn"


def _check_draw(match: Folder, number: int, closed: ClosedPhase) -> Iterator[str]:
    """Checks that the throws were made with what the named source gave."""
    beacon = beacon_in(match, number)
    if beacon is None:
        yield "missing: what came of the source that was named for the dice"
    elif wrong := problem_of(beacon, closed.dice, closed.named_at):
        yield wrong
