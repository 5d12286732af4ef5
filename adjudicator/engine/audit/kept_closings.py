"""Players' copies of `closed.yaml`: were the sheets used that were fixed then, and the dice of the source named
then?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.engine.audit.received import ReceivedFolder
from adjudicator.engine.beacon.quicknet import Beacon, problem_of
from adjudicator.engine.folder.adjudication import ClosedPhase
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.marks import receipt_of, seals
from adjudicator.engine.folder.names import BEACON, CLOSED, PROOF, RECEIPTS
from adjudicator.engine.folder.papers import read_paper
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.match.proof import Proof
from adjudicator.engine.text.problem import Problem


def check_kept_closings(folders: Sequence[ReceivedFolder]) -> Iterator[Problem]:
    """Compares each `closed.yaml` that was kept with what the reports said later; no seed is needed."""
    for kept in folders:
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
            yield from (problem(place, said) for each in folders for said in _differs(closed, each))


def _differs(closed: ClosedPhase, each: ReceivedFolder) -> Iterator[str]:
    here, place = each.receipts, each.path / RECEIPTS
    if here.marks.get(closed.phase, closed.mark) != closed.mark:
        yield f"the mark of {closed.phase} differs from the one in {place}"
    live = ((each.view or {}).get("options") or {}).get("pacing") == "live"  # answers come after the closing
    if here.told == closed.phase and dict(here.seals) != dict(closed.seals) and not live:
        yield f"{place} tells other seals of {closed.phase} than when it was closed: a sheet was changed"
    for drawn in here.drawn:
        if drawn.phase == closed.phase and (drawn.drand, drawn.named) != (
            closed.dice.drand,
            closed.dice.named,
        ):
            yield f"{place} names another source of the dice of {closed.phase}; its report must say why"


def check_published_closings(
    folders: Sequence[ReceivedFolder], proofs: Sequence[Proof], seed: bytes, place: str
) -> Iterator[Problem]:
    """Checks the closings published with the seed: their seals, and what was drawn. Raises quicknet.Missing."""
    own: dict[str, Beacon] = {}
    for proof in proofs:
        closed = read_paper(proof.closed.encode(), place, ClosedPhase) if proof.closed else None
        beacon = read_paper(proof.beacon.encode(), place, Beacon) if proof.beacon else None
        said = [*_check_chained(proof), *_check_copies(folders, proof)]
        if closed is not None:
            said += _check_seals(closed, proof, seed)
            if beacon is not None and (wrong := problem_of(beacon, closed.dice, closed.named_at)):
                said.append(f"{proof.phase}: {wrong}")
            if beacon is None and closed.dice.open and not proof.by_hand:
                said.append(f"{proof.phase}: what came of the source of its dice is missing")
        elif beacon is not None and beacon not in own.values():
            said.append(f"{proof.phase}: its dice hang on what no closing named")
        if beacon is not None:
            own[proof.phase] = beacon
        said += _check_draw(folders, proof.phase, beacon)
        yield from (problem(place, each) for each in said)


def _check_chained(proof: Proof) -> Iterator[str]:
    """Checks that a phase's `closed.yaml` and `beacon.yaml` are the files whose SHA-256 went into the chain."""
    for name, text in ((CLOSED, proof.closed), (BEACON, proof.beacon)):
        digest = proof.files.get(name)
        if digest is not None and digest != digest_of(text.encode()):
            yield f"{proof.phase}: {name} isn't the one that went into the chain"
    if proof.closed and CLOSED not in proof.files:
        yield f"{proof.phase}: {CLOSED} isn't in the chain"


def _check_copies(folders: Sequence[ReceivedFolder], proof: Proof) -> Iterator[str]:
    """Checks that the kept copies, of the closing and of later sources, are the published ones."""
    for each in folders:
        for name, text in each.closed.items():
            kept = read_paper(text, name, ClosedPhase)
            if kept.phase != proof.phase or text == proof.closed.encode():
                continue
            now = read_paper(proof.closed.encode(), PROOF, ClosedPhase) if proof.closed else None
            if now is None or kept.dice not in [before.dice for before in now.renamed]:
                yield f"{each.path / name} isn't what was published of the closing of {proof.phase}"


def _check_seals(closed: ClosedPhase, proof: Proof, seed: bytes) -> Iterator[str]:
    every = {name: receipt_of(digest) for name, digest in proof.files.items()}
    sheets = {name: receipt for name, receipt in every.items() if name.startswith(f"{SHEETS}/")}
    players = list(closed.seals)
    ways: list[Mapping[str, str]] = [seals(seed, proof.phase, players, files) for files in (every, sheets)]
    if closed.phase != proof.phase or dict(closed.seals) not in ways:
        yield f"{proof.phase} was made from other sheets than those that were sealed when it was closed"


def _check_draw(folders: Sequence[ReceivedFolder], phase: str, beacon: Beacon | None) -> Iterator[str]:
    for each in folders:
        for drawn in each.receipts.drawn:
            if drawn.phase == phase and (beacon is None or drawn.value != beacon.value):
                yield f"{each.path / RECEIPTS} tells something else that was drawn for {phase}"
