"""`adjudicator run`: adjudicates one or many matches as far as their sheets allow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.cluster import Cluster, ClusterTls, Insecure
from adjudicator.cli.relaying import Relays

WAITED = 3
"""The exit status of a run that could only wait."""


def run(  # noqa: PLR0917  - as many options as there are ways to run
    folder: Annotated[
        list[Path], typer.Argument(metavar="FOLDER...", help="The match's folder; or those of many matches.")
    ],
    deadline: Annotated[
        bool, typer.Option("--deadline", help="Close the open phase without the missing sheets.")
    ] = False,
    if_due: Annotated[
        bool, typer.Option("--if-due", help="Play complete phases, and close those overdue by the schedule.")
    ] = False,
    due: Annotated[
        str, typer.Option(help="The next deadline, in your own words, for forms and reports.")
    ] = "",
    dice: Annotated[str | None, typer.Option(help="Throws made by hand, in order: 4,6,2.")] = None,
    drawn: Annotated[
        str, typer.Option(help="What came of the public text that was named for the dice: 3 8 21 30 33 47.")
    ] = "",
    relay: Relays = None,
    why: Annotated[str, typer.Option(help="Your reason for closing a phase before its time.")] = "",
    jobs: Annotated[int, typer.Option(min=0, help="Processes for many matches; 0: one for each core.")] = 1,
    cluster: Cluster = "",
    cluster_tls: ClusterTls = None,
    insecure: Insecure = False,
    at: At = "",
) -> None:
    """Adjudicate as far as the sheets allow, phase after phase.

    Ends with status 0 if something was adjudicated, 3 if the match waits, 1 if the match itself is faulty, 2 if the
    throws of --dice are too few, too many, or impossible. Of many matches a faulty one stops no other, and the status
    is the worst: 1 before 3 before 0. The workers of a --cluster must see the folders under the same names.

    A match whose dice come from drand or from a public text (its option `dice`) is played in two runs: the first closes
    the phase, the second plays it when the dice are known.

    Example: adjudicator run lagoon --deadline --due "Sunday evening"
    """
    from adjudicator.cli.acting import wrong_values_end_with_2
    from adjudicator.cli.clock import time_of
    from adjudicator.cli.cluster import refuse_with_cluster, scheduler_at
    from adjudicator.cli.many import RunOptions, run_many, run_match, tell

    if if_due and (deadline or dice is not None):
        raise typer.BadParameter(
            "the schedule says what to close, so leave out --deadline and --dice", param_hint="--if-due"
        )
    for option, given in (("--dice", dice is not None), ("--drawn", bool(drawn))):
        if given and len(folder) > 1:
            raise typer.BadParameter("throws are for one match", param_hint=option)
    # If a worker is lost, another runs its matches again, and would close one more phase.
    refuse_with_cluster(cluster, deadline=deadline, dice=dice is not None, jobs=jobs != 1)
    far = scheduler_at(cluster, cluster_tls, insecure)
    throws = None if dice is None else throws_in(dice)
    now = time_of(at, folder[0] if len(folder) == 1 else None)
    made = None if throws is None else tuple(throws)
    options = RunOptions(now, deadline, if_due, due, why, made, drawn, tuple(relay or ()))
    if len(folder) > 1 or far:
        raise typer.Exit(run_many(folder, options, jobs, far))
    with wrong_values_end_with_2("--dice"):
        ran = run_match(folder[0], options)
    tell(folder[0], ran)
    if not ran.adjudicated and not ran.closed:
        raise typer.Exit(WAITED)


def throws_in(text: str) -> list[Any]:
    """Throws from the command line: `4,6,[salt,wine]`, a shuffle as a list. Ends with status 2 for other texts."""
    from adjudicator.engine.text.source import Source, read

    source = read(f"[{text}]".encode(), "--dice")
    if isinstance(source, Source) and isinstance(source.plain, list):
        throws: list[Any] = source.plain
        if all(isinstance(throw, int | str | list) for throw in throws):
            return throws
    raise typer.BadParameter("write throws as 4,6,2; a shuffle as [salt,wine]", param_hint="--dice")
