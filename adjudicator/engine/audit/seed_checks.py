"""What was kept or published proves of the folders received: closings, seals, marks, throws, files handed out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from adjudicator.engine.audit.received import FORMS, REPORTS, VIEW, Received, ReceivedFolder
from adjudicator.engine.beacon.quicknet import Beacon, problem_of
from adjudicator.engine.folder.adjudication import ClosedPhase
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import chain_of
from adjudicator.engine.folder.marks import mark_of, names_of, receipt_of, seals
from adjudicator.engine.folder.names import BEACON, CLOSED, FOR, OPEN, PROOF, RECEIPTS, SEED, head_of
from adjudicator.engine.folder.papers import Opening, read_paper
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.match.proof import Lot, Proof
from adjudicator.engine.play.known_file import KNOWN
from adjudicator.engine.report.reader_facts import ToldThrow
from adjudicator.engine.table.dice import SeededDice, commitment
from adjudicator.engine.table.secret import HIDDEN
from adjudicator.engine.text.problem import Problem, counted
from adjudicator.engine.text.resources import Missing

WORDS = "files weren't compared with those handed out: their hashes too are published with the seed"


def check_seed(got: Received) -> Iterator[Problem]:
    """Checks everything the seed proves, if we have the seed."""
    if got.last.seed is None:
        got.unchecked += [
            "the seed isn't published yet: throws, marks, seals and the commitment weren't checked against it",
            WORDS,
        ]
    elif commitment(got.seed) != got.folders[0].receipts.seed:
        yield problem(
            got.last.path / SEED, f"the seed doesn't have the SHA-256 that {RECEIPTS} has from the start"
        )
    else:
        yield from _check_told_seals(got)
        yield from _check_proofs(got)


def _check_told_seals(got: Received) -> Iterator[Problem]:
    """Checks that the seals of the reader's own receipts fit the receipts that were told."""
    for each in got.folders:
        here = each.receipts
        own = seals(got.seed, here.told, [here.reader], here.used)[here.reader]
        if here.told and here.seals.get(here.reader, own) != own:
            said = f"the seal for {here.reader} in {here.told} doesn't hold the receipt that was told"
            yield problem(each.path / RECEIPTS, said)


def _check_proofs(got: Received) -> Iterator[Problem]:
    """The checks of `proof.jsonl`, phase by phase."""
    proofs = got.last.proof
    if proofs is None:
        got.unchecked += [f"{PROOF} isn't here, so that marks and throws weren't checked", WORDS]
        return
    place, every = got.last.path / PROOF, proofs
    if proofs and proofs[-1].phase == got.last.receipts.phase:
        proofs = proofs[:-1]  # in the end phase nobody draws or throws
    heads = [head_of(proof.phase) for proof in proofs]
    if [head.number if head else -1 for head in heads] != list(range(got.last.head.number)):
        yield problem(place, "these aren't all phases of the match, one after another")
        return
    start = heads[0] and proofs[0].phase
    if start and got.marks.get(start, first := mark_of(got.seed, start, "")) != first:
        yield problem(place, f"the mark of {start} isn't that of the seed")
    after = [*(proof.phase for proof in proofs[1:]), got.last.receipts.phase]
    for proof, following in zip(proofs, after, strict=True):
        mark = mark_of(got.seed, following, chain_of(dict(proof.files)))
        if got.marks.get(following, mark) != mark:
            yield problem(place, f"the mark of {following} isn't that of the files of {proof.phase}")
        yield from (problem(place, said) for said in _check_used(got, proof))
        yield from (problem(place, said) for said in _check_lots(got, proof))
    try:
        yield from _check_closings(got, proofs, place)
    except Missing as missing:
        got.unchecked.append(f"the signatures of drand, for want of {missing}")
    except Faulty as faulty:
        yield from faulty.problems
    last = got.last.receipts.phase
    ends = [line for each in got.folders for line in (each.proof or ())[-1:] if line.phase == last]
    yield from _check_handouts(got, (*every, *ends), place)


