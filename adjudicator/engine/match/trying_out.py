"""Trying out: plays a phase on a guess of the position, with the player's orders and those guessed for others.

It needs nothing secret, and nothing that it tells is certain: it plays on what its reader could take for the position
(`table/guess.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.match.resolving import due_sheets, facts_of, play, problems_in, read_given
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.known import Known, guess_within, known_from_view
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.story import render_report
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import Problem


class SupposedResult(Struct, frozen=True):
    """What would happen: the report to its reader, which says first that it is a guess, the facts it tells, what is
    wrong with the sheets, and the throws that weren't needed.
    """

    report: str
    facts: ReaderFacts
    problems: Sequence[Problem]
    left: Sequence[Any]


class Impossible(Exception):
    """The view can't be that of any position: somebody has edited it, for example. The text says why."""


def guessed_position(
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    seed: str = "",
    known: Known | None = None,
    chance: Chance | None = None,
) -> Any:
    """A position that could be the real one for `me`, the same for the same `seed`, or by another `chance`; if it is
    said, within what `me` knows of it. No question in it waits for anybody. Raises `Impossible`.
    """
    known = known_from_view(rulebook, view) if known is None else known
    try:
        guess = guess_within(rulebook, known, me, chance or SeededChance(f"guess {seed}"))
    except LookupError:
        raise Impossible("no position can look like this view: was it changed?") from None
    return replace(guess, options=replace(guess.options, pacing="batch"))


def suppose(
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    sheets: Mapping[str, bytes],
    *,
    bots: Mapping[str, bytes] = MappingProxyType({}),
    throws: Sequence[Any] = (),
    seed: str = "",
    known: Known | None = None,
) -> SupposedResult:
    """Plays the open phase, and those after it that need nobody, from a guessed position (`guessed_position`).
    A player without a sheet sends none.

    `bots` are sheets that the reader didn't write: what is wrong with them isn't told, and a sheet of the same name in
    `sheets` counts instead. Throws follow one another as given, then by chance, which follows from the seed. Questions
    are decided by the sheets, as in a match that waits for no answers. Raises `OutOfDice` for an impossible throw,
    `Impossible`.
    """
    guess = guessed_position(rulebook, view, me, seed, known)
    found = read_given(rulebook, guess, {**bots, **sheets}, {})
    played, left = play(rulebook, guess, found.mail, throws, seed)
    facts = facts_of(rulebook, me, view, played, due_sheets(rulebook, played, found.mail))
    note = words(texts_of(rulebook))["terms"]["only_a_guess"]
    extras = Extras(guess=True)
    report = render_report(
        rulebook, me, facts.after, facts.events, before=view, extras=extras, accounts=facts.accounts
    )
    not_written = {name for name in bots if name not in sheets}
    problems = [each for each in problems_in(rulebook, found, played) if each.file not in not_written]
    return SupposedResult(f"> {note}\n\n{report}", facts, problems, left)
