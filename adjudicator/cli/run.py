"""`run`: adjudicates one or many matches as far as their sheets allow; `play`: a match at this machine, by browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from adjudicator.cli import workers
from adjudicator.cli.options import At, Relays, dice_of, time_of, wrong_values_end_with_2
from adjudicator.cli.output import echo, echo_lines, echo_problems
from adjudicator.cli.saying import names, sentences_of_run
from adjudicator.engine.folder.errors import Busy, Faulty, fault_in_words
from adjudicator.engine.text.problem import as_text, counted

if TYPE_CHECKING:
    from adjudicator.engine.match.run import RunResult
    from adjudicator.engine.text.problem import Problem
from adjudicator.cli.options import MatchFolder
from adjudicator.cli.output import unreadable


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
    cluster: workers.Cluster = "",
    cluster_tls: workers.ClusterTls = None,
    insecure: workers.Insecure = False,
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
    if if_due and (deadline or dice is not None):
        raise typer.BadParameter(
            "the schedule says what to close, so leave out --deadline and --dice", param_hint="--if-due"
        )
    for option, given in (("--dice", dice is not None), ("--drawn", bool(drawn))):
        if given and len(folder) > 1:
            raise typer.BadParameter("throws are for one match", param_hint=option)
    # If a worker is lost, another runs its matches again, and would close one more phase.
    workers.refuse_with_cluster(cluster, deadline=deadline, dice=dice is not None, jobs=jobs != 1)
    far = workers.scheduler_at(cluster, cluster_tls, insecure)
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


FAULTY, WAITED, PLAYED = 1, 3, 0
WORST_FIRST = (FAULTY, WAITED, PLAYED)
AT_ONCE = 10
"""Matches that a process gets at a time."""


class RunOptions(Struct, frozen=True):
    """The options of a run: its time, what to close, the next deadline in words, the reason, throws made by hand, what
    was drawn in public, the relays to ask for it.
    """

    at: datetime
    deadline: bool = False
    if_due: bool = False
    due_text: str = ""
    why: str = ""
    throws: tuple[Any, ...] | None = None
    drawn: str = ""
    relays: tuple[str, ...] = ()


class MatchResult(Struct, frozen=True):
    """The result of one match of many: its status, a line that tells it, and what is wrong, if anything."""

    status: int
    line: str
    wrong: str = ""


def run_match(folder: Path, options: RunOptions) -> RunResult:
    """Runs one match. Raises Faulty."""
    from adjudicator.gm.playing import run_by_hand, run_if_due

    dice = dice_of(options.relays, options.drawn)
    if options.if_due:
        return run_if_due(folder, options.at, dice)
    return run_by_hand(
        folder,
        options.at,
        deadline=options.deadline,
        due_text=options.due_text,
        throws=options.throws,
        why=" ".join(options.why.split()),
        dice=dice,
    )


def tell(folder: Path, ran: RunResult) -> None:
    """Tells the result of one match."""
    echo_problems(ran.problems)
    echo_problems(problems_of_words(folder))
    echo_lines(sentences_of_run(folder, ran))


def problems_of_words(folder: Path) -> Sequence[Problem]:
    """What of the group's own words wasn't used."""
    from adjudicator.engine.folder.folder import open_match

    templates = open_match(folder).templates
    if not templates:
        return ()

    from adjudicator.engine.report.translated import problems_of_group

    return problems_of_group(templates)


def run_many(
    folders: Sequence[Path], options: RunOptions, jobs: int, cluster: workers.Scheduler | None = None
) -> int:
    """Runs many matches, with a line for each, in the given order; returns the worst status. Raises Faulty."""
    from adjudicator.cli.simulate import cores

    found: list[int] = []
    results = (
        _results_from_cluster(folders, options, cluster)
        if cluster
        else _results(folders, options, jobs or cores())
    )
    for done in results:
        if done.wrong:
            echo(done.wrong, err=True)
        echo(done.line)
        found.append(done.status)
    words = {PLAYED: "adjudicated", WAITED: "waiting", FAULTY: "faulty"}
    counts = [f"{found.count(status)} {word}" for status, word in words.items() if status in found]
    echo(f"{counted(len(found), 'match', 'matches')}: {', '.join(counts)}.")
    return next(status for status in WORST_FIRST if status in found)


def _results(folders: Sequence[Path], options: RunOptions, jobs: int) -> Iterator[MatchResult]:
    if jobs == 1:
        yield from _one_by_one(options, folders)
        return

    size = max(1, min(AT_ONCE, len(folders) // (2 * jobs)))
    parts = [folders[first : first + size] for first in range(0, len(folders), size)]
    before = {folder: _open_phase(folder) for folder in folders} if options.deadline else {}

    def again(folder: Path) -> bool:
        """May a match of a killed process be run again? With --deadline not if it was played before: a second run would
        close one more phase.
        """
        return not options.deadline or before[folder] == _open_phase(folder)

    yield from _results_or_losses(workers.done_by_workers(partial(_part, options), parts, jobs, again=again))


def _open_phase(folder: Path) -> str:
    """The phase of a match that is open; empty for a match that can't be read."""
    from adjudicator.engine.folder.folder import open_match

    try:
        return open_match(folder).phases[-1]
    except (Faulty, OSError):
        return ""


