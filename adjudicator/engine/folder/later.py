"""Orders sent ahead, under `later:` of an earlier sheet of the turn: as a sheet, and those that weren't needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.sheets.sheet import Order, Sheet, place_in
from adjudicator.engine.table.event import Head, Player, Remarked
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.source import Source

NotNeeded = Mapping[str, Mapping[Player, Remarked]]
"""By the name of a phase: what is said to those who sent orders for it ahead, should they have no say in it."""


def sheet_ahead(sheet: Sheet, phase: str, folder: str) -> Sheet | None:
    """The orders for a phase in an earlier sheet, as a sheet; None if there are none.

    Its places name the folder in which it stands: `0003-t1-market/sheets/venice.yaml:7:5`.
    """
    if phase not in sheet.later:
        return None
    source = in_folder(sheet.source, folder)
    orders = tuple(standing_in(order, source) for order in sheet.later[phase])
    return replace(sheet, source=source, orders=orders, standing={}, later={}, flaws=(), ready=True)


def in_folder(source: Source, folder: str) -> Source:
    """The source, named as it is seen from another phase; an empty folder is that of the phase itself."""
    return replace(source, name=f"{folder}/{source.name}") if folder else source


def standing_in(order: Order, source: Source) -> Order:
    """The order, and those of its `else`, with their places in that source."""
    otherwise = tuple(standing_in(other, source) for other in order.otherwise)
    return replace(order, source=source, otherwise=otherwise)


def not_needed(sent: Iterable[tuple[str, Sheet]], done: Iterable[tuple[str, Player]]) -> NotNeeded:
    """What is to be said of orders sent ahead in one turn, phase by phase.

    `sent` are the turn's sheets, the newest first, each with the folder of its phase (empty for the phase itself);
    `done` are phases, with players who have had their say in them: of these nothing is said.
    """
    found: dict[str, dict[Player, Remarked]] = {}
    seen = set(done)
    for folder, sheet in sent:
        for phase, orders in sheet.later.items():
            if (phase, sheet.player) in seen:
                continue
            seen.add((phase, sheet.player))
            if orders:
                found.setdefault(phase, {})[sheet.player] = _remark(sheet, phase, folder)
    return found


def _remark(sheet: Sheet, phase: str, folder: str) -> Remarked:
    reason = Reason("SHEET", "later-not-needed", {"phase": phase})
    place = place_in(in_folder(sheet.source, folder), ("later", phase), key=True)
    return Remarked(rule=reason.rule, to=(sheet.player,), player=sheet.player, reason=reason, place=place)


def remarks_after(rulebook: Rulebook[Any], head: Head, opened: Head, said: NotNeeded) -> tuple[Remarked, ...]:
    """The remarks that are due when a phase has closed and another opens: on that phase, and on those left out."""
    return tuple(remark for name in over(rulebook, head, opened) for remark in said.get(name, {}).values())


def over(rulebook: Rulebook[Any], head: Head, opened: Head) -> list[str]:
    """The phases of a turn that are over when the next one opens; none while it is the same phase, seat after seat."""
    names = [phase.name for phase in rulebook.phases]
    if head.name not in names:
        return []
    goes_on = opened.turn == head.turn and opened.name in names
    return names[names.index(head.name) : names.index(opened.name) if goes_on else len(names)]
