"""What a sheet would bring its player, line by line of the points: now, then, and what it may be.

*Then* plays the phase as the rules give it, everybody else passing or ordering as their player guesses. *May be* plays
it with sheets of bots beside these. Each is played on some guesses of what the player can't know, with dice of their
own; where they differ, the least and the most is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from msgspec import Struct

from adjudicator.engine.bots import plan_sheet, random_bot
from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.match.resolving import due_sheets, facts_of, play, read_given
from adjudicator.engine.match.trying_out import Impossible, guessed_position
from adjudicator.engine.play.attempts import DiceByChance, SeededChance, SpreadChance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.reader_facts import ReaderFacts
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import Line, Total, total
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write
from adjudicator.page.opened import OpenView

CHANCES = 7
"""How many guesses of what is hidden, and of the dice, each sheet is played on; a prime, so that they can be spread."""
TOTAL, SCORING = "total", "scoring"
Counts = Mapping[str, tuple[int | None, Total]]
"""By the name of a line: how many, and the points."""


class Foreseen(Struct, frozen=True, omit_defaults=True):
    """One line of a player's points in words: as it is now, as it would be then, and as it may be.

    `better` is 1 if it would be more then than now, -1 if it would be less.
    """

    words: str
    now: str
    then: str
    may: str
    better: int = 0


class Try(Struct, frozen=True):
    """The phase as it may go: the position after it as the view's player sees it, and what that player is told."""

    after: Any
    told: ReaderFacts


def bot_sheets(
    rulebook: Rulebook[Any], guess: Any, me: Player, sent: Iterable[Player], seed: str
) -> Mapping[str, bytes]:
    """Sheets of the due players but `me` and those who have `sent` one, by file; the bots play on a guess."""
    bot, given, chance = rulebook.bot or random_bot(rulebook), {me, *sent}, SeededChance(f"bots {seed}")
    return {
        f"{player}.yaml": write(
            {
                "player": player,
                **plan_sheet(rulebook, bot, position_for(rulebook, guess, player), player, chance),
            }
        ).encode()
        for player in guess.phase.due
        if player not in given
    }


def foresee(seen: OpenView, text: str, guesses: Mapping[Player, str] | None = None) -> Sequence[Foreseen]:
    """The lines of the points of the view's player that aren't empty, their total first, if `text` were the sheet.

    With `guesses` the others send these sheets, and those of whom none is guessed order as bots would; without, the
    others pass.
    """
    return lines_of(seen, *tries(seen, text, guesses))


def tries(
    seen: OpenView, text: str, guesses: Mapping[Player, str] | None = None
) -> tuple[Sequence[Try], Sequence[Try]]:
    """How the phase goes with a sheet, *then* and as it *may*: nothing for a view of no position."""
    given = {f"{player}.yaml": sheet.encode() for player, sheet in (guesses or {}).items()}
    given[f"{seen.me}.yaml"] = text.encode()
    then = [*_tries(seen, given, bots=guesses is not None)]
    return then, then if guesses is not None else [*_tries(seen, given, bots=True)]


def lines_of(seen: OpenView, then: Sequence[Try], may: Sequence[Try]) -> Sequence[Foreseen]:
    """The lines of the points, as they are now and after these tries."""
    after = [[counts(seen.rulebook, each.after, seen.me) for each in some] for some in (then, may)]
    if not then:
        return ()
    return [*_lines(seen.rulebook, counts(seen.rulebook, seen.seen, seen.me), after[0], [*chain(*after)])]


def _tries(seen: OpenView, given: Mapping[str, bytes], *, bots: bool) -> Iterator[Try]:
    """The phase, once for each chance."""
    sent = [name.removesuffix(".yaml") for name in given]
    mine = (seen.rulebook, seen.view, seen.me)
    with suppress(Impossible):
        for number in range(CHANCES):
            chance, dice = (SpreadChance(what, number, CHANCES) for what in ("guess", "dice"))
            guess = guessed_position(*mine, known=seen.known, chance=chance)
            others = bot_sheets(seen.rulebook, guess, seen.me, sent, str(number)) if bots else {}
            mail = read_given(seen.rulebook, guess, {**others, **given}, {}).mail
            played, _ = play(seen.rulebook, guess, mail, (), DiceByChance(dice))
            after = position_for(seen.rulebook, played[-1].outcome.state, seen.me)
            found = due_sheets(seen.rulebook, played, mail)
            yield Try(after, facts_of(seen.rulebook, seen.me, seen.view, played, found))


def counts(rulebook: Rulebook[Any], state: Any, me: Player) -> Counts:
    """The total of a player's lines, the lines, and what a scoring now would add, if there are any during a match."""
    lines: Sequence[Line] = rulebook.points(state)[me]
    found: dict[str, tuple[int | None, Total]] = {TOTAL: (None, total(lines))}
    found |= {each.what: (each.count, total([each])) for each in lines}
    if rulebook.scoring is not None and not state.phase.over:
        found[SCORING] = (None, total(rulebook.scoring(state)[me]))
    return found


def _lines(
    rulebook: Rulebook[Any], now: Counts, then: Sequence[Counts], may: Sequence[Counts]
) -> Iterator[Foreseen]:
    """The lines in words. One that never scores is told by its count, and a single line needs no total."""
    told = words(texts_of(rulebook))
    every, texts = [now, *may], {SCORING: told["pages"]["foreseen.scoring"], **told["points"]}
    lasting = [what for what in now if all(what in each for each in every)]  # a finished match has no scoring
    scoring = [what for what in lasting if any(each[what][1].points for each in every)]
    for what in lasting:
        if what == TOTAL and len({*scoring} - {TOTAL, SCORING}) < 2:
            continue
        columns = [
            [_value(each[what], counted=what not in scoring) for each in some] for some in ([now], then, may)
        ]
        if any(each.points for column in columns for each in column):
            yield _foreseen(texts.get(what, what).strip("*"), columns, told["pages"]["orders.limits"])


def _value(count: tuple[int | None, Total], *, counted: bool) -> Total:
    return Total(count[0] or 0, more=False) if counted else count[1]


def _foreseen(called: str, columns: Sequence[Sequence[Total]], between: str) -> Foreseen:
    (was,), then, _ = columns
    least, most = (function(each.points for each in then) for function in (min, max))
    better = (least > was.points) - (most < was.points)
    now, after, may = (_in_words(column, between) for column in columns)
    return Foreseen(called, now, after, may, better)


def _in_words(values: Sequence[Total], between: str) -> str:
    """A value; if they aren't all the same, the least and the most."""
    least, most = (function(values, key=lambda each: each.points) for function in (min, max))
    return str(most) if least == most else between.format(least=least, most=most)
