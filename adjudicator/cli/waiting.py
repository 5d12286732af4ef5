"""`absent`, `extend`, `hold` and `resume`: how long matches wait, one or many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.options import (
    At,
    Why,
    matches_among,
    say_due,
    time_of,
    time_of_act,
    wrong_values_end_with_2,
)
from adjudicator.cli.output import echo

Folders = Annotated[
    list[Path], typer.Argument(metavar="FOLDER...", help="A match's folder, or those of many.")
]


def absent(
    folders: Folders,
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER",
            help="Who is away: a player, or a person by address or name, in many matches too.",
        ),
    ],
    days: Annotated[str, typer.Argument(metavar="FROM..TO", help="The first and last day; or a single day.")],
    why: Annotated[str, typer.Option(help="A reason; the reports tell it to the players.")] = "",
    regent: Annotated[
        str, typer.Option(metavar="own", help="The game's own bot orders meanwhile, with caution.")
    ] = "",
    at: At = "",
) -> None:
    """Enter that a player is away on these days: no phase that waits for the player is due then.

    With --regent own nobody waits: a program orders for the player on these days, and each report tells it.

    Example: adjudicator absent lagoon venice 2026-12-24..2026-12-28
    """
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm import acts
    from adjudicator.gm.people import seats_of_person

    def enter(folder: Path) -> bool:
        match, many = open_match(folder), bool(folders[1:])
        own = player in match.card.players and not many
        seats = [player] if own else seats_of_person(match, player) or ([] if many else [player])
        for seat in seats:
            entry = acts.absent(folder, seat, days, time_of_act(at, folder), why=why, regent=regent)
            meanwhile = "; a regent orders meanwhile" if regent else ""
            echo(f"{seat} is away from {entry.first} to {entry.last}{meanwhile}.")
        return bool(seats)

    if not _in_each(folders, enter):
        raise typer.BadParameter(f"{player} plays in none of these matches", param_hint="PLAYER")


def _in_each(folders: list[Path], act: Callable[[Path], bool]) -> bool:
    """Does the same in each match, and says its deadline; returns whether there was something to do in any.

    Of several, those that are over are passed over, and one that refuses stops no other: then it ends with status 1.
    """
    from adjudicator.cli.output import echo_problems
    from adjudicator.engine.folder.errors import Faulty, collecting_faults, problem
    from adjudicator.engine.folder.folder import open_match

    if not folders[1:]:
        with wrong_values_end_with_2():
            act(folders[0])
        say_due(folders[0])
        return True
    wrong, done = list[Faulty](), False
    for folder in matches_among(folders):
        with collecting_faults(folder, wrong):
            match = open_match(folder)
            try:
                here = not match.head(match.last).over and act(folder)
            except typer.BadParameter as refused:
                raise Faulty([problem(folder, refused.message)]) from None
            if here:
                done = True
                say_due(folder)
    echo_problems([each for faulty in wrong for each in faulty.problems])
    if wrong:
        raise typer.Exit(1)
    return done


def extend(
    folders: Folders,
    to: Annotated[str, typer.Option(metavar="TIME", help="The new deadline, in the match's zone.")],
    why: Why,
    at: At = "",
) -> None:
    """Put the deadline of the open phase off, in one match or in many.

    Example: adjudicator extend lagoon --to 2026-11-28T20:00 --why "genoa's mail was down"
    """
    from adjudicator.gm import acts

    def put_off(folder: Path) -> bool:
        acts.extend(folder, time_of(to, folder, "--to"), time_of_act(at, folder), why=why)
        return True

    _in_each(folders, put_off)


def hold(folders: Folders, why: Why, at: At = "") -> None:
    """Put a match on hold, or many: until `resume` no deadline comes and nothing is played.

    Example: adjudicator hold lagoon --why "the GM is ill"
    """
    from adjudicator.gm import acts

    _in_each(folders, lambda folder: bool(acts.hold(folder, time_of_act(at, folder), why=why)))


def resume(folders: Folders, why: Why, at: At = "") -> None:
    """Let a match on hold go on, or many; the open phase gets at least the time that it had left.

    Example: adjudicator resume lagoon --why "well again"
    """
    from adjudicator.gm import acts

    _in_each(folders, lambda folder: bool(acts.resume(folder, time_of_act(at, folder), why=why)))
