"""`adjudicator upgrade`: lets a match go on by the newest version of its game's rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo

if TYPE_CHECKING:
    from adjudicator.engine.audit.verify import Difference
    from adjudicator.engine.folder.folder import Folder

UNDECIDED = 3
"""The status when the match comes out otherwise by the new rules, and nothing was changed."""


def upgrade(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    why: Annotated[
        str,
        typer.Option(
            help="Your reason to go on by rules under which the match would have come out otherwise."
        ),
    ] = "",
    at: At = "",
) -> None:
    """Go on with a match by the newest version of its game's rules.

    The whole match is played again in memory. If every event and position comes out as it did, the match goes on by the
    new rules. If not, this shows the first difference and changes nothing; with --why the match goes on by the new
    rules from the open phase, and the next reports tell it.

    Example: adjudicator upgrade lagoon
    """
    from adjudicator.cli.acting import wrong_values_end_with_2
    from adjudicator.cli.clock import time_of
    from adjudicator.engine.folder.entries import Upgraded
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.changing import upgrade as go_on

    with wrong_values_end_with_2():
        done = go_on(folder, time_of(at, folder), why=why)
    if isinstance(done, Upgraded):
        same = ": every phase comes out as it did" if done.same else ""
        echo(f"{folder}: from {done.phase} on by version {done.now} of the rules, and not {done.was}{same}.")
        echo(f"The reports in {folder / done.phase / 'for'} are written again.")
        return
    for line in told_difference(open_match(folder), done):
        echo(line)
    raise typer.Exit(UNDECIDED)


def told_difference(match: Folder, found: Difference) -> Iterator[str]:
    """What would come out otherwise, by which ruling, and what can be done; a sentence on each line."""
    from adjudicator.engine.folder.names import EVENTS
    from adjudicator.engine.library.registry import changed_rulings

    rulebook, was = match.rulebook, match.rules(match.last)
    newest, here = rulebook.versions[-1], match.phases[-1]
    yield f"By version {newest} of the rules of {rulebook.title}, {found.phase} would have come out otherwise:"
    if found.line:
        yield f"  {found.phase}/{EVENTS}:{found.line}"
        yield f"    was: {found.was or 'nothing more'}"
        yield f"    now: {found.now or 'nothing more'}"
    else:
        yield "  no event differs, but the position does"
    since = [each for each in changed_rulings(rulebook) if was < each[1] <= newest]
    for number, version, text in (each for each in since if each[0] in found.rules):
        yield f"  {number}, since version {version}: {text}"
    yield "Nothing was changed. You can"
    yield f"- go on from {here} by version {newest}: adjudicator upgrade {match.path} --why ..."
    if was in rulebook.versions:
        yield f"- go on by version {was}, which this program has too: adjudicator run {match.path}"
    else:
        closed = match.opening(match.last - 1).closed
        by = closed.version if closed is not None else match.card.version
        yield f"- go on by version {was}, with the program that has it: release {by}"
    yield "- or wait: until you decide, the match stays as it is."
