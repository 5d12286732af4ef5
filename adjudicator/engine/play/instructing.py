"""Taking in standing instructions, before the first order of a phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.play.playing import Playing
from adjudicator.engine.sheets.reader import Reader
from adjudicator.engine.sheets.sheet import Sheet, place_in
from adjudicator.engine.table.event import Player, Stood
from adjudicator.engine.table.reason import Flaw, Reason, Refused
from adjudicator.engine.table.secret import Secret, plain_of
from adjudicator.engine.table.table import Instruction, Setting
from adjudicator.engine.text.source import Path


def take_standing(table: Playing, sheet: Sheet) -> None:
    """Each kind replaces its own kind, an empty list clears it; a bad entry is dropped alone and said.

    **Ruling**: where no entry is good, the instructions in force stay.
    """
    player, flaws = sheet.player, first_by_entry(sheet)
    for key, plain in sheet.standing.items():
        kind = table.rulebook.standing[key]
        if isinstance(kind, Setting):
            taken = entry(table, sheet, flaws, ("standing", key), plain, kind)
        else:
            found = [
                entry(table, sheet, flaws, ("standing", key, index), each, kind)
                for index, each in enumerate(plain)
            ]
            taken = [each for each in found if each is not None]
            if found and not taken:
                at = place_in(sheet.source, ("standing", key), key=True)
                table.remark(player, Reason(kind.rule, "nothing-left", {"key": key}), at)
                continue
        held = plain_of(table.state.players[player].standing.value)
        if taken is not None and taken != held.get(key):
            place = place_in(sheet.source, ("standing", key), key=True)
            entries = Secret(taken)
            table.play(Stood(rule=kind.rule, by=place, to=(player,), player=player, key=key, entries=entries))


def first_by_entry(sheet: Sheet) -> Mapping[Path, Flaw]:
    """The first thing that the schema says against each standing instruction, and against each entry of one."""
    found: dict[Path, Flaw] = {}
    for flaw in sheet.flaws:
        if flaw.path[:1] == ("standing",):
            found.setdefault(flaw.path[:2], flaw)
            found.setdefault(flaw.path[:3], flaw)
    return found


def entry(
    table: Playing,
    sheet: Sheet,
    flaws: Mapping[Path, Flaw],
    path: Path,
    plain: Any,
    kind: Instruction[Any] | Setting,
) -> Any:
    """One entry as plain data; None if there is something wrong with it."""
    if path in flaws:
        flaw = flaws[path]
        table.remark(sheet.player, flaw.reason, place_in(sheet.source, flaw.path, key=flaw.key))
        return None
    try:
        return plain_of(read_entry(kind, plain, table.state, sheet.player))
    except Refused as refused:
        table.remark(sheet.player, refused.reason, place_in(sheet.source, (*path, *refused.path)))
        return None


def read_entry(kind: Instruction[Any] | Setting, plain: Any, state: Any, player: Player) -> Any:
    """An entry as its rule reads it. Raises Refused."""
    if isinstance(kind, Setting):
        try:
            return kind.among.read(plain)
        except Refused as refused:
            raise refused.under(kind.rule) from None
    entry = Reader(plain)
    found = kind.read(entry, state, player)
    for field in entry.unneeded():
        raise Refused(
            Reason("SHEET", "unknown-field", {"value": field, "possible": list(kind.fields)}), (field,)
        )
    return found
