"""The receipts, marks and seals of a phase, read from the match: for everybody, then for each reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from adjudicator.engine.folder.adjudication import seed_of
from adjudicator.engine.folder.closing import beacon_in
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import KINDS, mark_of, names_of, receipt_of, seals
from adjudicator.engine.folder.names import PUBLIC
from adjudicator.engine.report.receipts import Drawn, Receipts, ToldThrow
from adjudicator.engine.table.event import Player


def for_everybody(match: Folder, first: int, number: int) -> Receipts:
    """What any reader of a phase's reports can check; `first` is the phase of the reports before it.

    `used` are the receipts of everything that was sent; each reader gets only their own (`for_reader`). Without the
    seed there are no marks and seals.
    """
    seed, told = seed_of(match), match.phases[first] if match.opening(first).due and first < number else ""
    files = sent_for(match, first) if told else {}
    return Receipts(
        match.card.match,
        match.card.seed,
        "",
        match.phases[number],
        {} if seed is None else marks(match, seed, sorted({first, number})),
        told,
        files,
        {} if seed is None or not told else seals(seed, told, match.card.players, files),
        drawn=tuple(drawn_for(match, first, number)),
    )


def drawn_for(match: Folder, first: int, number: int) -> Iterator[Drawn]:
    """What was drawn in public for the phases from the first up to that one."""
    for past in range(first, number):
        beacon = beacon_in(match, past)
        if beacon is not None:
            source = beacon.source
            yield Drawn(match.phases[past], beacon.value, source.drand, source.named)


def for_reader(every: Receipts, who: Player | None, thrown: Iterable[ToldThrow]) -> Receipts:
    """Everything that one reader can check of what they get of a phase."""
    own = names_of(who) if who else ()
    used = {name: receipt for name, receipt in every.used.items() if name in own}
    return replace(every, reader=who or PUBLIC, used=used, thrown=tuple(thrown))


def marks(match: Folder, seed: bytes, phases: Iterable[int]) -> dict[str, str]:
    """The marks of the chain at some phases; the first phase has nothing before it.

    Each is the same in every report: a player who kept an earlier one sees whether the match was replayed differently.
    """
    return {
        match.phases[each]: mark_of(seed, match.phases[each], match.state(each).chain)
        for each in phases
        if each
    }


def sent_for(match: Folder, number: int) -> dict[str, str]:
    """The receipts of everything that players sent for a phase, by name, as it was adjudicated."""
    closed = match.opening(number).closed
    files = closed.files if closed is not None else {}
    kinds = tuple(f"{kind}/" for kind in KINDS)
    return {name: receipt_of(digest) for name, digest in files.items() if name.startswith(kinds)}
