"""Lost pieces that orders sent ahead need."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.sheet import KEYWORDS, Sheet
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.source import Path


def lost_pieces(
    rulebook: Rulebook[Any], since: Iterable[Any], now: Any, sheet: Sheet, *, tried: bool = False
) -> list[str]:
    """The player's pieces that the sheet's orders need and that have been lost.

    `since` are the positions from the one in which the sheet was sent, because it may name what its own orders have
    built since. With `tried`, the orders are for the open phase, and an `else` that would be refused in it doesn't
    help.
    """
    had = dict.fromkeys(name for state in since for name in rulebook.pieces(state, sheet.player))
    has = set(rulebook.pieces(now, sheet.player))
    gone = [name for name in had if name not in has]
    in_vain = refused_now(rulebook, now, sheet) if tried and gone else set()

    def helps(path: Path) -> bool:
        return sheet.source.place(path) not in in_vain

    wanted = {
        name for order in sheet.orders or () for name in missing_pieces(order.plain, gone, helps, order.path)
    }
    return [name for name in gone if name in wanted]


def refused_now(rulebook: Rulebook[Any], now: Any, sheet: Sheet) -> set[str]:
    """The places of orders, including those of `else`, that would be refused now as far as their player can know.

    An order whose `if` isn't true now isn't among them: it may come true.
    """
    alone = replace(sheet, later={}, phases=None, standing={})
    found = check_sheet(rulebook, position_for(rulebook, now, sheet.player), alone).understood
    return {each.place for each in found if each.tried and not each.good and not each.doubtful}


def every_else_helps(path: Path) -> bool:
    """Every `else` that names no lost piece helps."""
    return True


def missing_pieces(
    plain: Any, gone: Collection[str], helps: Callable[[Path], bool] = every_else_helps, path: Path = ()
) -> set[str]:
    """The lost pieces that an order names, unless its `if` asks about them or its `else` does without them."""
    if isinstance(plain, str):
        return {plain} & set(gone)
    if isinstance(plain, list):
        return {
            name
            for index, each in enumerate(plain)
            for name in missing_pieces(each, gone, helps, (*path, index))
        }
    if not isinstance(plain, dict) or any(
        does_without(other, gone, helps, there) for other, there in else_of(plain, path)
    ):
        return set()
    return pieces_named(plain, gone, helps, path)


def pieces_named(
    order: Mapping[str, Any], gone: Collection[str], helps: Callable[[Path], bool], path: Path
) -> set[str]:
    """The lost pieces that the order itself names, except those that its `if` asks about."""
    fields = {key: value for key, value in order.items() if key not in KEYWORDS}
    found = {
        name
        for key, value in fields.items()
        for name in missing_pieces(key, gone) | missing_pieces(value, gone, helps, (*path, key))
    }
    return found - missing_pieces(words_of(order.get("if")), gone)


def does_without(order: Any, gone: Collection[str], helps: Callable[[Path], bool], path: Path) -> bool:
    """Does the order name no lost piece and help, or else one of its `else`?"""
    if not isinstance(order, dict):
        return False
    if helps(path) and not pieces_named(order, gone, helps, path):
        return True
    return any(does_without(other, gone, helps, there) for other, there in else_of(order, path))


def else_of(order: Mapping[str, Any], path: Path) -> list[tuple[Any, Path]]:
    """The orders directly in an order's `else`, each with its path."""
    found = order.get("else")
    others = found if isinstance(found, list) else []
    return [(other, (*path, "else", index)) for index, other in enumerate(others)]


def words_of(plain: Any) -> list[str]:
    """All words of an `if`, including keys of mappings."""
    if isinstance(plain, dict):
        return words_of([item for each in plain.items() for item in each])
    if isinstance(plain, list):
        return [word for each in plain for word in words_of(each)]
    return [plain] if isinstance(plain, str) else []
