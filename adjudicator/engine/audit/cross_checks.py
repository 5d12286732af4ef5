"""Do a match's files agree with each other: start, seed, chain of phases, closings, what was handed out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from adjudicator.engine.beacon.quicknet import Beacon, drawn_words, problem_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.adjudication import (
    SEED as SEED_ALONE,
    ClosedPhase,
    beacon_in,
    closed_in,
    digests_of,
    fixed_files,
    seals_of,
)
from adjudicator.engine.folder.entries import SourceChanged, of_kind, standing
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder, chain_of
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.folder.ledger import entries_on_disk
from adjudicator.engine.folder.marks import below, digests_in, mark_before
from adjudicator.engine.folder.names import (
    BEACON,
    CARD,
    CLOSED,
    EVENTS,
    FOR,
    LEDGER,
    OPEN,
    PROOF,
    PUBLIC,
    REFEREE,
    SEED,
    STATE,
    UNDONE,
    head_of,
    is_left_out,
)
from adjudicator.engine.folder.post import SHEETS, Mail
from adjudicator.engine.play.inbox import options_in
from adjudicator.engine.play.position import write_position
from adjudicator.engine.table.dice import commitment
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.text.problem import Problem, counted


def check_start(match: Folder) -> Iterator[Problem]:
    """Checks that the first position is the rulebook's for these players and options."""
    card, there = match.card, match.state(0)
    try:
        options = options_in(match.rulebook, card.options)
        begun = match.rulebook.start(card.match, options, card.players)
    except (Refused, msgspec.ValidationError):
        yield problem(
            match.path / CARD, "no match of these players can begin with these options: edited by hand"
        )
        return
    if write_position(replace(begun, rules=there.rules, chain="")) != write_position(
        replace(there, chain="")
    ):
        said = "this isn't the position with which such a match begins: edited by hand"
        yield problem(match.path / match.phases[0] / STATE, said)


def check_card(match: Folder) -> Iterator[Problem]:
    """Checks that `match.yaml` is as it was when the match began and was last handed out, and published files too."""
    text = match.read(CARD)
    copies = [f"{folder}/{FOR}/{PUBLIC}/{CARD}" for folder in match.phases]
    if any(match.has(copy) and match.read(copy) != text for copy in copies):
        yield problem(match.path / CARD, "this isn't what was handed out: tampered with")
    proof = f"{match.phases[-1]}/{PROOF}"
    handed_out = match.opening(match.last).handed.get(f"{FOR}/{PUBLIC}/{PROOF}")
    if handed_out is not None and (not match.has(proof) or digest_of(match.read(proof)) != handed_out):
        yield problem(match.path / proof, "this isn't what was handed out: tampered with")
    begun = match.opening(0).version
    if match.card.version != begun:
        said = f"the match was begun by version {begun}, but this says {match.card.version}: tampered with"
        yield problem(match.path / CARD, said)


def check_options(match: Folder, number: int) -> Iterator[Problem]:
    """Checks that the options in a position are the match's."""
    try:
        known = options_in(match.rulebook, match.card.options) == match.state(number).options
    except msgspec.ValidationError:
        known = False
    if not known:
        where = match.path / match.phases[number] / STATE
        yield problem(where, f"the options aren't those of {CARD}: edited by hand")


def check_seeds(match: Folder) -> Iterator[Problem]:
    """Checks that each copy of the seed fits the commitment, and that all addresses belong to players."""
    published = f"{match.phases[-1]}/{SEED}"
    if match.head(match.last).over and match.has(REFEREE) and not match.has(published):
        yield problem(match.path / published, "missing: at the end of a match its seed is published")
    for name in (REFEREE, published):
        if not match.has(name):
            continue
        try:
            found = papers.read_paper(match.read(name), str(match.path / name), papers.Secrets)
            right = commitment(bytes.fromhex(found.seed)) == match.card.seed
        except ValueError:
            right = False
        except Faulty as faulty:
            yield from faulty.problems
            continue
        if not right:
            yield problem(match.path / name, f"the seed doesn't have the SHA-256 in {CARD}")
        elif strangers := sorted({*found.addresses} - {*match.card.players}):
            yield problem(match.path / name, f"an address of {', '.join(strangers)}, who doesn't play")


def check_opening(match: Folder, number: int) -> Iterator[Problem]:
    """Checks that `open.yaml` says the same of a phase as its position."""
    rules = match.state(number).rules
    played = match.rules(number)
    if rules and rules != played:
        said = f"the phase was played by version {played} of the rules, but this says {rules}: tampered with"
        yield problem(match.path / match.phases[number] / STATE, said)
    if tuple(match.opening(number).due) != tuple(match.state(number).phase.due):
        said = f"the players due differ from {STATE}: tampered with"
        yield problem(match.path / match.phases[number] / OPEN, said)
    began = match.last_handed_out(number)
    if match.opening(number).since != began:
        said = f"the run that opened it began at {match.phases[began]}, but this says another phase: tampered with"
        yield problem(match.path / match.phases[number] / OPEN, said)


