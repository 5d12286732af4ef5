"""Do the files received equal those that the published proof names, byte for byte?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.audit.received import FORMS, REPORTS, VIEW, ReceivedFolder
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.names import FOR, OPEN, PROOF
from adjudicator.engine.folder.papers import Opening, read_paper
from adjudicator.engine.match.proof import Proof
from adjudicator.engine.play.known_file import KNOWN
from adjudicator.engine.text.problem import Problem


class HandoutComparison(Struct, frozen=True):
    """What is wrong, what could not be compared, and how many files are as they were handed out."""

    problems: tuple[Problem, ...] = ()
    unchecked: tuple[str, ...] = ()
    good: int = 0


def compare_handouts(
    folders: Sequence[ReceivedFolder], proofs: Sequence[Proof], place: Path
) -> HandoutComparison:
    """Compares the files that players got with what the match says was handed out.

    `proofs` are the lines that `place` holds, and those on the end of the match that came with its reports: the end may
    have been handed out more than once.
    """
    problems: list[Problem] = []
    unchecked: list[str] = []
    good = 0
    known: dict[str, dict[str, set[str]]] = {}
    for proof in proofs:
        try:
            for name, found in _digests(proof, place).items():
                known.setdefault(proof.phase, {}).setdefault(name, set()).update(found)
        except Faulty as faulty:
            problems += faulty.problems
    for each in folders:
        here = each.receipts
        digests = known.get(here.phase, {})
        if each.digests and not digests:
            said = f"{PROOF} doesn't name what was handed out, and {', '.join(each.digests)} wasn't compared"
            unchecked.append(f"{each.path}: {said}")
            continue
        filled_in = {Path(one.place) for one in each.kept}
        for name, own in each.digests.items():
            there = digests.get(f"{FOR}/{here.reader}/{name}", set())
            if there.intersection(own):
                good += 1
            elif each.path / name in filled_in:
                continue
            elif name in FORMS or (not there and name not in (*REPORTS, VIEW, KNOWN)):
                what = "neither what was handed out nor filled in" if there else f"{PROOF} doesn't name it"
                unchecked.append(f"{each.path / name}: {what}")
            else:
                said = f"this isn't what was handed out to {here.reader} in {here.phase}: changed on its way, or since"
                problems.append(problem(each.path / name, said))
    return HandoutComparison(tuple(problems), tuple(unchecked), good)


def _digests(proof: Proof, place: Path) -> dict[str, set[str]]:
    """The SHA-256 of everything handed out at a phase, each time it was handed out, by name. Raises Faulty."""
    found = {name: {digest} for name, digest in proof.handed.items()}
    if proof.open:
        if digest_of(proof.open.encode()) != proof.files.get(OPEN):
            said = f"its {OPEN} of {proof.phase} isn't the one that the next mark was made of"
            raise Faulty([problem(place, said)])
        opening = read_paper(proof.open.encode(), f"{place}: {OPEN} of {proof.phase}", Opening)
        found |= {name: {digest} for name, digest in opening.handed.items()}
        for name, digests in opening.earlier.items():
            found.setdefault(name, set()).update(digests)
    for name, digest in proof.mailed.items():
        found.setdefault(name, set()).add(digest)
    return found
