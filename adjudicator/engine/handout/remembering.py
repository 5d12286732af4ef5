"""What a player knows at a phase of a match on disk: folded on from what was handed out last, or made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjudicator.engine.folder.entries import Amended, of_kind, standing
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import FOR, PUBLIC
from adjudicator.engine.folder.patches import Unfit, derived_position, is_seen_whole
from adjudicator.engine.play.known import Known, filled_in, known_after, known_at_start, known_from_view
from adjudicator.engine.play.known_file import KNOWN, known_handed_out
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Event, Player

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
