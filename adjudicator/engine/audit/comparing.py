"""What a player can check alone: are the folders consistent, were the player's sheets used, what was thrown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.audit import seed_checks
from adjudicator.engine.audit.kept_closings import check_kept_closings
from adjudicator.engine.audit.received import (
    VIEW,
    KeptSheet,
    ReceivedFolder,
    in_order,
    is_of,
    kept_sheet,
    receipt_in,
    received_folder,
)
from adjudicator.engine.folder.errors import problem
from adjudicator.engine.folder.marks import names_of
from adjudicator.engine.folder.names import PUBLIC, RECEIPTS
from adjudicator.engine.report.reader_facts import ToldThrow
from adjudicator.engine.table.secret import HIDDEN
from adjudicator.engine.text.problem import Problem

ANEW = "if it was taken back since, and a report said so, leave out the folders from before that"

MENDED = "; if you mailed it and the program mended it, the answer names the receipt: give it with --receipt"


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
    kept = [*(kept_sheet(path) for path in sheets), *(receipt_in(text) for text in told)]
    return Comparison(in_order(received_folder(path) for path in folders), kept).check()


class Comparison:
    """One check; `problems` and `unchecked` are in the order in which they were found."""

    def __init__(self, folders: Sequence[ReceivedFolder], kept: Sequence[KeptSheet]) -> None:
        self.folders = folders
        self.kept = [*(each for folder in folders for each in folder.kept), *kept]
        self.players = sorted(players_in(folders))
        self.problems: list[Problem] = []
        self.unchecked: list[str] = []
        self.marks: dict[str, str] = {}
        self.sheets = 0

    def check(self) -> ComparisonResult:
        """Checks everything about the folders and the kept sheets, and counts what could be checked."""
        self.problems += self.check_one_match()
        throws = as_handed = 0
        if not self.problems:
            for each in self.folders:
                self.problems += self.check_folder(each)
            self.problems += [
                *self.check_chain(),
                *self.check_agreement(),
                *self.check_own_sheets(),
                *check_kept_closings(self.folders),
            ]
            found = seed_checks.check_seed(self.folders, self.kept, self.marks)
            self.problems += found.problems
            self.unchecked += found.unchecked
            throws, as_handed = found.throws, found.as_handed
        match = self.folders[0].receipts.match
        return ComparisonResult(
            match,
            len(self.folders),
            tuple(self.problems),
            tuple(self.unchecked),
            self.sheets,
            throws,
            as_handed,
        )

    # -- folder by folder -----------------------------------------------------------------------------------------

    def check_one_match(self) -> Iterator[Problem]:
        """Checks that all folders belong to one match, with one seed."""
        first = self.folders[0]
        for each in self.folders[1:]:
            if each.receipts.match != first.receipts.match:
                said = f"this is of the match {each.receipts.match}, but {first.path} is of {first.receipts.match}"
                yield problem_in(each, said)
            elif each.receipts.seed != first.receipts.seed:
                yield problem_in(each, f"this names another seed than {first.path}: the dice were changed")

    def check_folder(self, each: ReceivedFolder) -> Iterator[Problem]:
        """Checks that the view and the report of a folder agree with its receipts."""
        here = each.receipts
        if not here.marks and each.head.number:
            self.unchecked.append(f"{each.path}: it has no marks, since the match has no seed")
        if each.view is not None:
            head = each.view.get("phase")
            if str(each.view.get("chain", "")) != here.marks.get(here.phase, ""):
                yield problem(
                    each.path / VIEW, f"the mark of {here.phase} differs from the one in {RECEIPTS}"
                )
            number = head.get("number") if isinstance(head, dict) else None
            if (each.view.get("match"), number) != (here.match, each.head.number):
                yield problem(each.path / VIEW, f"this is of another phase or match than {RECEIPTS}")
        missing = [player for player in self.players if player not in here.seals]
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
            self.unchecked.append(f"{each.path}: there is no report in it to compare")

    # -- from folder to folder ------------------------------------------------------------------------------------

    def check_chain(self) -> Iterator[Problem]:
        """Checks that each phase has the same mark in all folders, and that each report continues the one before."""
        where: dict[str, ReceivedFolder] = {}
        for each in self.folders:
            for phase, mark in each.receipts.marks.items():
                if self.marks.setdefault(phase, mark) != mark:
                    said = f"the mark of {phase} differs from the one in {where[phase].path}: played anew; {ANEW}"
                    yield problem_in(each, said)
                where.setdefault(phase, each)
        there = {each.receipts.phase: each.head.number for each in self.folders}
        for each in self.folders:
            before = [phase for phase in each.receipts.marks if phase != each.receipts.phase]
            between = [phase for phase, number in there.items() if number < each.head.number]
            if before and each.receipts.told != before[-1]:
                yield problem_in(each, f"this doesn't tell which sheets for {before[-1]} were used")
            if not before:
                if between and each.receipts.marks:
                    yield problem_in(each, f"this names no earlier report, but there is one of {between[-1]}")
            elif before[-1] not in there:
                self.unchecked.append(f"the folder of {before[-1]} is missing, on which {each.path} builds")
            elif max(between, key=there.__getitem__) != before[-1]:
                said = f"this builds on {before[-1]}, but there is a later report of {between[-1]}; {ANEW}"
                yield problem_in(each, said)

    def check_agreement(self) -> Iterator[Problem]:
        """Checks that folders agree where they tell of the same thing: receipts, seals, throws."""
        seals: dict[str, Mapping[str, str]] = {}
        used: dict[tuple[str, str], Mapping[str, str]] = {}
        thrown: dict[str, Sequence[ToldThrow]] = {}
        for each in self.folders:
            here = each.receipts
            if here.told and seals.setdefault(here.told, here.seals) != here.seals:
                yield problem_in(each, f"the seals of {here.told} differ from other folders: tampered with")
            if here.told and used.setdefault((here.reader, here.told), here.used) != here.used:
                yield problem_in(
                    each, f"the receipts of {here.told} differ from other folders: tampered with"
                )
            for phase, throws in throws_by_phase(here.thrown).items():
                known = thrown.setdefault(phase, throws)
                whole = here.phase != phase  # a waiting phase has only the throws so far
                if not same_throws(known, throws) and (whole or not begins(known, throws)):
                    yield problem_in(each, f"the throws in {phase} differ from other folders: tampered with")

    # -- the kept sheets ------------------------------------------------------------------------------------------

    def check_own_sheets(self) -> Iterator[Problem]:
        """Checks that the sheets kept of each phase are those that the report after it says were used."""
        matched = set[int]()
        seen = set[tuple[str, str]]()
        for each in self.folders:
            here = each.receipts
            if not here.told or here.reader == PUBLIC or (here.reader, here.told) in seen:
                continue
            seen.add((here.reader, here.told))
            for name in names_of(here.reader):
                kind, receipt = name.partition("/")[0], here.used.get(name, "")
                mine = [
                    one
                    for one in self.kept
                    if one.player in ("", here.reader)
                    and one.kind in ("", kind)
                    and (is_of(one, here.told) or (not one.phase and one.receipt == receipt))
                ]
                good = [one for one in mine if one.receipt == receipt]
                matched |= {id(one) for one in mine if good or one.kind == kind}
                if good:
                    self.sheets += 1
                elif sent := [one for one in mine if one.kind or not here.used]:
                    used = f"{name} with the receipt {receipt} was used" if receipt else "none was used"
                    yield problem(
                        sent[0].place, f"in {here.told} {used}, and not this ({sent[0].receipt}){MENDED}"
                    )
                elif receipt:
                    self.unchecked.append(
                        f"{here.told}: the sheet that {here.reader} sent isn't here ({name}, {receipt})"
                    )
        yield from self._used_nowhere(matched, {phase for _, phase in seen})

    def _used_nowhere(self, matched: set[int], told: set[str]) -> Iterator[Problem]:
        for one in self.kept:
            if id(one) in matched:
                continue
            if one.phase and not any(is_of(one, phase) for phase in told):
                self.unchecked.append(
                    f"{one.place}: no report here tells which sheets were used in {one.phase}"
                )
            else:
                yield problem(one.place, f"no report here says that this was used ({one.receipt})")


def players_in(folders: Sequence[ReceivedFolder]) -> set[str]:
    """All players, as far as any folder names them: wherever there are seals, each player has one."""
    found = set[str]()
    for each in folders:
        found |= {*each.receipts.seals, each.receipts.reader}
        seats = each.view.get("players") if each.view is not None else None
        found |= {*seats} if isinstance(seats, dict) else set()
    return found - {PUBLIC}


def problem_in(each: ReceivedFolder, said: str) -> Problem:
    """A problem with what a folder says."""
    return problem(each.path / RECEIPTS, said)


def throws_by_phase(thrown: Sequence[ToldThrow]) -> dict[str, list[ToldThrow]]:
    """The throws by phase."""
    found: dict[str, list[ToldThrow]] = {}
    for throw in thrown:
        found.setdefault(throw.phase, []).append(throw)
    return found


def same_throws(one: Sequence[ToldThrow], other: Sequence[ToldThrow]) -> bool:
    """Are two lists of throws the same, as far as both are known?"""
    return len(one) == len(other) and all(map(same, one, other))


def begins(whole: Sequence[ToldThrow], first: Sequence[ToldThrow]) -> bool:
    """Does one of two lists of throws begin with the other?"""
    most = min(len(whole), len(first))
    return same_throws(whole[:most], first[:most])


def same(one: ToldThrow, other: ToldThrow) -> bool:
    """Are two throws the same, as far as both are known?"""
    if (one.what, one.face, one.order is None) != (other.what, other.face, other.order is None):
        return False
    first, second = one.order or (), other.order or ()
    return len(first) == len(second) and all(
        HIDDEN in (here, there) or here == there for here, there in zip(first, second, strict=True)
    )