def _check_used(got: Received, proof: Proof) -> Iterator[str]:
    """Checks that the players' files are those whose receipts were told, sealed or not."""
    files = {name: receipt_of(digest) for name, digest in proof.files.items()}
    for here in (each.receipts for each in got.folders if each.receipts.told == proof.phase):
        now = seals(got.seed, proof.phase, here.seals, files)
        for player in (each for each in now if now[each] != here.seals[each]):
            yield f"the sealed sheet of {player} for {proof.phase} isn't the one used"
        told = {name: receipt for name, receipt in files.items() if name in names_of(here.reader)}
        if here.reader in here.seals and told != dict(here.used):
            yield f"{proof.phase} was made from another sheet of {here.reader} than the report said"
    sheets = {names_of(player)[0]: (player, salt) for player, salt in proof.salts.items()}
    for one in got.kept:
        name = next((each for each in sheets if files.get(each) == one.receipt), "")
        player, salt = sheets.get(name, ("", ""))
        # A sheet that counted as not sent has no salt, not even that of an earlier sheet that it replaces.
        if player and one.salt and salt != one.salt:
            yield f"the salt of {player} in {proof.phase} isn't that of {one.place}, and the throws depend on it"


# -- throws ------------------------------------------------------------------------------------------------------------


def _check_lots(got: Received, proof: Proof) -> Iterator[str]:
    """Checks that every throw follows from the seed and agrees with what was told of it."""
    if proof.lots is None:
        got.unchecked.append(
            f"{proof.phase}: another version of the rules played it, so no throws are proved"
        )
        return
    if proof.by_hand:
        got.unchecked.append(f"{proof.phase}: {counted(proof.by_hand, 'throw')} made by hand")
    head = head_of(proof.phase)
    number = head.number if head is not None else 0
    dice = SeededDice(
        got.seed, got.last.receipts.match, number, list(proof.salts.values()), _value_drawn(proof)
    )
    for lot in proof.lots[proof.by_hand :]:
        if not follows_from(dice, lot):
            yield f"{proof.phase}: the throw for {' '.join(lot.what)} doesn't follow from the seed"
            return
        got.throws += 1
    for each in got.folders:
        told = each.throws_in(proof.phase)
        short = _tells_of(each, number) and len(told) != len(proof.lots)
        if short or len(told) > len(proof.lots) or not all(map(same, told, proof.lots)):
            yield f"{each.path / RECEIPTS} tells other throws of {proof.phase}"


def _value_drawn(proof: Proof) -> str:
    """What was drawn in public for the throws of a phase; empty if nothing was, or if it can't be read."""
    with suppress(Faulty):  # the check of the closings reports it
        return read_paper(proof.beacon.encode(), PROOF, Beacon).value if proof.beacon else ""
    return ""


def _tells_of(each: ReceivedFolder, number: int) -> bool:
    """Does a folder tell of that phase: were the reports before it of that phase or an earlier one?"""
    before = head_of(each.before or "")
    return (before.number if before is not None else 0) <= number < each.head.number


def follows_from(dice: SeededDice, lot: Lot) -> bool:
    """Does the throw follow from these dice: does the seed give the face or the order that came?"""
    if not lot.among:
        return not lot.order and lot.face is None
    if lot.order is not None:
        return dice.shuffle([str(each) for each in lot.among], lot.what) == lot.order
    return dice.throw(tuple(lot.among), lot.what) == lot.face


def same(told: ToldThrow, other: ToldThrow | Lot) -> bool:
    """Does a throw as told to a reader agree with it as told to another one, or with the lot itself, which hides
    nothing?
    """
    if (told.what, told.face, told.order is None) != (other.what, other.face, other.order is None):
        return False
    first, second = told.order or (), other.order or ()
    hidden = (HIDDEN,) if isinstance(other, ToldThrow) else ()
    return len(first) == len(second) and all(
        here in (HIDDEN, there) or there in hidden for here, there in zip(first, second, strict=True)
    )


# -- closings ----------------------------------------------------------------------------------------------------------