def _results_from_cluster(
    folders: Sequence[Path], options: RunOptions, cluster: workers.Scheduler
) -> Iterator[MatchResult]:
    """The results from the workers of a cluster, which may have another current folder."""
    parts = workers.chunks([folder.absolute() for folder in folders])
    yield from _results_or_losses(workers.results_of(cluster, partial(_part, options), parts))


def _results_or_losses(results: Iterable[Any]) -> Iterator[MatchResult]:
    """The result of each match, also of those that were lost with their process."""
    for found in results:
        if isinstance(found, workers.LostPart):
            for folder in found.part:
                yield MatchResult(FAULTY, f"{folder}: result unknown", f"{folder}: {found.why}")
        else:
            yield from found


def _part(options: RunOptions, folders: Iterable[Path]) -> list[MatchResult]:
    return list(_one_by_one(options, folders))


def _one_by_one(options: RunOptions, folders: Iterable[Path]) -> Iterator[MatchResult]:
    return (run_one(folder, options) for folder in folders)


def run_one(folder: Path, options: RunOptions) -> MatchResult:
    """Runs one match of many; its faults stop no other."""
    try:
        ran = run_match(folder, options)
    except Busy:  # the other run plays it, such as one that cron started before
        return MatchResult(WAITED, f"{folder}: another run is at work on this match")
    except Faulty as faulty:
        return MatchResult(FAULTY, f"{folder}: faulty, nothing was changed", as_text(faulty.problems))
    except OSError as error:
        return MatchResult(
            FAULTY, f"{folder}: faulty", f"{error.filename or folder}: {error.strerror or error}"
        )
    except BaseException as error:  # the other matches are played all the same
        said = fault_in_words(error)
        return MatchResult(FAULTY, f"{folder}: {said.partition(',')[0]}", f"{folder}: {said}")
    wrong = as_text(ran.problems) if ran.problems else ""
    if ran.adjudicated:
        what = "over" if ran.over else f"open now {ran.open}"
        return MatchResult(PLAYED, f"{folder}: {len(ran.adjudicated)} adjudicated, {what}", wrong)
    whom = ran.waiting or (names(ran.missing) if ran.missing else "its time")
    waits = f"on hold ({ran.still})" if ran.still else f"waits for {whom}"
    waits = f"isn't played yet: {ran.because}" if ran.because else waits
    what = "over" if ran.over else f"{ran.open} {waits}"
    return MatchResult(WAITED, f"{folder}: {what}", wrong)


# -- at this machine ---------------------------------------------------------------------------------------------------


def play(
    folder: MatchFolder,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port on this machine; 0: any that is free.")
    ] = 0,
    browse: Annotated[bool, typer.Option(help="Open it in the browser.")] = True,
    codes: Annotated[
        bool,
        typer.Option(
            "--codes",
            help="Ask for a code at each seat. Whoever sits down there first chooses it; it holds until this ends.",
        ),
    ] = False,
) -> None:
    """Play a match at this machine: every seat's page in a browser, one after the other.

    Nobody else can reach it. Ctrl-C ends it; the match stays as it is, and can be continued in any other way too.

    Example: adjudicator play lagoon
    """
    import webbrowser
    from secrets import token_urlsafe

    from adjudicator.engine.folder.folder import open_match
    from adjudicator.page.serving import Table

    open_match(folder)
    try:
        table = Table(folder, port, token_urlsafe(12), partial(time_of, ""), codes=codes)
    except OSError as error:
        raise Faulty([unreadable(f"port {port}", str(error))]) from error
    with table:
        echo(f"Open {table.address}\nCtrl-C ends it.")
        if browse:
            webbrowser.open(table.address)
        try:
            table.serve_forever()
        except KeyboardInterrupt:
            echo("Closed. The match stays as it is.")
