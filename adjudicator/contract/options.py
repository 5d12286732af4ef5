"""Promise 3, the options: every unusual value of each option that has only a few; of a number, the least value, the
most, and one in the middle.

With each of a few, random bots and the rulebook's own play a match, and what is promised of phases holds: listing,
checks, texts, maps and pages, guesses, and what is hidden. With a number, a match ends and its positions can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from adjudicator.contract import known, legality, matches, predictions, secrets, senders
from adjudicator.engine.bots import Step
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import flaws_in
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook

FIRST, SOME = range(1), range(0, 10**6, 12)
"""The phases that are looked at in the first match of a kind, and in the others."""
OF_FOLDERS = ("pages", "stops", "reopen", "dice", "early_opening")
"""Options of matches in folders; they don't change a match played in memory."""


def unusual_options(rulebook: Rulebook[Any]) -> list[dict[str, Any]]:
    """Each value, alone, of each option that is true or false or one of a few words.

    The usual values are left out: all other matches are played with them.
    """
    return options_of(rulebook, values_of)


def numeric_options(rulebook: Rulebook[Any]) -> list[dict[str, Any]]:
    """The least and the most value, alone, of each option that is a number, and one in the middle; without the usual
    value."""
    return options_of(rulebook, numbers_of)


def options_of(rulebook: Rulebook[Any], values: Callable[[Any], Iterable[Any]]) -> list[dict[str, Any]]:
    """Each unusual value, alone, of the values of each option's type."""
    hints, usual = get_type_hints(rulebook.Options, include_extras=True), rulebook.Options()
    return [
        {name: value}
        for name in rulebook.Options.__struct_fields__
        if name not in OF_FOLDERS
        for value in values(hints[name])
        if value != getattr(usual, name)
    ]


def values_of(kind: Any) -> list[Any]:
    """The values of a type that has only a few."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if get_origin(kind) in (Union, UnionType):
        return [value for inside in get_args(kind) for value in values_of(inside)]
    return [False, True] if kind is bool else []


def numbers_of(kind: Any) -> list[int]:
    """The least, a middle and the most value of a type that is a whole number with bounds."""
    known = [(least, most) for least, most in bounds_of(kind) if least is not None and most is not None]
    return [value for least, most in known for value in dict.fromkeys((least, (least + most) // 2, most))]


def bounds_of(kind: Any) -> Iterator[tuple[int | None, int | None]]:
    """The least and the most value of each whole number in a type; None where it has no such bound."""
    if get_origin(kind) in (Union, UnionType):
        for inside in get_args(kind):
            yield from bounds_of(inside)
    elif kind is int or (get_origin(kind) is Annotated and get_args(kind)[0] is int):
        given = [each for each in get_args(kind)[1:] if isinstance(each, msgspec.Meta)]
        least, most = (
            next((value for each in given if isinstance(value := getattr(each, bound), int)), None)
            for bound in ("ge", "le")
        )
        yield least, most


def options_without_bounds(rulebook: Rulebook[Any]) -> list[str]:
    """The options that are whole numbers without a least or a most value."""
    hints = get_type_hints(rulebook.Options, include_extras=True)
    return [name for name, kind in hints.items() if any(None in bounds for bounds in bounds_of(kind))]


def faults_with_number(rulebook: Rulebook[Any], chosen: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a match with a numeric option, at the first table that it is for: no end, or a position that
    can't be."""
    name, given = f"options {option_text(chosen)}", msgspec.convert(chosen, rulebook.Options)
    for players, *_ in rulebook.tables.values():
        with suppress(Refused):  # these players don't fit the option
            rulebook.start("options", given, players)
            steps = matches.steps(rulebook, players, name, given, sensible=len(players) // 2)
            yield from matches.faults_of_match(rulebook, steps, name)
            return


def option_text(chosen: dict[str, Any]) -> str:
    """The chosen options as one text: `pacing=live`, or `usual` if there are none."""
    return ",".join(f"{name}={value}" for name, value in chosen.items()) or "usual"


def faults_with_option(
    rulebook: Rulebook[Any],
    chosen: dict[str, Any],
    to_remember: Sequence[str] = (),
    *,
    everywhere: bool = True,
) -> Iterator[str]:
    """What doesn't hold with an option, in a match at each table that the option is for, or at the first such table.

    Half of the players are the rulebook's own bots. `to_remember` are kinds of secrets, as in
    `event_leaks.deducible_secrets`. `everywhere`: more than the first phase of each kind is looked at, and all
    players and their pages.
    """
    given = msgspec.convert(chosen, rulebook.Options)
    ran = False
    for tables in rulebook.tables.values():
        try:
            rulebook.start("options", given, tables[0])
        except Refused:
            continue  # these players don't fit the option
        ran = True
        for fault in faults_at_table(
            rulebook, tables[0], given, f"options {option_text(chosen)}", to_remember, everywhere
        ):
            yield f"{option_text(chosen)}, {fault}"
        if not everywhere:
            return
    if not ran:
        yield f"{option_text(chosen)}: no table can be played with it"


def faults_at_table(
    rulebook: Rulebook[Any],
    players: tuple[Player, ...],
    given: Any,
    seed: str,
    to_remember: Sequence[str],
    everywhere: bool,
) -> Iterator[str]:
    """What doesn't hold in a match with these options: positions, its end, listing, checks, texts and secrets."""
    owns = players[len(players) // 2 :]
    chance, met = SeededChance(seed), Counter[str]()
    steps = list[Step]()
    for last in matches.steps(rulebook, players, seed, given, sensible=len(owns)):
        steps.append(last)
        for flaw in flaws_in(rulebook, last.outcome.state):
            yield f"{last.before.phase}: {flaw}"
        yield from secrets.deducible_secrets(rulebook, last, to_remember)
        yield from secrets.hidden_values_told(rulebook, last, seed)
        kind = last.before.phase.name
        if met[kind] in (SOME if everywhere else FIRST):
            readers = (*players, None)
            some = readers if everywhere else (readers[len(met) % len(readers)],)
            yield from faults_of_phase(rulebook, last, some, chance)
        met[kind] += 1
    yield from known.faults_of_known(rulebook, steps, chance)
    yield from predictions.refused_by_checks(rulebook, steps, owns if rulebook.bot else ())
    if not steps or not steps[-1].outcome.state.phase.over:
        yield "no end"


def faults_of_phase(
    rulebook: Rulebook[Any], step: Step, readers: Sequence[Player | None], chance: Chance
) -> Iterator[str]:
    """The promises that look at one phase, for some readers and as many of those who are due."""
    yield from matches.differences_in_files(rulebook, step)
    yield from secrets.flawed_views(rulebook, step)
    yield from secrets.secrets_told_by_due(rulebook, step.before)
    yield from known.bad_guesses(rulebook, step.outcome.state, chance)
    for player in step.before.phase.due[: len(readers)]:
        yield from legality.disagreements(rulebook, step.before, player, chance)
        yield from senders.leaky_conditions(rulebook, step.before, player, chance)
    for who in readers:
        yield from secrets.leaks(rulebook, step, who)
