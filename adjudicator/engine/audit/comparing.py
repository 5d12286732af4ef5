"""What a player can check alone: are the folders consistent, were the player's sheets used, what was thrown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.audit import received
from adjudicator.engine.audit.seed_checks import check_seed, same
from adjudicator.engine.audit.witnesses import MENDED
from adjudicator.engine.folder.adjudication import ClosedPhase
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.marks import names_of
from adjudicator.engine.folder.names import PUBLIC, RECEIPTS
from adjudicator.engine.folder.papers import read_paper
from adjudicator.engine.report.reader_facts import ToldThrow
from adjudicator.engine.text.problem import Problem

ANEW = "if it was taken back since, and a report said so, leave out the folders from before that"


class ComparisonResult(Struct, frozen=True):
    """The result: everything that is wrong, what could not be checked, and how much could be.

    `sheets` counts files of players that were used as sent, `throws` those that agree with the seed, `as_handed` files
    that are as they were handed out.
    """

    match: str
    folders: int
    problems: tuple[Problem, ...]
    unchecked: tuple[str, ...]
    sheets: int
    throws: int
    as_handed: int = 0


def check_received(folders: Sequence[Path], sheets: Sequence[Path], told: Sequence[str]) -> ComparisonResult:
    """Checks the folders that a player has received, in any order, against each other and against the sheets kept.

    `told` are receipts that the player got by mail (`received.receipt_in`). Raises Faulty.
    """
    kept = [*(received.kept_sheet(path) for path in sheets), *(received.receipt_in(text) for text in told)]
    return compared(map(received.received_folder, folders), kept)


def compared(
    folders: Iterable[received.ReceivedFolder], kept: Iterable[received.KeptSheet]
) -> ComparisonResult:
    """The same for folders and sheets that were read. There is at least one folder."""
    got = received.Received(folders, kept)
    problems = [*check_one_match(got)]
    if not problems:
        problems += [
            *check_folders(got),
            *check_chain(got),
            *check_agreement(got),
            *check_own_sheets(got),
            *check_seen(got),
            *check_kept_closings(got),
            *check_seed(got),
        ]
    match, unchecked = got.folders[0].receipts.match, tuple(got.unchecked)
    return ComparisonResult(
        match, len(got.folders), tuple(problems), unchecked, got.sheets, got.throws, got.as_handed
    )


def check_one_match(got: received.Received) -> Iterator[Problem]:
    """Checks that all folders belong to one match, with one seed."""
    first = got.folders[0]
    for each in got.folders[1:]:
        if each.receipts.match != first.receipts.match:
            said = (
                f"this is of the match {each.receipts.match}, but {first.path} is of {first.receipts.match}"
            )
            yield problem_in(each, said)
        elif each.receipts.seed != first.receipts.seed:
            yield problem_in(each, f"this names another seed than {first.path}: the dice were changed")


def check_folders(got: received.Received) -> Iterator[Problem]:
    """Checks that the view and the report of each folder agree with its receipts."""
    players = sorted(players_in(got))
    for each in got.folders:
        here = each.receipts
        if not here.marks and each.head.number:
            got.unchecked.append(f"{each.path}: it has no marks, since the match has no seed")
        if each.view is not None:
            head = each.view.get("phase")
            if str(each.view.get("chain", "")) != here.marks.get(here.phase, ""):
                yield problem(
                    each.path / received.VIEW, f"the mark of {here.phase} differs from the one in {RECEIPTS}"
                )
            number = head.get("number") if isinstance(head, dict) else None
            if (each.view.get("match"), number) != (here.match, each.head.number):
                yield problem(each.path / received.VIEW, f"this is of another phase or match than {RECEIPTS}")
        missing = [player for player in players if player not in here.seals]
        if here.told and here.marks and missing:  # a match without a seed has neither, any other match both
            yield problem_in(
                each, f"the seals of {', '.join(missing)} for {here.told} are missing: tampered with"
            )
        own = here.seals if here.reader == PUBLIC else {here.reader: here.seals.get(here.reader, "")}
        digits = [*here.marks.values(), *here.used.values(), *filter(None, own.values())]
        for name, text in each.reports.items():
            if missing := [one for one in digits if one not in text]:
                yield problem(each.path / name, f"{RECEIPTS} has {missing[0]}, but this file doesn't")
        if not each.reports:
            got.unchecked.append(f"{each.path}: there is no report in it to compare")


# -- from folder to folder ---------------------------------------------------------------------------------------------


def check_chain(got: received.Received) -> Iterator[Problem]:
    """Checks that each phase has the same mark in all folders, and that each report continues the one before."""
    where: dict[str, received.ReceivedFolder] = {}
    for each in got.folders:
        for phase, mark in each.receipts.marks.items():
            first = where.setdefault(phase, each)
            if first.receipts.marks[phase] != mark:
                said = f"the mark of {phase} differs from the one in {first.path}: played anew; {ANEW}"
                yield problem_in(each, said)
    there = {each.receipts.phase: each.head.number for each in got.folders}
    for each in got.folders:
        before = each.before
        between = [phase for phase, number in there.items() if number < each.head.number]
        if before is not None and each.receipts.told != before:
            yield problem_in(each, f"this doesn't tell which sheets for {before} were used")
        if before is None:
            if between and each.receipts.marks:
                yield problem_in(each, f"this names no earlier report, but there is one of {between[-1]}")
        elif before not in there:
            got.unchecked.append(f"the folder of {before} is missing, on which {each.path} builds")
        elif max(between, key=there.__getitem__) != before:
            said = f"this builds on {before}, but there is a later report of {between[-1]}; {ANEW}"
            yield problem_in(each, said)


def check_agreement(got: received.Received) -> Iterator[Problem]:
    """Checks that folders agree where they tell of the same thing: receipts, seals, throws."""
    seals: dict[str, Mapping[str, str]] = {}
    used: dict[tuple[str, str], Mapping[str, str]] = {}
    thrown: dict[str, Sequence[ToldThrow]] = {}
    for each in got.folders:
        here = each.receipts
        if here.told and seals.setdefault(here.told, here.seals) != here.seals:
            yield problem_in(each, f"the seals of {here.told} differ from other folders: tampered with")
        if here.told and used.setdefault((here.reader, here.told), here.used) != here.used:
            yield problem_in(each, f"the receipts of {here.told} differ from other folders: tampered with")
        for phase in dict.fromkeys(throw.phase for throw in here.thrown):
            throws = each.throws_in(phase)
            known = thrown.setdefault(phase, throws)
            whole = here.phase != phase  # a waiting phase has only the throws so far
            if (whole and len(known) != len(throws)) or not all(map(same, known, throws)):
                yield problem_in(each, f"the throws in {phase} differ from other folders: tampered with")


# -- the kept sheets ---------------------------------------------------------------------------------------------------


def check_own_sheets(got: received.Received) -> Iterator[Problem]:
    """Checks that the sheets kept of each phase are those that the report after it says were used."""
    matched = set[int]()
    seen = set[tuple[str, str]]()
    for each in got.folders:
        here = each.receipts
        if not here.told or here.reader == PUBLIC or (here.reader, here.told) in seen:
            continue
        seen.add((here.reader, here.told))
        for name in names_of(here.reader):
            kind, receipt = name.partition("/")[0], here.used.get(name, "")
            mine = [
                one
                for one in got.kept
                if one.player in ("", here.reader)
                and one.kind in ("", kind)
                and (received.is_of(one, here.told) or (not one.phase and one.receipt == receipt))
            ]
            good = [one for one in mine if one.receipt == receipt]
            matched |= {id(one) for one in mine if good or one.kind == kind}
            if good:
                got.sheets += 1
            elif sent := [one for one in mine if one.kind or not here.used]:
                used = f"{name} with the receipt {receipt} was used" if receipt else "none was used"
                yield problem(
                    sent[0].place, f"in {here.told} {used}, and not this ({sent[0].receipt}){MENDED}"
                )
            elif receipt:
                got.unchecked.append(
                    f"{here.told}: the sheet that {here.reader} sent isn't here ({name}, {receipt})"
                )
    yield from _used_nowhere(got, matched, {phase for _, phase in seen})


def check_seen(got: received.Received) -> Iterator[Problem]:
    """Checks that the marks that the kept sheets name, and those that players named by the reports, are those here."""
    for one in got.kept:
        here = next((got.marks[phase] for phase in got.marks if received.is_of(one, phase)), "")
        if one.seen and here and one.seen not in got.marks.values():
            yield problem(
                one.place, f"it names the mark {one.seen}, but the reports here have {here}: {ANEW}"
            )
    for each in got.folders:
        for player, seen in each.receipts.seen.items():
            if seen.phase and got.marks.get(seen.phase, seen.mark) != seen.mark:
                yield problem_in(each, f"{player} has seen another mark of {seen.phase} than the one here")


def _used_nowhere(got: received.Received, matched: set[int], told: set[str]) -> Iterator[Problem]:
    for one in got.kept:
        if id(one) in matched:
            continue
        if one.phase and not any(received.is_of(one, phase) for phase in told):
            got.unchecked.append(f"{one.place}: no report here tells which sheets were used in {one.phase}")
        else:
            yield problem(one.place, f"no report here says that this was used ({one.receipt})")


def players_in(got: received.Received) -> set[str]:
    """All players, as far as any folder names them: wherever there are seals, each player has one."""
    found = set[str]()
    for each in got.folders:
        found |= {*each.receipts.seals, each.receipts.reader}
        seats = each.view.get("players") if each.view is not None else None
        found |= {*seats} if isinstance(seats, dict) else set()
    return found - {PUBLIC}


def problem_in(each: received.ReceivedFolder, said: str) -> Problem:
    """A problem with what a folder says."""
    return problem(each.path / RECEIPTS, said)


# -- closings that were kept -------------------------------------------------------------------------------------------


def check_kept_closings(got: received.Received) -> Iterator[Problem]:
    """Compares each `closed.yaml` that was kept with what the reports said later; no seed is needed."""
    for kept in got.folders:
        for name, text in kept.closed.items():
            place = kept.path / name
            try:
                closed = read_paper(text, str(place), ClosedPhase)
            except Faulty as faulty:
                yield from faulty.problems
                continue
            if closed.match != kept.receipts.match:
                yield problem(place, f"this is of the match {closed.match}")
                continue
            yield from (problem(place, said) for each in got.folders for said in _differs(closed, each))


def _differs(closed: ClosedPhase, each: received.ReceivedFolder) -> Iterator[str]:
    here, place = each.receipts, each.path / RECEIPTS
    if closed.mark and here.marks.get(closed.phase, closed.mark) != closed.mark:
        yield f"the mark of {closed.phase} differs from the one in {place}"
    options = (each.view or {}).get("options")
    live = isinstance(options, dict) and options.get("pacing") == "live"  # answers come after the closing
    if here.told == closed.phase and dict(here.seals) != dict(closed.seals) and not live:
        yield f"{place} tells other seals of {closed.phase} than when it was closed: a sheet was changed"
    source = closed.dice.drand, closed.dice.named
    for drawn in here.drawn:
        if drawn.phase == closed.phase and (drawn.drand, drawn.named) != source:
            yield f"{place} names another source of the dice of {closed.phase}; its report must say why"