def check_chain(match: Folder, number: int, mail: Mail) -> Iterator[Problem]:
    """Checks that the position after a phase carries the SHA-256 of everything the phase was made from."""
    top = match.path / match.phases[number]
    events = digest_of(match.read(f"{match.phases[number]}/{EVENTS}"))
    known = match.opening(number)
    then = dict(known.closed.files) if known.closed is not None else {}
    if chain_of(then) != match.state(number + 1).chain:
        said = f"the chain isn't the SHA-256 of {match.phases[number]}: tampered with"
        yield problem(match.path / match.phases[number + 1] / STATE, said)
        return
    now = digests_of(match, number, mail) | {EVENTS: events}
    if OPEN in then:  # a match begun before the chain included `open.yaml` has none
        now[OPEN] = papers.digest_of_opening(known)
    yield from differing_files(top, then, now, "the phase was adjudicated")


def differing_files(
    top: Path, then: Mapping[str, str], now: Mapping[str, str], when: str
) -> Iterator[Problem]:
    """The files of a phase that differ from what they were then, by their SHA-256."""
    for name in dict.fromkeys((*then, *now)):
        if name not in now:
            yield problem(top / name, f"missing, but was there when {when}")
        elif name not in then:
            yield problem(top / name, f"added after {when}")
        elif now[name] != then[name]:
            yield problem(top / name, f"changed after {when}: tampered with")


def check_waiting(match: Folder, number: int, mail: Mail) -> Iterator[Problem]:
    """Checks that a phase that waits for an answer is as it was but for its answers, and that nothing else happened."""
    known, top = match.opening(number), match.path / match.phases[number]
    if not known.waits:
        return
    yield from differing_files(
        top, known.files, fixed_files(digests_of(match, number, mail)), "the phase began to wait"
    )
    if len(match.read(f"{match.phases[number]}/{EVENTS}").splitlines()) > known.lines:
        yield problem(top / EVENTS, f"more than the {known.lines} events with which the phase began to wait")


def check_taken_back(match: Folder) -> Iterator[Problem]:
    """Checks that phases taken back are as they were then; the phase opened again says which files they had."""
    if match.unfinished is not None and match.unfinished.moves:
        return  # an undo was interrupted: some files are still elsewhere
    known = {opening.undone: opening.taken for opening in _openings(match) if opening.undone}
    for where, then in known.items():
        if then:  # older matches didn't record the files
            now = digests_in(match, where)
            looked_at = {name: then[name] for name in then if name in now or not is_left_out(name)}
            yield from differing_files(match.path / where, looked_at, now, "it was taken back")
    for name in match.names(UNDONE) if match.kind(UNDONE) is Kind.FOLDER else ():
        if f"{UNDONE}/{name}" not in known and not name.startswith("."):
            yield problem(match.path / UNDONE / name, "no phase says that this was taken back")


def check_not_reopened(match: Folder) -> Iterator[Problem]:
    """A match that went on after its end, when its seed was published: everybody knows its dice and tokens."""
    for name in _taken_back(match):
        head = head_of(name.split("/")[2]) if name.count("/") > 1 else None
        if head is not None and head.over and name.rpartition("/")[2] == SEED:
            said = (
                "the match was over, and this seed published, before it went on: all throws since were known"
            )
            yield problem(match.path / name, said)
            return


def _taken_back(match: Folder) -> Iterator[str]:
    """The files of phases taken back."""
    return below(match, UNDONE) if match.kind(UNDONE) is Kind.FOLDER else iter(())


def _openings(match: Folder) -> Iterator[papers.Opening]:
    """The openings of all phases, including those taken back."""
    yield from (match.opening(number) for number in range(match.last + 1))
    for name in _taken_back(match):
        parts = name.split("/")
        if len(parts) == 4 and head_of(parts[2]) and parts[3] == OPEN:
            yield papers.read_paper(match.read(name), str(match.path / name), papers.Opening)


def check_handouts(match: Folder, number: int) -> Iterator[Problem]:
    """Checks that the players' files of a phase are those that were handed out, as far as they still exist."""
    known: papers.Opening = match.opening(number)
    top = match.phases[number]
    for name, digest in known.handed.items():
        if match.has(f"{top}/{name}") and digest_of(match.read(f"{top}/{name}")) != digest:
            yield problem(match.path / top / name, "this isn't what was handed out: tampered with")
    if known.told and known.told != papers.digest_of_handout(known):
        yield problem(match.path / top / OPEN, "this isn't what it said was handed out: tampered with")
    if known.handed:
        for name in (each.removeprefix(f"{top}/") for each in below(match, f"{top}/{FOR}")):
            if name not in known.handed and not name.rpartition("/")[2].startswith("."):
                yield problem(match.path / top / name, "added after the reports were handed out")


