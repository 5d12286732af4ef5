"""The receipts, marks and seals of a phase, read from the match: for everybody, then for each reader.

Everybody's points at the end of each turn, as one reader may know them.

What a player knows at a phase of a match on disk: folded on from what was handed out last, or made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.folder.adjudication import beacon_in
from adjudicator.engine.folder.entries import Amended, of_kind, standing
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.marks import (
    KINDS,
    mark_before,
    names_of,
    receipt_of,
    seals,
    seed_of,
    seen_told,
)
from adjudicator.engine.folder.names import FOR, PUBLIC
from adjudicator.engine.folder.patches import Unfit, derived_position, is_seen_whole
from adjudicator.engine.folder.post import Post
from adjudicator.engine.play.known import Known, filled_in, known_after, known_at_start, known_from_view
from adjudicator.engine.play.known_file import KNOWN, known_handed_out
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.chart import Count
from adjudicator.engine.report.reader_facts import Drawn, Receipts, ToldThrow
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.points import total


def for_everybody(match: Folder, first: int, number: int, post: Post) -> Receipts:
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
        seen={} if seed is None or not told else seen_told(match, first, post, seed),
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
    """The marks of the chain at some phases; at the start, before which there is nothing, that of the seed.

    Each is the same in every report: a player who kept an earlier one sees whether the match was replayed differently.
    """
    return {match.phases[each]: mark_before(match, each, seed) for each in phases}


def sent_for(match: Folder, number: int) -> dict[str, str]:
    """The receipts of everything that players sent for a phase, by name, as it was adjudicated."""
    closed = match.opening(number).closed
    files = closed.files if closed is not None else {}
    kinds = tuple(f"{kind}/" for kind in KINDS)
    return {name: receipt_of(digest) for name, digest in files.items() if name.startswith(kinds)}


MOST_COUNTS = 30
"""The most turns to count."""


def counts(match: Folder, number: int, who: Player | None) -> list[Count]:
    """The points at the end of each turn, and in the position of phase `number`, as `who` may know them.

    A long match counts only every second, third, ... turn, to fit a chart.
    """
    turns = [match.head(each).turn for each in range(number + 1)]
    ends = [each for each in range(1, number + 1) if turns[each] > turns[each - 1]]
    found: list[Count] = []
    for each in dict.fromkeys([*ends[:: -(-len(ends) // MOST_COUNTS) or 1], number]):
        # A file by an older program may be unreadable now; a chart is no reason to stop a match.
        with suppress(Faulty):
            state = match.state(each)
            lines = match.rulebook.points(position_for(match.rulebook, state, who))
            turn, now = turns[each] - 1, False
            if each not in ends:
                turn, now = turns[each], not state.phase.over
            found.append(Count(turn, now, {player: total(own) for player, own in lines.items()}))
    return found


Told = Callable[[int], Sequence[Event[Any]]]
"""The events of a phase as the reader was told them."""
Views = Callable[[int], Any]
"""The position of a phase as the reader sees it."""


def known_at(match: Folder, number: int, who: Player | None, told: Told, views: Views) -> Known:
    """What a player knows of the position of a phase. Raises Faulty."""
    first = match.last_handed_out(number) if number else 0
    found = _known_handed_out(match, first, who, views(first)) if number else None
    if found is None:
        first, found = 0, _known_at_start(match, who, views(0))
    for past in range(first, number):
        view = views(past + 1)
        hidden = is_amended_in_secret(match, past + 1, who)
        found = known_after(match.rulebook, found, told(past), view, amended=hidden)
    return found


def _known_handed_out(match: Folder, number: int, who: Player | None, view: Any) -> Known | None:
    """What the `known.yaml` of a phase says that went with this view; None if there is none, or another one now."""
    name = f"{FOR}/{who or PUBLIC}/{KNOWN}"
    digest, path = match.opening(number).handed.get(name), f"{match.phases[number]}/{name}"
    if digest is None or not match.has(path) or digest_of(text := match.read(path)) != digest:
        return None
    return known_handed_out(match.rulebook, text, view, who)


def position_known(match: Folder, number: int, who: Player | None) -> Any:
    """The position of a phase as a player may know it, with all that is certain by the `known.yaml` handed out."""
    view = position_for(match.rulebook, match.state(number), who)
    known = _known_handed_out(match, number, who, view)
    return view if known is None else filled_in(known)


def _known_at_start(match: Folder, who: Player | None, view: Any) -> Known:
    try:
        found = known_at_start(match.rulebook, derived_position(match, 0), view)
    except Unfit:  # `verify` says so
        return known_from_view(match.rulebook, view)
    return known_from_view(match.rulebook, view) if is_amended_in_secret(match, 0, who) else found


def is_amended_in_secret(match: Folder, number: int, who: Player | None) -> bool:
    """Was anything changed by hand in the position of a phase that the reader can't see? The reports say so."""
    entries = of_kind(standing(ledger_of(match)), Amended, match.phases[number])
    return not all(is_seen_whole(match, entry, who) for entry in entries)
