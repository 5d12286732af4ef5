"""`adjudicator verify`: replays a match from its files and compares; or checks what a player has received."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.options import wrong_values_end_with_2
from adjudicator.cli.output import echo, echo_problems
from adjudicator.cli.saying import names
from adjudicator.engine.text.problem import counted

if TYPE_CHECKING:
    from adjudicator.engine.audit.received import KeptSheet
    from adjudicator.engine.audit.witnesses import Witnesses
    from adjudicator.engine.folder.folder import Folder

UNCHECKED = 3
"""The status when nothing is wrong, but something could not be checked."""


def verify(
    folder: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...", help="The match's folder; or folders that you were sent, for any phases."
        ),
    ],
    sheet: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="A sheet that a player sent and kept; with folders, one that isn't in them."
        ),
    ] = None,
    receipt: Annotated[
        list[str] | None, typer.Option(metavar="PHASE=RECEIPT", help="A receipt that a mail told you.")
    ] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="List for each sheet what shows who sent it.")
    ] = False,
    programs: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="RELEASE=PATH",
            help="An earlier release of the program, to replay what it played: its command, its zip app, or the Python"
            " that has it.",
        ),
    ] = None,
) -> None:
    """Replay a match from its files and compare positions, events, the chain and the seed.

    Says which phase was edited by hand, played by another version, or tampered with. Ends with status 1 if a file
    doesn't follow from the others, and with status 3 if nothing is wrong but not everything could be checked: without
    the seed the throws are taken from the events.

    Phases that were played by other rules than this program has, and come out otherwise by the newest, are replayed by
    the release that played them: one that is named by --with, or one that uv or pipx runs, if they are installed here.
    It gets a copy of the match as it was then.

    It says phase by phase in front of how many players it is fixed: whose sheets name a mark of a later report. Sheets
    that players have kept (--sheet) must be those that were used, and name marks of this match.

    A player names the received folders instead (for/venice, copied anywhere, under any names). It then says whether
    they fit together, whether the player's sheets were used as sent, and, once the seed is published, whether every
    throw, mark and receipt is right, and every file as it was handed out. A sheet lies beside what was
    received with it, or is named with --sheet.

    Example: adjudicator verify lagoon
    """
    from adjudicator.engine.audit.received import is_received, kept_sheet, receipt_in

    if len(folder) > 1 or is_received(folder[0]):
        check_received(folder, sheet or [], receipt or [])
    else:
        with wrong_values_end_with_2():
            kept = [*map(kept_sheet, sheet or ()), *map(receipt_in, receipt or ())]
        replay_match(folder[0], programs or [], evidence=evidence, kept=kept)


def replay_match(
    folder: Path, programs: Sequence[str] = (), *, evidence: bool = False, kept: Sequence[KeptSheet] = ()
) -> None:
    """Replays a match; `programs` are earlier releases with their paths, `evidence` lists who sent which sheet, `kept`
    are sheets that players have kept. Ends with its status.
    """

    from adjudicator.engine.audit.old_programs import replay_by_release
    from adjudicator.engine.audit.verify import verify as replay
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.bots import check_sheets_of_bots

    found = replay(folder, partial(replay_by_release, programs_in(programs)))
    echo_problems(found.problems)
    if not found.seed:
        echo("The seed isn't here: throws were taken from the events without a check.")
    if not found.good:
        echo(
            f"Replayed {found.replayed} of {counted(found.phases, 'phase')}; the first file that differs: {found.first}"
        )
        raise typer.Exit(1)
    match = open_match(folder)
    contradicted = tell_kept(match, kept)
    wrong = tell_evidence(match, each=evidence)
    made_again = check_sheets_of_bots(match)
    if made_again.problems:
        echo_problems(made_again.problems)
        raise typer.Exit(1)
    if found.not_replayed:
        follows = ", whose positions and events follow from the files" if found.replayed else ""
        echo(f"Replayed {found.replayed} of {counted(found.phases, 'phase')}{follows}.")
        for stretch in found.not_replayed:
            echo(
                f"Not replayed: {stretch.name}, played by version {stretch.rules} of the rules;"
                f" release {stretch.release} can replay it."
            )
    else:
        told = counted(found.phases, "phase")
        echo(f"Replayed {told}: every position and event follows from the files.")
    if found.left_out:
        echo(f"Not in this folder, and not needed for that: {names(found.left_out)}.")
    if found.unsigned:
        echo(f"The signatures of drand weren't checked, for want of {found.unsigned}.")
    tell_witnesses(found.witnesses)
    if wrong or contradicted:
        raise typer.Exit(1)
    for said in made_again.unchecked:
        echo(f"Not compared: {said}.")
    if (
        not found.seed
        or found.not_replayed
        or found.unsigned
        or made_again.unchecked
        or found.witnesses.contradicted
    ):
        raise typer.Exit(UNCHECKED)


def tell_kept(match: Folder, kept: Sequence[KeptSheet]) -> bool:
    """Says which of the sheets that players have kept contradict a match. Returns whether any does."""
    from adjudicator.engine.audit.witnesses import check_kept
    from adjudicator.engine.folder.marks import seed_of

    wrong = [*check_kept(match, seed_of(match), kept)]
    echo_problems(wrong)
    if kept and not wrong:
        echo(f"Kept by players and used as kept: {counted(len(kept), 'file')}.")
    return bool(wrong)


def tell_witnesses(found: Witnesses) -> None:
    """Says phase by phase in front of how many players a match is fixed, because their sheets name its marks."""
    many = counted(len(found.players), "player")
    for phases, players in found.stretches():
        who = f": {', '.join(players)}" if players else ""
        echo(f"{phases}: fixed in front of {len(players)} of {many}{who}.")


def programs_in(words: Sequence[str]) -> dict[str, Path]:
    """Programs by their release, from `0.1.0=PATH`. Ends with status 2 for anything else."""
    found = {}
    for each in words:
        release, _, path = each.partition("=")
        if not release or not Path(path).is_file():
            said = f"{each} names no release and its program, such as 0.1.0=/opt/adjudicator-0.1.0/bin/adjudicator"
            raise typer.BadParameter(said, param_hint="--with")
        found[release] = Path(path)
    return found


def tell_evidence(match: Folder, *, each: bool) -> bool:
    """Says which sheets have evidence of who sent them; with `each`, one by one. Returns whether some is wrong."""
    from adjudicator.mail.who_sent import evidence_of

    found = list(evidence_of(match))
    shown = [one for one in found if one.by]
    if each:
        for one in found:
            why = f"not checked, for want of {one.unchecked}" if one.unchecked else one.short or "no evidence"
            echo(f"{one.phase}/{one.file}: {'signed by ' + ', '.join(one.by) if one.by else why}")
    if shown or any(one.unchecked for one in found):
        missing = sum(bool(one.unchecked) for one in found)
        rest = f"; not checked: {missing}" if missing else ""
        echo(f"Evidence of who sent them: {len(shown)} of {counted(len(found), 'file')}{rest}.")
    wrong = [one.wrong for one in found if one.wrong is not None]
    echo_problems(wrong)
    return bool(wrong)


def check_received(folders: list[Path], sheets: list[Path], told: list[str]) -> None:
    """Checks what a player has received. Ends with its status."""
    from adjudicator.engine.audit.comparing import check_received

    with wrong_values_end_with_2():
        found = check_received(folders, sheets, told)
    echo_problems(found.problems)
    for said in found.unchecked:
        echo(f"Not checked: {said}.")
    what = f"{counted(found.folders, 'folder')} of {found.match}"
    if found.problems:
        echo(f"{what}: {counted(len(found.problems), 'contradiction')}.")
        raise typer.Exit(1)
    echo(
        f"{what}: they fit together; used as sent: {found.sheets}; throws that follow from the seed: {found.throws};"
        f" files as handed out: {found.as_handed}."
    )
    if found.unchecked:
        raise typer.Exit(UNCHECKED)