def _check_closings(got: Received, proofs: Sequence[Proof], place: Path) -> Iterator[Problem]:
    """Checks the closings published with the seed: their seals, and what was drawn. Raises Missing."""
    own: dict[str, Beacon] = {}
    for proof in proofs:
        closed = read_paper(proof.closed.encode(), str(place), ClosedPhase) if proof.closed else None
        beacon = read_paper(proof.beacon.encode(), str(place), Beacon) if proof.beacon else None
        said = [*_check_chained(proof), *_check_copies(got, proof)]
        if closed is not None:
            said += _check_seals(closed, proof, got.seed)
            if beacon is not None and (wrong := problem_of(beacon, closed.dice, closed.named_at)):
                said.append(f"{proof.phase}: {wrong}")
            if beacon is None and closed.dice.open and not proof.by_hand:
                said.append(f"{proof.phase}: what came of the source of its dice is missing")
        elif beacon is not None and beacon not in own.values():
            said.append(f"{proof.phase}: its dice hang on what no closing named")
        if beacon is not None:
            own[proof.phase] = beacon
        said += _check_draw(got, proof.phase, beacon)
        yield from (problem(place, each) for each in said)


def _check_chained(proof: Proof) -> Iterator[str]:
    """Checks that a phase's `closed.yaml` and `beacon.yaml` are the files whose SHA-256 went into the chain."""
    for name, text in ((CLOSED, proof.closed), (BEACON, proof.beacon)):
        digest = proof.files.get(name)
        if digest is not None and digest != digest_of(text.encode()):
            yield f"{proof.phase}: {name} isn't the one that went into the chain"
    if proof.closed and CLOSED not in proof.files:
        yield f"{proof.phase}: {CLOSED} isn't in the chain"


def _check_copies(got: Received, proof: Proof) -> Iterator[str]:
    """Checks that the kept copies, of the closing and of later sources, are the published ones."""
    for each in got.folders:
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
    ways = [seals(seed, proof.phase, players, files) for files in (every, sheets)]
    if closed.phase != proof.phase or closed.seals not in ways:
        yield f"{proof.phase} was made from other sheets than those that were sealed when it was closed"


def _check_draw(got: Received, phase: str, beacon: Beacon | None) -> Iterator[str]:
    for each in got.folders:
        for drawn in each.receipts.drawn:
            if drawn.phase == phase and (beacon is None or drawn.value != beacon.value):
                yield f"{each.path / RECEIPTS} tells something else that was drawn for {phase}"


# -- files handed out --------------------------------------------------------------------------------------------------


def _check_handouts(got: Received, proofs: Sequence[Proof], place: Path) -> Iterator[Problem]:
    """Compares the files that players got with what the match says was handed out, byte for byte.

    `proofs` are the lines that `place` holds, and those on the end of the match that came with its reports: the end may
    have been handed out more than once.
    """
    known: dict[str, dict[str, set[str]]] = {}
    for proof in proofs:
        try:
            for name, digest in _handed_out(proof, place):
                known.setdefault(proof.phase, {}).setdefault(name, set()).add(digest)
        except Faulty as faulty:
            yield from faulty.problems
    for each in got.folders:
        here = each.receipts
        digests = known.get(here.phase, {})
        if each.digests and not digests:
            said = f"{PROOF} doesn't name what was handed out, and {', '.join(each.digests)} wasn't compared"
            got.unchecked.append(f"{each.path}: {said}")
            continue
        filled_in = {Path(one.place) for one in each.kept}
        for name, own in each.digests.items():
            there = digests.get(f"{FOR}/{here.reader}/{name}", set())
            if there.intersection(own):
                got.as_handed += 1
            elif each.path / name in filled_in:
                continue
            elif name in FORMS or (not there and name not in (*REPORTS, VIEW, KNOWN)):
                what = "neither what was handed out nor filled in" if there else f"{PROOF} doesn't name it"
                got.unchecked.append(f"{each.path / name}: {what}")
            else:
                said = f"this isn't what was handed out to {here.reader} in {here.phase}: changed on its way, or since"
                yield problem(each.path / name, said)


def _handed_out(proof: Proof, place: Path) -> Iterator[tuple[str, str]]:
    """The names of everything handed out at a phase, with its SHA-256 each time it was handed out. Raises Faulty."""
    opening = Opening()
    if proof.open:
        if digest_of(proof.open.encode()) != proof.files.get(OPEN):
            said = f"its {OPEN} of {proof.phase} isn't the one that the next mark was made of"
            raise Faulty([problem(place, said)])
        opening = read_paper(proof.open.encode(), f"{place}: {OPEN} of {proof.phase}", Opening)
    yield from {**proof.handed, **opening.handed}.items()
    yield from ((name, digest) for name, earlier in opening.earlier.items() for digest in earlier)
    yield from proof.mailed.items()
