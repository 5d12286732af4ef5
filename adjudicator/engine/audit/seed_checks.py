"""What the published seed proves of the folders received: commitment, receipts, marks and throws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from adjudicator.engine.audit import kept_closings
from adjudicator.engine.audit.handouts import compare_handouts
from adjudicator.engine.audit.received import KeptSheet, ReceivedFolder
from adjudicator.engine.beacon.quicknet import Beacon, Missing
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import chain_of
from adjudicator.engine.folder.marks import mark_of, names_of, receipt_of, seal_of
from adjudicator.engine.folder.names import PROOF, RECEIPTS, SEED, head_of
from adjudicator.engine.folder.papers import read_paper
from adjudicator.engine.match.proof import Lot, Proof
from adjudicator.engine.report.reader_facts import ToldThrow
from adjudicator.engine.table.dice import SeededDice, commitment
from adjudicator.engine.table.secret import HIDDEN
from adjudicator.engine.text.problem import Problem, counted

WORDS = "files weren't compared with those handed out: their hashes too are published with the seed"


class SeedResult(Struct, frozen=True):
    """What is wrong, what could not be checked, how many throws agree with the seed, and how many files are as handed
    out.
    """

    problems: tuple[Problem, ...] = ()
    unchecked: tuple[str, ...] = ()
    throws: int = 0
    as_handed: int = 0


def check_seed(
    folders: Sequence[ReceivedFolder], kept: Sequence[KeptSheet], marks: Mapping[str, str]
) -> SeedResult:
    """Everything the seed proves, if we have the seed; `marks` are those told, by phase."""
    last = next((each for each in reversed(folders) if each.seed is not None), None)
    if last is None or last.seed is None:
        said = (
            "the seed isn't published yet: throws, marks, seals and the commitment weren't checked against it"
        )
        return SeedResult(unchecked=(said, WORDS))
    if commitment(last.seed) != folders[0].receipts.seed:
        said = f"the seed doesn't have the SHA-256 that {RECEIPTS} has from the start"
        return SeedResult((problem(last.path / SEED, said),))
    check = SeedCheck(folders, last, last.seed, kept)
    problems = [*check.check_seals(), *check.check_proofs(marks)]
    return SeedResult(tuple(problems), tuple(check.unchecked), check.throws, check.as_handed)


class SeedCheck:
    """One check against the seed, which came in the folder `last`."""

    def __init__(
        self, folders: Sequence[ReceivedFolder], last: ReceivedFolder, seed: bytes, kept: Sequence[KeptSheet]
    ) -> None:
        self.folders, self.last, self.seed, self.kept = folders, last, seed, kept
        self.unchecked: list[str] = []
        self.throws = self.as_handed = 0

    def check_seals(self) -> Iterator[Problem]:
        """Checks that the seals of the reader's own receipts fit the receipts that were told."""
        for each in self.folders:
            here = each.receipts
            if here.told and here.reader in here.seals:
                own = (here.used.get(name, "") for name in names_of(here.reader))
                if seal_of(self.seed, here.told, here.reader, *own) != here.seals[here.reader]:
                    said = f"the seal for {here.reader} in {here.told} doesn't hold the receipt that was told"
                    yield problem(each.path / RECEIPTS, said)

    def check_proofs(self, marks: Mapping[str, str]) -> Iterator[Problem]:
        """The checks of `proof.jsonl`, phase by phase."""
        proofs = self.last.proof
        if proofs is None:
            self.unchecked += [f"{PROOF} isn't here, so that marks and throws weren't checked", WORDS]
            return
        place, every = self.last.path / PROOF, proofs
        if proofs and proofs[-1].phase == self.last.receipts.phase:
            proofs = proofs[:-1]  # in the end phase nobody draws or throws
        heads = [head_of(proof.phase) for proof in proofs]
        if [head.number if head else -1 for head in heads] != list(range(self.last.head.number)):
            yield problem(place, "these aren't all phases of the match, one after another")
            return
        after = [*(proof.phase for proof in proofs[1:]), self.last.receipts.phase]
        for proof, following in zip(proofs, after, strict=True):
            mark = mark_of(self.seed, following, chain_of(dict(proof.files)))
            if marks.get(following, mark) != mark:
                yield problem(place, f"the mark of {following} isn't that of the files of {proof.phase}")
            yield from (problem(place, said) for said in self._check_used(proof))
            yield from (problem(place, said) for said in self._check_lots(proof))
        yield from self._check_closings(proofs)
        last = self.last.receipts.phase
        ends = [line for each in self.folders for line in (each.proof or ())[-1:] if line.phase == last]
        handed = compare_handouts(self.folders, (*every, *ends), place)
        yield from handed.problems
        self.unchecked += handed.unchecked
        self.as_handed = handed.good

    def _check_used(self, proof: Proof) -> Iterator[str]:
        """Checks that the players' files are those whose receipts were told, sealed or not."""
        files = {name: receipt_of(digest) for name, digest in proof.files.items()}
        for here in (each.receipts for each in self.folders if each.receipts.told == proof.phase):
            for player, seal in here.seals.items():
                own = [files.get(name, "") for name in names_of(player)]
                if seal_of(self.seed, proof.phase, player, *own) != seal:
                    yield f"the sealed sheet of {player} for {proof.phase} isn't the one used"
            told = {name: receipt for name, receipt in files.items() if name in names_of(here.reader)}
            if here.reader in here.seals and told != dict(here.used):
                yield f"{proof.phase} was made from another sheet of {here.reader} than the report said"
        sheets = {names_of(player)[0]: (player, salt) for player, salt in proof.salts.items()}
        for one in self.kept:
            name = next((each for each in sheets if files.get(each) == one.receipt), "")
            player, salt = sheets.get(name, ("", ""))
            # A sheet that counted as not sent has no salt, not even that of an earlier sheet that it replaces.
            if player and one.salt and salt != one.salt:
                yield f"the salt of {player} in {proof.phase} isn't that of {one.place}, and the throws depend on it"

    def _check_closings(self, proofs: Sequence[Proof]) -> Iterator[Problem]:
        """Checks what was fixed and named when phases were closed."""
        try:
            yield from kept_closings.check_published_closings(
                self.folders, proofs, self.seed, str(self.last.path / PROOF)
            )
        except Missing as missing:
            self.unchecked.append(f"the signatures of drand, for want of {missing}")
        except Faulty as faulty:
            yield from faulty.problems

    # -- throws ---------------------------------------------------------------------------------------------------

    def _check_lots(self, proof: Proof) -> Iterator[str]:
        """Checks that every throw follows from the seed and agrees with what was told of it."""
        if proof.lots is None:
            self.unchecked.append(
                f"{proof.phase}: another version of the rules played it, so no throws are proved"
            )
            return
        if proof.by_hand:
            self.unchecked.append(f"{proof.phase}: {counted(proof.by_hand, 'throw')} made by hand")
        head = head_of(proof.phase)
        number = head.number if head is not None else 0
        beacon = self._beacon(proof)
        dice = SeededDice(self.seed, self.last.receipts.match, number, list(proof.salts.values()), beacon)
        for lot in proof.lots[proof.by_hand :]:
            if not follows_from(dice, lot):
                yield f"{proof.phase}: the throw for {' '.join(lot.what)} doesn't follow from the seed"
                return
            self.throws += 1
        for each in self.folders:
            told = [throw for throw in each.receipts.thrown if throw.phase == proof.phase]
            short = self._tells_of(each, number) and len(told) != len(proof.lots)
            if short or len(told) > len(proof.lots) or not all(map(fits, told, proof.lots)):
                yield f"{each.path / RECEIPTS} tells other throws of {proof.phase}"

    def _beacon(self, proof: Proof) -> str:
        """What was drawn in public for the throws of a phase; empty if nothing was, or if it can't be read."""
        with suppress(Faulty):  # the check of the closings reports it
            return read_paper(proof.beacon.encode(), PROOF, Beacon).value if proof.beacon else ""
        return ""

    def _tells_of(self, each: ReceivedFolder, number: int) -> bool:
        """Does a folder tell of that phase: were the reports before it of that phase or an earlier one?"""
        before = [head_of(phase) for phase in each.receipts.marks if phase != each.receipts.phase]
        first = before[-1].number if before and before[-1] is not None else 0
        return first <= number < each.head.number


def follows_from(dice: SeededDice, lot: Lot) -> bool:
    """Does the throw follow from these dice: does the seed give the face or the order that came?"""
    if not lot.among:
        return not lot.order and lot.face is None
    if lot.order is not None:
        return dice.shuffle([str(each) for each in lot.among], lot.what) == lot.order
    return dice.throw(tuple(lot.among), lot.what) == lot.face


def fits(told: ToldThrow, lot: Lot) -> bool:
    """Does a throw as told to a reader agree with the throw itself?"""
    if (told.what, told.face, told.order is None) != (lot.what, lot.face, lot.order is None):
        return False
    first, second = told.order or (), lot.order or ()
    return len(first) == len(second) and all(
        here in (HIDDEN, there) for here, there in zip(first, second, strict=True)
    )
