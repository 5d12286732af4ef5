"""Closing a phase before it is adjudicated: its sheets are fixed and its dice's source named, for everybody to see."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.relays import Draw, Unreachable
from adjudicator.engine.folder import adjudication, marks
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import now_in
from adjudicator.engine.folder.names import BEACON, CLOSED, REFEREE
from adjudicator.engine.folder.post import Mail
from adjudicator.engine.text.resources import Missing

LEAD = timedelta(minutes=10)
"""The time from the closing of a phase to the named round of drand, so that everybody can learn of it before."""


class Dice(Struct, frozen=True):
    """How a run gets dice that nobody holds.

    `first`: a phase is closed in a step of its own even if its dice come from the seed alone. `draw` asks for a round
    of drand; without it no network is used. `text` is what came of a source that the GM named; `named` is the source to
    name now. `lead` is the time from a closing to the round that it names.
    """

    first: bool = False
    draw: Draw | None = None
    text: str = ""
    named: str = ""
    lead: timedelta = LEAD


AS_EVER: Dice = Dice()
"""Without a network, and without a public text from the GM."""


class DiceAwaited(Struct, frozen=True):
    """Why the dice aren't known yet, and until when, if that is known."""

    because: str
    until: datetime | None = None


def must_close(match: Folder, dice: Dice) -> bool:
    """Must the open phase be closed in a step of its own before it is played? A phase that waits for an answer has
    begun already.
    """
    opening = match.opening(match.last)
    if opening.waits or adjudication.closed_in(match, match.last) is not None:
        return False
    return dice.first or dice_option(match) != adjudication.SEED


def dice_option(match: Folder) -> str:
    """The option `dice` of a match."""
    return str(match.card.options.get("dice", adjudication.SEED))


def hangs_on_the_gm_s_word(match: Folder) -> bool:
    """Was anything dealt or thrown, by the seed alone, before the first sheets? Then nobody but the GM knows whether
    the match was begun several times, until it suited. Raises Faulty.
    """
    return dice_option(match) == adjudication.SEED and any(
        adjudication.thrown_in(match.events(number)) for number in range(match.last)
    )


def close(
    match: Folder, mail: Mail, at: datetime, dice: Dice, *, deadline: bool = False
) -> adjudication.ClosedPhase:
    """Adds the closing of the open phase to what is to be written. Raises Faulty."""
    number, now, seed = match.last, now_in(match, at), marks.seed_of(match)
    if seed is None:
        raise Faulty([problem(match.path / REFEREE, "the seed is missing: nothing can be sealed without it")])
    closed = adjudication.ClosedPhase(
        match=match.card.match,
        phase=match.phases[number],
        at=now,
        seals=adjudication.seals_of(match, number, mail, seed),
        mark=marks.mark_before(match, number, seed),
        deadline=deadline,
        dice=_first_source(match, now, dice),
    )
    match.add(f"{closed.phase}/{CLOSED}", adjudication.closed_text(closed))
    return closed


def _first_source(match: Folder, now: datetime, dice: Dice) -> quicknet.DiceSource:
    kind = dice_option(match)
    if dice.named and kind != "named":
        said = (
            f"the dice of this match come from {kind}; another source needs a phase that is closed, and --why"
        )
        raise Faulty([problem("--source", said)], misused=True)
    if kind == "named":
        return named_source(dice.named)
    return (
        quicknet.DiceSource(drand=quicknet.round_after(now + dice.lead))
        if kind == "drand"
        else quicknet.DiceSource()
    )


def named_source(given: str) -> quicknet.DiceSource:
    """A public text, on one line, that will be known later. Raises Faulty."""
    found = quicknet.normalized(given)
    if not found:
        said = f'a public text, such as "6 aus 49, 28.11.2026", of at most {quicknet.LONGEST} signs'
        raise Faulty([problem("--source", said)], misused=True)
    return quicknet.DiceSource(named=found, words=True)


def _drawn(source: quicknet.DiceSource, given: str) -> quicknet.Beacon:
    """What was drawn in public, as it counts. Raises Faulty."""
    found = quicknet.drawn_words(given) if source.words else quicknet.normalized(given)
    if not found:
        letters = f"in letters from A to Z and digits, at most {quicknet.LONGEST}"
        said = f'what was drawn, such as "3 8 21 30 33 47", {letters}'
        raise Faulty([problem("--drawn", said)], misused=True)
    return quicknet.Beacon(source, text=found)


def draw(match: Folder, closed: adjudication.ClosedPhase, at: datetime, dice: Dice) -> DiceAwaited | None:
    """Adds to what is to be written what the source of a closed phase gave; or says why that isn't known yet. Raises
    Faulty.
    """
    source = closed.dice
    if not source.open or adjudication.beacon_in(match, match.last) is not None:
        return None
    if source.drand:
        found = _of_drand(source, at, dice)
    elif dice.text:
        found = _drawn(source, dice.text)
    else:
        return DiceAwaited(f"it isn't known yet what came of {source.named}; say it with --drawn")
    if isinstance(found, DiceAwaited):
        return found
    if wrong := quicknet.problem_of(found, source, closed.named_at):
        raise Faulty([problem(match.path / closed.phase / CLOSED, wrong)])
    match.add(f"{closed.phase}/{BEACON}", adjudication.beacon_text(found))
    return None


def _of_drand(source: quicknet.DiceSource, at: datetime, dice: Dice) -> quicknet.Beacon | DiceAwaited:
    out = quicknet.time_of(source.drand)
    if at < out:
        said = f"its dice hang on round {source.drand} of drand, which comes out {out:%Y-%m-%d %H:%M:%S} UTC"
        return DiceAwaited(said, out)
    if dice.draw is None:
        return DiceAwaited(f"its dice hang on round {source.drand} of drand, and no network is used")
    try:
        return quicknet.Beacon(source, signature=dice.draw(source.drand))
    except Unreachable as error:
        return DiceAwaited(f"no relay gave round {source.drand} of drand ({error})", out)
    except Missing as error:
        return DiceAwaited(f"round {source.drand} of drand can't be checked without {error}", out)
