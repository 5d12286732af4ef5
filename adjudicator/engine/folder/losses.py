"""Pieces that orders sent ahead can't do without, and that were lost since."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from adjudicator.engine.sheets.sheet import KEYWORDS, Sheet
from adjudicator.engine.table.rulebook import Rulebook


def lost(rulebook: Rulebook[Any], since: Iterable[Any], now: Any, sheet: Sheet) -> list[str]:
    """The player's pieces that the sheet's orders can't do without, and that have been lost.

    `since` are the positions from the one in which it was sent: it may name what its own orders have built since.
    """
    had = dict.fromkeys(name for state in since for name in rulebook.pieces(state, sheet.player))
    has = set(rulebook.pieces(now, sheet.player))
    gone = [name for name in had if name not in has]
    wanted = {name for order in sheet.orders or () for name in missed(order.plain, gone)}
    return [name for name in gone if name in wanted]


def missed(plain: Any, gone: Collection[str]) -> set[str]:
    """What an order names of all that is gone, unless its `if` asks for that, or its `else` does without."""
    if isinstance(plain, str):
        return {plain} & set(gone)
    if isinstance(plain, list):
        return {name for each in plain for name in missed(each, gone)}
    if not isinstance(plain, dict):
        return set()
    found = missed([item for each in plain.items() if each[0] not in KEYWORDS for item in each], gone)
    found -= missed(words_of(plain.get("if")), gone)
    otherwise = plain.get("else")
    instead = otherwise if isinstance(otherwise, list) else []
    return set() if any(not missed(other, gone) for other in instead) else found


def words_of(plain: Any) -> list[str]:
    """All words of an `if`, keys of mappings among them."""
    if isinstance(plain, dict):
        return words_of([item for each in plain.items() for item in each])
    if isinstance(plain, list):
        return [word for each in plain for word in words_of(each)]
    return [plain] if isinstance(plain, str) else []
