"""Do a match's files agree with each other: the start, the seed, the chain of phases, what was handed out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from adjudicator.engine.folder.adjudication import digests_of, fixed_files
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder, chain_of
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.folder.marks import below, digests_in
from adjudicator.engine.folder.names import (
    CARD,
    EVENTS,
    FOR,
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
from adjudicator.engine.folder.papers import (
    Opening,
    Secrets,
    digest_of_handout,
    digest_of_opening,
    read_paper,
)
from adjudicator.engine.folder.post import Mail
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
            found = read_paper(match.read(name), str(match.path / name), Secrets)
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
        now[OPEN] = digest_of_opening(known)
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
    for name in below(match, UNDONE) if match.kind(UNDONE) is Kind.FOLDER else ():
        head = head_of(name.split("/")[2]) if name.count("/") > 1 else None
        if head is not None and head.over and name.rpartition("/")[2] == SEED:
            said = (
                "the match was over, and this seed published, before it went on: all throws since were known"
            )
            yield problem(match.path / name, said)
            return


def _openings(match: Folder) -> Iterator[Opening]:
    """The openings of all phases, including those taken back."""
    yield from (match.opening(number) for number in range(match.last + 1))
    for name in below(match, UNDONE) if match.kind(UNDONE) is Kind.FOLDER else ():
        parts = name.split("/")
        if len(parts) == 4 and head_of(parts[2]) and parts[3] == OPEN:
            yield read_paper(match.read(name), str(match.path / name), Opening)


def check_handouts(match: Folder, number: int) -> Iterator[Problem]:
    """Checks that the players' files of a phase are those that were handed out, as far as they still exist."""
    known: Opening = match.opening(number)
    top = match.phases[number]
    for name, digest in known.handed.items():
        if match.has(f"{top}/{name}") and digest_of(match.read(f"{top}/{name}")) != digest:
            yield problem(match.path / top / name, "this isn't what was handed out: tampered with")
    if known.told and known.told != digest_of_handout(known):
        yield problem(match.path / top / OPEN, "this isn't what it said was handed out: tampered with")
    if known.handed:
        for name in added_files(match, top, known.handed):
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


def added_files(match: Folder, top: str, known: Mapping[str, Any]) -> list[str]:
    """The files under a phase's `for/` that weren't handed out, by their names in the phase's folder."""
    there = [name.removeprefix(f"{top}/") for name in below(match, f"{top}/{FOR}")]
    return [name for name in there if name not in known and not name.rpartition("/")[2].startswith(".")]
