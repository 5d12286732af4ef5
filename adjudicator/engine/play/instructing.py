"""Takes in standing instructions, before the first order of a phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.engine.play.asking import Playing
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.sheets.sheet import Order, Reader, Sheet
from adjudicator.engine.table.event import Player, Stood
from adjudicator.engine.table.position import PHASES, WaitingOrder
from adjudicator.engine.table.reason import Flaw, Reason, Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret, plain_of
from adjudicator.engine.table.table import Instruction, Setting, When
from adjudicator.engine.text.source import Path


def take_standing(table: Playing, sheet: Sheet) -> None:
    """Puts a sheet's standing instructions in force: each kind replaces its own kind, an empty list clears it; only a
    bad entry is dropped, and reported.

    **Ruling**: where no entry is good, the instructions in force stay.
    """
    if not sheet.standing and sheet.phases is None:
        return
    flaws, held = first_by_entry(sheet), plain_of(table.state.players[sheet.player].standing.value)
    for key, plain in sheet.standing.items():
        taken = good_part(table, sheet, flaws, key, plain)
        if taken is not None and taken != held.get(key):
            lay_down(table, sheet, key, taken, table.rulebook.standing[key].rule)
    if sheet.phases is not None:
        taken = orders_for_phases(table, sheet)
        if taken != held.get(PHASES, {}):
            lay_down(table, sheet, PHASES, taken, "SHEET")


def good_part(table: Playing, sheet: Sheet, flaws: Mapping[Path, Flaw], key: str, plain: Any) -> Any:
    """The valid part of the instructions under a key, as plain data; None if nothing in them is valid."""
    kind, top = table.rulebook.standing[key], ("standing", key)
    single, good = isinstance(kind, Setting), []
    for index, each in enumerate([plain] if single else plain):
        path: Path = top if single else (*top, index)
        if path in flaws:
            flaw = flaws[path]
            why, at = flaw.reason, sheet.source.place(flaw.path, key=flaw.key)
        else:
            try:
                good.append(read_entry(kind, each, table.state, sheet.player))
                continue
            except Refused as refused:
                why, at = refused.reason, sheet.source.place((*path, *refused.path))
        table.remark(sheet.player, why, at)
    if single:
        return plain_of(good[0]) if good else None
    if plain and not good:
        why = Reason(kind.rule, "nothing-left", {"key": key})
        table.remark(sheet.player, why, sheet.source.place(top, key=True))
        return None
    return plain_of(good)


def orders_for_phases(table: Playing, sheet: Sheet) -> dict[str, Any]:
    """The sheet's standing orders by phase, as the position holds them; a phase without a good order is left out."""
    found: dict[str, Any] = {}
    folder = folder_name(table.state.phase)
    for name, orders in (sheet.phases or {}).items():
        good = []
        for order in orders:
            flaw = next(flaws_within(order), None)
            if flaw is None:
                good.append(order)
            else:
                table.remark(sheet.player, flaw.reason, sheet.source.place(flaw.path, key=flaw.key))
        if good or not orders:
            found[name] = [plain_of(WaitingOrder(order.plain, f"{folder}/{order.place()}")) for order in good]
    return found


def flaws_within(order: Order) -> Iterator[Flaw]:
    """What the schema finds wrong with an order and those of its `else`."""
    yield from order.flaws
    for other in order.otherwise:
        yield from flaws_within(other)


def lay_down(table: Playing, sheet: Sheet, key: str, taken: Any, rule: str) -> None:
    """Puts a key's instructions in force."""
    player, place = sheet.player, sheet.source.place(("standing", key), key=True)
    table.play(Stood(rule=rule, by=place, to=(player,), player=player, key=key, entries=Secret(taken)))


def first_by_entry(sheet: Sheet) -> Mapping[Path, Flaw]:
    """The schema's first finding for each standing instruction, and for each entry of one."""
    found: dict[Path, Flaw] = {}
    for flaw in sheet.flaws:
        if flaw.path[:1] == ("standing",):
            found.setdefault(flaw.path[:2], flaw)
            found.setdefault(flaw.path[:3], flaw)
    return found


def read_entry(kind: Instruction[Any] | Setting, plain: Any, state: Any, player: Player) -> Any:
    """An entry as its rule reads it. Raises Refused."""
    if isinstance(kind, Setting):
        try:
            return kind.among.read(plain)
        except Refused as refused:
            raise refused.under(kind.rule) from None
    entry = Reader(plain)
    found = kind.read(entry, state, player)
    for field in plain:
        if field not in entry.taken:
            facts = {"value": field, "possible": list(kind.fields)}
            raise Refused(Reason("SHEET", "unknown-field", facts), (field,))
    return found


# -- what is odd in them ----------------------------------------------------------------------------------------------


class WarningReader(Reader):
    """Reads an entry and notes warnings about it."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self.warned: list[Flaw] = []

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Notes a warning, with its path in the entry."""
        self.warned.append(Flaw(Reason(rule, why, facts), path))


def warnings_on_entries(rulebook: Rulebook[Any], state: Any, sheet: Sheet) -> Iterator[Flaw]:
    """Warnings on a sheet's good entries, as far as its player can know: the rules' own, and entries never reached."""
    yield from warnings_on_idle_orders(rulebook, state, sheet)
    for key, plain in sheet.standing.items():
        kind = rulebook.standing[key]
        if isinstance(kind, Setting):
            continue
        good: dict[int, Any] = {}
        for index, each in enumerate(plain):
            path: Path = ("standing", key, index)
            odd = None if _has_flaw(sheet, path) else _warnings_of_rule(kind, each, state, sheet.player)
            if odd is None:
                continue
            yield from (Flaw(flaw.reason, (*path, *flaw.path)) for flaw in odd)
            for earlier, other in good.items():
                if covers(kind, other, each):
                    yield Flaw(Reason(kind.rule, "never-reached", {"first": earlier + 1}), path)
                    break
            good[index] = each


def warnings_on_idle_orders(rulebook: Rulebook[Any], state: Any, sheet: Sheet) -> Iterator[Flaw]:
    """Standing orders for a phase that a setting spares the player, where the sheet lays down one of the two."""
    held = state.players[sheet.player].standing.value
    for key, kind in rulebook.standing.items():
        if not isinstance(kind, Setting):
            continue
        value = getattr(held, key)
        name = kind.spares.get(value, "")
        if name in held.phases and (key in sheet.standing or name in (sheet.phases or {})):
            path: Path = ("standing", key) if key in sheet.standing else ("standing", PHASES, name)
            yield Flaw(Reason(kind.rule, "spared", {"key": key, "value": value, "phase": name}), path)


def covers(kind: Instruction[Any], first: Mapping[str, Any], later: Mapping[str, Any]) -> bool:
    """Does the first entry apply wherever the later one does?"""

    def wide(field: str, how: When) -> bool:
        if field not in first and how is not When.SAME:
            return True
        if how is When.MOST:
            return field in later and bool(later[field] <= first[field])
        return bool(first.get(field) == later.get(field))

    return bool(kind.when) and all(wide(field, how) for field, how in kind.when.items())


def _has_flaw(sheet: Sheet, path: Path) -> bool:
    return any(flaw.path[: len(path)] == path for flaw in sheet.flaws)


def _warnings_of_rule(kind: Instruction[Any], plain: Any, state: Any, player: Player) -> list[Flaw] | None:
    """The rule's warnings about an entry; None if the entry is not good."""
    entry = WarningReader(plain)
    try:
        kind.read(entry, state, player)
    except Refused:
        return None
    return entry.warned if all(field in entry.taken for field in plain) else None