def missing_handouts(match: Folder) -> Iterator[str]:
    """How many of the files that were handed out aren't here, if any: nothing is wrong, they can be made again."""
    missing = handed_out = 0
    for number, top in enumerate(match.phases):
        with suppress(Faulty):  # the check of that file says that it can't be read
            names = match.opening(number).handed
            handed_out += len(names)
            missing += sum(not match.has(f"{top}/{name}") for name in names)
    if missing:
        yield f"{missing} of {counted(handed_out, 'file')} that players got"


# -- phases that were closed before they were played ------------------------------------------------------------------


def check_closing(match: Folder, number: int, mail: Mail, seed: bytes | None) -> Iterator[Problem]:
    """Everything wrong with the closing of a phase, or with a missing closing. Raises Faulty, Missing."""
    top, closed = match.path / match.phases[number], closed_in(match, number)
    if closed is None:
        if match.has(f"{match.phases[number]}/{BEACON}"):
            yield problem(top / BEACON, f"there is no {CLOSED} that names where this comes from")
        if _needed(match, number, mail):
            kind = match.card.options.get("dice")
            said = f"missing: the dice come from {kind}, and no source was named before it was adjudicated"
            yield problem(top / CLOSED, said)
        return
    if (closed.match, closed.phase) != (match.card.match, match.phases[number]):
        yield problem(top / CLOSED, f"this is of {closed.phase} of {closed.match}: tampered with")
        return
    if seed is not None:
        now = seals_of(match, number, mail, seed)
        changed = [player for player in match.card.players if closed.seals.get(player) != now[player]]
        if changed:
            said = f"the sheet of {', '.join(changed)} isn't the one that was there when the phase was closed"
            yield problem(top / CLOSED, said)
        none = ("",) if not number else ()  # until 0.3 the start had no mark
        if closed.mark not in (mark_before(match, number, seed), *none):
            yield problem(top / CLOSED, "the mark isn't that of the phase: tampered with")
    yield from (problem(top / CLOSED, said) for said in _check_sources(match, closed))
    ended = match.opening(number).closed
    if ended is not None and closed.deadline and not ended.deadline:
        said = "it was closed by a deadline, and then adjudicated as if all sheets were in"
        yield problem(top / CLOSED, said)
    beacon = beacon_in(match, number)
    if ended is not None:
        yield from _check_beacon(top / BEACON, beacon, closed, by_hand=bool(ended.dice))


def _needed(match: Folder, number: int, mail: Mail) -> bool:
    """Must the phase have been closed first: does a run begin with it, with throws that weren't made by hand?"""
    ended = match.opening(number).closed
    if ended is None or ended.dice or match.card.options.get("dice", SEED_ALONE) == SEED_ALONE:
        return False
    return number == 0 or any(f"/{SHEETS}/" in name for name in mail.files)


def _check_sources(match: Folder, closed: ClosedPhase) -> Iterator[str]:
    """Checks that the first source is of the match's kind, and that each later one has its entry in the ledger."""
    kind = match.card.options.get("dice", SEED_ALONE)
    sources = [*(one.dice for one in closed.renamed), closed.dice]
    if (kind == "drand", kind == "named") != (bool(sources[0].drand), bool(sources[0].named)):
        yield f"the source that was named first isn't of the match's kind, {kind}: tampered with"
    told = [
        (one.drand, one.named, one.why)
        for one in of_kind(standing(entries_on_disk(match)), SourceChanged, closed.phase)
    ]
    named = [
        (source.drand, source.named, before.why)
        for source, before in zip(sources[1:], closed.renamed, strict=True)
    ]
    if told != named:
        yield f"{LEDGER} tells of other sources that were named later: tampered with"


def _check_beacon(
    place: Path, beacon: Beacon | None, closed: ClosedPhase, *, by_hand: bool
) -> Iterator[Problem]:
    """Checks that the throws were made with what the named source gave, and warns if an earlier version closed the
    phase: they hang on how the GM spelled what was drawn.
    """
    spelled = beacon.text if beacon is not None and closed.dice.named and not closed.dice.words else ""
    if spelled != drawn_words(spelled):
        said = "an earlier version closed this phase: the GM could choose among spellings of what was drawn"
        yield Problem(str(place), 0, 0, "MATCH", said, "warning")
    if closed.dice.open and not by_hand:
        if beacon is None:
            yield problem(place, "missing: what came of the source that was named for the dice")
        elif wrong := problem_of(beacon, closed.dice, closed.named_at):
            yield problem(place, wrong)
